"""Which vectors to start from."""

import json
from collections import Counter, defaultdict
from pathlib import Path
from statistics import mean

import pytest

from trustag.vectors.advice import advice, advised, advised_encoder, likely_language
from trustag.vectors.encoder_sources import ENCODERS
from trustag.vectors.sources import SOURCES

RESULTS = Path(__file__).parents[2] / "results"
AFFORDABLE = 3.0
LANGUAGES = {"English": "en", "Spanish": "es", "German": "de", "Dutch": "nl"}
TEXTS = {
    "en": "The president of the company said on Monday that he was pleased with the results of the merger",
    "de": "Der Präsident der Firma sagte am Montag , dass er mit dem Ergebnis nicht zufrieden ist und das weiß",
    "es": "El presidente de la empresa dijo el lunes que los resultados del año son buenos para las ventas y por eso",
    "nl": "De voorzitter van het bedrijf zei maandag dat hij niet tevreden is en dat een besluit voor de zomer komt",
    "fr": "Le président de la société a dit lundi que les résultats sont bons pour une année et qui est dans le vert",
    "ru": "Президент компании сказал в понедельник , что он не доволен и на это не рассчитывал",
}


@pytest.mark.parametrize("language", TEXTS)
def test_the_language_shows_in_its_small_words(language: str) -> None:
    assert likely_language(Counter(TEXTS[language].split())) == language


@pytest.mark.parametrize("text", ["", "Reuters 1996-08-22", "xyzzy plugh the of und der el los"])
def test_an_unclear_language_is_not_guessed(text: str) -> None:
    assert likely_language(Counter(text.split())) is None


@pytest.mark.parametrize("language", [*TEXTS, "ja", "eo", None])
def test_advice_names_vectors_that_exist_and_how_to_use_them(language: str | None) -> None:
    name, *others = advised(language).split("+")
    assert {name, *others} <= set(SOURCES)
    assert f"trustag vectors get {advised(language)} and pass --vectors {advised(language)}" in advice(language)
    assert "\n" not in advice(language)
    assert language in SOURCES[name].languages or name == "multilingual-subwords"


@pytest.mark.parametrize("language", LANGUAGES)
def test_advice_is_what_was_measured_to_be_best(language: str) -> None:
    scores = defaultdict(list)
    for run in json.loads((RESULTS / "vectors.json").read_text())["runs"]:
        if run["language"] == language and run["vectors"] not in {"random", "file"}:
            scores[run["vectors"], run["width"]].append(run["dev"]["f1"])
    best = max(scores, key=lambda candidate: mean(scores[candidate]))
    assert best == (advised(LANGUAGES[language]), None)


def test_the_advised_encoder_is_the_best_that_is_affordable() -> None:
    runs = [
        run for file in ("scores", "encoders") for run in json.loads((RESULTS / f"{file}.json").read_text())["runs"]
    ]
    systems = {"minilm": "method, context", "mpnet-base": "method, mpnet-base"}
    assert set(systems) == set(ENCODERS)
    by_system = {
        system: {(run["corpus"], run["seed"]): run for run in runs if run["system"] == system}
        for system in ("method", *systems.values())
    }
    common = set.intersection(*map(set, by_system.values()))
    assert common
    mean_f1 = {system: mean(own[cell]["dev"]["f1"] for cell in common) for system, own in by_system.items()}
    cost = {system: mean(own[cell]["cpu_seconds"] for cell in common) for system, own in by_system.items()}
    affordable = {
        name: mean_f1[system] for name, system in systems.items() if cost[system] <= AFFORDABLE * cost["method"]
    }
    best = max(affordable, key=affordable.__getitem__)
    assert mean_f1[systems[best]] > mean_f1["method"]
    assert advised_encoder("en") == best
    assert f"trustag vectors get {best} and pass --context {best}" in advice("en")
    assert all(advised_encoder(language) is None for language in (*TEXTS, None) if language != "en")
