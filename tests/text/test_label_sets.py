"""Label sets: one index for every label, and the scheme that its positions stand for."""

import pytest

from trustag.text.label_sets import LabelSet
from trustag.text.schemes import Scheme

SCHEMES = [scheme for scheme in Scheme if scheme not in {Scheme.IOB1, Scheme.IOE1}]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_scheme_of_a_label_set_is_the_one_it_was_made_for(scheme: Scheme) -> None:
    assert LabelSet.of(["PER", "LOC"], scheme).scheme is scheme


@pytest.mark.parametrize("scheme", [Scheme.IOB1, Scheme.IOE1])
def test_schemes_that_spell_entities_by_their_neighbours_are_not_those_of_models(scheme: Scheme) -> None:
    assert LabelSet.of(["PER"], scheme).scheme is not scheme


def test_positions_that_no_scheme_has_are_refused() -> None:
    with pytest.raises(ValueError, match="no tagging scheme has the positions 'BX'"):
        _ = LabelSet(("PER",), "BX").scheme


def test_every_position_of_every_type_has_an_index_and_o_the_first() -> None:
    labels = LabelSet.of(["PER", "geo-loc"])
    assert len(labels) == 9
    assert labels.index["O"] == 0
    assert [labels.index[label] for label in labels] == list(range(9))
    assert list(labels)[5:] == ["B-geo-loc", "I-geo-loc", "E-geo-loc", "S-geo-loc"]
