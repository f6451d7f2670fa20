"""``trustag figures`` in real processes: what it writes, what it says, and how it fails."""

import subprocess
import sys
from pathlib import Path

from tests.cli.test_commands import run
from tests.figures.written import WrittenRun, epoch, labelled


def written(path: Path) -> Path:
    return WrittenRun(folds=[[epoch(0, 0.5)]], sentences=labelled(0.5)).write(path)


def test_figures_are_written_and_the_others_explained(tmp_path: Path) -> None:
    written(tmp_path / "run")
    done = run("figures", "run", "-o", "pictures", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "not drawn: rate-search: run: no noise-rate search (method.rates.source is auto)",
        "not drawn: noise-levels: runs at two or more noise levels are needed (run: no test score)",
        "not drawn: self-training: run: no finished rounds of self-training",
        "pictures/training-dynamics.svg (numbers: training-dynamics.json)",
        "  without confidence and detection: the model trusts every label",
        "pictures/case-study.svg (numbers: case-study.json)",
    ]
    names = sorted(path.name for path in (tmp_path / "pictures").iterdir())
    assert names == ["case-study.json", "case-study.svg", "training-dynamics.json", "training-dynamics.svg"]


def test_one_figure_can_be_had_alone_and_again(tmp_path: Path) -> None:
    written(tmp_path / "run")
    args = ("figures", "run", "-o", "pictures", "--only", "case-study", "--format", "png")
    assert run(*args, cwd=tmp_path).stdout == "pictures/case-study.png (numbers: case-study.json)\n"
    refused = run(*args, cwd=tmp_path)
    assert refused.returncode == 2
    assert "case-study.png: already exists" in refused.stderr
    assert run(*args, "--overwrite", cwd=tmp_path).returncode == 0


def test_no_figure_at_all_is_a_failure(tmp_path: Path) -> None:
    written(tmp_path / "run")
    done = run("figures", "run", "-o", "pictures", "--only", "rate-search", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout.startswith("not drawn: rate-search")
    assert done.stderr == "trustag: none of the figures can be drawn from these runs; see the reasons above\n"
    assert not (tmp_path / "pictures").exists()


def test_a_broken_file_is_one_line_and_nothing_is_written(tmp_path: Path) -> None:
    written(tmp_path / "run")
    (tmp_path / "run" / "rounds.jsonl").write_text('{"round": 1}\n')
    done = run("figures", "run", "-o", "pictures", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("trustag: run/rounds.jsonl:1: ")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "pictures").exists()


def test_without_matplotlib_one_line_says_how_to_get_it(tmp_path: Path) -> None:
    written(tmp_path / "run")
    code = "import sys; sys.modules['matplotlib'] = None; from trustag.cli import main; main(sys.argv[1:])"
    args = [sys.executable, "-c", code, "figures", "run", "-o", "pictures"]
    done = subprocess.run(args, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == (
        "trustag: drawing figures needs an optional dependency; install it with: pip install 'trustag[figures]'\n"
    )


def test_no_torch_is_loaded(tmp_path: Path) -> None:
    written(tmp_path / "run")
    code = (
        "import sys; from trustag.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "finally: print([name for name in ('torch', 'matplotlib') if name in sys.modules])"
    )
    args = [sys.executable, "-c", code, "figures", "run", "-o", "pictures", "--only", "case-study"]
    done = subprocess.run(args, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "['matplotlib']"
