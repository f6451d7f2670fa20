"""The ratio of entity tokens, where it comes from, and the rounds up to it."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as changed

from tests.methods.cbl.small import run_to, small_corpus, task_of
from trustag.errors import InputError
from trustag.methods.cbl.ratio import Ratio, entity_ratio, estimated_ratio, round_shares
from trustag.methods.cbl.settings import CBLSettings
from trustag.noise_rates.rates import NoiseRates
from trustag.text.sentences import Corpus


@pytest.mark.parametrize(
    ("labelled", "ratio", "rounds"),
    [
        (19250 / 203621, 0.166, 7),  # English, counted in the published noisy file
        # Shares that follow from published noise rates: gold = labelled (1 - 0.884 tau_p) + (1 - labelled) tau_n
        ((0.1239 - 0.0678) / (1 - 0.884 * 0.103 - 0.0678), 0.123, 6),  # Spanish
        ((0.0810 - 0.0427) / (1 - 0.884 * 0.123 - 0.0427), 0.080, 5),  # German
        ((0.0954 - 0.0504) / (1 - 0.884 * 0.119 - 0.0504), 0.095, 5),  # Dutch
    ],
)
def test_there_are_as_many_rounds_as_published(labelled: float, ratio: float, rounds: int) -> None:
    assert len(round_shares(labelled, Ratio(ratio, "given"), CBLSettings())) == rounds


@given(st.floats(0, 0.9), st.floats(0, 0.9), st.sampled_from([0.01, 0.02, 0.05, 0.3]))
def test_rounds_go_from_the_labelled_share_to_below_the_limit(labelled: float, ratio: float, step: float) -> None:
    settings = CBLSettings(ratio_step=step)
    shares = round_shares(labelled, Ratio(ratio, "dev"), settings)
    limit = min(ratio + settings.ratio_margin, 1.0)
    assert all(share < limit for share in shares)
    assert (shares[-1] if shares else labelled - step) + step >= limit - 1e-6 or not shares
    assert not shares or shares[0] == labelled
    assert bool(shares) == (limit - labelled > 1e-6 * step)


def test_the_ratio_comes_from_where_the_settings_say() -> None:
    whole = task_of(small_corpus())
    rows = {
        "dev": [label for sentence in whole.dev for label in sentence.labels],
        "gold": [label for sentence in whole.sentences for label in sentence.gold or ()],
    }
    share = {name: sum(label != "O" for label in own) / len(own) for name, own in rows.items()}
    assert share["dev"] != share["gold"]
    for name, value in share.items():
        assert entity_ratio(whole, CBLSettings(ratio_source=name)) == (value, name)  # type: ignore[arg-type]
    assert entity_ratio(whole, CBLSettings(entity_ratio=0.3, ratio_source="given")) == (0.3, "given")
    assert entity_ratio(whole, CBLSettings(entity_ratio=0.3)) == (0.3, "given")
    assert entity_ratio(whole, CBLSettings()) == (share["dev"], "dev")
    assert entity_ratio(replace(whole, dev=()), CBLSettings()) == (share["gold"], "gold")
    half = [changed(s, labels=tuple(None if label == "O" else label for label in s.labels)) for s in whole.dev]
    assert entity_ratio(replace(whole, dev=half), CBLSettings()) == (1.0, "dev"), "unknown labels do not count"
    assert entity_ratio(whole, CBLSettings(ratio_source="estimated")) is None


def test_a_ratio_that_nothing_tells_is_an_error(tmp_path: Path) -> None:
    corpus = small_corpus()
    bare = Corpus(tuple(changed(sentence, gold=None) for sentence in corpus.train))
    for source in ("given", "dev", "gold"):
        with pytest.raises(InputError, match=r"cbl: .*method\.entity_ratio"):
            run_to(tmp_path / "run", bare, f"method.ratio_source={source}")
    with pytest.raises(InputError, match="leave one of the two out"):
        run_to(tmp_path / "run", corpus, "method.ratio_source=dev", "method.entity_ratio=0.2")
    assert not (tmp_path / "run").exists()


def test_towards_an_estimated_ratio_there_is_a_fixed_number_of_equal_steps() -> None:
    settings = CBLSettings(estimated_rounds=4)
    for value in (0.3, 0.1, 0.0):
        shares = round_shares(0.1, Ratio(value, "estimated"), settings)
        limit = max(value + settings.ratio_margin, 0.1)
        assert shares == pytest.approx([0.1 + step * (limit - 0.1) / 4 for step in range(4)])


def test_an_estimated_ratio_is_what_is_labelled_and_what_is_missed() -> None:
    """Of 100 tokens 10 are labelled; of the 90 others a tenth misses an entity."""
    assert estimated_ratio(0.1, NoiseRates(0.1, 0.4)).value == pytest.approx((10 + 9) / 100)
