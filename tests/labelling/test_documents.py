"""Sentences of one document together."""

from pathlib import Path

from trustag.corpora.locating import CorpusOptions
from trustag.labelling.documents import in_documents, read_documents
from trustag.labelling.sentence_splitting import Splitting
from trustag.notes import unwatched
from trustag.text.sentences import Sentence


def test_documents_are_kept_apart_and_have_a_bound() -> None:
    documents = [None, None, "a", "a", "a", "b", None]
    sentences = [Sentence(("x",), ("O",), document=document) for document in documents]
    assert [len(one) for one in in_documents(iter(sentences), 2)] == [2, 2, 1, 1, 1]
    assert [len(one) for one in in_documents(iter(sentences), 200)] == [2, 3, 1, 1]
    assert [len(one) for one in in_documents(iter(sentences), 0)] == [1] * 7


def test_texts_of_any_format(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Ann slept. Bob did not.\n")
    (tmp_path / "b.conll").write_text("Ann B-PER\nslept O\n\n")
    names = [str(tmp_path / "a.txt"), str(tmp_path / "b.conll"), "A text of its own. And more."]
    splitting = Splitting("en", "auto", "auto")
    found = list(read_documents(names, CorpusOptions(), splitting, unwatched))
    assert [sentence.text for sentence in found] == [
        "Ann slept.",
        "Bob did not.",
        "Ann slept",
        "A text of its own.",
        "And more.",
    ]
