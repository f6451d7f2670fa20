"""A method with a head that is no CRF: exact against enumeration, and everything of a run works with it."""

import json
import os
import subprocess
import sys
from collections import defaultdict
from itertools import pairwise, product
from pathlib import Path
from typing import Final

import pytest
import torch

import trustag
from tests.methods import tie_or_break
from tests.methods.generated import WRONG, generated_corpus
from tests.methods.tie_or_break import Stretch, StretchOutputs, TieOrBreakHead
from tests.review.small_run import decide, open_session
from tests.training.small import small_recipe
from trustag.crf.crf_outputs import LabelSequence
from trustag.engines.worker_processes import WorkerProcesses
from trustag.errors import InputError
from trustag.export.model_loading import load
from trustag.models.tagger import Tagger
from trustag.pipeline import Destination, RunContext, TrainResult, train, train_in
from trustag.recipes.settings import Recipe
from trustag.reports.run_report import write_report
from trustag.runs.reading import RunFiles
from trustag.text.label_sets import LabelSet
from trustag.text.spans import Span
from trustag.training.jobs import JobReport, RunReport

PLACE: Final = tie_or_break.__name__
LABELS: Final = LabelSet.of(["LOC", "PER"])
COUNT: Final = len(LABELS)


def head(seed: int) -> TieOrBreakHead:
    torch.manual_seed(seed)
    return TieOrBreakHead(LABELS, 3)


def outputs(seed: int, lengths: list[int]) -> StretchOutputs:
    own = head(seed)
    with torch.no_grad():
        scores = own.scores(2 * torch.randn(sum(lengths), 3), torch.ones(sum(lengths), dtype=torch.bool))
    return own.corpus_outputs(lengths, 2 * scores)


def enumerated(scores: torch.Tensor) -> dict[tuple[int, ...], float]:
    """Return the probability of every label sequence: the sum over all ties and all types of the stretches."""
    found: defaultdict[tuple[int, ...], float] = defaultdict(float)
    starts, ends = scores[:, 2:].double().chunk(2, -1)
    tie = (scores[:-1, 0] + scores[1:, 1]).double().sigmoid()
    for tied in product([True, False], repeat=len(tie)):
        chance = 1.0
        for probability, is_tied in zip(tie.tolist(), tied, strict=True):
            chance *= probability if is_tied else 1 - probability
        cuts = [0, *(gap + 1 for gap, is_tied in enumerate(tied) if not is_tied), len(scores)]
        stretches = list(pairwise(cuts))
        kinds = [(starts[first] + ends[end - 1]).softmax(-1).tolist() for first, end in stretches]
        for chosen in product(range(len(LABELS.types) + 1), repeat=len(stretches)):
            weight, labels = chance, []
            for (first, end), own, kind in zip(stretches, kinds, chosen, strict=True):
                weight *= own[kind]
                labels += Stretch(first, end, kind).labels()
            found[tuple(labels)] += weight
    return found


@pytest.mark.parametrize("seed", range(4))
def test_marginals_and_sequences_are_sums_over_all_ways_to_cut_and_type(seed: int) -> None:
    lengths = [4, 1, 3]
    own = outputs(seed, lengths)
    marginals = torch.split(own.marginals(), lengths)
    for number, scores in enumerate(torch.split(own.scores, lengths)):
        every = enumerated(scores)
        assert sum(every.values()) == pytest.approx(1)
        for token, label in product(range(len(scores)), range(COUNT)):
            expected = sum(chance for path, chance in every.items() if path[token] == label)
            assert marginals[number][token, label].item() == pytest.approx(expected, abs=1e-6)
        likeliest = max(every, key=every.__getitem__)
        asked = LabelSequence(number, len(likeliest) - 1, likeliest[-1:])
        expected = sum(chance for path, chance in every.items() if path[-1] == likeliest[-1])
        assert own.probabilities_of([asked])[0] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_labels_that_are_known_condition_everything_else(seed: int) -> None:
    own = outputs(seed, [4])
    allowed = torch.rand(4, COUNT) < 0.7
    allowed[:, 0] = True
    every = enumerated(own.scores)
    inside = {path: chance for path, chance in every.items() if all(allowed[range(4), list(path)])}
    total = sum(inside.values())
    found = own.marginals(allowed)
    for token, label in product(range(4), range(COUNT)):
        expected = sum(chance for path, chance in inside.items() if path[token] == label) / total
        assert found[token, label].item() == pytest.approx(expected, abs=1e-6)
    assert tuple(own.best_labels(allowed).tolist()) in inside
    sequence = LabelSequence(0, 1, (0, 0))
    expected = sum(chance for path, chance in inside.items() if path[1:3] == (0, 0)) / total
    assert own.probabilities_of([sequence], allowed)[0] == pytest.approx(expected, abs=1e-6)


