"""What a run found of the labels it was given, left beside the model: new labels, every change, confidence in each."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from dataclasses import replace as replaced
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from msgspec.structs import replace
from torch import Tensor

from trustag.confidence.calibration import label_parts, part_scores
from trustag.confidence.probabilities import confidence
from trustag.confidence.selection import kept_count, label_groups, most_confident
from trustag.corpora.survey import Survey
from trustag.data.encoded_corpus import NO_LABEL, Numbered, number_sentences
from trustag.files.outputs import new_file
from trustag.issues.files import write_issues
from trustag.issues.finding import Witness, find_issues
from trustag.issues.issue import Issue
from trustag.issues.ranking import fitted_ranking
from trustag.issues.same_words import shared_doubt
from trustag.label_quality.detection import Detection, detection
from trustag.notes import Watch
from trustag.runs.corpora import write_relabelled
from trustag.runs.folder import RunFolder, write_text
from trustag.text.labels import Label
from trustag.text.schemes import convert_labels
from trustag.text.sentences import Sentence
from trustag.training.rates import RatesFound
from trustag.training.relabelling import Rejoined, UnseenView
from trustag.training.rounds import Material, Round, with_labels


@dataclass(frozen=True, slots=True)
class Change:
    """A label that a round changed, in the scheme of the corpus, with the model's probability of both readings."""

    round: int
    sentence: int
    token: int
    text: str
    before: Label
    after: Label
    score_before: float | None
    score_after: float


@dataclass(frozen=True, slots=True)
class Findings:
    """The noise rates, what the chosen round made of the labels, and with gold how well wrong ones were found.

    ``relabelled`` are the training sentences with their new labels, ``changes`` what differs from the given ones, and
    ``confidence`` the columns of ``confidence.npz``, one entry a token but for the ``names`` of the numbered labels;
    ``issues`` are the entities, given or missed, that look wrong, worst first; ``temperature`` is what makes models of
    these labels as sure as they should be.
    """

    rates: RatesFound
    round: int
    rounds: int
    relabelled: tuple[Sentence, ...]
    changes: tuple[Change, ...]
    confidence: Mapping[str, npt.NDArray[Any]]
    issues: tuple[Issue, ...]
    temperature: float
    detection: Detection | None

    @property
    def labels(self) -> int:
        """How many labels there are."""
        return sum(len(sentence) for sentence in self.relabelled)

    @property
    def changed(self) -> int:
        """How many of them the chosen round changed."""
        return len(self.changes)

    def summary(self) -> dict[str, object]:
        """Return the same for manifests and screens."""
        return {
            "rates": self.rates.summary(),
            "round": self.round,
            "labels": self.labels,
            "changed": self.changed,
            "temperature": self.temperature,
            "detection": self.detection.summary() if self.detection else None,
        }


def write_findings(
    run: RunFolder, material: Material, rates: RatesFound, rounds: Sequence[Round], chosen: Round, watch: Watch
) -> Findings:
    """Leave the relabelled corpus, its changes, the history of rounds, confidence and issues in the run."""
    sentences = {done.number: _in_corpus_scheme(material, done.relabelled.labels) for done in rounds}
    changes = {done.number: list(_changes(material, done, sentences[done.number])) for done in rounds}
    lines = (json.dumps(asdict(change), ensure_ascii=False) + "\n" for own in changes.values() for change in own)
    write_text(run.changes, "".join(lines))
    history = ({**_described(done), "changed": len(changes[done.number])} for done in rounds)
    write_text(run.rounds, "".join(json.dumps(entry) + "\n" for entry in history))
    write_relabelled(run, sentences[chosen.number], watch)
    numbered = number_sentences(material.sentences, material.labels)
    shares_wrong = rates.rates.negative, rates.rates.positive
    # The final model knows more than each fold model; it has seen the labels, but not those that were distrusted.
    jury = chosen.rejoined.joined_by(chosen.final.judgement)
    columns = _confidence(material, numbered, chosen, jury, shares_wrong)
    doubt = how_wrong(chosen.relabelled.view, shares_wrong, jury.ruled_out)
    with new_file(run.confidence, overwrite=True) as stream:
        np.savez_compressed(stream, **columns)  # type: ignore[arg-type] # a name might be allow_pickle, none is
    issues = tuple(_issues(material, rounds[0], jury, shares_wrong))
    write_issues(run.issues, issues)
    return Findings(
        rates=rates,
        round=chosen.number,
        rounds=len(rounds),
        relabelled=tuple(sentences[chosen.number]),
        changes=tuple(changes[chosen.number]),
        confidence=columns,
        issues=issues,
        temperature=chosen.rejoined.temperature(torch.from_numpy(doubt)),
        detection=_detection(numbered, chosen, columns["trusted"]),
    )


