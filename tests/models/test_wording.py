"""Label indices in words of any scheme, as if their entities were read."""

from hypothesis import given
from hypothesis import strategies as st

from trustag.models.wording import labels_of_path
from trustag.text.label_sets import LabelSet
from trustag.text.schemes import Scheme, convert_labels

LABELS = LabelSet.of(["PER", "LOC"])
ENTITY = st.one_of(
    st.just(["O"]),
    st.tuples(st.sampled_from(LABELS.types), st.integers(1, 4)).map(
        lambda made: (
            [f"S-{made[0]}"] if made[1] == 1 else [f"B-{made[0]}", *[f"I-{made[0]}"] * (made[1] - 2), f"E-{made[0]}"]
        )
    ),
)


@given(st.lists(ENTITY, max_size=8), st.sampled_from(list(Scheme)))
def test_legal_paths_are_worded_as_if_their_entities_were_read(parts: list[list[str]], scheme: Scheme) -> None:
    names = [name for part in parts for name in part]
    path = [LABELS.index[name] for name in names]
    assert labels_of_path(path, LABELS, scheme, legal=True) == convert_labels(names, scheme)


@given(st.lists(st.integers(0, len(LABELS) - 1), max_size=8), st.sampled_from(list(Scheme)))
def test_any_path_is_worded_by_reading_its_entities(path: list[int], scheme: Scheme) -> None:
    names = [LABELS.labels[label] for label in path]
    expected = tuple(names) if scheme is LABELS.scheme else convert_labels(names, scheme)
    assert labels_of_path(path, LABELS, scheme, legal=False) == expected
