"""Relabelling: who judges whom, what may change, and the best path under what may not, against enumeration."""

from dataclasses import replace
from itertools import pairwise, product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from trustag.training.folds import NOBODY, NameFolds, SentenceFolds
from trustag.training.judging import Outcome
from trustag.training.rates import mean_by_name
from trustag.training.relabelling import Rejoined, SeeingView, UnseenView, allowed_by, pinned_labels, with_settled

from tests.oracles import is_legal
from tests.training.small import withheld
from trustag.confidence.dynamics import Dynamics
from trustag.confidence.selection import NoiseRates
from trustag.crf import Chain
from trustag.crf.outputs import Judgement
from trustag.data.encoded_corpus import Numbered
from trustag.text.label_sets import LabelSet
from trustag.text.sentences import Sentence

LABELS = LabelSet(("PER",), "BIES")
COUNT = len(LABELS)


def test_what_relabelling_must_leave_alone() -> None:
    given = torch.tensor([0, 1, 4, -1, 4, 4, 4])
    trust = torch.tensor([0.1, 0.9, 0.2, 0.5, 0.8, 0.7, 0.6])
    rates = NoiseRates(0.3, 0.4)

    def pinned(reannotate: str) -> list[bool]:
        found: list[bool] = pinned_labels(given, trust, LABELS, rates, reannotate).tolist()  # type: ignore[arg-type]
        return found

    assert pinned("outside") == [False, True, True, False, True, True, True]
    assert pinned("untrusted") == [False, True, False, False, True, True, False]
    assert pinned("all") == [False] * 7


def test_a_pinned_label_allows_itself_and_a_free_one_everything() -> None:
    given = torch.tensor([0, 2])
    allowed = allowed_by(torch.tensor([False, True]), given, LABELS)
    assert allowed.tolist() == [[True] * COUNT, [False, False, True, False, False]]


def sentence_folds(parts: list[list[int]], lengths: list[int]) -> SentenceFolds:
    return SentenceFolds(parts, lengths, withheld([False] * sum(lengths)))


def judged(seed: int, lengths: list[int], *, legal_only: bool) -> tuple[Rejoined, list[Judgement], list[list[int]]]:
    """Two fold models with random scores, each of which judges every second sentence."""
    generator = torch.Generator().manual_seed(seed)

    def drawn(*sizes: int) -> Tensor:
        return torch.randn(*sizes, generator=generator) * 2

    folds = [list(range(0, len(lengths), 2)), list(range(1, len(lengths), 2))]
    judgements = []
    for fold in folds:
        own = [lengths[number] for number in fold]
        judgements.append(
            Judgement(own, drawn(sum(own), COUNT), Chain(drawn(COUNT, COUNT), drawn(COUNT), drawn(COUNT)))
        )
    # S-PER here and there: such labels are legal whatever stands beside them.
    given = tuple((torch.rand(length, generator=generator) < 0.3).long() * LABELS.index["S-PER"] for length in lengths)
    numbered = Numbered(tuple(("word",) * length for length in lengths), given)
    outcomes = [Outcome((), judgement, None) for judgement in judgements]
    return (
        Rejoined(numbered, sentence_folds(folds, numbered.lengths), outcomes, LABELS, legal_only=legal_only),
        judgements,
        folds,
    )


def test_what_a_person_has_decided_on_stays_whatever_else_is_ruled_out() -> None:
    given, settled = torch.tensor([0, 2, 0]), torch.tensor([True, False, False])
    ruled_out = torch.ones(3, COUNT, dtype=torch.bool)
    ruled_out[:, 0] = False
    known = with_settled(ruled_out, settled, given, LABELS)
    assert known is not None
    assert known[0].nonzero().flatten().tolist() == [0]
    assert torch.equal(known[1:], ruled_out[1:])
    assert with_settled(None, torch.zeros(3, dtype=torch.bool), given, LABELS) is None


@pytest.mark.parametrize("legal_only", [True, False])
@given(seed=st.integers(0, 1000), lengths=st.lists(st.integers(1, 4), min_size=2, max_size=5))
def test_new_labels_are_the_best_path_through_what_is_pinned(legal_only: bool, seed: int, lengths: list[int]) -> None:
    rejoined, judgements, folds = judged(seed, lengths, legal_only=legal_only)
    pinned = pinned_labels(rejoined.given, torch.zeros(0), LABELS, NoiseRates(0, 0), "outside")
    found = torch.split(rejoined.best_labels(allowed_by(pinned, rejoined.given, LABELS)), lengths)
    given = torch.split(rejoined.given, lengths)
    for judgement, fold in zip(judgements, folds, strict=True):
        tables = torch.split(judgement.emissions, [lengths[number] for number in fold])
        for number, table in zip(fold, tables, strict=True):
            free = [[label] if label else range(COUNT) for label in given[number].tolist()]
            paths = [path for path in product(*free) if not legal_only or _spells(path)]
            best = max(paths, key=lambda path: _score(path, table, judgement.chain))
            assert found[number].tolist() == list(best)


def test_without_constraints_illegal_labels_are_possible() -> None:
    stray = torch.tensor([[0.0, 9.0, 0.0, 0.0, 0.0], [9.0, 0.0, 0.0, 0.0, 0.0]])
    flat = Chain(torch.zeros(COUNT, COUNT), torch.zeros(COUNT), torch.zeros(COUNT))
    numbered = Numbered((("a", "b"), ("c",)), (torch.tensor([0, 0]), torch.tensor([0])))
    outcomes = [Outcome((), Judgement([2], stray, flat), None), Outcome((), Judgement([1], stray[1:], flat), None)]
    found = {
        legal_only: Rejoined(
            numbered, sentence_folds([[0], [1]], numbered.lengths), outcomes, LABELS, legal_only=legal_only
        ).best_labels(None)
        for legal_only in (True, False)
    }
    assert [LABELS.labels[label] for label in found[False]] == ["B-PER", "O", "O"]
    assert is_legal([LABELS.labels[label] for label in found[True][:2]], "IOBES")


