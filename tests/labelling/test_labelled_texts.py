"""Texts become sentences to train on."""

from pathlib import Path

from trustag.corpora.locating import CorpusOptions
from trustag.labelling.labelled_texts import labelled_texts
from trustag.notes import unwatched


def test_texts_are_labelled_by_a_configuration(tmp_path: Path) -> None:
    (tmp_path / "places.txt").write_text("LOC\tOslo\n")
    (tmp_path / "label.toml").write_text(
        'tokenizer = "regex"\nsentences = "lines"\n[[gazetteer]]\npath = "places.txt"\n'
    )
    (tmp_path / "a.txt").write_text("Oslo is here.\n")
    (tmp_path / "b.conll").write_text("in O\nOslo O\n\n")
    names = [str(tmp_path / "a.txt"), str(tmp_path / "b.conll")]
    found = list(labelled_texts(names, tmp_path / "label.toml", CorpusOptions(), unwatched))
    assert [one.labels for one in found] == [("B-LOC", "O", "O", "O"), ("O", "B-LOC")]
    assert found[1].token_sources == ("none", "gazetteer:places")
