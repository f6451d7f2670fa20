"""Plain text becomes paragraphs, sentences and tokens; no character is lost."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.errors import InputError
from trustag.files.formats import ReadOptions
from trustag.files.inputs import InputFile
from trustag.labelling.sentence_splitting import Splitting, paragraphs
from trustag.notes import unwatched
from trustag.text.sentences import Sentence

WRAPPED = """Mr. Ray met Dr. J. Brown in Washington, D.C. on Monday. They
talked about the U.S. and O'Neill's firm for a long time, and they
parted at 5 p.m. on the 3rd of May."""


def sentences(text: str, language: str = "en", mode: str = "auto", tokenizer: str = "auto") -> list[Sentence]:
    return list(Splitting(language, mode, tokenizer).reading().text(text, ReadOptions(), unwatched))


def test_abbreviations_do_not_end_sentences() -> None:
    found = [sentence.text for sentence in sentences(WRAPPED)]
    assert found == [
        "Mr. Ray met Dr. J. Brown in Washington, D.C. on Monday.",
        WRAPPED.replace("\n", " ").partition("Monday. ")[2],
    ]
    assert "O'Neill" in sentences(WRAPPED)[1].tokens


def test_other_languages() -> None:
    german = "Am 3. Mai kam Dr. Weber nach Berlin. Er blieb bis z. B. Montag."
    assert len(sentences(german, "de")) == 2
    assert [len(sentences(text, code)) for code, text in [("es", "¿Qué? Nada."), ("nl", "Hij ging. Zij bleef.")]] == [
        2,
        2,
    ]


@given(st.text(st.sampled_from("ab.!? \n\"'(AB"), max_size=60))
def test_no_character_is_lost(text: str) -> None:
    found = sentences(text, tokenizer="regex")
    assert "".join("".join(sentence.tokens) for sentence in found) == "".join(text.split())


def test_lines() -> None:
    assert [s.text for s in sentences("One. Two.\nThree.", mode="lines", tokenizer="regex")] == ["One. Two.", "Three."]


def test_wrapped_lines_are_one_paragraph_and_others_are_not() -> None:
    lines = [
        *WRAPPED.split("\n"),
        "",
        "A title",
        "A list",
        "",
        "Ends here, at the end of a sentence, as it should.",
        "Next.",
    ]
    assert [(number, text.count("\n")) for number, text in paragraphs(lines)] == [
        (1, 2),
        (5, 0),
        (6, 0),
        (8, 0),
        (9, 0),
    ]


def test_sentences_know_their_lines(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text(f"Title\n\n{WRAPPED}\n")
    reading = Splitting("en", "auto", "auto").reading()
    found = list(reading.file(InputFile(tmp_path / "text.txt"), ReadOptions(), unwatched))
    assert [str(sentence.source).rpartition(":")[2] for sentence in found] == ["1", "3", "3"]
    assert {sentence.document for sentence in found} == {str(tmp_path / "text.txt")}


def test_an_unknown_language_has_a_remedy() -> None:
    with pytest.raises(InputError, match="--sentences lines"):
        sentences("Aa bb.", "qq")
    assert [s.tokens for s in sentences("Aa bb.", "qq", "lines")] == [("Aa", "bb", ".")]
