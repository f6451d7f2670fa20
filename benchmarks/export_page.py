"""What the results page says of exported models; apart from the measuring, which needs the peers installed."""

from collections.abc import Iterator
from typing import Any

from benchmarks.markdown import goal_table, table


def section(found: dict[str, Any]) -> Iterator[str]:
    """Yield how much the forms of a model differ, and their size and speed."""
    yield (
        f"Small models (baseline, at most {found['trained']:,} training sentences, {found['epochs']} epochs, seed "
        f"{found['seed']}) tag at most {found['tested']:,} test sentences of each corpus in three forms: with torch, "
        "exported (`trustag export`, onnxruntime), and as the spaCy component on top of the exported model. The last "
        "columns are what eight-bit weights (`--weights int8`) do to size and test F1 (of small models).\n"
    )
    yield from table(
        [
            "corpus",
            "entities",
            "sentences with other labels",
            "with other entities in spaCy",
            "probabilities differ by at most",
            "MB",
            "MB, int8",
            "F1",
            "F1, int8",
        ],
        [
            [
                row["corpus"],
                row["entities"],
                row["sentences_with_other_labels"],
                row["sentences_with_other_entities_in_spacy"],
                f"{max(row['largest_difference_of_entity_probabilities'], row['largest_difference_of_marginals']):.1e}",
                f"{row['megabytes']['float32']:.1f}",
                f"{row['megabytes']['int8']:.1f}",
                f"{row['f1']:.1f}",
                f"{row['f1_int8']:.1f}",
            ]
            for row in found["corpora"]
        ],
    )
    times = found["times"]
    yield (
        f"\nThe test sentences of `{times['corpus']}` ({times['tokens']:,} tokens), one thread, processor time, least "
        "of rounds in turns, every word known from the round before. The features of sklearn-crfsuite are extracted in "
        "the same time. The spaCy pipelines get documents with their tokens; the blank one has an untrained `ner`.\n"
    )
    seconds = times["seconds"].items()
    rows = [[name, f"{value:.3f}", f"{value * 1e6 / times['tokens']:.1f}"] for name, value in seconds]
    yield from table(["way", "seconds", "µs a token"], rows)
    yield (
        f"\nOne sentence from a cold shell (`trustag predict`) took {found['cold_start']['least_seconds']:.2f} s of "
        f"processor time at least, {found['cold_start']['middle_seconds']:.2f} s in the middle of several.\n"
    )
    yield from goal_table(found)
