"""Taggers by name; those of packages find what capitals alone do not."""

import pytest
import spacy

from trustag.errors import InputError
from trustag.labelling.candidates import CapitalsTagger
from trustag.labelling.language_words import NO_WORDS, words_of
from trustag.labelling.taggers import SpacyTagger, tagger_named


class Everything:
    """Takes every token for a name."""

    common_words: frozenset[str] = frozenset()

    def names(self, document: list[list[str]]) -> list[list[bool]]:
        return [[True] * len(tokens) for tokens in document]


EVERYTHING = Everything()
NOTHING = object()


def marked(name: str, language: str, text: str) -> list[str]:
    words = words_of(language)
    tagger = tagger_named(name, language, words if words is not None else NO_WORDS)
    assert tagger is not None
    tokens = text.split()
    (marks,) = tagger.names([tokens])
    return [token for token, mark in zip(tokens, marks, strict=True) if mark]


# textblob leaves its file of words to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
def test_textblob_knows_words_at_the_start_of_a_sentence() -> None:
    assert marked("textblob", "en", "Seven books , Zwingmann met Will Ferrell .") == ["Zwingmann", "Ferrell"]
    assert marked("textblob", "en", "Zwingmann met BBC reporters") == ["Zwingmann", "BBC"]


def test_hanta_tells_german_nouns_from_names() -> None:
    assert marked("hanta", "de", "Der Hund von Angela Merkel schläft in Leipzig .") == ["Angela", "Merkel", "Leipzig"]
    assert "Amsterdam" in marked("hanta", "nl", "De trein naar Amsterdam is laat .")


def test_a_pipeline_of_spacy() -> None:
    pipeline = spacy.blank("en")
    ruler = pipeline.add_pipe("attribute_ruler")
    ruler.add([[{"TEXT": "Oslo"}]], {"POS": "PROPN"})  # type: ignore[attr-defined]
    assert SpacyTagger(pipeline).names([["Oslo", "is", "Big"], ["oslo"]]) == [[True, False, False], [False]]


def test_names_of_taggers() -> None:
    assert tagger_named("none", "en", NO_WORDS) is None
    assert isinstance(tagger_named("capitals", "fi", NO_WORDS), CapitalsTagger)
    own = tagger_named("tests.labelling.test_taggers:EVERYTHING", "en", NO_WORDS)
    assert own is not None
    assert own.names([["a", "b"]]) == [[True, True]]


@pytest.mark.parametrize(
    ("name", "language", "finding"),
    [
        ("nltk", "en", "unknown tagger 'nltk'"),
        ("textblob", "de", "textblob tags English only"),
        ("hanta", "es", "HanTa has no model for 'es'"),
        ("spacy:not_there", "en", "spaCy cannot load 'not_there'"),
        ("tests.labelling.test_taggers:NOTHING", "en", "has no method names"),
        ("no_such_module:X", "en", "cannot load the tagger"),
    ],
)
def test_taggers_that_are_not_there(name: str, language: str, finding: str) -> None:
    with pytest.raises(InputError, match=finding):
        tagger_named(name, language, NO_WORDS)
