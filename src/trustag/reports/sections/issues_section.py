"""Label issues: how many of each kind, the review effort, and the worst of them in their sentences."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from statistics import fmean
from typing import Final

from trustag.errors import InputError
from trustag.issues.effort import review_effort
from trustag.issues.grouping import group_issues
from trustag.issues.issue import KINDS, Issue
from trustag.issues.label_sources import errors_by_source
from trustag.reports.blocks import Block, Figure, Folded, MarkedSentences, Missing, PageSection, Paragraph, Table
from trustag.reports.charts.axes import Axis
from trustag.reports.charts.line_chart import Line, LineChart, thinned
from trustag.reports.issue_markup import gold_agrees, marked_issue, reading_text
from trustag.reports.number_format import count, figure, percent
from trustag.reports.safe_markup import shortened
from trustag.reports.training_sentences import TrainingSentence, training_sentences
from trustag.runs.reading import RunFiles

TOP: Final = 100
_UNFOLDED: Final = 10
_MOST_GROUPS: Final = 15
_LONGEST_TEXT: Final = 60
_SHARES: Final = (0.25, 0.5, 0.75, 0.9, 1.0)
_STEPS: Final = (10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000)
_NO_LIST: Final = "issues: the run has no issues.jsonl; baseline runs and runs of older versions have none"


def effort_section(run: RunFiles) -> PageSection:
    """Return how many issues to review to find which share of the errors."""
    issues = run.issues
    if not issues:
        reason = _NO_LIST if issues is None else "review effort: no label looks wrong"
        return PageSection("effort", "Review effort", [Missing(reason)])
    digest = f"{count(review_effort(issues).needed(0.5), 'issue')} for half of the estimated errors"
    return PageSection("effort", "Review effort", list(_effort(issues, _sentences_of(run, issues))), digest)


def issues_section(run: RunFiles) -> PageSection:
    """Return the issues by kind, the repeated ones, and the worst ones."""
    issues = run.issues
    if not issues:
        reason = _NO_LIST if issues is None else "issues: no label looks wrong"
        return PageSection("issues", "Label issues", [Missing(reason)])
    sentences = _sentences_of(run, issues)
    top = issues[:TOP]
    marked = [marked_issue(issue, sentences[issue.sentence]) for issue in top]
    rest = f" The other {count(len(issues) - len(top))} are in issues.jsonl." if len(issues) > len(top) else ""
    blocks: list[Block] = [
        _kind_table(issues, sentences),
        *_by_source(run, issues),
        *_repeated(run, issues),
        Paragraph(
            f"Below are the {count(len(top), 'worst issue')}. Given entities are above the words (dashed), suggested "
            f"ones below (solid); darker is likelier. Labels outside the issue are as given.{rest}"
        ),
        MarkedSentences(marked[:_UNFOLDED]),
    ]
    if marked[_UNFOLDED:]:
        blocks.append(Folded(f"Show {len(marked) - _UNFOLDED} more", [MarkedSentences(marked[_UNFOLDED:])]))
    return PageSection("issues", "Label issues, worst first", blocks, count(len(issues)))


def _by_source(run: RunFiles, issues: Sequence[Issue]) -> Iterator[Block]:
    """Yield how often the entities of each source look wrong, where the sources of the labels are known."""
    sources = [] if run.given is None else errors_by_source(run.given, issues)
    if sources:
        rows = [[one.name, count(one.entities), count(round(one.wrong)), percent(one.share)] for one in sources]
        yield Table("Sources of the labels, worst first", ("source", "entities", "expected wrong", "share"), rows)


def _sentences_of(run: RunFiles, issues: Sequence[Issue]) -> Sequence[TrainingSentence]:
    """Return the training sentences, after checking that every issue lies inside one of them."""
    sentences = training_sentences(run)
    if sentences is None:
        raise InputError("the training corpus of the issues is missing", where=run.path, remedy="train again")
    for line, issue in enumerate(issues, start=1):
        length = len(sentences[issue.sentence].tokens) if 0 <= issue.sentence < len(sentences) else 0
        spans = [*issue.given, *issue.suggested, (issue.first, issue.end, "")]
        if not all(0 <= start < end <= length for start, end, _ in spans):
            raise InputError(
                f"the issue {issue.id} lies outside the training corpus",
                where=f"{run.path / 'issues.jsonl'}:{line}",
                remedy="use files of the same run",
            )
    return sentences


def _effort(issues: Sequence[Issue], sentences: Sequence[TrainingSentence]) -> Iterator[Block]:
    found = review_effort(issues)
    half, most = found.needed(0.5), found.needed(0.9)
    yield Paragraph(
        f"Review the worst {count(half, 'issue')} to catch half of the estimated errors on the list, {count(most)} to "
        f"catch 90 %. Of the {count(len(issues), 'issue')} about {count(round(found.total))} are errors.",
        lead=True,
    )
    wrong = [gold_agrees(issue, sentences[issue.sentence]) is False for issue in issues]
    numbers = range(1, len(issues) + 1)
    lines = [Line("estimated", [(0.0, 0.0), *((float(n), found.share(n)) for n in numbers)])]
    if any(wrong):
        total = sum(wrong)
        caught = [(float(n), hits / total) for n, hits in enumerate(accumulate(wrong), start=1)]
        lines.append(Line("according to gold", [(0.0, 0.0), *caught]))
    drawn = [Line(line.name, thinned(line.points)) for line in lines]
    points = f" The lines go through {len(drawn[0].points)} of their {len(lines[0].points):,} points." * (
        len(drawn[0].points) < len(lines[0].points)
    )
    chart = LineChart(
        "Errors caught by reviewing the worst issues first",
        f"{count(half, 'issue')} hold half of the estimated errors, {count(most)} hold 90 %.",
        drawn,
        Axis("issues reviewed", 0, len(issues), whole=True),
        Axis("errors caught (percent)", 0, 1, percent=True),
        (Line("random order", ((0, 0), (len(issues), 1))),),
    )
    stops = sorted({*(found.needed(share) for share in _SHARES), *(n for n in _STEPS if n < len(issues))})
    rows = [[count(n), *(percent(line.points[n][1]) for line in lines)] for n in stops]
    table = Table("Errors caught", ("issues reviewed", *(line.name for line in lines)), rows)
    caption = "Only errors on the list count: labels that no model doubts are not on it."
    yield Figure([chart.plot()], caption + points, [table])


def _kind_table(issues: Sequence[Issue], sentences: Sequence[TrainingSentence]) -> Table:
    verdicts = {issue.id: gold_agrees(issue, sentences[issue.sentence]) for issue in issues}
    has_gold = any(verdict is not None for verdict in verdicts.values())
    rows = []
    for kind in KINDS:
        own = [issue for issue in issues if issue.kind == kind]
        if own:
            known = [verdicts[issue.id] for issue in own if verdicts[issue.id] is not None]
            mean = fmean(issue.score for issue in own)
            real = [percent(known.count(False) / len(known)) if known else ""] if has_gold else []
            rows.append([kind, count(len(own)), figure(mean), *real])
    header = ["kind", "issues", "mean error probability", *(["errors according to gold"] if has_gold else [])]
    return Table("Issues by kind", header, rows)


def _repeated(run: RunFiles, issues: Sequence[Issue]) -> Iterator[Block]:
    """Yield the decisions that the same words require repeatedly."""
    corpus = run.labels.relabelled if run.labels is not None else run.given or ()
    groups = sorted(group_issues(issues, corpus), key=lambda group: -len(group.issues))
    repeated = [group for group in groups if len(group.issues) > 1]
    if repeated:
        shown = repeated[:_MOST_GROUPS]
        rest = f"; the {count(len(shown))} most frequent of {count(len(repeated))}" * (len(shown) < len(repeated))
        rows = []
        for group in shown:
            worst, tokens = group.worst, corpus[group.worst.sentence].tokens
            readings = (reading_text(worst, spans, tokens) for spans in (worst.given, worst.suggested))
            mean = fmean(issue.score for issue in group.issues)
            rows.append(
                [shortened(" ".join(group.words), _LONGEST_TEXT), *readings, count(len(group.issues)), figure(mean)]
            )
        yield Table(
            f"Repeated issues{rest}",
            ("words", "given", "suggested", "issues", "mean error probability"),
            rows,
            named=3,
        )
