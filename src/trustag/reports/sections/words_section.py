"""Words labelled inconsistently: words that are an entity of one type here, of another type or none elsewhere."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from trustag.reports.blocks import Block, Missing, PageSection, Paragraph, Table
from trustag.reports.number_format import count
from trustag.reports.safe_markup import shortened
from trustag.reports.training_sentences import TrainingSentence, training_sentences
from trustag.runs.reading import RunFiles
from trustag.text.labels import OUTSIDE, Label, is_positive
from trustag.text.spans import Span, read_spans

Form: TypeAlias = tuple[str, ...]

PART: Final = "part of another"
_MOST: Final = 60
_LONGEST: Final = 60
_LONGEST_FORM: Final = 12  # tokens; longer entities hardly ever occur twice


def words_section(run: RunFiles) -> PageSection:
    """Return the entity words with the most inconsistent labels."""
    sentences = training_sentences(run)
    blocks = (
        [Missing("words: the run did not keep its training corpus")] if sentences is None else list(_table(sentences))
    )
    return PageSection("words", "Words labelled inconsistently", blocks)


def _table(sentences: Sequence[TrainingSentence]) -> Iterator[Block]:
    given = form_labels(sentences)
    mixed = sorted(
        ((form, labels) for form, labels in given.items() if _inconsistency(labels)),
        key=lambda entry: (-_inconsistency(entry[1]), entry[0]),
    )
    if not mixed:
        yield Paragraph("All entity words have the same label wherever they occur.")
        return
    shown = mixed[:_MOST]
    has_new_labels = any(sentence.new is not None for sentence in sentences)
    relabelled = form_labels(sentences, new=True, of={form for form, _ in shown}) if has_new_labels else {}
    yield Paragraph(
        f"Of {count(len(given), 'form')} that are labelled as an entity somewhere, {count(len(mixed))} have another "
        "type, or none, elsewhere. The same words may well mean different things; those at the top are worth a review. "
        f"“{PART}” counts occurrences inside or overlapping another entity."
        + (f" The {count(len(shown))} most inconsistent ones are shown." * (len(mixed) > len(shown)))
    )
    header = ("words", "occurrences", "given labels", *(("new labels",) if has_new_labels else ()))
    rows = [
        [
            shortened(" ".join(form), _LONGEST),
            count(labels.total()),
            _counts_text(labels),
            *((_counts_text(relabelled.get(form, Counter())),) if has_new_labels else ()),
        ]
        for form, labels in shown
    ]
    yield Table("Words with several labels", header, rows, prose=True)


def _inconsistency(labels: Counter[str]) -> float:
    """Return how inconsistent the labels of some words are: the number against the majority, times its share.

    Being part of another entity is not inconsistent. The share ranks words such as "the" low, which have one odd label
    in a thousand.
    """
    own = [number for name, number in labels.items() if name != PART]
    against = sum(own) - max(own, default=0)
    return against * against / sum(own) if own else 0.0


def _counts_text(labels: Counter[str]) -> str:
    return ", ".join(f"{name} {count(number)}" for name, number in labels.most_common())


def form_labels(
    sentences: Sequence[TrainingSentence], *, new: bool = False, of: set[Form] | None = None
) -> dict[Form, Counter[str]]:
    """Return how often each form that is an entity somewhere has which type, or none, in all sentences.

    With ``new`` the labels are those of the relabelled corpus; ``of`` says which forms are asked for.
    """
    forms = of if of is not None else _entity_forms(sentences)
    lengths: defaultdict[str, set[int]] = defaultdict(set)
    for form in forms:
        lengths[form[0]].add(len(form))
    found: defaultdict[Form, Counter[str]] = defaultdict(Counter)
    for sentence in sentences:
        labels = sentence.new if new and sentence.new is not None else sentence.given
        spans = {span[:2]: span for span in read_spans(labels)}
        for start, token in enumerate(sentence.tokens):
            for length in lengths.get(token, ()):
                form = sentence.tokens[start : start + length]
                # At the end of a sentence the slice is shorter than the form.
                if len(form) == length and form in forms:
                    own = _own_label(labels, spans, start, start + length)
                    if own is not None:
                        found[form][own] += 1
    return dict(found)


def _entity_forms(sentences: Sequence[TrainingSentence]) -> set[Form]:
    return {
        sentence.tokens[span.start : span.end]
        for sentence in sentences
        for span in read_spans(sentence.given)
        if span.end - span.start <= _LONGEST_FORM
    }


def _own_label(labels: Sequence[Label], spans: dict[tuple[int, int], Span], start: int, end: int) -> str | None:
    """Return the type of some words, ``O``, or ``PART`` of another entity; None where labels are unknown."""
    if (start, end) in spans:
        return spans[start, end].type
    own = labels[start:end]
    if any(is_positive(label) for label in own):
        return PART
    return OUTSIDE if None not in own else None
