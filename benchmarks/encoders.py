"""What better encoders give: frozen MPNet-base and MiniLM, which of their layers, and other word vectors by name.

``python -m benchmarks.encoders --data FOLDER --output results/encoders.json`` trains one run at a time in this process.
Runs that the result file holds already are not repeated; ``--parts`` chooses some. What is needed must be downloaded
before: ``trustag vectors get`` with the names of the encoders and of the vectors. The processor time of a run contains
that of its features, also where these were kept from an earlier run.
"""

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from benchmarks.systems import CORPORA, SYSTEMS
from trustag.engines.in_process import InProcess
from trustag.experiments.corpora import ExperimentCorpus
from trustag.experiments.experiment import Experiment
from trustag.experiments.results import read_results, write_results
from trustag.experiments.running import CellRuns, run_missing, with_label_noise
from trustag.experiments.systems import System
from trustag.vectors.encoder_fetching import is_stored
from trustag.vectors.encoder_sources import ENCODERS

MPNET: Final = "mpnet-base"
LAYERS: Final[Mapping[str, tuple[str, ...]]] = {
    "the middle and the last but one (6, 11)": (),
    "the last (12)": ("bilstm.context_layers=[12]",),
    "the last but one (11)": ("bilstm.context_layers=[11]",),
    "two thirds (8)": ("bilstm.context_layers=[8]",),
    "mean of the last four": ("bilstm.context_layers=[9,10,11,12]", "bilstm.context_mix=mean"),
    "mean of the middle and the last but one": ("bilstm.context_layers=[6,11]", "bilstm.context_mix=mean"),
    "the last four": ("bilstm.context_layers=[9,10,11,12]",),
}
DISTANT: Final = ("Webpage distant", "Wikigold distant", "Tweet distant", "CoNLL distant")
VECTORS: Final = {
    "Spanish": ("spanish-clusters+multilingual-subwords", "spanish-clusters+multilingual-use"),
    "German": ("german-clusters+multilingual-subwords", "german-clusters+multilingual-use"),
    "Dutch": ("multilingual-subwords", "multilingual-use"),
}


def layer_system(layers: str) -> str:
    """Return the name of the system that reads these layers of MPNet-base."""
    return f"gold labels, {MPNET}, {layers}"


# As wide as MiniLM's two layers, so that training costs the same.
NARROW: Final = LAYERS["mean of the middle and the last but one"]
LAYER_SYSTEMS: Final = {
    layer_system(layers): System("bilstm-crf", settings, gold_labels=True, context=MPNET)
    for layers, settings in LAYERS.items()
}
MEAN: Final = f", {MPNET}, mean"
CONTEXT_SYSTEMS: Final = {
    f"{base}{context}": SYSTEMS[f"{base}{context}"]
    for context in (f", {MPNET}", ", context")
    for base in ("method", "plain", "gold labels")
} | {
    f"{base}{MEAN}": replace(system, settings=(*system.settings, *NARROW), context=MPNET)
    for base, system in SYSTEMS.items()
    if base in {"method", "plain", "gold labels"}
}


def vectors_corpus(language: str, vectors: str) -> str:
    """Return the name of a corpus whose systems start from these vectors."""
    return f"{language}, {vectors}"


def experiments(data: Path, seeds: int) -> dict[str, Experiment]:
    """Return all parts of the measurement by name."""
    missing = {name for name, source in ENCODERS.items() if not is_stored(source)}
    every = range(1, seeds + 1)
    located = {name: corpus.located(data, data.parent / "vectors") for name, corpus in CORPORA.items()}
    given = {
        vectors_corpus(language, one): ExperimentCorpus(
            located[language].name, one, language=language.lower(), perturbation=located[language].perturbation
        )
        for language, several in VECTORS.items()
        for one in several
    }
    distant = {name: located[name] for name in DISTANT}
    method = {name: SYSTEMS[name] for name in ("method", "plain", "gold labels")}
    return {
        **{
            f"layers, {name}": Experiment({name: located[name]}, LAYER_SYSTEMS, every, without=missing)
            for name in DISTANT[:2]
        },
        **{
            name: Experiment({name: corpus}, CONTEXT_SYSTEMS, every, without=missing)
            for name, corpus in distant.items()
        },
        **{language: Experiment(_starting_with(given, language), method, every) for language in VECTORS},
    }


def _starting_with(corpora: Mapping[str, ExperimentCorpus], language: str) -> dict[str, ExperimentCorpus]:
    return {name: corpus for name, corpus in corpora.items() if name.startswith(language)}


def chosen_systems(experiment: Experiment, names: Sequence[str] | None) -> Experiment:
    """Return an experiment with the named systems only, or as it is."""
    if names is None:
        return experiment
    systems = {name: system for name, system in experiment.systems.items() if name in names}
    return Experiment(experiment.corpora, systems, experiment.seeds, experiment.without)


def main() -> None:
    """Make every run that is missing and write the result file after each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder of the corpora, beside that of vectors")
    parser.add_argument("--output", type=Path, required=True, help="the result file to write")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--parts", nargs="*")
    parser.add_argument("--systems", nargs="*")
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"{arguments.data} is not there: skipped")
        return
    parts = experiments(arguments.data, arguments.seeds)
    for part in arguments.parts or parts:
        experiment = chosen_systems(parts[part], arguments.systems)
        results = with_label_noise(experiment, read_results(arguments.output).current(experiment))
        with tempfile.TemporaryDirectory() as folder, InProcess() as engine:
            for step in run_missing(experiment, results, CellRuns(Path(folder)), engine):
                write_results(arguments.output, step.results)
                if step.failure:
                    print(f"{step.cell}: {step.failure}")


if __name__ == "__main__":
    main()
