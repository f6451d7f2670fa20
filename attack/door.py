"""Two hundred clients at once at the door of a real review server, and pairs of people who decide the same issue."""

import asyncio
import random
import re
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from attack.door_requests import Door, decision, request, shot
from attack.law import Ending, breach, run
from attack.small import trained, write_corpus
from benchmarks.machine import commit
from trustag.review.decisions import DecisionLog
from trustag.review.entries import Entry
from trustag.review.reviewed_run import open_reviewed_run

REQUESTS: Final = 200_000
CLIENTS: Final = 200
_TWO: Final = ("Ann Duellist", "Bob Duellist")
_RESERVED: Final = 60  # issues on which only duels are fought
_LONGEST_WAIT: Final = 600.0  # for one response, on a machine that does other things too
_ANSWER: Final = re.compile(rb"HTTP/1\.1 (\d{3})[^\r]*\r\n(.*)", re.DOTALL)


class Client:
    """A connection that is kept as long as the server keeps it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, data: bytes, *, breaks_off: bool = False) -> int:
        """Return the status of the response; 0 if the server closed the connection without one."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._streams
        try:
            writer.write(data)
            await writer.drain()
            if breaks_off:
                self.close()
                return 0
            async with asyncio.timeout(_LONGEST_WAIT):
                return await self._answer(reader, is_head=data.startswith(b"HEAD"))
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            self.close()
            return 0
        except TimeoutError:
            self.close()
            return -1

    async def _answer(self, reader: asyncio.StreamReader, *, is_head: bool) -> int:
        head = _ANSWER.match(await reader.readuntil(b"\r\n\r\n"))
        if head is None:
            return -2
        if head[1] == b"100":  # which only announces the answer
            return await self._answer(reader, is_head=is_head)
        length = re.search(rb"content-length: (\d+)", head[2], re.IGNORECASE)
        if is_head or b"connection: close" in head[2].lower():
            self.close()
        elif length is None:
            while (size := int((await reader.readuntil(b"\r\n")).rstrip(), 16)) > 0:
                await reader.readexactly(size + 2)
            await reader.readuntil(b"\r\n")
        else:
            await reader.readexactly(int(length[1]))
        return int(head[1])

    def close(self) -> None:
        """Let go of the connection."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def _client(door: Door, left: Iterator[int], seed: int, seen: Counter[str]) -> None:
    """Send requests as long as any are left, each after a number that says which."""
    client = Client(door.port)
    for number in left:
        one = shot(door, random.Random(f"{seed} {number}"))
        with suppress(OSError):
            status = await client.send(one.data, breaks_off=one.breaks_off)
            seen[f"{one.kind}: {status}"] += 1
        if one.kind in {"no HTTP", "odd HTTP"}:
            client.close()  # what is left of it would be taken for the next request
    client.close()


async def _duel(door: Door, issue: str) -> tuple[int, ...]:
    """Let two people decide an issue at the same moment, both on what they saw first; return the statuses, sorted."""
    clients = [Client(door.port), Client(door.port)]
    shots = [
        decision(door, issue, 0, verdict, name) for verdict, name in zip(("accepted", "rejected"), _TWO, strict=True)
    ]
    statuses = await asyncio.gather(*(client.send(one) for client, one in zip(clients, shots, strict=True)))
    for client in clients:
        client.close()
    return tuple(sorted(statuses))


async def storm(
    door: Door, reserved: Sequence[str], count: int, seed: int
) -> tuple[Counter[str], dict[str, tuple[int, ...]]]:
    """Send ``count`` requests by two hundred clients while pairs decide the reserved issues; return the statuses."""
    seen: Counter[str] = Counter()
    left = iter(range(count))
    clients = [asyncio.create_task(_client(door, left, seed, seen)) for _ in range(CLIENTS)]
    duels = {issue: await _duel(door, issue) for issue in reserved}
    await asyncio.gather(*clients)
    visitor = Client(door.port)
    seen[f"the page, at the end: {await visitor.send(request(door, 'GET', '/', {}))}"] += 1
    visitor.close()
    await asyncio.sleep(0.1)  # in which what was closed is let go of
    return seen, duels


def wrong_statuses(seen: Mapping[str, int]) -> list[str]:
    """Return the answers that mean that the server failed, or did what it must not."""
    return [f"{count} times {kind}" for kind, count in seen.items() if _is_wrong(kind)]


def wrong_duels(duels: Mapping[str, tuple[int, ...]], log: Sequence[Entry]) -> list[str]:
    """Return the duels that had two winners, or none although nobody else had decided, or left another log."""
    expected = {"303 and 409": 1, "409 and 409": 0}  # who decides identical issues at once may be faster than both
    wrong = []
    for issue, statuses in duels.items():
        reviewers = [entry.decision.reviewer for entry in log if entry.decision.issue == issue]
        own = sum(reviewer in _TWO for reviewer in reviewers)
        said = " and ".join(map(str, statuses))
        if expected.get(said) != own or (own == 0 and not reviewers):
            wrong.append(f"{issue}: {said}, {own} entries of the two")
    return wrong


@contextmanager
def served(folder: Path) -> Iterator[tuple["subprocess.Popen[str]", Door]]:
    """Yield a review server on a run, and the way in."""
    command = [sys.executable, "-m", "trustag", "review", str(folder), "--by", "place", "--no-browser"]
    with (folder / "said.txt").open("w", encoding="utf-8") as said:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    address = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)", process.stdout.readline().strip())
    assert address is not None
    issues = [one.id for one in open_reviewed_run(folder).issues]
    try:
        yield process, Door(int(address[1]), address[2], issues)
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def attack(seed: int, share: float) -> Iterator[dict[str, object]]:
    """Storm the door and yield which statuses came, how the duels ended, and what is in the log."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_corpus(folder)
        reviewed = trained(folder)
        with served(reviewed) as (process, door):
            reserved, free = list(door.issues[:_RESERVED]), door.issues[_RESERVED:]
            count = round(REQUESTS * share)
            seen, duels = asyncio.run(storm(Door(door.port, door.token, free), reserved, count, seed))
            process.send_signal(signal.SIGINT)
            ending = Ending(process.wait(60), "", (reviewed / "said.txt").read_text(encoding="utf-8"))
        applied = run("apply", reviewed, "-o", folder / "corrected.jsonl")
        log = _entries(reviewed)
    print(ending.said[-3000:], file=sys.stderr)
    broken = [wrong for wrong in (breach(ending), breach(applied)) if wrong]
    broken += wrong_statuses(seen) + wrong_duels(duels, log)
    saved = sum(count for kind, count in seen.items() if kind == "a decision: 303")
    batches = len({entry.batch for entry in log})
    won = sum(303 in statuses for statuses in duels.values())
    if batches < saved + won:
        broken.append(f"{saved + won} decisions were confirmed, {batches} are in the log")
    facts = {
        "commit": commit(),
        "requests": sum(seen.values()),
        "clients": CLIENTS,
        "responses": dict(sorted(seen.items())),
        "duels": dict(Counter(" and ".join(map(str, statuses)) for statuses in duels.values())),
        "confirmed": saved,
        "in_the_log": len(log),
        "broken": broken,
    }
    yield {f"storm {seed}": facts}


def _is_wrong(kind: str) -> bool:
    """Tell whether a status means that the server failed, or did what it must not."""
    what, _, status = kind.rpartition(": ")
    is_failure = int(status) < 0 or int(status) >= 500
    is_let_in = what == "a request without the right" and status in {"200", "303"}
    return is_failure or (what.startswith("the page") and status != "200") or is_let_in


def _entries(reviewed: Path) -> list[Entry]:
    opened = open_reviewed_run(reviewed)
    log = DecisionLog(opened.decisions, opened.fingerprint, opened.older_fingerprint)
    try:
        return list(log.entries())
    finally:
        log.close()
