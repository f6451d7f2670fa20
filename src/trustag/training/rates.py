"""The noise rates of a run: measured on gold, searched on dev, or estimated from the noisy labels themselves."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import torch
from torch import Tensor

from trustag.confidence.probabilities import confidence
from trustag.confidence.selection import NoiseRates
from trustag.crf import legal_moves
from trustag.data.encoded_corpus import MODEL_SCHEME, number_sentences, number_truth
from trustag.errors import InputError
from trustag.noise.surface_names import names_of
from trustag.noise_rates.dev_errors import imitated_noise_rates, with_contradicted
from trustag.noise_rates.estimates import EstimatedRates, Rate
from trustag.noise_rates.estimation import estimate_noise_rates
from trustag.recipes.doubt_settings import RateSettings
from trustag.runs.folder import RunFolder, write_text
from trustag.text.sentences import Sentence
from trustag.training.cut_names import Verdict, decided, verdict_on
from trustag.training.folds import Folds, draw_folds
from trustag.training.jobs import Workshop
from trustag.training.judging import Outcome
from trustag.training.oracle import oracle_rates
from trustag.training.plan import judges_apart
from trustag.training.rate_search import search_on_dev
from trustag.training.relabelling import Rejoined
from trustag.training.rounds import Material, fold_models, fold_recipe
from trustag.training.told_rates import all_rates


@dataclass(frozen=True, slots=True)
class RatesFound:
    """The noise rates of a run, where they come from, and how sure they are where they were estimated.

    ``prior`` is how far each label is believed by the models from which they were estimated, and ``cut_names`` what
    was said of labels of one word of a longer name, where somebody was asked.
    """

    source: str
    rates: NoiseRates
    negative_interval: tuple[float, float] | None = None
    positive_interval: tuple[float, float] | None = None
    prior: Tensor | None = None
    cut_names: Verdict | None = None

    def summary(self) -> dict[str, object]:
        """Return the same for manifests and screens."""
        return {
            "source": self.source,
            "negative": self.rates.negative,
            "negative_interval": self.negative_interval,
            "positive": self.rates.positive,
            "positive_interval": self.positive_interval,
            "apart": self.rates.apart,
            "cut_names": None if self.cut_names is None else asdict(self.cut_names),
        }


def check_source(material: Material) -> None:
    """Refuse, before any work, to search without dev or to measure without gold."""
    source, remedy = material.recipe.rates.source, "or use rates.source=auto"
    if source in {"searched", "dev"} and not material.dev:
        raise InputError(f"rates.source={source} needs a dev split", remedy=f"give --dev, {remedy}")
    if source == "oracle" and all(sentence.gold is None for sentence in material.sentences):
        raise InputError("there is no gold column to measure noise on", remedy=f"give one, {remedy}")


def find_rates(material: Material, workshop: Workshop, run: RunFolder) -> RatesFound:
    """Return the noise rates that the recipe asks for and leave them in the run."""
    settings = material.recipe.rates
    numbered = number_sentences(material.sentences, material.labels)
    if settings.later == "measured":
        oracle_rates(numbered, material.labels)  # without gold it is better to stop before any training
    if settings.source == "given":
        given = NoiseRates(settings.negative, settings.positive)
        found = RatesFound("given", given, cut_names=_asked(material, workshop))
    elif settings.source == "oracle":
        measured = oracle_rates(numbered, material.labels, settings.apart)
        verdict = _verdict(material, _folds(material), numbered.doubtable, torch.cat(numbered.gold or []))
        found = RatesFound("oracle", measured.times(settings.margin), cut_names=verdict)
    elif settings.source == "searched":
        found = _searched(material, workshop, run)
    elif settings.source == "dev":
        found = _imitated(material, workshop)
    else:
        found = _estimated(material, workshop)
    write_text(run.rates, json.dumps(found.summary(), indent=2) + "\n")
    return found


def _searched(material: Material, workshop: Workshop, run: RunFolder) -> RatesFound:
    verdict = _asked(material, workshop)
    rounds_to_come = replace(material, recipe=decided(material.recipe, verdict))
    workshop.enter("search")
    found = search_on_dev(rounds_to_come, workshop, _folds(rounds_to_come), run.search)
    return RatesFound("searched", found, cut_names=verdict)


def _asked(material: Material, workshop: Workshop) -> Verdict | None:
    """Return what models say of labels of longer names that are trained for nothing else, where that is asked for."""
    if not judges_apart(material.recipe):
        return None
    annotators, folds = _short_fold_models(material)
    workshop.enter("judges")
    outcomes = fold_models(annotators, workshop, folds, NoiseRates(0.0, 0.0), "judges")
    rejoined = _rejoined(material, folds, outcomes)
    return _verdict(material, folds, rejoined.doubtable, rejoined.best_labels(None))


def _estimated(material: Material, workshop: Workshop) -> RatesFound:
    """Return rates estimated from what models say of labels they have not seen, after a short training."""
    annotators, folds = _short_fold_models(material)
    workshop.enter("rates")
    rejoined = _rejoined(material, folds, fold_models(annotators, workshop, folds, NoiseRates(0.0, 0.0), "rates"))
    return _completed("auto", _contradicted(material, rejoined), material, rejoined)


def _contradicted(material: Material, rejoined: Rejoined) -> EstimatedRates:
    """Return the rates that follow from what models say of labels they were not told."""
    tables = [table.numpy() for table in torch.split(rejoined.probabilities(None), rejoined.lengths)]
    given = [row.numpy() for row in torch.split(rejoined.ranked, rejoined.lengths)]
    return estimate_noise_rates(given, tables, material.labels, names_hidden=material.recipe.rounds.hide == "names")


def _completed(source: str, estimated: EstimatedRates, material: Material, rejoined: Rejoined) -> RatesFound:
    """Return rates that were estimated for the labels that models are told as those of all labels, with their prior."""
    found = _chosen(source, estimated, material.recipe.rates)
    verdict = _verdict(material, rejoined.folds, rejoined.doubtable, rejoined.best_labels(None))
    decision = decided(material.recipe, verdict).confidence.cut_names
    withheld = rejoined.folds.withheld
    untold = withheld.outside if decision == "believed" else withheld.either

    def of_all(negative: float, positive: float) -> NoiseRates:
        rates = NoiseRates(negative, positive, found.rates.apart)
        return all_rates(rates, rejoined.given, untold, material.labels)

    ranges = (
        found.negative_interval or (found.rates.negative,) * 2,
        found.positive_interval or (found.rates.positive,) * 2,
    )
    low, high = (of_all(*ends) for ends in zip(*ranges, strict=True))
    return replace(
        found,
        rates=of_all(found.rates.negative, found.rates.positive),
        negative_interval=(low.negative, high.negative),
        positive_interval=(low.positive, high.positive),
        prior=_prior(rejoined, material),
        cut_names=verdict,
    )


def _verdict(material: Material, folds: Folds, given: Tensor, believed: Tensor) -> Verdict | None:
    return verdict_on(folds, given, believed) if material.recipe.confidence.cut_names == "judged" else None


def _rejoined(material: Material, folds: Folds, outcomes: Sequence[Outcome]) -> Rejoined:
    numbered = number_sentences(material.sentences, material.labels)
    return Rejoined(numbered, folds, outcomes, material.labels, legal_only=material.legal_only)


def _prior(rejoined: Rejoined, material: Material) -> Tensor | None:
    if not material.recipe.confidence.prior:
        return None
    given = rejoined.given
    return mean_by_name(confidence(rejoined.probabilities(None), given), given, material.sentences)


def mean_by_name(confidences: Tensor, given: Tensor, sentences: Sequence[Sentence]) -> Tensor:
    """Return the mean confidence in a label over all places where the same name has it; others keep their own."""
    groups: dict[tuple[str, int], list[int]] = {}
    names = (name for row in names_of(sentences) for name in row)
    for place, (name, label) in enumerate(zip(names, given.tolist(), strict=True)):
        if name is not None:
            groups.setdefault((name, label), []).append(place)
    means = confidences.clone()
    for places in groups.values():
        means[places] = confidences[places].mean()
    return means


def _imitated(material: Material, workshop: Workshop) -> RatesFound:
    """Return rates that models of the noisy labels show on the dev split, whose labels must be clean."""
    annotators, folds = _short_fold_models(material)
    workshop.enter("rates")
    outcomes = fold_models(annotators, workshop, folds, NoiseRates(0.0, 0.0), "rates", also=material.dev)
    clean = number_truth((sentence.labels for sentence in material.dev), material.labels)
    moves = legal_moves(material.labels.labels, MODEL_SCHEME)
    imitated = []
    on_folds = []
    for fold, outcome in enumerate(outcomes):
        judgement, own = outcome.judgement, len(folds.judged(fold))
        on_dev = judgement.of(range(own, len(judgement.lengths)))
        imitated += [row.numpy() for row in torch.split(on_dev.legal(moves).best_labels(), list(on_dev.lengths))]
        on_folds.append(replace(outcome, judgement=judgement.of(range(own))))
    rows = [row.numpy() for row in clean] * len(outcomes)
    rejoined = _rejoined(material, folds, on_folds)
    repeated = imitated_noise_rates(imitated, rows, material.labels)
    return _completed("dev", with_contradicted(repeated, _contradicted(material, rejoined)), material, rejoined)


def _short_fold_models(material: Material) -> tuple[Material, Folds]:
    """Return the material of fold models that train for a few epochs, and their folds."""
    recipe = material.recipe
    short = fold_recipe(recipe)
    training = short.training.model_copy(update={"epochs": recipe.rates.estimate_epochs})
    return replace(material, recipe=short.model_copy(update={"training": training})), _folds(material)


def _folds(material: Material) -> Folds:
    numbered = number_sentences(material.sentences, material.labels)
    return draw_folds(material.sentences, numbered, material.recipe, 0)


def _chosen(source: str, found: EstimatedRates, settings: RateSettings) -> RatesFound:
    kinds: Mapping[str, Mapping[str, Rate]] = {"none": {}, "type": found.by_type, "label": found.by_label}
    apart = {name: rate.estimate for name, rate in kinds[settings.apart].items()}
    rates = NoiseRates(found.negative.estimate, found.positive.estimate, apart).times(settings.margin)
    negative, positive = ((rate.low, rate.high) for rate in (found.negative, found.positive))
    return RatesFound(source, rates, negative, positive)
