import os
import re
import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seqeval.metrics import precision_score, recall_score

from tests.noise.made_up import RECIPE, TYPES, WORDS, checksum, random_corpus
from trustag.errors import InputError
from trustag.noise.perturbation import Perturbation, Perturbed, Unit, perturb
from trustag.noise.removal import choose_groups
from trustag.notes import Note
from trustag.seeded_random import SeededRandom
from trustag.text.labels import Label
from trustag.text.schemes import Scheme, convert_labels, illegal_labels
from trustag.text.sentences import Sentence
from trustag.text.spans import Span, read_spans

ROOM = Sentence(("x",) * 300, ("O",) * 300)


def sentence(text: str) -> Sentence:
    """Read ``Ann/B-PER ran/O far/-`` as a sentence; ``-`` is an unknown label."""
    pairs = [word.split("/") for word in text.split()]
    return Sentence(tuple(token for token, _ in pairs), tuple(None if tag == "-" else tag for _, tag in pairs))


def notes_of(sentences: list[Sentence], recipe: Perturbation) -> tuple[Perturbed, list[Note]]:
    notes: list[Note] = []
    return perturb(sentences, recipe, watch=notes.append), notes


def all_spans(labellings: list[tuple[Label, ...]]) -> set[tuple[int, Span]]:
    return {(number, span) for number, labels in enumerate(labellings) for span in read_spans(labels)}


labels_strategy = st.lists(st.sampled_from([None, "O", "O", "O", "B-PER", "I-PER", "B-LOC", "I-LOC"]), max_size=12)
corpora = st.lists(
    labels_strategy.flatmap(
        lambda labels: st.lists(st.sampled_from(WORDS), min_size=len(labels), max_size=len(labels)).map(
            lambda tokens: Sentence(tuple(tokens), convert_labels(labels, Scheme.IOB2))
        )
    ),
    max_size=12,
).map(lambda sentences: [*sentences, ROOM])
recipes = st.builds(
    Perturbation,
    recall=st.floats(0, 1),
    precision=st.floats(0.7, 1),
    seed=st.integers(0, 99),
    unit=st.sampled_from(["form", "mention"]),
    boundary_shift=st.floats(0, 1),
)


@pytest.mark.parametrize("unit", ["form", "mention"])
@pytest.mark.parametrize(("recall", "precision"), [(0.5, 0.9), (0.3, 0.7), (0.9, 0.5), (1, 0.9), (0.5, 1), (1, 1)])
def test_targets_are_met_as_seqeval_counts_them(unit: Unit, recall: float, precision: float) -> None:
    perturbed = perturb(random_corpus(1, 500), Perturbation(recall, precision, seed=3, unit=unit))
    gold = [list(sentence.gold or ()) for sentence in perturbed.sentences]
    noisy = [list(sentence.labels) for sentence in perturbed.sentences]
    assert recall_score(gold, noisy) == pytest.approx(recall, abs=0.005)
    assert precision_score(gold, noisy) == pytest.approx(precision, abs=0.001)
    assert perturbed.measured.entities.recall == pytest.approx(recall_score(gold, noisy))
    assert perturbed.measured.entities.precision == pytest.approx(precision_score(gold, noisy))


@pytest.mark.parametrize("precision", [0.9, 0.75, 0.5])
def test_a_share_of_wrong_spans_leaves_a_higher_precision(precision: float) -> None:
    perturbed = perturb(random_corpus(1, 500), Perturbation(0.5, precision, seed=3, additions="share"))
    gold = [list(sentence.gold or ()) for sentence in perturbed.sentences]
    noisy = [list(sentence.labels) for sentence in perturbed.sentences]
    assert precision_score(gold, noisy) == pytest.approx(1 / (2 - precision), abs=0.002)
    kept = perturbed.entities - perturbed.removed + perturbed.returned
    assert perturbed.added - perturbed.returned == int(kept * (1 - precision) + 1e-6)


def test_noise_rates_of_tokens_are_counted_in_iobes() -> None:
    perturbed = perturb(random_corpus(2, 200), Perturbation(0.6, 0.8, type_flip=0.1, boundary_shift=0.1))
    pairs = [
        pair
        for sentence in perturbed.sentences
        for pair in zip(
            convert_labels(sentence.labels, Scheme.IOBES),
            convert_labels(sentence.gold or (), Scheme.IOBES),
            strict=True,
        )
    ]
    negatives = [gold for label, gold in pairs if label == "O"]
    positives = [(label, gold) for label, gold in pairs if label != "O"]
    assert perturbed.measured.tau_n == pytest.approx(sum(gold != "O" for gold in negatives) / len(negatives))
    assert perturbed.measured.tau_p == pytest.approx(sum(a != b for a, b in positives) / len(positives))


