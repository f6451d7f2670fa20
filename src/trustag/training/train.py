"""Train a tagger on a corpus and leave a run behind; killed anywhere and resumed, it ends like an unbroken one."""

import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from trustag.corpora.legality import SchemeChange, rewritten
from trustag.corpora.survey import Survey
from trustag.data.encoded_corpus import label_set
from trustag.engines import Engine
from trustag.errors import InputError
from trustag.files.outputs import link_or_copy, new_folder
from trustag.models.building import GivenVectors
from trustag.models.context import FrozenContext
from trustag.models.saving import load_model, set_temperature
from trustag.noise.sentence_initial_words import sentence_initial_entities
from trustag.notes import Note, Watch, each_once
from trustag.recipes.settings import Recipe
from trustag.runs.corpora import write_given
from trustag.runs.folder import RunFolder, fingerprint, finish, open_run, write_metrics
from trustag.text.labels import entity_types
from trustag.text.scoring import EntityScores
from trustag.text.sentences import Corpus, Sentence
from trustag.training.contexts import stored_context
from trustag.training.cut_names import decided
from trustag.training.findings import Findings, write_findings
from trustag.training.fitting import fit, score
from trustag.training.jobs import RunReport, Workshop
from trustag.training.length import suited
from trustag.training.loop import EpochReport
from trustag.training.plan import plan_of
from trustag.training.rates import RatesFound, check_source, find_rates
from trustag.training.rounds import BASELINE, Material, Round, plain_fitting, self_train

_WORDS_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class Scores:
    """How a model does on dev and test, where there are such splits."""

    dev: EntityScores | None
    test: EntityScores | None

    def summary(self) -> dict[str, dict[str, float] | None]:
        """Return precision, recall and F1, for manifests and screens."""
        return {"dev": _micro(self.dev), "test": _micro(self.test)}


@dataclass(frozen=True, slots=True)
class Trained:
    """A finished run: where it is, how each epoch of its model went, how that does, and what was found of the labels.

    ``plain`` is how a model does that believed every label, ``by_round`` how the final model of each round does; both
    and ``findings`` are there when labels were doubted.
    """

    run: RunFolder
    sentences: int
    history: tuple[EpochReport, ...]
    best_epoch: int
    scores: Scores
    plain: Scores | None = None
    by_round: tuple[Scores, ...] = ()
    findings: Findings | None = None

    def summary(self) -> dict[str, object]:
        """Return what came out, for manifests and screens."""
        found: dict[str, object] = {"best_epoch": self.best_epoch, **self.scores.summary()}
        if self.plain is not None:
            found["plain"] = self.plain.summary()
        if self.by_round:
            found["rounds"] = [scores.summary() for scores in self.by_round]
        if self.findings is not None:
            found["labels"] = self.findings.summary()
        return found


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a run goes, and what to do if something is there already."""

    path: Path
    resume: bool = False
    overwrite: bool = False


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where the work of a run is done, and who hears of it."""

    engine: Engine
    watch: Watch
    report: Callable[[RunReport], None]


def train(
    corpus: Corpus,
    recipe: Recipe,
    vectors: GivenVectors | None,
    destination: Destination,
    surroundings: Surroundings,
    context: FrozenContext | None = None,
) -> Trained:
    """Train on the train split, choose by the dev split if there is one, and score finished models on the test split.

    With rounds of self-training in the recipe the labels are doubted on the way, and what was found of them is left in
    the run beside the model; without rounds every label is believed.
    """
    watch = surroundings.watch
    sentences = _ready(corpus.train, recipe, "train", watch)
    dev, test = (_ready(part, recipe, name, watch) for name, part in (("dev", corpus.dev), ("test", corpus.test)))
    data = {name: fingerprint(part) for name, part in (("train", sentences), ("dev", dev), ("test", test)) if part}
    labels = label_set(entity_types(label for sentence in sentences for label in sentence.labels))
    material = Material(sentences, dev, labels, _suited(recipe, sentences, watch), vectors)
    doubts = _doubts_labels(material, watch)
    run = open_run(destination.path, recipe, data, resume=destination.resume, overwrite=destination.overwrite)
    write_given(run, sentences)
    if context is not None:
        tokens = (sentence.tokens for sentence in (*sentences, *dev, *test))
        stored = stored_context(context, tokens, run.context, surroundings.engine, surroundings.report)
        material = replace(material, context=stored)
    if doubts:
        trained = _doubting(material, test, run, surroundings)
    else:
        trained = _believing(material, test, run, destination, surroundings)
    finish(run, trained.summary())
    for rest in (run.checkpoints, run.context):
        shutil.rmtree(rest, ignore_errors=True)
    return trained


def _doubts_labels(material: Material, watch: Watch) -> bool:
    """Tell whether labels can and shall be doubted; a corpus that gives nothing to learn from is refused."""
    if not material.sentences:
        raise InputError("the training corpus holds no sentence", remedy="give one with tokens and labels")
    if not material.labels.types:
        raise InputError("the training corpus holds no entity", remedy="check which column holds the labels")
    if material.recipe.rounds.count == 0:
        return False
    check_source(material)
    if len(material.sentences) == 1:
        watch(
            Note("left out", "doubting labels", "a single sentence cannot be judged by others; every label is believed")
        )
    return len(material.sentences) > 1


