"""What the results page says of the speed of tagging; apart from the measuring, which needs the peer installed."""

from collections.abc import Iterator
from typing import Any

from benchmarks.markdown import goal_table, table


def section(found: dict[str, Any]) -> Iterator[str]:
    """Yield the speed of tagging beside a feature-based tagger."""
    yield (
        f"The test split of English CoNLL ({found['sentences']:,} sentences, {found['tokens']:,} tokens), one thread, "
        "processor time, least of interleaved rounds: all sentences in one call, and one sentence a call. The features "
        "that sklearn-crfsuite reads are extracted in the same time. A freshly loaded model meets every word for the "
        "first time; later it remembers what each adds to its gates. Of the time for a sentence of mean length, "
        f"{found['floor_milliseconds']:.3f} ms are the products of the LSTM's weights with its states and nothing "
        "else.\n"
    )
    heading = [
        "tagger",
        "all, seconds",
        "µs a token",
        f"one sentence, ms (mean: {found['mean_tokens']} tokens)",
        "median",
        f"longest ({found['longest_tokens']} tokens)",
    ]
    rows = [
        [
            row["library"],
            f"{row['together_seconds']:.3f}",
            f"{row['together_microseconds_per_token']:.2f}",
            f"{row['alone_mean_milliseconds']:.3f}",
            f"{row['alone_median_milliseconds']:.3f}",
            f"{row['alone_longest_milliseconds']:.2f}",
        ]
        for row in found["measurements"]
    ]
    yield from table(heading, rows)
    yield ""
    yield from goal_table(found)
