"""What the results page says of the speed of training; apart from the measuring, which needs the peer installed."""

from typing import Any


def introduction(found: dict[str, Any]) -> str:
    """Return what was measured, and how, in words."""
    return (
        f"One epoch of English CoNLL ({found['tokens']:,} tokens) on one thread, processor time, in turns of a slice; "
        f"the least of {found['repeats']} repeats of each slice. The plain trainer is what is usually written: packed "
        "`nn.LSTM`, pytorch-crf, dense SGD; its words and characters are numbered beforehand, ours in the epoch. The "
        f"share of the core's {found['peak_gflop_a_second']} GFLOP/s counts {found['flop_a_token'] / 1e6:.2f} MFLOP a "
        "token, though ours reads each distinct word of a batch once. Losses differ with the optimizers: ours still "
        "warms up in the first epoch.\n"
    )


def trainers(found: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return a heading and a row for each trainer."""
    heading = ["trainer", "seconds", "µs a token", "times as fast as plain", "share of peak", "mean loss a sentence"]
    rows = [
        [
            name,
            f"{row['seconds']:.1f}",
            f"{row['microseconds_per_token']:.1f}",
            f"{row['times_as_fast_as_plain']:.1f}",
            f"{row['share_of_peak']:.0%}",
            f"{row['loss_a_sentence']:.2f}",
        ]
        for name, row in found["contenders"].items()
    ]
    return heading, rows
