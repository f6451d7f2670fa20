"""In a real spaCy pipeline: its tokens, its sentences, the entities of the model, and a pipeline that can be moved."""

import importlib
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import spacy
from spacy import displacy
from spacy.language import Language
from spacy.tokens import Doc, Span

from trustag.errors import InputError
from trustag.export.model_loading import load
from trustag.integrations import spacy_component
from trustag.integrations.spacy_component import NAME, SPANS, render, score_of

TEXTS = [
    "Ada slept of the new Unheard. The new of Ada!",
    "  Ada \n\n of\u00a0the  new\tUnheard \u200b é 😀 ",
    "",
    "   ",
    "<Ada> & the new",
]
assert spacy_component.create  # the factory is registered


@pytest.fixture(params=["model", "exported"])
def nlp(request: pytest.FixtureRequest) -> Language:
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    pipeline.add_pipe(NAME, config={"model": str(request.getfixturevalue(request.param))})
    return pipeline


def expected(model: Path, doc: Doc) -> Iterator[tuple[int, int, str, float]]:
    """Yield the entities of each sentence, by characters, as the model itself has them."""
    predictor = load(model)
    for sentence in doc.sents:
        tokens = [token for token in sentence if not token.is_space]
        (tagged,) = predictor.tagger.tag_entities([[token.text for token in tokens]])
        for entity in tagged.entities:
            first, last = tokens[entity.start], tokens[entity.end - 1]
            yield first.idx, last.idx + len(last), entity.type, entity.score


def test_entities_are_those_of_the_model_and_stand_where_they_say(nlp: Language, model: Path) -> None:
    found = 0
    for doc in nlp.pipe(TEXTS):
        own = [(ent.start_char, ent.end_char, ent.label_) for ent in doc.ents]
        wanted = list(expected(model, doc))
        assert own == [(start, end, label) for start, end, label, _ in wanted]
        scores = [score for *_, score in wanted]
        assert doc.spans[SPANS].attrs["scores"] == pytest.approx(scores, abs=1e-5)
        assert [ent._.score for ent in doc.ents] == pytest.approx(scores, abs=1e-5)
        assert [ent.text for ent in doc.ents] == [doc.text[start:end] for start, end, *_ in wanted]
        found += len(own)
    assert found > 3
    assert Span(doc, 0, 1, label="NOTHING")._.score is None


def test_one_by_one_and_in_batches_of_any_size_are_the_same(nlp: Language) -> None:
    alone = [nlp(text).to_json() for text in TEXTS]
    for size in (1, 2, 100):
        assert [doc.to_json()["ents"] for doc in nlp.pipe(TEXTS, batch_size=size)] == [doc["ents"] for doc in alone]


def test_documents_without_sentences_are_read_in_windows(exported: Path) -> None:
    pipeline = spacy.blank("en")
    pipeline.add_pipe(NAME, config={"model": str(exported)})
    text = " ".join(["Ada of the new Unheard slept ."] * 200)
    doc = pipeline(text)
    assert not doc.has_annotation("SENT_START")
    assert len(doc) == 1400
    assert doc.ents[-1].end > 1300
    assert len(doc.spans[SPANS]) == len(doc.ents) == len(doc.spans[SPANS].attrs["scores"])


def test_a_pipeline_can_be_moved_without_its_model(nlp: Language, tmp_path: Path) -> None:
    before = [doc.to_json()["ents"] for doc in nlp.pipe(TEXTS)]
    nlp.to_disk(tmp_path / "first")
    config = (tmp_path / "first" / "config.cfg").read_text()
    place = nlp.get_pipe(NAME)._place  # type: ignore[attr-defined]
    (tmp_path / "first" / "config.cfg").write_text(config.replace(place, "/nowhere"))
    (tmp_path / "first").rename(tmp_path / "moved")
    again = spacy.load(tmp_path / "moved")
    assert [doc.to_json()["ents"] for doc in again.pipe(TEXTS)] == before
    again.to_disk(tmp_path / "third")
    third = spacy.load(tmp_path / "third")
    assert [doc.to_json()["ents"] for doc in third.pipe(TEXTS)] == before
    copy = spacy.blank("en")
    copy.add_pipe("sentencizer")
    copy.add_pipe(NAME)
    copy.from_bytes(nlp.to_bytes())
    assert [doc.to_json()["ents"] for doc in copy.pipe(TEXTS)] == before


