"""Models through torch, through ONNX and in spaCy: the same entities, their size, speed and start from a cold shell.

``python -m benchmarks.export --data FOLDER --vectors FOLDER --work FOLDER --output results/export.json`` trains a small
model on the first sentences of each corpus, exports it, and lets every form tag the same test sentences. What is
finished in the folder of work is not done again. Times are processor time, the least of rounds in turns.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import spacy
import torch
from spacy.tokens import Doc
from spacy.training import Example

from benchmarks.decoding import all_features, train_theirs
from benchmarks.machine import origin, write_result
from trustag.corpora.locating import CorpusOptions, read_corpus
from trustag.export.exported_tagger import ExportedTagger
from trustag.export.writing import export_model
from trustag.integrations.spacy_component import NAME, SPANS
from trustag.methods.table import load_recipe
from trustag.models.saving import load_model
from trustag.models.tagged import SentenceTagger, Tagged
from trustag.notes import unwatched
from trustag.pipeline import Destination, train
from trustag.text.scoring import score_labels
from trustag.text.sentences import Corpus

CORPORA: Final = {
    "conll03_en": "english",
    "conll03_en_r0.5p0.9": "english",
    "conll02_es": "spanish",
    "conll03_de": "german",
    "conll02_nl": "dutch",
    "conll03_distant": "english",
    "twitter_distant": "english",
    "webpage_distant": "english",
    "wikigold_distant": "english",
}
TIMED: Final = "conll03_en"
TRAINED, DEV, TESTED, EPOCHS, SEED, ROUNDS = 2000, 300, 1000, 5, 1, 5
TEXT: Final = "Ann Smith moved to New York ."
Found = dict[str, Any]


def small(folder: Path) -> Corpus:
    """Return the first sentences of a corpus that have tokens."""
    whole = read_corpus(str(folder), CorpusOptions(), unwatched)
    parts = {"train": (whole.train, TRAINED), "dev": (whole.dev, DEV), "test": (whole.test, TESTED)}
    chosen = {name: tuple([s for s in part if s.tokens][:count]) for name, (part, count) in parts.items()}
    return replace(whole, **chosen)


def trained(name: str, corpus: Corpus, vectors: Path, work: Path) -> Path:
    """Return the run of a corpus, trained unless it is there already."""
    run = work / f"run-{name}"
    if not (run / "model-best").exists():
        changes = [f"bilstm.vectors={vectors}", f"training.epochs={EPOCHS}", f"training.seed={SEED}"]
        train(corpus, load_recipe(None, changes, "bilstm-crf"), Destination(run, overwrite=True))
    return run


def compared(name: str, corpus: Corpus, run: Path, work: Path) -> Found:
    """Return how much the forms of one model differ on the test sentences."""
    network = load_model(run)
    forms = {weights: work / f"{weights}-{name}" for weights in ("float32", "int8")}
    for weights, folder in forms.items():
        export_model(network, folder, weights, overwrite=True)  # type: ignore[arg-type]
    exact, rounded = (ExportedTagger(folder) for folder in forms.values())
    tokens = [sentence.tokens for sentence in corpus.test]
    own, theirs = list(network.tag_entities(tokens)), list(exact.tag_entities(tokens))
    differences = [abs(a.score - b.score) for x, y in zip(own, theirs, strict=True) for a, b in _pairs(x, y)]
    tables = zip(network.marginals(tokens), exact.marginals(tokens), strict=True)
    return {
        "corpus": name,
        "sentences": len(tokens),
        "tokens": sum(map(len, tokens)),
        "entities": sum(len(tagged.entities) for tagged in own),
        "sentences_with_other_labels": sum(x.labels != y.labels for x, y in zip(own, theirs, strict=True)),
        "sentences_with_other_entities_in_spacy": sum(
            spans != [(e.start, e.end, e.type) for e in x.entities]
            for x, spans in zip(own, in_spacy(forms["float32"], tokens), strict=True)
        ),
        "largest_difference_of_entity_probabilities": max(differences, default=0.0),
        "largest_difference_of_marginals": max(float(np.abs(x - y).max()) for x, y in tables),
        "f1": f1(corpus, network),
        "f1_int8": f1(corpus, rounded),
        "megabytes": {
            "run": size(run / "model-best"),
            **{weights: size(folder) for weights, folder in forms.items()},
        },
    }


def _pairs(one: Tagged, other: Tagged) -> list[tuple[Any, Any]]:
    return list(zip(one.entities, other.entities, strict=False))


def f1(corpus: Corpus, tagger: SentenceTagger) -> float:
    """Return the F1 on the test sentences, in percent."""
    predicted = tagger.tag(sentence.tokens for sentence in corpus.test)
    truth = [sentence.gold or sentence.labels for sentence in corpus.test]
    return round(100 * score_labels(zip(truth, predicted, strict=True)).micro.f1, 2)


def size(folder: Path) -> float:
    """Return the size of all files in a folder in millions of bytes."""
    return round(sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6, 2)


def with_component(model: Path) -> Any:
    """Return a spaCy pipeline with nothing but our component."""
    nlp = spacy.blank("xx")
    nlp.add_pipe(NAME, config={"model": str(model)})
    return nlp


def documents(nlp: Any, sentences: Sequence[Sequence[str]]) -> list[Doc]:
    """Return one document for each sentence, with these very tokens."""
    docs = []
    for tokens in sentences:
        starts: list[bool | int | None] = [place == 0 for place in range(len(tokens))]
        docs.append(Doc(nlp.vocab, list(tokens), sent_starts=starts))
    return docs


def in_spacy(model: Path, sentences: Sequence[Sequence[str]]) -> list[list[tuple[int, int, str]]]:
    """Return the entities that a spaCy pipeline finds in each sentence."""
    nlp = with_component(model)
    docs = nlp.pipe(documents(nlp, sentences))
    return [[(span.start, span.end, span.label_) for span in doc.spans[SPANS]] for doc in docs]


def least(works: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Return the least processor seconds of each work over rounds in which they take turns."""
    found = dict.fromkeys(works, float("inf"))
    for _ in range(ROUNDS):
        for name, work in works.items():
            begin = time.process_time()
            work()
            found[name] = min(found[name], time.process_time() - begin)
    return found


