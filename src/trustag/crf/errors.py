"""Errors about the scores of a CRF; each names the sentence and the token."""

from trustag.errors import TrustagError


class NoPathError(TrustagError):
    """No label path of a sentence satisfies both its allowed labels and the legal transitions."""

    def __init__(self, sentence: int, token: int, reason: str) -> None:
        self.sentence = sentence
        self.token = token
        super().__init__(f"sentence {sentence} of the batch, token {token} (counted from 0): {reason}")


class NonFiniteScoreError(TrustagError):
    """A score is NaN or plus infinity."""
