"""A run names the user's files: every sentence comes back with the file and the line, or record, it was read from."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.files.scratch import scratch_file
from trustag.corpora.locating import CorpusOptions, stream
from trustag.errors import InputError
from trustag.issues.flat_records import row_of
from trustag.issues.issue import Issue
from trustag.runs.corpus_files import write_given
from trustag.runs.folder import RunFolder
from trustag.runs.issue_files import issues_of_run, read_given, write_issues
from trustag.runs.places import with_places, write_places
from trustag.text.sentences import Sentence, Source
from trustag.text.spans import Span

SOURCES = st.none() | st.builds(
    Source, st.text(min_size=1).filter(str.isprintable), st.none() | st.integers(1, 2**50), st.booleans(), st.booleans()
)
CONLL = "Ann B-PER\nran O\n\n# a comment\nBob B-PER\nin O\nRome O\n"


@given(st.lists(SOURCES, min_size=1))
def test_places_come_back_as_they_were(sources: list[Source | None]) -> None:
    sentences = [Sentence(("a",), ("O",), source=source) for source in sources]
    with scratch_file("", "places.jsonl") as file:
        write_places(file.path, sentences)
        found = with_places(file.path, [Sentence(("a",), ("O",), source=Source("given.jsonl", 1))] * len(sources))
    assert [sentence.source for sentence in found] == sources


def reviewed(folder: Path, corpus: Path) -> RunFolder:
    """A run on a corpus, with an issue at the last token of its last sentence."""
    sentences = list(stream(str(corpus), CorpusOptions()))
    run = RunFolder(folder)
    folder.mkdir()
    run.manifest.write_text("{}")
    write_given(run, sentences)
    last = len(sentences) - 1, len(sentences[-1]) - 1, len(sentences[-1])
    write_issues(run.issues, [Issue(*last, "missed", (), (Span(*last[1:], "LOC"),), 0.9, 0.1, 0.9)])
    return run


def test_an_issue_names_the_line_of_its_word_in_the_file_of_the_user(tmp_path: Path) -> None:
    corpus = tmp_path / "mine.conll"
    corpus.write_text(CONLL)
    run = reviewed(tmp_path / "run", corpus)
    found = issues_of_run(run.path)
    assert found.sentences[1].place_of(found[0].first) == "mine.conll:7"
    assert row_of(found[0], found.sentences)["source"] == f"{corpus}:7"


def test_an_issue_names_the_line_of_its_record(tmp_path: Path) -> None:
    corpus = tmp_path / "mine.jsonl"
    corpus.write_text('{"tokens": ["Ann"], "ner_tags": ["B-PER"]}\n\n{"tokens": ["Rome"], "ner_tags": ["O"]}\n')
    found = issues_of_run(reviewed(tmp_path / "run", corpus).path)
    assert found.sentences[1].place_of(0) == "mine.jsonl:3"


def test_a_file_without_lines_is_named_with_the_number_of_the_record(tmp_path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    rows = {"tokens": [["Ann"], ["Rome"]], "ner_tags": [["B-PER"], ["O"]]}
    parquet.write_table(pa.table(rows), tmp_path / "mine.parquet")
    found = issues_of_run(reviewed(tmp_path / "run", tmp_path / "mine.parquet").path)
    assert found.sentences[1].place_of(0) == "mine.parquet, record 2"


def test_runs_without_places_name_their_own_copy(tmp_path: Path) -> None:
    corpus = tmp_path / "mine.conll"
    corpus.write_text(CONLL)
    run = reviewed(tmp_path / "run", corpus)
    run.places.unlink()
    assert [str(sentence.source) for sentence in read_given(run)] == [f"{run.given}:1", f"{run.given}:2"]


@pytest.mark.parametrize("text", ["{}\n", "{}\n{}\n{}\n", "[]\n[]\n", '{"line": -1}\n{}\n', '{"file": 1}\n{}\n', "\0"])
def test_places_that_do_not_fit_the_corpus_are_refused(text: str, tmp_path: Path) -> None:
    corpus = tmp_path / "mine.conll"
    corpus.write_text(CONLL)
    run = reviewed(tmp_path / "run", corpus)
    run.places.write_text(text)
    with pytest.raises(InputError, match=r"places\.jsonl"):
        read_given(run)
