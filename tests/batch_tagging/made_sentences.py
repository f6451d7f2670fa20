"""Many sentences to tag, and lines without what rounding changes."""

import json
from collections.abc import Iterator
from typing import Any

from tests.training.small import small_corpus
from trustag.text.sentences import Sentence, Source

OWN = small_corpus().test


def made(count: int) -> Iterator[Sentence]:
    for number in range(count):
        tokens = (*OWN[number % len(OWN)].tokens, str(number))
        yield Sentence(tokens, (None,) * len(tokens), source=Source("made", number + 1))


def records(lines: bytes) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in lines.splitlines()]
    for record in found:
        for entity in record["entities"]:
            entity["score"] = round(entity["score"], 3)
    return found
