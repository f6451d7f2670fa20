"""A random run with issues, and how to find tables and numbers in its report."""

from pathlib import Path
from random import Random

from tests.reports.written import Assessed, FullRun
from trustag.issues.issue import Issue
from trustag.reports.blocks import Figure, PageSection, Table
from trustag.text.spans import Span

LABELS = ("O", "S-PER", "S-LOC")


def random_sentences(seed: int = 1, count: int = 40) -> list[list[Assessed]]:
    rng = Random(seed)

    def token() -> Assessed:
        given, new_label, gold = (rng.choice(LABELS) for _ in range(3))
        numbers = {name: round(rng.random(), 4) for name in ("score", "suggested_score", "mean")}
        return Assessed(
            rng.choice("abcdef"), given, new_label, gold, rng.random() < 0.5, spread=rng.random() / 2, **numbers
        )

    return [[token() for _ in range(rng.randint(1, 6))] for _ in range(count)]


def random_issues(sentences: list[list[Assessed]]) -> list[Issue]:
    issues = []
    for number, sentence in enumerate(sentences):
        token = sentence[0]
        if token.given != token.new_label:
            given, suggested = (
                () if label in {"O", None} else (Span(0, 1, str(label)[2:]),)
                for label in (token.given, token.new_label)
            )
            kind = "missed" if not given else "spurious" if not suggested else "type"
            issues.append(Issue(number, 0, 1, kind, given, suggested, 1 - token.score, token.score, 0.9))  # type: ignore[arg-type]
    return sorted(issues, key=lambda issue: -issue.score)


SENTENCES = random_sentences()
ISSUES = random_issues(SENTENCES)
TOKENS = [token for sentence in SENTENCES for token in sentence]


def tables(section: PageSection) -> list[Table]:
    found = [block for block in section.blocks if isinstance(block, Table)]
    return found + [table for block in section.blocks if isinstance(block, Figure) for table in block.tables]


def number(text: str) -> int:
    return int(text.replace(",", "").replace("·", "0"))


TWO_LABELS = [[Assessed("Ann", "S-PER", "S-PER", "S-PER"), Assessed("Rome", "O", "S-LOC", "S-LOC")]]
RECIPE = "[training]\nseed = {seed}\nepochs = {epochs}\n[rounds]\ncount = 1\n"


def written(path: Path, seed: int, epochs: int, f1: float, data: str = "a") -> Path:
    """Write a small run with this seed, number of epochs, test F1 and training data."""
    manifest = {"test": {"f1": f1}, "data": {"train": data, "dev": "b", "test": "c"}}
    return FullRun(TWO_LABELS, [], seed, RECIPE.format(seed=seed, epochs=epochs), manifest).write(path)
