"""Word vectors to start from: those that a recipe names, none where it needs none, advice where they are missing."""

from collections import Counter
from pathlib import Path

import pytest
import torch

from tests.training.small import small_recipe
from trustag.errors import InputError
from trustag.notes import Note, unwatched
from trustag.recipes.settings import Recipe
from trustag.training.starting_vectors import given_vectors

COUNTS = Counter({"Rome": 3, "the": 5, "unheard": 2})
TEXT = "the 1 2 3\nrome 4 5 6\nlamp 7 8 9\nzebra 0 0 1\n"


def recipe_with(folder: Path, *changes: str) -> Recipe:
    (folder / "vectors.txt").write_text(TEXT)
    return small_recipe(f"bilstm.vectors='{folder / 'vectors.txt'}'", "bilstm.random_vectors=false", *changes)


def test_words_of_the_corpus_have_their_vectors_and_the_most_frequent_ones_are_kept(tmp_path: Path) -> None:
    notes: list[Note] = []
    vectors = given_vectors(recipe_with(tmp_path, "bilstm.kept_vectors=3"), COUNTS, notes.append)
    assert vectors is not None
    rows = dict(zip(vectors.words, vectors.rows.tolist(), strict=True))
    assert rows == {"the": [1, 2, 3], "rome": [4, 5, 6], "lamp": [7, 8, 9]}
    assert vectors.rows.dtype == torch.float32
    (noted,) = [note.detail for note in notes if note.reason == "word vectors know"]
    assert noted == "80.0% of the tokens, 66.7% of the distinct words"


def test_none_are_needed_by_transformers_or_where_random_ones_are_asked_for() -> None:
    assert given_vectors(small_recipe("model.encoder=transformer"), COUNTS, unwatched) is None
    assert given_vectors(small_recipe("bilstm.random_vectors=true"), COUNTS, unwatched) is None


def test_where_none_are_named_it_is_said_how_to_get_some() -> None:
    english = Counter({"the": 30, "of": 20, "and": 20, "lamp": 2})
    with pytest.raises(InputError, match=r"english-clusters\+english-glove(.|\n)*bilstm.random_vectors=true"):
        given_vectors(small_recipe("bilstm.random_vectors=false"), english, unwatched)