def timed(corpus: Corpus, run: Path, exported: Path) -> Found:
    """Return the processor seconds of every way to tag the test sentences."""
    tokens = [sentence.tokens for sentence in corpus.test]
    network, exact = load_model(run), ExportedTagger(exported)
    crf = train_theirs(corpus)
    ours, peer = with_component(exported), spacy.blank("xx")
    unlabelled = [Example.from_dict(doc, {"entities": ["O"] * len(doc)}) for doc in documents(peer, tokens[:100])]
    ner: Any = peer.add_pipe("ner")
    for kind in network.labels.types:
        ner.add_label(kind)
    peer.initialize(lambda: unlabelled)
    seconds = least(
        {
            "torch, batches": lambda: list(network.tag(tokens)),
            "ONNX, batches": lambda: list(exact.tag(tokens)),
            "torch, batches, entities with probabilities": lambda: list(network.tag_entities(tokens)),
            "ONNX, batches, entities with probabilities": lambda: list(exact.tag_entities(tokens)),
            "torch, one sentence at a time": lambda: [list(network.tag([row])) for row in tokens],
            "ONNX, one sentence at a time": lambda: [list(exact.tag([row])) for row in tokens],
            "sklearn-crfsuite, one sentence at a time": lambda: [crf.predict_single(all_features(r)) for r in tokens],
            "spaCy with trustag_ner, nlp.pipe": lambda: list(ours.pipe(documents(ours, tokens))),
            "spaCy blank with ner, nlp.pipe": lambda: list(peer.pipe(documents(peer, tokens))),
        }
    )
    count = sum(map(len, tokens))
    return {"corpus": TIMED, "tokens": count, "seconds": {name: round(value, 4) for name, value in seconds.items()}}


def cold_start(exported: Path) -> Found:
    """Return the processor seconds of one sentence from a cold shell, the least and the middle of several."""
    command = [sys.executable, "-m", "trustag", "predict", str(exported), TEXT]
    found = []
    for _ in range(ROUNDS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return {"least_seconds": round(min(found), 3), "middle_seconds": round(sorted(found)[len(found) // 2], 3)}


def goals(rows: list[Found], times: Found, start: Found) -> Found:
    """Return each goal: what was found, what was wanted, whether it is reached."""
    seconds = times["seconds"]
    other = sum(row["sentences_with_other_labels"] + row["sentences_with_other_entities_in_spacy"] for row in rows)
    far = max(
        max(row["largest_difference_of_entity_probabilities"], row["largest_difference_of_marginals"]) for row in rows
    )
    faster = round(seconds["torch, batches"] / seconds["ONNX, batches"], 2)
    crf = round(seconds["sklearn-crfsuite, one sentence at a time"] / seconds["ONNX, batches"], 2)
    wanted = {
        "corpora": (len(rows), 9, len(rows) == 9),
        "sentences with other labels or entities": (other, 0, other == 0),
        "largest difference of probabilities": (far, 1e-5, far <= 1e-5),
        "times as fast as torch, in batches": (faster, 1.0, faster >= 1),
        "batches: times as fast as sklearn-crfsuite one at a time": (crf, 1.0, crf >= 1),
        "CPU seconds of one sentence from a cold shell": (start["least_seconds"], 0.5, start["least_seconds"] < 0.5),
    }
    return {name: {"found": value, "goal": goal, "passed": passed} for name, (value, goal, passed) in wanted.items()}


def main() -> None:
    """Train, export, compare, measure, and write the result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("data", "vectors", "work", "output"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    arguments.work.mkdir(parents=True, exist_ok=True)
    rows = []
    for name, language in CORPORA.items():
        known = arguments.work / f"{name}.json"
        if not known.exists():
            corpus = small(arguments.data / name)
            run = trained(name, corpus, arguments.vectors / f"{language}_100d.txt.gz", arguments.work)
            known.write_text(json.dumps(compared(name, corpus, run, arguments.work)))
        rows.append(json.loads(known.read_text()))
        print(rows[-1], flush=True)
    exported = arguments.work / f"float32-{TIMED}"
    start = cold_start(exported)
    times = timed(small(arguments.data / TIMED), arguments.work / f"run-{TIMED}", exported)
    versions = ("torch", "onnxruntime", "numpy", "spacy", "sklearn-crfsuite")
    facts = {"trained": TRAINED, "epochs": EPOCHS, "tested": TESTED, "seed": SEED, "threads": 1}
    found = {**origin(versions), **facts, "corpora": rows, "times": times, "cold_start": start}
    write_result(arguments.output, {**found, "goals": goals(rows, times, start)})


if __name__ == "__main__":
    main()
