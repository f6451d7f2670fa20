"""Recipes of the first version may hold lists, as every recipe that a run wrote does."""

from trustag.recipes.first_form import upgraded


def test_lists_stay_as_they_are() -> None:
    values = {"bilstm": {"context_layers": [3, 5]}, "rounds": {"count": 1}}
    assert upgraded(values)["bilstm"]["context_layers"] == [3, 5]
