"""Entities on the screen: in brackets, with label and two digits of score, and nothing that moves the cursor."""

from hypothesis import given
from hypothesis import strategies as st

from trustag.cli.entity_lines import EntityMarker
from trustag.files.raw_texts import gaps_between
from trustag.files.tokenizers import cut_by_regex
from trustag.models.prediction import Entity, Prediction
from trustag.text.sentences import Sentence


def predicted(text: str, *entities: Entity) -> Prediction:
    offsets = cut_by_regex(text)
    tokens = tuple(text[start:end] for start, end in offsets)
    sentence = Sentence(tokens, (None,) * len(tokens), gaps=gaps_between(text, offsets))
    return Prediction(sentence, ("O",) * len(tokens), entities)


def test_entities_stand_in_brackets_with_their_label_and_score() -> None:
    text = "Ann Smith moved to Paris."
    found = predicted(text, Entity(0, 9, "Ann Smith", "PER", 0.98765), Entity(19, 24, "Paris", "LOC", 0.5))
    marked = EntityMarker().marked(found)
    assert marked.plain == "[Ann Smith PER 0.99] moved to [Paris LOC 0.50]."
    assert len({str(span.style).removeprefix("bold ") for span in marked.spans}) == 2


def test_a_blank_line_stays_blank() -> None:
    assert EntityMarker().marked(predicted("   ")).plain == ""


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_what_a_text_contains_never_reaches_the_terminal_raw(text: str) -> None:
    assert EntityMarker().marked(predicted(text)).plain.isprintable()


def test_labels_keep_their_colour_from_text_to_text() -> None:
    marker = EntityMarker()
    first, _ = (marker.marked(predicted("Rome", Entity(0, 4, "Rome", kind, 1.0))) for kind in ("LOC", "ORG"))
    again = marker.marked(predicted("Oslo", Entity(0, 4, "Oslo", "LOC", 1.0)))
    assert [span.style for span in again.spans] == [span.style for span in first.spans]
