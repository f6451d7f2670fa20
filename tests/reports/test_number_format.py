"""Numbers as text: rounded the usual way, empty where they are unknown."""

import pytest

from trustag.reports.number_format import count, duration, f1, figure, in_table_order, interval, label_name, percent


def test_unknown_numbers_are_empty() -> None:
    assert (percent(None), figure(None), f1(None)) == ("", "", "")


def test_numbers_are_rounded_to_the_usual_digits() -> None:
    assert (percent(0.12345), percent(0.12345, 0), figure(0.666), figure(0.66666, 3)) == (
        "12.3 %",
        "12 %",
        "0.67",
        "0.667",
    )
    assert (f1(0.87046), interval(0.0449, 0.1)) == ("87.05", "4.5 to 10.0 %")


def test_nouns_agree_with_their_number() -> None:
    assert [count(number, "entity", "entities") for number in (0, 1, 1234)] == [
        "0 entities",
        "1 entity",
        "1,234 entities",
    ]
    assert count(1234) == "1,234"


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (59.6, "1 min 0 s"), (3599.6, "1 h 0 min"), (7384, "2 h 3 min")]
)
def test_durations_carry_into_the_next_unit(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_types_come_in_the_order_of_tables() -> None:
    assert [label_name(name) for name in in_table_order({"PER", None, "LOC", "O"})] == ["O", "LOC", "PER", "unknown"]