def test_the_decoder_for_any_head_says_what_the_outputs_of_a_corpus_say() -> None:
    lengths = [4, 2]
    own, decoder = outputs(1, lengths), head(1).decoder(legal_only=True)
    padded = torch.nn.utils.rnn.pad_sequence(list(torch.split(own.scores, lengths)), batch_first=True)
    assert [label for row in decoder.best_labels(padded, lengths) for label in row] == own.best_labels().tolist()
    mask = torch.arange(4)[None, :] < torch.tensor(lengths)[:, None]
    torch.testing.assert_close(decoder.marginals(padded, lengths, 2.0)[mask], own.at(2.0).marginals())
    spans = [[Span(0, 1, "PER"), Span(1, 4, "LOC")], [Span(0, 2, "PER")]]
    index = LABELS.index
    written = [("S-PER",), ("B-LOC", "I-LOC", "E-LOC"), ("B-PER", "E-PER")]
    asked = [
        LabelSequence(sentence, first, tuple(index[name] for name in names))
        for sentence, first, names in zip((0, 0, 1), (0, 1, 0), written, strict=True)
    ]
    assert decoder.span_probabilities(padded, lengths, spans, 1.0) == pytest.approx(own.probabilities_of(asked))


def recipe(*changes: str, method: str = f"{PLACE}:METHOD") -> Recipe:
    size = ("bilstm.words=12", "bilstm.hidden=10", "bilstm.dropout=0.2")
    loop = ("training.epochs=10", "training.batch_size=4", "training.learning_rate=0.02")
    return small_recipe(f"model.head={PLACE}:HEAD", *size, *loop, *changes, method=method)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> TrainResult:
    return train(generated_corpus(), recipe(), Destination(tmp_path_factory.mktemp("own head") / "run"))


def weights(run: Path) -> bytes:
    return (run / "model-best" / "weights.safetensors").read_bytes()


@pytest.mark.slow
def test_the_run_finds_the_wrong_labels_first(trained: TrainResult) -> None:
    assert trained.scores.test is not None
    assert trained.scores.test.micro.f1 > 0.9
    run = RunFiles(trained.run.path, "run")
    assert run.issues is not None
    first = [issue.sentence for issue in run.issues[:3]]
    assert set(first) <= set(WRONG)
    assert run.labels is not None
    assert run.rates is not None
    assert trained.analysis is not None
    assert trained.analysis.temperature != 1.0
    assert trained.analysis.detection is not None


