"""The corpora in a run come back as they were; tokens that CoNLL text cannot hold lead to JSON lines."""

from pathlib import Path

from trustag.corpora.locating import CorpusOptions, stream
from trustag.notes import Note, unwatched
from trustag.runs.corpus_files import write_given, write_relabelled
from trustag.runs.folder import RunFolder
from trustag.runs.issue_files import read_given
from trustag.text.sentences import Sentence

PLAIN = Sentence(("Ann", "ran"), ("B-PER", "O"), gold=("B-PER", "O"))
UNKNOWN = Sentence(("Rome", "."), (None, "O"), document="d")
SPACED = Sentence(("New York", "slept"), ("B-LOC", "O"))


def relabelled(run: RunFolder) -> list[Sentence]:
    return list(stream(str(run.relabelled), CorpusOptions(run.relabelled.suffix.removeprefix(".")), unwatched))


def test_the_given_corpus_comes_back_whole(tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    write_given(run, [PLAIN, UNKNOWN, SPACED])
    found = read_given(run)
    assert [(one.tokens, one.labels, one.gold) for one in found] == [
        (one.tokens, one.labels, one.gold) for one in (PLAIN, UNKNOWN, SPACED)
    ]


def test_the_relabelled_corpus_is_text_where_it_fits(tmp_path: Path) -> None:
    run, notes = RunFolder(tmp_path), list[Note]()
    write_relabelled(run, [PLAIN, SPACED], notes.append)
    assert run.relabelled == run.relabelled_lines
    assert not run.relabelled_text.exists()
    assert [note.reason for note in notes] == ["the relabelled corpus is written as JSON lines"]
    assert [sentence.tokens for sentence in relabelled(run)] == [PLAIN.tokens, SPACED.tokens]
    write_relabelled(run, [PLAIN], notes.append)
    assert run.relabelled == run.relabelled_text
    assert len(notes) == 1
    assert [(one.tokens, one.labels, one.gold) for one in relabelled(run)] == [(PLAIN.tokens, PLAIN.labels, PLAIN.gold)]
