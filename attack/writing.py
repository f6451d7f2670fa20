"""Every command that writes a file or a folder, beside training: how it is called, and what it writes."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from attack.mutations import decided
from attack.small import TRAININGS, trained, write_corpus
from trustag.files.registry import FORMATS


@dataclass(frozen=True, slots=True)
class Writing:
    """A command that writes ``output``, a name in the folder in which it writes."""

    name: str
    arguments: tuple[str, ...]
    output: str

    def command(self, target: Path, *more: str) -> list[str]:
        """Return the words of the command that writes into ``target``."""
        return [*(word.replace("{out}", str(target / self.output)) for word in self.arguments), *more]


def writings(folder: Path) -> list[Writing]:
    """Return every command that writes, on a corpus and runs that are made in ``folder``."""
    write_corpus(folder)
    (folder / "text.txt").write_text("Ann Smith moved to Paris.\n\nHe stayed.\n" * 20, encoding="utf-8")
    plain, method = trained(folder, "bilstm-crf"), trained(folder, "confidence")
    for run in (plain, method):
        shutil.rmtree(run / "jobs", ignore_errors=True)
    decided(method)
    corpus, train = str(folder / "corpus"), str(folder / "corpus" / "train.conll")
    found = [
        Writing(f"convert --to {name}", ("convert", corpus, "{out}", "--to", name), f"converted-{name}")
        for name in FORMATS
    ]
    found += [
        Writing("perturb", ("perturb", train, "-o", "{out}"), "noisy.conll"),
        Writing("perturb a folder", ("perturb", corpus, "-o", "{out}", "--to", "conll"), "noisy"),
        Writing("apply", ("apply", str(method), "-o", "{out}"), "corrected.jsonl"),
        Writing("predict -o", ("predict", str(plain), str(folder / "text.txt"), "-o", "{out}"), "predicted.jsonl"),
        Writing("report -o", ("report", str(method), "-o", "{out}"), "report.html"),
        Writing("compare -o", ("compare", str(plain), str(method), "-o", "{out}"), "compared.html"),
        Writing("figures", ("figures", str(method), "-o", "{out}"), "figures"),
        Writing("review --export", ("review", str(method), "--export", "{out}"), "decisions.jsonl"),
    ]
    for name in ("jsonl", "csv", "label-studio", "doccano", "prodigy", "argilla"):
        found.append(
            Writing(f"issues --to {name}", ("issues", str(method), "-o", "{out}", "--to", name), f"issues.{name}")
        )
    return found


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file below ``folder``; the hidden ones, which a killed process leaves, are left out."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in files if "/." not in f"/{path.relative_to(folder)}"
    }


def plain_training(folder: Path, output: Path) -> list[str]:
    """Return the command of the quickest training."""
    return [*TRAININGS[0].arguments(folder, output), "--workers", "1"]