def test_a_form_is_removed_everywhere_or_nowhere_whatever_its_type() -> None:
    corpus = random_corpus(3, 300)
    perturbed = perturb(corpus, Perturbation(0.5, 1.0))
    kept: dict[tuple[str, ...], set[bool]] = {}
    types: dict[tuple[str, ...], set[str]] = {}
    for before, after in zip(corpus, perturbed.sentences, strict=True):
        for span in read_spans(before.labels):
            form = before.tokens[span.start : span.end]
            kept.setdefault(form, set()).add(span in read_spans(after.labels))
            types.setdefault(form, set()).add(span.type)
    assert all(len(answers) == 1 for answers in kept.values())
    assert any(len(kinds) > 1 for kinds in types.values())


def test_single_mentions_can_be_removed_without_the_rest_of_their_form() -> None:
    perturbed = perturb([sentence("Ann/B-PER Ann/B-PER Ann/B-PER Ann/B-PER")], Perturbation(0.5, 1.0, unit="mention"))
    assert Counter(perturbed.sentences[0].labels) == {"B-PER": 2, "O": 2}


@given(st.lists(st.integers(1, 12), min_size=1, max_size=9), st.floats(0, 1), st.integers(0, 3), st.integers(0, 50))
def test_no_choice_of_groups_comes_closer(sizes: list[int], share: float, tolerance: int, seed: int) -> None:
    target = round(share * sum(sizes))
    chosen = choose_groups(sizes, target, tolerance, SeededRandom(seed))
    miss = abs(sum(sizes[group] for group in chosen) - target)
    best = min(abs(sum(subset) - target) for count in range(len(sizes) + 1) for subset in combinations(sizes, count))
    assert len(set(chosen)) == len(chosen)
    assert best <= miss <= max(best, tolerance)


def test_every_form_is_removed_about_equally_often() -> None:
    corpus = [sentence("a/B-PER b/B-PER b/B-PER c/B-PER d/B-PER e/B-PER e/B-PER f/B-PER")]
    removed: Counter[str] = Counter()
    for seed in range(400):
        labels = perturb(corpus, Perturbation(0.5, 1.0, seed=seed)).sentences[0].labels
        removed.update({token for token, label in zip(corpus[0].tokens, labels, strict=True) if label == "O"})
    assert all(120 < removed[form] < 280 for form in "abcdef")


@settings(max_examples=150)
@given(corpora, recipes, st.sampled_from([Scheme.IOB2, Scheme.IOBES, Scheme.IOB1, Scheme.BILOU, Scheme.IOE1]))
def test_output_is_legal_and_touches_nothing_else(corpus: list[Sentence], recipe: Perturbation, scheme: Scheme) -> None:
    clean = [Sentence(before.tokens, convert_labels(before.labels, scheme)) for before in corpus]
    perturbed = perturb(clean, recipe, scheme)
    for before, after in zip(clean, perturbed.sentences, strict=True):
        assert after.tokens == before.tokens
        assert after.gold == before.labels
        assert illegal_labels(after.labels, scheme) == []
        unknown = [label is None for label in before.labels]
        assert [label is None for label in after.labels] == unknown
    noisy = all_spans([after.labels for after in perturbed.sentences])
    gold = all_spans([before.labels for before in clean])
    assert len(noisy) == len(gold) - perturbed.removed + perturbed.added
    assert perturbed.measured.entities.correct == len(noisy & gold)
    right = len(gold) - perturbed.removed + perturbed.returned - perturbed.shifted
    assert len(noisy & gold) == right


@settings(max_examples=60)
@given(corpora, st.integers(0, 99))
def test_neighbours_stay_separate_where_the_scheme_would_merge_them(corpus: list[Sentence], seed: int) -> None:
    clean = [Sentence(before.tokens, convert_labels(before.labels, Scheme.IO)) for before in corpus]
    recipe = Perturbation(0.7, 0.9, seed, boundary_shift=0.5)
    perturbed = perturb(clean, recipe)
    noisy = all_spans([after.labels for after in perturbed.sentences])
    gold = all_spans([before.labels for before in clean])
    assert len(noisy) == len(gold) - perturbed.removed + perturbed.added