@pytest.mark.slow
def test_a_package_of_the_pipeline_can_be_imported(
    exported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    pipeline.add_pipe(NAME, config={"model": str(exported)})
    pipeline.to_disk(tmp_path / "pipeline")
    (tmp_path / "packages").mkdir()
    # In a process of its own: spaCy leaves files open, which is a warning.
    code = (
        "from trustag.integrations import spacy_component\n"
        "from pathlib import Path\n"
        "from spacy.cli.package import package\n"
        "package(Path('pipeline'), Path('packages'), name='people', create_sdist=False, silent=True)\n"
    )
    subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=tmp_path)
    (place,) = (tmp_path / "packages").iterdir()
    shutil.copy(place / "meta.json", place / "en_people")  # what its setup.py does first
    monkeypatch.syspath_prepend(str(place))
    again = importlib.import_module("en_people").load()
    assert [doc.to_json()["ents"] for doc in again.pipe(TEXTS)] == [
        doc.to_json()["ents"] for doc in pipeline.pipe(TEXTS)
    ]


def test_entities_that_are_there_stay_if_asked_for(exported: Path) -> None:
    pipeline = spacy.blank("en")
    ruler = pipeline.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "RULE", "pattern": "slept"}])  # type: ignore[attr-defined]
    pipeline.add_pipe(NAME, config={"model": str(exported), "overwrite": False})
    doc = pipeline(TEXTS[0])
    labels = [ent.label_ for ent in doc.ents]
    assert "RULE" in labels
    assert len(labels) > 1
    assert score_of(next(ent for ent in doc.ents if ent.label_ == "RULE")) is None


def test_the_improbable_is_left_out(exported: Path) -> None:
    pipeline = spacy.blank("en")
    component = pipeline.add_pipe(NAME, config={"model": str(exported), "min_score": 0.5})
    doc = pipeline(TEXTS[0])
    assert all(score >= 0.5 for score in doc.spans[SPANS].attrs["scores"])
    assert set(component.labels) == {"LOC", "PER"}  # type: ignore[attr-defined]


def test_displacy_and_our_own_rendering_show_the_entities(nlp: Language) -> None:
    doc = nlp(TEXTS[4])
    assert doc.ents
    shown, own = displacy.render(doc, style="ent", jupyter=False), render(doc)
    for page in (shown, own):
        assert "<Ada>" not in page
        assert all(ent.label_ in page for ent in doc.ents)
    assert own.count("<mark") == len(doc.ents)


def test_a_component_without_a_model_says_so() -> None:
    pipeline = spacy.blank("en")
    pipeline.add_pipe(NAME)
    with pytest.raises(InputError, match='config={"model": PATH}'):
        pipeline("Ada")


def test_spacy_finds_the_component_by_its_entry_point(exported: Path, tmp_path: Path) -> None:
    project = Path(__file__).parents[2] / "pyproject.toml"
    points = tomllib.loads(project.read_text())["project"]["entry-points"]["spacy_factories"]
    described = tmp_path / "entry_point_test-1.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: entry-point-test\nVersion: 1\n")
    lines = [f"{name} = {place}" for name, place in points.items()]
    (described / "entry_points.txt").write_text("[spacy_factories]\n" + "\n".join(lines) + "\n")
    code = (
        f"import sys; sys.path.append({str(tmp_path)!r})\n"
        "import spacy\n"
        "nlp = spacy.blank('en')\n"
        f"nlp.add_pipe('trustag_ner', config={{'model': {str(exported)!r}}})\n"
        "print(len(nlp('Ada slept of the new Unheard.').ents), 'torch' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert int(done.stdout.split()[0]) > 0
