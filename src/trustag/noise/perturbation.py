"""Add noise to clean labels in a controlled way: remove entities, add wrong ones, flip types, shift boundaries.

This is the recipe of the artificially perturbed corpora in the literature: groups of mentions with the same surface
form lose their labels until the target recall is reached, then random spans are labelled until the target precision is
reached. The steps run in a fixed order, each on the result of the one before:

1. remove entities until the share of remaining ones is as close to ``recall`` as the groups allow;
2. label random spans until the share of correct entities is as close to ``precision`` as possible;
3. change the type of a share ``type_flip`` of the entities that remain after step 1;
4. move one boundary of a share ``boundary_shift`` of them by one token.

So ``recall`` and ``precision`` are the targets of steps 1 and 2 only; flips and shifts lower both. The noise of the
result is measured and reported.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, TypeVar, get_args

from msgspec.structs import replace

from trustag.errors import InputError
from trustag.noise.additions import SPAN_LENGTHS, Additions, PrecisionGoal, add_spans
from trustag.noise.distortions import flip_types, shift_boundaries
from trustag.noise.measures import NoiseMeasures, measure_noise
from trustag.noise.removal import choose_groups
from trustag.noise.token_row import Mention, TokenRow
from trustag.notes import Note, Watch, unwatched
from trustag.seeded_random import SeededRandom
from trustag.text.labels import Label
from trustag.text.schemes import Scheme, detect_scheme, illegal_labels, write_spans
from trustag.text.sentences import Sentence
from trustag.text.spans import read_spans

Key = TypeVar("Key")
Unit: TypeAlias = Literal["form", "mention"]
RECALL_TOLERANCE: Final = 0.005
TOKEN_SCHEME: Final = Scheme.IOBES  # as in the published token noise rates


@dataclass(frozen=True, slots=True)
class Perturbation:
    """How much noise to add: shares from 0 to 1, and the seed of all random draws.

    ``unit`` says what loses its label together: all mentions of a surface ``form`` (the same tokens, case-sensitive,
    whatever their types), or each ``mention`` by itself. ``additions`` says how many wrong spans are added: ``exact``
    adds as many as the target precision requires; ``share`` adds a share 1 - precision of the remaining entities, as
    another public implementation of the recipe does, so that the actual precision is 1 / (2 - precision).
    """

    recall: float = 0.5
    precision: float = 0.9
    seed: int = 1
    unit: Unit = "form"
    type_flip: float = 0.0
    boundary_shift: float = 0.0
    additions: Additions = "exact"

    def __post_init__(self) -> None:
        for name, share in (
            ("recall", self.recall),
            ("precision", self.precision),
            ("type flip rate", self.type_flip),
            ("boundary shift rate", self.boundary_shift),
        ):
            if not 0 <= share <= 1:
                raise InputError(f"{name} {share:g} is out of range", remedy="use a number from 0 to 1")
        if self.precision == 0:
            raise InputError("precision 0 cannot be reached", remedy="set recall to 0 to leave no correct entity")
        if self.seed < 0:
            raise InputError(f"seed {self.seed} is negative", remedy="use 0 or a positive integer")
        if self.unit not in get_args(Unit):
            raise InputError(f"unknown unit {self.unit!r}", remedy=f"choose one of: {', '.join(get_args(Unit))}")
        if self.additions not in get_args(Additions):
            choices = ", ".join(get_args(Additions))
            raise InputError(f"unknown additions {self.additions!r}", remedy=f"choose one of: {choices}")


@dataclass(frozen=True, slots=True)
class Perturbed:
    """Sentences with noisy ``labels`` and clean ``gold`` labels, and counts of what was changed.

    ``returned`` counts the added spans that happen to equal a removed entity and are therefore correct.
    ``added_lengths`` and ``added_types`` count the added spans by length and by type.
    """

    sentences: tuple[Sentence, ...]
    scheme: Scheme
    entities: int
    removed: int
    added: int
    returned: int
    flipped: int
    shifted: int
    added_lengths: Mapping[int, int]
    added_types: Mapping[str, int]
    measured: NoiseMeasures


def perturb(
    sentences: Sequence[Sentence], recipe: Perturbation, scheme: Scheme | None = None, watch: Watch = unwatched
) -> Perturbed:
    """Return ``sentences`` with noise added to their labels according to ``recipe``; the clean labels become ``gold``.

    If a sentence has ``gold`` labels already, these are the clean ones. Unknown labels stay unknown. The noisy labels
    are legal in ``scheme``, by default the scheme of the clean labels. The same input and recipe give the same result
    on every machine.
    """
    clean = [sentence.labels if sentence.gold is None else sentence.gold for sentence in sentences]
    scheme = scheme or detect_scheme(clean).scheme
    _note_changes(sentences, clean, scheme, watch)
    mentions = [Mention(number, span) for number, labels in enumerate(clean) for span in read_spans(labels)]
    types = sorted({mention.span.type for mention in mentions})
    if recipe.type_flip and len(types) == 1:
        raise InputError(
            f"all entities have the type {types[0]}, so types cannot be flipped",
            remedy="set the type flip rate to 0",
        )
    rng = SeededRandom(recipe.seed)
    row = TokenRow(clean, scheme)
    removed = _choose_removals(sentences, mentions, recipe, rng)
    for mention in removed:
        row.free(mention)
    labelled = {mention: mention for mention in mentions if mention not in removed}
    most_right = math.floor((recipe.recall + RECALL_TOLERANCE) * len(mentions))
    added = add_spans(
        row, removed, types, PrecisionGoal(len(labelled), most_right, recipe.precision, recipe.additions), rng
    )
    flipped = flip_types(row, labelled, types, recipe.type_flip, rng)
    labelled |= flipped
    shifted = shift_boundaries(row, labelled, recipe.boundary_shift, rng)
    labelled |= shifted
    noisy = tuple(_relabelled(sentences, clean, [*labelled.values(), *added], scheme))
    perturbed = Perturbed(
        sentences=noisy,
        scheme=scheme,
        entities=len(mentions),
        removed=len(removed),
        added=len(added),
        returned=len(removed.intersection(added)),
        flipped=len(flipped),
        shifted=len(shifted),
        added_lengths=_counts(SPAN_LENGTHS, (mention.span.end - mention.span.start for mention in added)),
        added_types=_counts(types, (mention.span.type for mention in added)),
        measured=measure_noise(noisy, TOKEN_SCHEME),
    )
    _note_misses(perturbed, recipe, watch)
    return perturbed


def _choose_removals(
    sentences: Sequence[Sentence], mentions: Sequence[Mention], recipe: Perturbation, rng: SeededRandom
) -> set[Mention]:
    """Return the random mentions that lose their label."""
    groups: dict[object, list[Mention]] = {}
    for mention in mentions:
        form = sentences[mention.sentence].tokens[mention.span.start : mention.span.end]
        groups.setdefault(form if recipe.unit == "form" else mention, []).append(mention)
    members = list(groups.values())
    target = round((1 - recipe.recall) * len(mentions))
    chosen = choose_groups([len(group) for group in members], target, int(RECALL_TOLERANCE * len(mentions)), rng)
    return {mention for group in chosen for mention in members[group]}


def _relabelled(
    sentences: Iterable[Sentence], clean: Iterable[Sequence[Label]], mentions: Iterable[Mention], scheme: Scheme
) -> Iterator[Sentence]:
    spans = defaultdict(list)
    for sentence_number, span in sorted(mentions):
        spans[sentence_number].append(span)
    for number, (sentence, labels) in enumerate(zip(sentences, clean, strict=True)):
        noisy = write_spans(spans[number], labels, scheme)
        yield replace(sentence, labels=noisy, gold=tuple(labels), token_sources=None)


def _counts(keys: Iterable[Key], values: Iterable[Key]) -> dict[Key, int]:
    found = Counter(values)
    return {key: found[key] for key in keys}


def _note_changes(
    sentences: Sequence[Sentence], clean: Sequence[Sequence[Label]], scheme: Scheme, watch: Watch
) -> None:
    """Report what the result loses or changes besides the requested noise."""
    for sentence, labels in zip(sentences, clean, strict=True):
        for token, before, after in illegal_labels(labels, scheme):
            detail = f"{before} becomes {after} in the noisy labels; the gold labels keep it"
            watch(Note("repaired", f"label not legal in {scheme}", detail, sentence.line_of(token)))
    second = sum(sentence.gold is not None for sentence in sentences)
    if second:
        detail = f"{second} sentences have gold labels; a noisy copy of these replaces their other labels"
        watch(Note("left out", "labels beside gold", detail))
    named = sum(sentence.token_sources is not None for sentence in sentences)
    if named:
        watch(Note("left out", "sources of labels", f"{named} sentences lose the source of each label"))


def _note_misses(perturbed: Perturbed, recipe: Perturbation, watch: Watch) -> None:
    """Report where the corpus did not allow the targets of the recipe."""
    kept = perturbed.entities - perturbed.removed
    if not perturbed.entities:
        watch(Note("suspicious", "nothing to perturb", "the corpus contains no entities"))
        return
    if abs(kept / perturbed.entities - recipe.recall) > RECALL_TOLERANCE:
        detail = f"{kept} of {perturbed.entities} entities is as close to {recipe.recall:g} as their groups allow"
        watch(Note("info", "recall missed", detail))
    if not kept and recipe.precision < 1:
        detail = "no correct entity is left, so no span is added and precision is undefined"
        watch(Note("info", "precision missed", detail))
    for step, rate, done in (
        ("type flips", recipe.type_flip, perturbed.flipped),
        ("boundary shifts", recipe.boundary_shift, perturbed.shifted),
    ):
        wanted = round(rate * kept)
        if done < wanted:
            watch(Note("left out", step, f"{wanted} requested, {done} possible"))