def test_flips_in_io_never_merge_neighbours() -> None:
    corpus = [sentence("Ann/I-PER Rome/I-LOC ran/O Bo/I-PER")]
    perturbed, notes = notes_of(corpus, Perturbation(1.0, 1.0, type_flip=1.0))
    assert perturbed.sentences[0].labels == ("I-PER", "I-LOC", "O", "I-LOC")
    assert [str(note) for note in notes] == ["left out: type flips: 3 requested, 1 possible"]


@given(st.integers(0, 99))
def test_flipped_entities_keep_their_span_and_change_type(seed: int) -> None:
    corpus = random_corpus(4, 40)
    perturbed = perturb(corpus, Perturbation(1.0, 1.0, seed, type_flip=0.25))
    changed = 0
    for before, after in zip(corpus, perturbed.sentences, strict=True):
        pairs = list(zip(read_spans(before.labels), read_spans(after.labels), strict=True))
        assert all(old[:2] == new[:2] for old, new in pairs)
        changed += sum(old.type != new.type for old, new in pairs)
    assert changed == perturbed.flipped == round(0.25 * perturbed.entities)
    assert perturbed.measured.entities.recall == perturbed.measured.entities.precision


@given(st.integers(0, 99))
def test_shifted_entities_differ_by_one_token_and_never_touch_new_neighbours(seed: int) -> None:
    corpus = random_corpus(5, 40, entity_share=0.3)
    perturbed = perturb(corpus, Perturbation(1.0, 1.0, seed, boundary_shift=0.4))
    changed = 0
    for before, after in zip(corpus, perturbed.sentences, strict=True):
        old_spans, new_spans = read_spans(before.labels), read_spans(after.labels)
        for old, new in zip(old_spans, new_spans, strict=True):
            assert old.type == new.type
            assert abs(old.start - new.start) + abs(old.end - new.end) in {0, 1}
            changed += old != new
            if new.end > old.end:
                assert after.labels[new.end : new.end + 1] in {(), ("O",)}
            if new.start < old.start:
                assert new.start == 0 or after.labels[new.start - 1] == "O"
    assert changed == perturbed.shifted == round(0.4 * perturbed.entities)


def test_an_entity_with_no_room_is_not_shifted() -> None:
    perturbed, notes = notes_of([sentence("Ann/B-PER"), sentence("Bo/B-PER -/-")], Perturbation(1, 1, boundary_shift=1))
    assert perturbed.shifted == 0
    assert [str(note) for note in notes] == ["left out: boundary shifts: 2 requested, 0 possible"]


def test_added_spans_are_spread_evenly_over_lengths_types_and_positions() -> None:
    corpus = [sentence("Ann/B-PER Rome/B-LOC Acme/B-ORG " + "x/O " * 400) for _ in range(30)]
    perturbed = perturb(corpus, Perturbation(1.0, 0.1))
    assert perturbed.added == 810
    assert perturbed.added_lengths.keys() == {1, 2, 3}
    assert all(230 < count < 310 for count in perturbed.added_lengths.values())
    assert perturbed.added_types.keys() == set(TYPES)
    assert all(230 < count < 310 for count in perturbed.added_types.values())
    added = all_spans([after.labels for after in perturbed.sentences]) - all_spans([s.labels for s in corpus])
    assert Counter(span.end - span.start for _, span in added) == perturbed.added_lengths
    assert Counter(span.type for _, span in added) == perturbed.added_types
    assert 330 < sum(span.start < 203 for _, span in added) < 480


def test_a_random_span_that_equals_a_removed_entity_is_right() -> None:
    corpus = [sentence(f"Ann{number}/B-PER") for number in range(400)] + [sentence("x/O x/O x/O")]
    perturbed = perturb(corpus, Perturbation(0.5, 0.99))
    assert perturbed.returned == 2
    assert perturbed.measured.entities.correct == perturbed.entities - perturbed.removed + 2
    assert perturbed.measured.entities.recall == pytest.approx(0.505)


