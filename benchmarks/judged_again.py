"""The labels of a kept run judged again from what its models left: the same as at the end of training.

So runs that an earlier version made, with other rankings or none, can be measured as well.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from trustag.corpora.locating import CorpusOptions, stream
from trustag.corpora.survey import Survey
from trustag.crf.outputs import Judgement
from trustag.data.encoded_corpus import Numbered, label_set, number_sentences
from trustag.issues.finding import Witness, find_issues
from trustag.issues.listing import Issues
from trustag.models.saving import load_model
from trustag.recipes.loading import load_recipe
from trustag.recipes.settings import Recipe
from trustag.text.label_sets import LabelSet
from trustag.text.labels import entity_types
from trustag.text.sentences import Sentence
from trustag.training.cut_names import Verdict, decided
from trustag.training.findings import how_wrong, how_wrong_by_words
from trustag.training.folds import draw_folds
from trustag.training.judging import read_outcome, together
from trustag.training.relabelling import Rejoined
from trustag.training.rounds import member_names


@dataclass(frozen=True, slots=True)
class JudgedAgain:
    """The issues of a run, how likely every label is wrong, and the probabilities of models that have not seen it."""

    found: Issues
    labels: LabelSet
    numbered: Numbered
    wrong: npt.NDArray[np.float64]
    probabilities: npt.NDArray[np.float32]
    temperature: float


def judged_again(run: Path) -> JudgedAgain:
    """Return what the models of a run's chosen round say of its labels, and those of the first came to believe."""
    recipe = load_recipe(str(run / "recipe.toml"), [])
    facts = json.loads((run / "manifest.json").read_text(encoding="utf-8"))["labels"]
    verdict = facts["rates"].get("cut_names")
    recipe = decided(recipe, verdict and Verdict(**verdict))
    sentences = tuple(stream(str(run / "given.jsonl"), CorpusOptions("jsonl")))
    labels = label_set(entity_types(label for sentence in sentences for label in sentence.labels))
    numbered = number_sentences(sentences, labels)
    first, chosen = (_rejoined(run, number, recipe, numbered, sentences, labels) for number in (1, facts["round"]))
    memory = recipe.confidence.memory
    dynamics = first.view(memory).dynamics
    learnt = None if dynamics is None else dynamics.mean
    jury = chosen.joined_by(_final_judgement(run, sentences))
    probabilities = jury.probabilities(None)
    rates = facts["rates"]["negative"], facts["rates"]["positive"]
    told = learnt, first.held, jury.ruled_out
    witness = Witness(jury.given, probabilities, jury.best_labels, jury.probabilities_of, *told)
    scheme = Survey().add(sentences).scheme.scheme
    issues = find_issues(sentences, witness, labels, scheme, rates)
    unseen = replace(chosen.view(memory), dynamics=dynamics)
    return JudgedAgain(
        found=Issues(sentences, tuple(issues)),
        labels=labels,
        numbered=numbered,
        wrong=how_wrong_by_words(replace(unseen, probabilities=probabilities), rates, jury.ruled_out, sentences),
        probabilities=unseen.probabilities.numpy(),
        temperature=chosen.temperature(torch.from_numpy(how_wrong(unseen, rates, jury.ruled_out))),
    )


def _final_judgement(run: Path, sentences: Sequence[Sentence]) -> Judgement:
    tagger = load_model(run / "model-best")
    scores = tagger.emissions([sentence.tokens for sentence in sentences])
    lengths = [len(sentence) for sentence in sentences]
    return Judgement(lengths, torch.cat(list(map(torch.from_numpy, scores))), tagger.network.chain)


def _rejoined(
    run: Path, number: int, recipe: Recipe, numbered: Numbered, sentences: tuple[Sentence, ...], labels: LabelSet
) -> Rejoined:
    rounds = recipe.rounds
    folds = draw_folds(sentences, numbered, recipe, (number - 1) // rounds.reshuffle)
    outcomes = []
    for fold in range(folds.count):
        tokens = [sentences[place].tokens for place in folds.judged(fold)]
        names = member_names(f"round-{number}", fold, rounds.members)
        outcomes.append(together([read_outcome(run / "jobs" / name, tokens) for name in names]))
    return Rejoined(numbered, folds, outcomes, labels, legal_only=recipe.model.constraints != "none")
