"""Numbers as people read them: they can be read back, and what is not known is blank."""

from hypothesis import given
from hypothesis import strategies as st

from trustag.reports.wording import (
    RATE_SOURCES,
    count,
    duration,
    f1,
    figure,
    in_order,
    interval,
    label_name,
    percent,
    rate_caveats,
)

SHARES = st.floats(0, 1)


@given(st.integers(0, 10**9))
def test_counts_are_read_back_and_agree_in_number(number: int) -> None:
    written, name = count(number, "label").split(" ")
    assert int(written.replace(",", "")) == number
    assert name == ("label" if number == 1 else "labels")
    assert count(number, "entity", "entities").endswith("entity" if number == 1 else "entities")
    assert count(number) == written
    assert max(map(len, written.split(","))) <= 3


@given(SHARES, SHARES)
def test_shares_and_scores_are_read_back_as_exactly_as_they_are_shown(one: float, other: float) -> None:
    assert abs(float(percent(one).removesuffix(" %")) - 100 * one) <= 0.0500001
    assert abs(float(percent(one, 0).removesuffix(" %")) - 100 * one) <= 0.5000001
    assert abs(float(figure(one)) - one) <= 0.0050001
    assert abs(float(f1(one)) - 100 * one) <= 0.0050001
    low, high = interval(one, other).removesuffix(" %").split(" to ")
    assert (low, high) == (percent(one).removesuffix(" %"), percent(other).removesuffix(" %"))


def test_what_is_not_known_is_blank() -> None:
    assert [percent(None), figure(None), f1(None)] == ["", "", ""]


@given(st.floats(0, 10**6))
def test_a_duration_is_at_most_half_a_unit_off(seconds: float) -> None:
    units = {"h": 3600, "min": 60, "s": 1}
    words = duration(seconds).split()
    told = [(int(number), units[unit]) for number, unit in zip(words[::2], words[1::2], strict=True)]
    total = sum(number * unit for number, unit in told)
    assert 0 <= seconds - total + 0.5 <= told[-1][1] + 0.5
    assert all(number < 60 for number, unit in told if unit < 3600)


@given(st.sets(st.sampled_from(["O", "PER", "LOC", "a", None])))
def test_tables_begin_with_outside_and_end_with_unknown(labels: set[str | None]) -> None:
    found = in_order(labels)
    assert set(found) == labels
    assert len(found) == len(labels)
    middle = [label for label in found if label not in {"O", None}]
    assert found == [*(["O"] if "O" in labels else []), *middle, *([None] if None in labels else [])]
    assert middle == sorted(label for label in middle if label)
    assert all(map(label_name, found))


@given(st.sampled_from([*RATE_SOURCES]), st.lists(st.none() | st.tuples(SHARES, SHARES), max_size=2))
def test_rates_in_wide_ranges_have_a_caveat_more(source: str, ranges: list[tuple[float, float] | None]) -> None:
    usual = rate_caveats(source, [])
    found = rate_caveats(source, ranges)
    assert found[: len(usual)] == usual
    assert (len(found) > len(usual)) == any(own is not None and own[1] - own[0] > 0.5 for own in ranges)