@pytest.mark.parametrize("corpus", [[], [sentence("a/O b/O")], [sentence("a/- b/-")]])
def test_without_entities_nothing_happens_and_a_note_says_so(corpus: list[Sentence]) -> None:
    perturbed, notes = notes_of(corpus, Perturbation(0.5, 0.5, type_flip=1, boundary_shift=1))
    assert [after.labels for after in perturbed.sentences] == [before.labels for before in corpus]
    assert [note.reason for note in notes] == ["nothing to perturb"]


def test_recall_zero_leaves_precision_undefined() -> None:
    perturbed, notes = notes_of([sentence("Ann/B-PER ran/O")], Perturbation(0.0, 0.9))
    assert perturbed.sentences[0].labels == ("O", "O")
    assert perturbed.added == 0
    assert [note.reason for note in notes] == ["precision missed"]


def test_a_single_form_is_kept_or_removed_as_a_whole_and_the_miss_is_reported() -> None:
    perturbed, notes = notes_of([sentence("Ann/B-PER Ann/B-PER Ann/B-PER")], Perturbation(0.6, 1.0))
    assert perturbed.removed == 0
    assert [note.reason for note in notes] == ["recall missed"]


def test_precision_that_does_not_fit_says_what_does() -> None:
    corpus = [sentence("Ann/B-PER ran/O to/O Rome/B-LOC ./O")]
    with pytest.raises(InputError, match=r"precision 0\.1 needs more wrong entities") as caught:
        perturb(corpus, Perturbation(1.0, 0.1, seed=5))
    possible = re.search(r"precision of ([0-9.]+) or more", str(caught.value))
    assert possible is not None
    perturb(corpus, Perturbation(1.0, float(possible[1]), seed=5))


def test_one_type_cannot_be_flipped() -> None:
    with pytest.raises(InputError, match="all entities have the type PER"):
        perturb([sentence("Ann/B-PER ran/O")], Perturbation(type_flip=0.1))


@pytest.mark.parametrize(
    ("values", "finding"),
    [
        ({"recall": 1.5}, "recall 1.5 is out of range"),
        ({"recall": float("nan")}, "recall nan is out of range"),
        ({"precision": -0.1}, "precision -0.1 is out of range"),
        ({"precision": 0.0}, "precision 0 cannot be reached"),
        ({"type_flip": 2}, "type flip rate 2 is out of range"),
        ({"boundary_shift": -1}, "boundary shift rate -1 is out of range"),
        ({"seed": -1}, "seed -1 is negative"),
        ({"unit": "word"}, "unknown unit 'word'"),
        ({"additions": "all"}, "unknown additions 'all'"),
    ],
)
def test_bad_values_are_refused(values: dict[str, float], finding: str) -> None:
    with pytest.raises(InputError, match=re.escape(finding)):
        Perturbation(**values)  # type: ignore[arg-type]


def test_gold_labels_are_the_ones_perturbed_and_notes_say_so() -> None:
    before = Sentence(("Ann", "ran"), ("O", "B-LOC"), gold=("B-PER", "O"), token_sources=("x", "y"))
    perturbed, notes = notes_of([before], Perturbation(1.0, 1.0))
    after = perturbed.sentences[0]
    assert (after.labels, after.gold, after.token_sources) == (("B-PER", "O"), ("B-PER", "O"), None)
    assert [note.reason for note in notes] == ["labels beside gold", "sources of labels"]


def test_illegal_labels_are_rewritten_in_the_noisy_labels_only_and_reported() -> None:
    corpus = [sentence("Ann/B-PER Lee/I-PER Bo/B-PER"), sentence("the/O Rome/I-LOC")]
    perturbed, notes = notes_of(corpus, Perturbation(1.0, 1.0))
    assert perturbed.sentences[1].labels == ("O", "B-LOC")
    assert perturbed.sentences[1].gold == ("O", "I-LOC")
    assert [note.kind for note in notes] == ["repaired"]


def test_the_result_is_pinned() -> None:
    assert checksum(perturb(random_corpus(6, 200), RECIPE)) == "327753206b76404c"


def test_seeds_differ() -> None:
    corpus = random_corpus(6, 50)
    assert len({checksum(perturb(corpus, Perturbation(seed=seed))) for seed in range(5)}) == 5


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_the_result_does_not_depend_on_string_hashes(hash_seed: str) -> None:
    program = (
        "from tests.noise.made_up import *; from trustag.noise.perturbation import perturb;"
        "print(checksum(perturb(random_corpus(6, 200), RECIPE)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == checksum(perturb(random_corpus(6, 200), RECIPE))
