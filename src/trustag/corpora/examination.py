"""Examine a corpus: what each split contains, and everything that looks wrong."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from trustag.corpora.checks import (
    Characters,
    Duplicates,
    Finding,
    IllegalLabels,
    Lengths,
    LongerNames,
    SentenceStarts,
    Severity,
    SurfaceForms,
    similar_type_findings,
)
from trustag.corpora.locating import LocatedCorpus, Stream
from trustag.corpora.survey import Survey
from trustag.noise.measures import NoiseMeasures, NoiseTally
from trustag.notes import Note, NoteKind, Watch, unwatched
from trustag.text.labels import Label
from trustag.text.schemes import Scheme
from trustag.text.sentences import Sentence
from trustag.text.spans import read_spans

_READING_FINDINGS: Final[Mapping[NoteKind, tuple[Severity, str]]] = {
    "dropped": ("wrong", "correct the annotations"),
    "repaired": ("look", "check whether the annotations mean this"),
}


@dataclass(frozen=True, slots=True)
class SplitFacts:
    """What one split contains; ``noise`` compares its labels with its gold labels, if it has any."""

    name: str
    format: str
    scheme: Scheme
    sentences: int
    tokens: int
    entities: int
    unknown_labels: int
    longest: int
    labels: Mapping[str, int]
    types: Mapping[str, int]
    noise: NoiseMeasures | None


@dataclass(frozen=True, slots=True)
class Examination:
    """The facts about every split, and all findings."""

    splits: tuple[SplitFacts, ...]
    findings: tuple[Finding, ...]

    @property
    def is_healthy(self) -> bool:
        """Whether no finding is certainly an error."""
        return not any(finding.severity == "wrong" for finding in self.findings)


def examine(corpora: Iterable[LocatedCorpus], watch: Watch = unwatched) -> Examination:
    """Return what ``corpora`` contain and what is wrong with them; sentences in two of them count as leakage."""
    facts: list[SplitFacts] = []
    findings: list[Finding] = []
    misfits: list[Note] = []

    def collect_misfits(note: Note) -> None:
        watch(note)
        if note.kind in _READING_FINDINGS:
            misfits.append(note)

    shared = _SharedChecks(Duplicates(), SurfaceForms(), SentenceStarts(), LongerNames())
    named = [
        (_split_name(located, split), located, stream)
        for located in corpora
        for split, stream in located.streams.items()
    ]
    for name, located, stream in named:
        split_facts, found = _first_pass(name, located.format, shared, stream(collect_misfits))
        facts.append(split_facts)
        findings += found
    for (_, _, stream), split_facts in zip(named, facts, strict=True):
        findings += _second_pass(stream, split_facts.scheme, shared)
    findings += _reading_findings(misfits)
    types = Counter[str]()
    for split_facts in facts:
        types.update(split_facts.types)
    findings += similar_type_findings(types)
    for check in (shared.duplicates, shared.forms, shared.starts, shared.names):
        findings += check.findings()
    ranked = sorted(_merged(findings), key=lambda finding: (finding.severity != "wrong", -finding.count))
    return Examination(tuple(facts), tuple(ranked))


def _reading_findings(notes: list[Note]) -> Iterator[Finding]:
    """Yield a finding for each reason why the reader dropped or repaired something."""
    by_reason: dict[tuple[NoteKind, str], list[Note]] = {}
    for note in notes:
        by_reason.setdefault((note.kind, note.reason), []).append(note)
    for (kind, reason), same in by_reason.items():
        severity, advice = _READING_FINDINGS[kind]
        places = tuple((note.source, note.detail) for note in same)
        yield Finding(f"{kind} while reading ({reason})", severity, len(places), advice, places)


def _split_name(located: LocatedCorpus, split: str) -> str:
    return located.name if located.is_single_file else f"{located.name}:{split}"


@dataclass(frozen=True, slots=True)
class _SharedChecks:
    """The checks that cover all splits together."""

    duplicates: Duplicates
    forms: SurfaceForms
    starts: SentenceStarts
    names: LongerNames


def _first_pass(
    name: str, format_name: str, shared: _SharedChecks, sentences: Iterator[Sentence]
) -> tuple[SplitFacts, list[Finding]]:
    survey, types, labels = Survey(), Counter[str](), Counter[Label]()
    lengths, characters, noise = Lengths(), Characters(), NoiseTally()
    longest, with_gold = 0, 0
    for sentence in sentences:
        survey.add((sentence,))
        labels.update(sentence.labels)
        types.update(span.type for span in read_spans(sentence.labels))
        longest = max(longest, len(sentence.tokens))
        lengths.add(sentence)
        characters.add(sentence)
        shared.duplicates.add(sentence, name)
        shared.forms.collect(sentence)
        shared.starts.collect(sentence)
        shared.names.collect(sentence)
        if sentence.gold is not None:
            with_gold += 1
            noise.add(sentence.gold, sentence.labels)
    facts = SplitFacts(
        name=name,
        format=format_name,
        scheme=survey.scheme.scheme,
        sentences=survey.sentences,
        tokens=survey.tokens,
        entities=types.total(),
        unknown_labels=labels.pop(None, 0),
        longest=longest,
        labels={label: labels[label] for label in survey.tags if labels[label]},
        types=dict(sorted(types.items(), key=lambda item: (-item[1], item[0]))),
        noise=noise.result() if with_gold else None,
    )
    return facts, [*lengths.findings(), *characters.findings()]


def _second_pass(stream: Stream, scheme: Scheme, shared: _SharedChecks) -> Iterator[Finding]:
    illegal = IllegalLabels(scheme)
    for sentence in stream(unwatched):
        illegal.add(sentence)
        shared.forms.add(sentence)
        shared.starts.add(sentence)
        shared.names.add(sentence)
    yield from illegal.findings()


def _merged(findings: list[Finding]) -> Iterator[Finding]:
    """Merge the findings of the same check in several splits."""
    by_check: dict[str, list[Finding]] = {}
    for finding in findings:
        by_check.setdefault(finding.check, []).append(finding)
    for same in by_check.values():
        first = same[0]
        places = tuple(place for finding in same for place in finding.places)
        yield Finding(first.check, first.severity, len(places), first.advice, places)