@pytest.mark.slow
def test_a_saved_model_gives_entities_with_exact_probabilities(trained: TrainResult) -> None:
    model = load(trained.run.path)
    (found,) = model.predict("Ann met Bob in New York .")
    assert [(entity.text, entity.label) for entity in found] == [("Ann", "PER"), ("Bob", "PER"), ("New York", "LOC")]
    tokens = ("Ann", "left", "Oslo", ".")
    assert isinstance(model.tagger, Tagger)
    own = model.tagger.corpus_outputs([tokens])
    assert isinstance(own, StretchOutputs)
    every = enumerated(own.at(model.tagger.temperature).scores)
    index = model.tagger.labels.index
    ((_, entities),) = [(tagged.labels, tagged.entities) for tagged in model.tagger.tag_entities([tokens])]
    assert {entity.type for entity in entities} == {"PER", "LOC"}
    for entity in entities:
        assert entity.end == entity.start + 1
        expected = sum(chance for path, chance in every.items() if path[entity.start] == index[f"S-{entity.type}"])
        assert entity.score == pytest.approx(expected, abs=1e-5)


@pytest.mark.slow
def test_an_interrupted_run_ends_like_an_unbroken_one(trained: TrainResult, tmp_path: Path) -> None:
    def stop(own: RunReport) -> None:
        if isinstance(own, JobReport) and own.job == "final" and own.epoch.epoch == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        train(generated_corpus(), recipe(), Destination(tmp_path / "run"), report=stop)
    again = train(generated_corpus(), recipe(), Destination(tmp_path / "run", resume=True))
    assert weights(again.run.path) == weights(trained.run.path)
    for name in ("issues.jsonl", "changes.jsonl", "relabelled.conll"):
        assert (again.run.path / name).read_bytes() == (trained.run.path / name).read_bytes()


@pytest.mark.slow
def test_worker_processes_find_the_head_by_its_name(trained: TrainResult, tmp_path: Path) -> None:
    with WorkerProcesses(2) as engine:
        result = train_in(generated_corpus(), recipe(), Destination(tmp_path / "run"), RunContext(engine))
    assert weights(result.run.path) == weights(trained.run.path)


@pytest.mark.slow
def test_the_report_and_the_review_page_show_its_issues(trained: TrainResult, tmp_path: Path) -> None:
    page = write_report(trained.run.path, tmp_path / "report.html").read_text(encoding="utf-8")
    assert "New York" in page or "Rome" in page
    session = open_session(trained.run.path)
    first = session.run.issues[0]
    assert decide(session, first.id, "accepted") == 1
    assert session.progress().decided == 1
    session.close()
    trained.run.decisions.unlink()


def command(*arguments: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    places = Path(trustag.__file__).parents[1], Path(tie_or_break.__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, places))}
    line = [sys.executable, "-m", "trustag", *arguments]
    return subprocess.run(line, cwd=cwd, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.slow
def test_a_model_with_foreign_code_is_loaded_only_where_that_was_imported(trained: TrainResult, tmp_path: Path) -> None:
    (tmp_path / "texts.txt").write_text("Ann met Bob in New York .\n", encoding="utf-8")
    arguments = ("predict", str(trained.run.path), "texts.txt")
    refused = command(*arguments, cwd=tmp_path)
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert f"the head '{PLACE}:HEAD' is code from outside Trustag" in refused.stderr
    assert f"trustag --import {PLACE}" in refused.stderr
    allowed = command("--import", PLACE, *arguments, cwd=tmp_path)
    assert allowed.returncode == 0, allowed.stderr
    (line,) = allowed.stdout.splitlines()
    found = json.loads(line)["entities"]
    assert [entity["text"] for entity in found] == ["Ann", "Bob", "New York"]
    (expected,) = load(trained.run.path).predict("Ann met Bob in New York .")
    assert [entity["score"] for entity in found] == pytest.approx([entity.score for entity in expected])


@pytest.mark.parametrize("method", ["bilstm-crf", "self-training", "confidence", "cbl"])
def test_methods_over_labels_refuse_it_before_any_work(method: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="needs a head that scores the labels of each token"):
        train(generated_corpus(), recipe(method=method), Destination(tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_the_method_refuses_another_head(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="needs its own head"):
        train(generated_corpus(), recipe("model.head=crf"), Destination(tmp_path / "run"))
    assert not (tmp_path / "run").exists()
