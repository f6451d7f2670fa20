"""Tables of pandas give the sentences that a CSV file of the same content gives."""

import io
import subprocess
import sys

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import trustag
from tests.files.scratch import scratch_file
from tests.strategies import sentences
from trustag.corpora.frames import frame_rows, from_frame, is_frame
from trustag.errors import InputError
from trustag.files.csv_tables import FORMAT
from trustag.files.formats import ReadOptions
from trustag.text.sentences import Sentence

KAGGLE = pd.DataFrame(
    {
        "Sentence #": ["Sentence: 1", None, float("nan"), "Sentence: 2"],
        "Word": ["Ann", "met", "Bob", "Rome"],
        "POS": ["NNP", "VBD", "NNP", "NNP"],
        "Tag": ["B-PER", "O", None, "B-LOC"],
    }
)


def test_columns_are_found_by_their_names_and_empty_cells_are_what_they_are_in_csv() -> None:
    assert from_frame(KAGGLE) == (
        [["Ann", "met", "Bob"], ["Rome"]],
        [["B-PER", "O", None], ["B-LOC"]],
    )
    assert trustag.from_frame is from_frame


@given(st.lists(sentences(gold=False, words=st.sampled_from(["a", "null", "b,c", "é"])), min_size=1, max_size=4))
def test_a_table_says_what_its_csv_file_says(corpus: list[Sentence]) -> None:
    rows = [(n, t, s) for n, one in enumerate(corpus, 1) for t, s in zip(one.tokens, one.labels, strict=True)]
    frame = pd.DataFrame(rows, columns=["sentence_id", "token", "ner"])
    stream = io.BytesIO()
    frame.to_csv(stream, index=False)
    with scratch_file(stream.getvalue()) as file:
        read = list(FORMAT.read(file, ReadOptions(), lambda note: None))
    tokens, labels = from_frame(frame)
    assert tokens == [list(one.tokens) for one in read] == [list(one.tokens) for one in corpus]
    assert labels == [list(one.labels) for one in read] == [list(one.labels) for one in corpus]


def test_columns_can_be_named_and_the_order_of_the_index_does_not_matter() -> None:
    frame = pd.DataFrame({"phrase": [1, 1, 2], "mot": ["a", "b", "c"], "type": ["O", "O", "B-X"]}, index=[9, 2, 5])
    assert from_frame(frame, sentence="phrase", token="mot", label="type") == (
        [["a", "b"], ["c"]],
        [["O", "O"], ["B-X"]],
    )


def test_gold_and_missing_labels_are_told_apart() -> None:
    rows = frame_rows(KAGGLE.drop(columns="Tag").assign(gold="O"))
    assert (rows.labels, rows.gold) == (None, [["O", "O", "O"], ["O"]])


@pytest.mark.parametrize(
    ("frame", "complaint"),
    [
        (KAGGLE.drop(columns="Tag"), "frame: no column of labels among Sentence #, Word, POS; rename the columns, or"),
        (KAGGLE.drop(columns="Word"), "frame: no column of tokens among Sentence #, POS, Tag; rename"),
        (KAGGLE.drop(columns="Sentence #"), "frame: no column of sentences among Word, POS, Tag; rename"),
        (KAGGLE.assign(Word=["a", None, "b", "c"]), "frame, row 1: the token is missing; .*keep_default_na=False"),
        (KAGGLE.assign(Word=[1, 2, 3, 4]), r"frame, row 0: the token 1 is no string; convert .*astype\(str\)"),
    ],
)
def test_what_is_wrong_with_a_table_is_one_line(frame: pd.DataFrame, complaint: str) -> None:
    with pytest.raises(InputError, match=f"^{complaint}"):
        from_frame(frame)


def test_a_wrong_name_is_refused() -> None:
    with pytest.raises(InputError, match="no column 'word' among Sentence #, Word"):
        from_frame(KAGGLE, token="word")


def test_pandas_is_not_needed_for_anything_else() -> None:
    probe = "import sys; sys.modules['pandas'] = None; from trustag.corpora.frames import is_frame; print(is_frame([]))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "False"
    assert is_frame(KAGGLE)
