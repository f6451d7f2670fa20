"""A run with random labels, believed labels and gold, and readings of the tables that report it."""

from random import Random

from tests.reports.written import Judged
from trustag.issues.issue import Issue
from trustag.reports.blocks import Figure, Section, Table
from trustag.text.spans import Span

LABELS = ("O", "S-PER", "S-LOC")


def random_sentences(seed: int = 1, count: int = 40) -> list[list[Judged]]:
    rng = Random(seed)

    def token() -> Judged:
        given, believed, gold = (rng.choice(LABELS) for _ in range(3))
        numbers = {name: round(rng.random(), 4) for name in ("score", "suggested_score", "mean")}
        return Judged(
            rng.choice("abcdef"), given, believed, gold, rng.random() < 0.5, spread=rng.random() / 2, **numbers
        )

    return [[token() for _ in range(rng.randint(1, 6))] for _ in range(count)]


def random_issues(sentences: list[list[Judged]]) -> list[Issue]:
    issues = []
    for number, sentence in enumerate(sentences):
        token = sentence[0]
        if token.given != token.believed:
            given, suggested = (
                () if label in {"O", None} else (Span(0, 1, str(label)[2:]),) for label in (token.given, token.believed)
            )
            kind = "missed" if not given else "spurious" if not suggested else "type"
            issues.append(Issue(number, 0, 1, kind, given, suggested, 1 - token.score, token.score, 0.9))  # type: ignore[arg-type]
    return sorted(issues, key=lambda issue: -issue.score)


SENTENCES = random_sentences()


ISSUES = random_issues(SENTENCES)


TOKENS = [token for sentence in SENTENCES for token in sentence]


def tables(section: Section) -> list[Table]:
    found = [block for block in section.blocks if isinstance(block, Table)]
    return found + [table for block in section.blocks if isinstance(block, Figure) for table in block.tables]


def number(text: str) -> int:
    return int(text.replace(",", "").replace("·", "0"))
