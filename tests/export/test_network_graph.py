"""The graph alone is enough: words given as known and as new, in one call, say the same."""

from pathlib import Path

import numpy as np
import onnxruntime

from tests.export.models import MODELS
from trustag.export.exported_folder import GRAPH, read_description, read_tables

TOKENS = ["Ada", "of", "Unheard", "the"]


def test_known_and_new_words_may_be_mixed(folders: dict[str, Path]) -> None:
    description = read_description(folders["usual"])
    vectors = read_tables(folders["usual"], description)["words"]
    vocabulary = description.vocabulary
    session = onnxruntime.InferenceSession(folders["usual"] / GRAPH, providers=["CPUExecutionProvider"])

    def run(known: np.ndarray, first: int, asked: bool) -> list[np.ndarray]:
        spelled = [vocabulary.characters_of(token) for token in TOKENS[first:]]
        letters = np.zeros((len(spelled), max(map(len, spelled), default=0)), np.int64)
        for row, characters in zip(letters, spelled, strict=True):
            row[: len(characters)] = characters
        rows = [vocabulary.word(token) for token in TOKENS[first:]]
        given = {
            "vectors": vectors[rows].reshape(-1, vectors.shape[1]),
            "letters": letters,
            "letter_counts": np.array([len(characters) for characters in spelled], np.int64),
            "known": known,
            "words": np.arange(len(TOKENS))[None],
            "lengths": np.array([len(TOKENS)]),
            "with_probabilities": np.array(asked),
        }
        return list(session.run(["labels", "marginals", "gates"], given))

    labels, marginals, gates = run(np.empty((0, session.get_inputs()[3].shape[1]), np.float32), 0, True)
    (path,) = MODELS["usual"].tag([TOKENS], description.labels.scheme)
    assert [description.labels.labels[label] for label in labels[0]] == list(path)
    np.testing.assert_allclose(marginals[0].sum(1), 1, atol=1e-6)
    for count in (1, 3, 4):
        again, other, new = run(gates[:count], count, True)
        assert again.tolist() == labels.tolist()
        np.testing.assert_allclose(other, marginals, atol=1e-6)
        assert len(new) == len(TOKENS) - count
    assert run(gates, 4, False)[1].size == 0