def test_how_labels_were_learnt_comes_from_the_models_that_learnt_them() -> None:
    lengths = [1, 2, 1]
    flat = Chain(torch.zeros(COUNT, COUNT), torch.zeros(COUNT), torch.zeros(COUNT))
    folds = [[0, 2], [1]]
    seen_by_first = torch.tensor([[0.2, 0.4], [0.6, 0.4]])  # it judges sentences 0 and 2 and has learnt sentence 1
    seen_by_second = torch.tensor([[0.1, 0.3], [0.5, 0.3]])
    outcomes = [
        Outcome((), Judgement([1, 1], torch.zeros(2, COUNT), flat), Dynamics(seen_by_first, torch.zeros(2, 2))),
        Outcome((), Judgement([2], torch.zeros(2, COUNT), flat), Dynamics(seen_by_second, torch.zeros(2, 2))),
    ]
    numbered = Numbered(
        (("a",), ("b", "c"), ("d",)), tuple(torch.zeros(length, dtype=torch.long) for length in lengths)
    )
    learnt = Rejoined(numbered, sentence_folds(folds, numbered.lengths), outcomes, LABELS).view(0.0).dynamics
    assert learnt is not None
    assert learnt.mean.tolist() == pytest.approx([0.3, 0.4, 0.4, 0.3])
    assert learnt.spread.tolist() == pytest.approx([0.2, 0.2, 0.0, 0.0])
    assert learnt.running_mean.tolist() == pytest.approx([0.5, 0.6, 0.4, 0.3])


def _spells(path: tuple[int, ...]) -> bool:
    return is_legal([LABELS.labels[label] for label in path], "IOBES")


def _score(path: tuple[int, ...], table: Tensor, chain: Chain) -> float:
    total = chain.start[path[0]] + chain.end[path[-1]] + sum(table[token, label] for token, label in enumerate(path))
    return float(total + sum(chain.transitions[left, right] for left, right in pairwise(path)))


def test_belief_in_a_label_is_shared_where_the_same_name_has_it() -> None:
    sentences = [
        Sentence(("Ann", "slept"), ("B-PER", "O")),
        Sentence(("saw", "Ann"), ("O", "B-PER")),
        Sentence(("saw", "Ann"), ("O", "O")),
    ]
    given = torch.tensor([4, 0, 0, 4, 0, 0])
    means = mean_by_name(torch.tensor([0.2, 0.9, 0.7, 0.6, 0.5, 0.1]), given, sentences)
    assert means.tolist() == pytest.approx([0.4, 0.9, 0.7, 0.4, 0.5, 0.1])


def test_all_who_spoke_of_a_label_are_believed_alike() -> None:
    given, probabilities = torch.tensor([0, 4]), torch.tensor([[0.5, 0, 0, 0, 0.5], [0.75, 0, 0, 0, 0.25]])
    dynamics = SeeingView(torch.tensor([0.25, 0.5]), torch.zeros(2), torch.zeros(2))
    view = UnseenView(given, probabilities, None)
    assert view.trust().tolist() == [0.5, 0.25]
    assert replace(view, dynamics=dynamics).trust().tolist() == [0.75, 0.75]
    assert replace(view, dynamics=dynamics, prior=torch.tensor([1.0, 0.25])).trust().tolist() == [1.75, 1.0]


def test_a_label_that_nobody_was_told_is_seen_by_the_unseeing_alone() -> None:
    folds = NameFolds(torch.tensor([NOBODY, 0, 1]), [3], withheld([True, False, False]), 2)
    numbered = Numbered((("He", "met", "Ann"),), (torch.tensor([4, 0, 4]),))
    flat = Chain(torch.zeros(COUNT, COUNT), torch.zeros(COUNT), torch.zeros(COUNT))
    records = [Dynamics(torch.full((2, 3), score), torch.full((2, 3), 4)) for score in (0.25, 0.75)]
    outcomes = [Outcome((), Judgement([3], torch.zeros(3, COUNT), flat), record) for record in records]
    rejoined = Rejoined(numbered, folds, outcomes, LABELS, legal_only=False)
    view = rejoined.view(0.5)
    assert view.dynamics is not None
    assert view.dynamics.mean.tolist() == pytest.approx([1 / COUNT, 0.75, 0.25])
    assert view.dynamics.spread[0] == 0
    held = rejoined.held(torch.tensor([4, 4, 0]))
    assert held is not None
    assert held.tolist() == [float(rejoined.best_labels(None)[0] == 4), 1.0, 0.0]


def test_one_more_model_of_the_whole_corpus_speaks_with_those_that_have_not_seen_a_sentence() -> None:
    lengths = [2, 1, 3]
    rejoined, fold_judgements, parts = judged(1, lengths, legal_only=False)
    other = replace(judged(2, [6, 1], legal_only=False)[1][0], lengths=lengths)
    before = rejoined.probabilities(None)
    after = rejoined.joined_by(other).probabilities(None)
    for part, own in zip(parts, fold_judgements, strict=True):
        places = torch.cat([torch.split(torch.arange(6), lengths)[sentence] for sentence in part])
        parameters = ("transitions", "start", "end")
        chain = Chain(*((getattr(own.chain, name) + getattr(other.chain, name)) / 2 for name in parameters))
        expected = Judgement(own.lengths, (own.emissions + other.emissions[places]) / 2, chain).marginals()
        assert torch.allclose(after[places], expected, atol=1e-6)
    assert torch.equal(rejoined.probabilities(None), before)  # who was asked stays as they were