def _confidence(
    material: Material, numbered: Numbered, done: Round, jury: Rejoined, shares_wrong: tuple[float, float]
) -> dict[str, npt.NDArray[Any]]:
    """Return what was found of every token's label, as columns.

    Scores and suggestions are those of models that have not seen the label; how likely it is wrong, the jury says.
    """
    view, given = done.relabelled.view, done.relabelled.view.given
    groups = label_groups(material.labels, done.rejoined.told_rates(done.rates))
    group = groups.of(done.rejoined.ranked)
    keep = [kept_count(int((group == number).sum()), rate, "nearest") for number, rate in enumerate(groups.rates)]
    trusted = numbered.settled | most_confident(view.trust(), group, keep)
    parts = part_scores(view.probabilities, given, label_parts(material.labels))
    suggested = done.relabelled.suggested
    columns: dict[str, npt.NDArray[Any]] = {
        "sentence": np.repeat(np.arange(len(numbered.lengths)), numbered.lengths),
        "token": np.concatenate([np.arange(length) for length in numbered.lengths]),
        "label": given.numpy().astype(np.int16),
        "score": confidence(view.probabilities, given).numpy(),
        "position_score": parts.position.numpy(),
        "type_score": parts.type.numpy(),
        "trusted": trusted.numpy(),
        "suggested": suggested.numpy().astype(np.int16),
        "suggested_score": confidence(view.probabilities, suggested).numpy(),
        "names": np.array(material.labels.labels),
    }
    wrong = how_wrong_by_words(
        replaced(view, probabilities=jury.probabilities(None)), shares_wrong, jury.ruled_out, material.sentences
    )
    columns["wrong"] = np.where(_may_be_wrong(numbered).numpy(), wrong, 0.0).astype(np.float32)
    if view.dynamics is not None:
        columns["mean"] = view.dynamics.mean.numpy()
        columns["spread"] = view.dynamics.spread.numpy()
    return columns


def how_wrong(view: UnseenView, shares_wrong: tuple[float, float], ruled_out: Tensor) -> npt.NDArray[np.float64]:
    """Return how likely each label is wrong to models with this view, if so many of either group are."""
    given, believed = view.given.numpy(), confidence(view.probabilities, view.given).numpy()
    learnt = None if view.dynamics is None else view.dynamics.mean.numpy()
    ranking = fitted_ranking(given, believed, learnt, shares_wrong)
    return ranking.how_wrong(believed, learnt, given > 0, ruled_out.numpy()).astype(np.float64)


def how_wrong_by_words(
    view: UnseenView, shares_wrong: tuple[float, float], ruled_out: Tensor, sentences: Sequence[Sentence]
) -> npt.NDArray[np.float64]:
    """Return the same, with doubt shared among the places where a word has the same label."""
    words = (token for sentence in sentences for token in sentence.tokens)
    wrong = how_wrong(view, shares_wrong, ruled_out)
    return shared_doubt(wrong, words, view.given.numpy()).astype(np.float64)


def _may_be_wrong(numbered: Numbered) -> Tensor:
    """Tell which labels somebody gave and nobody has reviewed."""
    return numbered.doubtable != NO_LABEL


def _issues(material: Material, first: Round, jury: Rejoined, shares_wrong: tuple[float, float]) -> list[Issue]:
    """Return the issues as the jury sees them; only models of the first round learnt from the labels as given."""
    dynamics = first.relabelled.view.dynamics
    witness = Witness(
        given=jury.given,
        probabilities=jury.probabilities(None),
        best_labels=jury.best_labels,
        probabilities_of=jury.probabilities_of,
        learnt=None if dynamics is None else dynamics.mean,
        held=first.rejoined.held,
        ruled_out=jury.ruled_out,
    )
    scheme = Survey().add(material.sentences).scheme.scheme
    return find_issues(material.sentences, witness, material.labels, scheme, shares_wrong)


def _detection(numbered: Numbered, done: Round, trusted: npt.NDArray[np.bool_]) -> Detection | None:
    """Return how well distrust found wrong labels, where gold tells."""
    if numbered.gold is None:
        return None
    given = done.relabelled.view.given
    return detection(given, torch.cat(numbered.gold), (given >= 0) & ~torch.from_numpy(trusted))


def _in_corpus_scheme(material: Material, labels: Tensor) -> list[Sentence]:
    """Return the corpus with new labels, numbered in a row for all its tokens, written as the corpus writes labels."""
    scheme = Survey().add(material.sentences).scheme.scheme
    numbered = number_sentences(material.sentences, material.labels)
    relabelled = with_labels(material.sentences, numbered, labels, material.labels)
    return [replace(sentence, labels=tuple(convert_labels(sentence.labels, scheme))) for sentence in relabelled]


def _changes(material: Material, done: Round, relabelled: Sequence[Sentence]) -> Iterator[Change]:
    found = done.relabelled
    before = confidence(found.view.probabilities, found.view.given).tolist()
    after = confidence(found.view.probabilities, found.labels).tolist()
    place = 0
    for number, (old, new) in enumerate(zip(material.sentences, relabelled, strict=True)):
        for token, text in enumerate(old.tokens):
            if old.labels[token] != new.labels[token]:
                known = before[place] if old.labels[token] is not None else None
                labels = old.labels[token], new.labels[token]
                yield Change(done.number, number, token, text, *labels, known, after[place])
            place += 1


def _described(done: Round) -> dict[str, object]:
    return {
        "round": done.number,
        "rates": {"negative": done.rates.negative, "positive": done.rates.positive, "apart": done.rates.apart},
        "fold_dev_f1": [outcome.dev_f1 for outcome in done.fold_outcomes],
        "fold_kept_epochs": [outcome.kept_epoch.epoch for outcome in done.fold_outcomes],
        "fold_distrusted": [
            {name: share for name, share in outcome.kept_epoch.facts.items() if name.startswith("distrusted_")}
            for outcome in done.fold_outcomes
        ],
        "final_dev_f1": done.final.dev_f1,
        "final_kept_epoch": done.final.kept_epoch.epoch,
        "pinned": int(done.relabelled.pinned.sum()),
    }
