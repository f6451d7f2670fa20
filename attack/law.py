"""The law for every command, whatever is done to it: exit 0, 1 or 2, one line about what is wrong, no traceback."""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

CODES: Final = frozenset({0, 1, 2})
_TRACEBACK: Final = "Traceback (most recent call last)"
_ERROR: Final = "trustag: "
_USAGE: Final = "Error: "
_LONGEST_WAIT: Final = 600.0


@dataclass(frozen=True, slots=True)
class Ending:
    """How a command ended: its exit code, what it printed, and what it said on the standard error stream."""

    code: int
    printed: str
    said: str


@dataclass(slots=True)
class Tally:
    """How many tries of each kind were made, how they ended, and which broke the law."""

    tries: dict[str, int] = field(default_factory=dict)
    codes: dict[str, int] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)

    def count(self, kind: str, what: str, ending: Ending, finding: str | None = None) -> None:
        """Count one try, ``what`` in words; ``finding`` is what is wrong beside how the command ended."""
        self.tries[kind] = self.tries.get(kind, 0) + 1
        self.codes[str(ending.code)] = self.codes.get(str(ending.code), 0) + 1
        wrong = breach(ending) or finding
        if wrong:
            self.broken.append(f"{what}: {wrong}")
            print(f"BROKEN {what}: {wrong}\n{ending.said[-2000:]}", file=sys.stderr, flush=True)

    def facts(self) -> dict[str, object]:
        """Return it as a part of a result file."""
        total = sum(self.tries.values())
        return {"total": total, "tries": self.tries, "exit_codes": self.codes, "broken": self.broken}


def breach(ending: Ending) -> str | None:
    """Return which part of the law a command broke, if any.

    >>> breach(Ending(2, "", "trustag: train.conll:7: expected 2 columns, found 1; add the missing label"))
    >>> breach(Ending(3, "", ""))
    'exit code 3'
    """
    if ending.code not in CODES:
        return f"exit code {ending.code}"
    if _TRACEBACK in ending.said:
        return f"a traceback: {ending.said.strip().splitlines()[-1]}"
    if ending.code == 2:
        errors = [line for line in ending.said.splitlines() if line.startswith((_ERROR, _USAGE))]
        if len(errors) != 1 or ending.said.rstrip().splitlines()[-1] != errors[0]:
            return f"not one line that says what is wrong: {ending.said[-300:]!r}"
    return None


def run(
    *arguments: str | Path,
    typed: bytes = b"",
    environment: Mapping[str, str] | None = None,
    before: Sequence[str] = (),
) -> Ending:
    """Run the command line in a process of its own, after the words ``before``, and return how it ended."""
    command = [*before, sys.executable, "-m", "trustag", *map(str, arguments)]
    done = subprocess.run(
        command, input=typed, capture_output=True, env=environment, check=False, timeout=_LONGEST_WAIT
    )
    return Ending(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