def _suited(recipe: Recipe, sentences: Sequence[Sentence], watch: Watch) -> Recipe:
    """Return ``recipe`` with fewer sentences a step where they are long, and say so."""
    found = suited(recipe, [len(sentence) for sentence in sentences])
    before, after = recipe.training.batch_size, found.training.batch_size
    if after < before:
        bound = f"training.batch_tokens={recipe.training.batch_tokens}"
        watch(Note("info", "long sentences", f"a step takes {after} of them instead of {before} ({bound})"))
    return found


def _believing(
    material: Material, test: Sequence[Sentence], run: RunFolder, destination: Destination, surroundings: Surroundings
) -> Trained:
    """Train one model that believes every label."""
    training = fit(
        plain_fitting(material), run, resume=destination.resume, watch=surroundings.watch, report=surroundings.report
    )
    history = tuple(training.progress.history)
    return Trained(run, len(material.sentences), history, _best(history), _scores(run, material, test))


def _doubting(material: Material, test: Sequence[Sentence], run: RunFolder, surroundings: Surroundings) -> Trained:
    """Estimate how noisy the labels are, self-train, and keep the model of the round that the recipe wants."""
    _tell_common_words(material, surroundings.watch)
    plan = plan_of(material.recipe, len(material.sentences))
    workshop = Workshop(run.jobs, surroundings.engine, each_once(surroundings.watch), surroundings.report, plan)
    rates = find_rates(material, workshop, run)
    material = replace(material, prior=rates.prior, recipe=decided(material.recipe, rates.cut_names))
    _tell_cut_names(rates, surroundings.watch)
    rounds = self_train(material, workshop, rates.rates)
    chosen = _chosen(rounds, material.recipe)
    findings = write_findings(run, material, rates, rounds, chosen, surroundings.watch)
    place = RunFolder(run.jobs / chosen.final_name)
    for source, target in ((place.best, run.best), (place.last, run.last)):
        with new_folder(target, overwrite=True) as draft:
            shutil.copytree(source, draft, dirs_exist_ok=True, copy_function=link_or_copy)
            set_temperature(draft, findings.temperature)
    write_metrics(run, chosen.final.history)
    by_round = [_scores(RunFolder(run.jobs / done.final_name), material, test) for done in rounds]
    plain = RunFolder(run.jobs / BASELINE)
    return Trained(
        run=run,
        sentences=len(material.sentences),
        history=chosen.final.history,
        best_epoch=_best(chosen.final.history),
        scores=by_round[chosen.number - 1],
        by_round=tuple(by_round),
        plain=_scores(plain, material, test) if plain.best.exists() else None,
        findings=findings,
    )


def _tell_common_words(material: Material, watch: Watch) -> None:
    """Say which words are labelled as entities and not believed, since they only begin a sentence."""
    if material.recipe.confidence.common_words == "believed":
        return
    marks = zip(material.sentences, sentence_initial_entities(material.sentences), strict=True)
    words = Counter(sentence.tokens[0] for sentence, row in marks if any(row))
    if words:
        shown = ", ".join(f"{word} {count}" for word, count in words.most_common(_WORDS_SHOWN))
        more = ", ..." if len(words) > _WORDS_SHOWN else ""
        what = "entity labels of common words that begin a sentence"
        watch(Note("suspicious", what, f"{words.total():,} of them are not believed: {shown}{more}"))


def _tell_cut_names(rates: RatesFound, watch: Watch) -> None:
    """Say that labels of one word of a longer name are not believed, and why."""
    verdict = rates.cut_names
    if verdict is not None and verdict.is_doubted:
        what = "entity labels of one word of a longer name"
        seen = f"{verdict.another:,} as part of another entity, {verdict.same:,} as labelled"
        detail = f"none of {verdict.labels:,} is believed: models that were told none see {seen}"
        watch(Note("suspicious", what, detail))


def _chosen(rounds: Sequence[Round], recipe: Recipe) -> Round:
    """Return the round with the best dev F1, the earliest of equals; the last one without dev or where asked for."""
    if recipe.rounds.report == "last" or any(done.final.dev_f1 is None for done in rounds):
        return rounds[-1]
    return max(rounds, key=lambda done: done.final.dev_f1 or 0.0)


def _scores(run: RunFolder, material: Material, test: Sequence[Sentence]) -> Scores:
    tagger, evaluator = load_model(run.best, material.context), material.recipe.training.evaluator
    return Scores(*(score(tagger, split, evaluator) if split else None for split in (material.dev, test)))


def _best(history: Sequence[EpochReport]) -> int:
    return max(entry.epoch for entry in history if entry.is_best)


def _ready(sentences: Sequence[Sentence], recipe: Recipe, name: str, watch: Watch) -> list[Sentence]:
    """Return ``sentences`` with legal labels and at least one token each; what is changed or left out is noted."""
    filled = [sentence for sentence in sentences if sentence.tokens]
    if len(filled) < len(sentences):
        watch(Note("left out", f"sentences without tokens in {name}", f"{len(sentences) - len(filled)} of them"))
    evidence = Survey().add(filled).scheme
    if evidence.against:
        change = SchemeChange(evidence.scheme, None, recipe.data.on_illegal)
        filled = list(rewritten(filled, change, watch))
    return filled


def _micro(scores: EntityScores | None) -> dict[str, float] | None:
    if scores is None:
        return None
    return {"precision": scores.micro.precision, "recall": scores.micro.recall, "f1": scores.micro.f1}
