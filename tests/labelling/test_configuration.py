"""Configurations from files and options."""

from pathlib import Path

import pytest

from trustag.errors import InputError
from trustag.labelling.configuration import build_labeller, read_settings
from trustag.notes import Note, unwatched
from trustag.text.sentences import Sentence


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "places.txt").write_text("Oslo\nThe\n")
    (tmp_path / "label.toml").write_text('cover = "best"\n[[gazetteer]]\npath = "places.txt"\ntype = "LOC"\n')
    settings = read_settings(tmp_path / "label.toml", {"language": None, "ambiguous": "drop"})
    assert (settings.cover, settings.ambiguous, settings.language) == ("best", "drop", "en")
    (found,) = build_labeller(settings, unwatched).label([Sentence(("The", "Oslo"), (None, None))])
    assert found.sentence.labels == ("O", "B-LOC")


def test_lists_of_options_come_after_those_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "label.toml").write_text('[[gazetteer]]\npath = "a.txt"\n')
    settings = read_settings(tmp_path / "label.toml", {}, ["LOC=b.txt", "c.txt"])
    assert [(one.path, one.type) for one in settings.gazetteer] == [
        (str(tmp_path / "a.txt"), None),
        ("b.txt", "LOC"),
        ("c.txt", None),
    ]


def test_wrong_files_are_errors(tmp_path: Path) -> None:
    (tmp_path / "label.toml").write_text("cover =")
    with pytest.raises(InputError, match="not valid TOML"):
        read_settings(tmp_path / "label.toml", {})
    with pytest.raises(InputError, match="nothing to label by"):
        build_labeller(read_settings(None, {}), unwatched)


def test_a_language_without_known_words_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("LOC\tOslo\n")
    notes: list[Note] = []
    build_labeller(read_settings(None, {"language": "fi"}, [str(tmp_path / "a.txt")]), notes.append)
    assert [note.reason for note in notes] == ["words of the language"]
