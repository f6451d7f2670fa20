"""What can be wrong with the scores a chain is given: each error names the sentence and the token."""

from trustag.errors import TrustagError


class NoPathError(TrustagError):
    """A sentence has no label path that the allowed labels and the legal moves leave open."""

    def __init__(self, sentence: int, token: int, reason: str) -> None:
        self.sentence = sentence
        self.token = token
        super().__init__(f"sentence {sentence} of the batch, token {token} (counted from 0): {reason}")


class NonFiniteScoreError(TrustagError):
    """A score that must be a number is not: not-a-number or plus infinity."""
