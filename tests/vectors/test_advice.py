"""Which vectors to start from."""

import json
from collections import Counter, defaultdict
from pathlib import Path
from statistics import mean

import pytest

from trustag.vectors.advice import advice, advised, likely_language
from trustag.vectors.sources import SOURCES

MEASURED = Path(__file__).parents[2] / "results" / "vectors.json"
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
    for run in json.loads(MEASURED.read_text())["runs"]:
        if run["language"] == language and run["vectors"] not in {"random", "file"}:
            scores[run["vectors"], run["width"]].append(run["dev"]["f1"])
    best = max(scores, key=lambda candidate: mean(scores[candidate]))
    assert best == (advised(LANGUAGES[language]), None)
