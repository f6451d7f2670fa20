"""Damage clean labels in a controlled way: forget entities, invent some, change their types, move their borders.

The recipe is that of the artificially perturbed corpora: whole groups of mentions with the same surface form lose
their labels until recall is reached, then random spans are labelled until precision is reached. The steps come in a
fixed order, each on what the one before it left:

1. forget entities until the share that is still labelled is as near to ``recall`` as the groups permit;
2. label random spans until the share of labelled entities that are right is as near to ``precision`` as it can be;
3. give ``type_flip`` of the entities left over from step 1 another type;
4. move one border of ``boundary_shift`` of them by one token.

So ``recall`` and ``precision`` set steps 1 and 2 alone; flips and shifts come on top and lower both. What came out in
the end is measured and reported.
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
TOKEN_SCHEME: Final = Scheme.IOBES  # the noise rates of tokens are counted as the published ones are


@dataclass(frozen=True, slots=True)
class Perturbation:
    """How much to damage: shares from 0 to 1, and the seed of every random draw.

    ``unit`` says what is forgotten together: all mentions with the same ``form`` (the same tokens, case included,
    whatever their types), or each ``mention`` alone. ``additions`` says how many wrong spans there are: ``exact``, as
    many as bring precision down to what is asked for, or ``share``, that share of the entities left, which stops at
    1 / (2 - precision) and is how another public implementation of the recipe counts.
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
                raise InputError(f"{name} {share:g} is no share", remedy="give a number from 0 to 1")
        if self.precision == 0:
            raise InputError("precision 0 cannot be reached", remedy="to leave no right entity at all, set recall to 0")
        if self.seed < 0:
            raise InputError(f"seed {self.seed} is negative", remedy="give 0 or a positive whole number")
        if self.unit not in get_args(Unit):
            raise InputError(f"unknown unit {self.unit!r}", remedy=f"known: {', '.join(get_args(Unit))}")
        if self.additions not in get_args(Additions):
            raise InputError(f"unknown additions {self.additions!r}", remedy=f"known: {', '.join(get_args(Additions))}")


@dataclass(frozen=True, slots=True)
class Perturbed:
    """Sentences with noisy ``labels`` beside their ``gold`` ones, and what was done to get there.

    ``returned`` counts the added spans that happen to equal a forgotten entity and so are right. The histograms
    count the added spans by length and by type.
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
    """Return ``sentences`` with their labels damaged by ``recipe`` and the clean ones kept as ``gold``.

    A sentence that has a ``gold`` labelling already starts from that one. Unknown labels stay unknown. The noisy
    labels are legal in ``scheme``, by default the one the clean labels use. The same input and recipe give the same
    result everywhere.
    """
    clean = [sentence.labels if sentence.gold is None else sentence.gold for sentence in sentences]
    scheme = scheme or detect_scheme(clean).scheme
    _note_changes(sentences, clean, scheme, watch)
    mentions = [Mention(number, span) for number, labels in enumerate(clean) for span in read_spans(labels)]
    types = sorted({mention.span.type for mention in mentions})
    if recipe.type_flip and len(types) == 1:
        raise InputError(
            f"every entity has the type {types[0]}, there is no other to flip to",
            remedy="leave the type flip rate at 0",
        )
    rng = SeededRandom(recipe.seed)
    row = TokenRow(clean, scheme)
    removed = _forget(sentences, mentions, recipe, rng)
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


def _forget(
    sentences: Sequence[Sentence], mentions: Sequence[Mention], recipe: Perturbation, rng: SeededRandom
) -> set[Mention]:
    """Return the mentions that lose their label."""
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
    """Say what the result lacks or changes besides the damage asked for."""
    for sentence, labels in zip(sentences, clean, strict=True):
        for token, before, after in illegal_labels(labels, scheme):
            detail = f"{before} becomes {after} in the noisy labels; the gold ones keep it"
            watch(Note("repaired", f"label not legal in {scheme}", detail, sentence.line_of(token)))
    second = sum(sentence.gold is not None for sentence in sentences)
    if second:
        detail = f"{second} sentences have a gold labelling; their other labels are replaced by a damaged copy of it"
        watch(Note("left out", "labels beside gold", detail))
    named = sum(sentence.token_sources is not None for sentence in sentences)
    if named:
        watch(Note("left out", "sources of labels", f"{named} sentences no longer say who gave each label"))


def _note_misses(perturbed: Perturbed, recipe: Perturbation, watch: Watch) -> None:
    """Say where the corpus did not permit what the recipe asks for."""
    kept = perturbed.entities - perturbed.removed
    if not perturbed.entities:
        watch(Note("suspicious", "nothing to perturb", "there is no entity in these sentences"))
        return
    if abs(kept / perturbed.entities - recipe.recall) > RECALL_TOLERANCE:
        detail = f"{kept} of {perturbed.entities} entities is as near to {recipe.recall:g} as their groups permit"
        watch(Note("info", "recall missed", detail))
    if not kept and recipe.precision < 1:
        detail = "no entity is left to be right, so no span is added and precision has no meaning"
        watch(Note("info", "precision missed", detail))
    for step, rate, done in (
        ("type flips", recipe.type_flip, perturbed.flipped),
        ("boundary shifts", recipe.boundary_shift, perturbed.shifted),
    ):
        wanted = round(rate * kept)
        if done < wanted:
            watch(Note("left out", step, f"{wanted} asked for, {done} possible"))
