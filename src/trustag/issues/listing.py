"""Issues together with the corpus they are of: a sequence, a table, and a view for notebooks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final, overload

from trustag.issues.effort import Effort, review_effort
from trustag.issues.filtering import IssueSelection
from trustag.issues.flat_records import COLUMNS, row_of
from trustag.issues.grouping import Group, group_issues
from trustag.issues.issue import Issue
from trustag.text.sentences import Sentence

if TYPE_CHECKING:
    import pandas as pd

_SHOWN: Final = 20
_SEEN: Final = ("score", "kind", "text", "given_label", "suggested_label", "context")


@dataclass(frozen=True, slots=True)
class Issues(Sequence[Issue]):
    """A corpus and its issues, worst first."""

    sentences: tuple[Sentence, ...]
    issues: tuple[Issue, ...]

    def __len__(self) -> int:
        return len(self.issues)

    def __iter__(self) -> Iterator[Issue]:
        return iter(self.issues)

    @overload
    def __getitem__(self, index: int) -> Issue: ...
    @overload
    def __getitem__(self, index: slice) -> "Issues": ...
    def __getitem__(self, index: int | slice) -> "Issue | Issues":
        return Issues(self.sentences, self.issues[index]) if isinstance(index, slice) else self.issues[index]

    def chosen(self, choice: IssueSelection) -> "Issues":
        """Return the issues that fit a choice."""
        return Issues(self.sentences, tuple(choice.of(self.issues)))

    def groups(self) -> list[Group]:
        """Return the issues grouped by decision: the same words, given and suggested in the same way."""
        return group_issues(self.issues, self.sentences)

    def effort(self) -> Effort:
        """Return the curve of reviewing these issues worst first."""
        return review_effort(self.issues)

    def to_frame(self) -> "pd.DataFrame":
        """Return a pandas table with a row for each issue; asks for pandas, which Trustag does not bring along."""
        import pandas as pd  # noqa: PLC0415 - only here, and only where it is installed

        return pd.DataFrame([row_of(issue, self.sentences) for issue in self.issues], columns=list(COLUMNS))

    def _repr_html_(self) -> str:
        """Return the worst issues as a table, everything from the corpus escaped."""
        head = "".join(f"<th>{name}</th>" for name in _SEEN)
        rows = [row_of(issue, self.sentences) for issue in self.issues[:_SHOWN]]
        seen = zip(rows, self.issues, strict=False)
        cells = ([*(_cell(row[name]) for name in _SEEN[:-1]), self._marked(issue)] for row, issue in seen)
        body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in own) + "</tr>" for own in cells)
        left = len(self) - len(rows)
        more = f"<p>… and {left:,} more</p>" if left else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"

    def _marked(self, issue: Issue) -> str:
        """Return the sentence of an issue with its words marked."""
        sentence = self.sentences[issue.sentence]
        offsets = sentence.offsets
        first, end = offsets[issue.first][0], offsets[issue.end - 1][1]
        before, words, after = (
            escape(part) for part in (sentence.text[:first], sentence.text[first:end], sentence.text[end:])
        )
        return f"{before}<mark>{words}</mark>{after}"


def _cell(value: object) -> str:
    return escape(f"{value:.3f}" if isinstance(value, float) else str(value))
