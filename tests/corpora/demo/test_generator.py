"""The demo corpus: pinned, legal, noisy in training alone, and with names and templates that training lacks."""

import hashlib
import os
import re
import subprocess
import sys
from collections import Counter

import pytest

from trustag.corpora.demo import demo_corpus
from trustag.corpora.demo.generator import REGISTERS, SIZES, write_splits
from trustag.corpora.demo.grammar import Alternatives, Slot, Template, Word, parse_template
from trustag.corpora.demo.phrases import PHRASES
from trustag.corpora.demo.slots import NUMBERS, entity_slots
from trustag.seeded_random import SeededRandom
from trustag.text.schemes import Scheme, illegal_labels
from trustag.text.sentences import Corpus, Sentence, Source
from trustag.text.spans import read_spans

CHECKSUM = "b7ddebb9948b9895"


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return demo_corpus()


def gold_labels(sentence: Sentence) -> tuple[str | None, ...]:
    return sentence.labels if sentence.gold is None else sentence.gold


def entities(sentences: tuple[Sentence, ...]) -> list[tuple[tuple[str, ...], str]]:
    return [
        (sentence.tokens[start:end], kind)
        for sentence in sentences
        for start, end, kind in read_spans(gold_labels(sentence))
    ]


def checksum(corpus: Corpus) -> str:
    digest = hashlib.sha256()
    for sentence in (*corpus.train, *corpus.dev, *corpus.test):
        digest.update(repr((sentence.tokens, sentence.labels, sentence.gold)).encode())
    return digest.hexdigest()[:16]


def slots_of(template: Template) -> set[str]:
    found: set[str] = set()
    for part in template:
        match part:
            case Slot(name):
                found.add(name)
            case Word(text):
                found.update(re.findall(r"\{(\w+)\}", text))
            case Alternatives(options):
                found.update(*map(slots_of, options))
    return found


def test_the_corpus_is_pinned(corpus: Corpus) -> None:
    assert checksum(corpus) == CHECKSUM


def test_the_corpus_does_not_depend_on_string_hashes() -> None:
    program = (
        "import hashlib\n"
        "from trustag.corpora.demo import demo_corpus\n"
        "corpus = demo_corpus()\n"
        "digest = hashlib.sha256()\n"
        "for s in (*corpus.train, *corpus.dev, *corpus.test):\n"
        "    digest.update(repr((s.tokens, s.labels, s.gold)).encode())\n"
        "print(digest.hexdigest()[:16])\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "4711"}
    run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == CHECKSUM


def test_another_seed_gives_another_corpus(corpus: Corpus) -> None:
    assert demo_corpus(seed=2).test != corpus.test


def test_sizes_and_sources(corpus: Corpus) -> None:
    for split, size in SIZES.items():
        sentences: tuple[Sentence, ...] = getattr(corpus, split)
        assert [sentence.source for sentence in sentences] == [
            Source(f"demo:{split}", number) for number in range(1, size + 1)
        ]
        assert all(sentence.gaps is None for sentence in sentences)


def test_every_label_is_legal(corpus: Corpus) -> None:
    for sentence in (*corpus.train, *corpus.dev, *corpus.test):
        assert illegal_labels(sentence.labels, Scheme.IOB2) == []
        assert illegal_labels(gold_labels(sentence), Scheme.IOB2) == []


def test_only_training_labels_are_noisy(corpus: Corpus) -> None:
    assert all(sentence.gold is None for sentence in (*corpus.dev, *corpus.test))
    noisy = {(number, span) for number, s in enumerate(corpus.train) for span in read_spans(s.labels)}
    gold = {(number, span) for number, s in enumerate(corpus.train) for span in read_spans(s.gold or ())}
    assert len(noisy & gold) / len(gold) == pytest.approx(0.5, abs=0.005)
    assert len(noisy & gold) / len(noisy) == pytest.approx(0.9, abs=0.005)


def test_tokens_are_cut_as_in_conll(corpus: Corpus) -> None:
    tokens = {token for split in (corpus.train, corpus.dev, corpus.test) for s in split for token in s.tokens}
    assert not [token for token in tokens if not token or re.search(r"[\s{}\[\]|]", token)]
    glued = [token for token in tokens if re.search(r"\w[,;:!?\"()]$|^[\"()]\w|\w's$", token)]
    assert glued == []


def test_no_sentence_occurs_twice(corpus: Corpus) -> None:
    texts = Counter(sentence.tokens for sentence in (*corpus.train, *corpus.dev, *corpus.test))
    assert set(texts.values()) == {1}


@pytest.mark.parametrize("split", ["dev", "test"])
def test_names_of_dev_and_test_are_partly_new(corpus: Corpus, split: str) -> None:
    known = {form for form, _ in entities(corpus.train)}
    forms = [form for form, _ in entities(getattr(corpus, split))]
    assert 0.25 < sum(form not in known for form in forms) / len(forms) < 0.6


@pytest.mark.parametrize("split", ["dev", "test"])
def test_templates_of_dev_and_test_are_partly_new(split: str) -> None:
    splits = write_splits(seed=1)
    known = {written.template for written in splits["train"]}
    new = sum(written.template not in known for written in splits[split])
    assert 0.15 < new / len(splits[split]) < 0.45


@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_every_type_has_its_share_and_some_sentences_have_no_entity(corpus: Corpus, split: str) -> None:
    sentences: tuple[Sentence, ...] = getattr(corpus, split)
    types = Counter(kind for _, kind in entities(sentences))
    assert types.keys() == {"PER", "LOC", "ORG", "MISC"}
    assert min(types.values()) > 0.1 * types.total()
    empty = sum(set(gold_labels(sentence)) == {"O"} for sentence in sentences)
    assert 0.1 < empty / len(sentences) < 0.4


def test_names_are_ambiguous(corpus: Corpus) -> None:
    types: dict[str, set[str]] = {}
    for sentence in corpus.train:
        for token, label in zip(sentence.tokens, sentence.gold or (), strict=True):
            types.setdefault(token.capitalize(), set()).add((label or "")[2:] or "O")
    for name, kinds in {
        "Washington": {"PER", "LOC"},
        "Jordan": {"PER", "LOC"},
        "May": {"PER", "O"},
        "Georgia": {"PER", "LOC"},
        "Apple": {"ORG", "O"},
        "Amazon": {"ORG", "LOC"},
        "Chelsea": {"ORG", "LOC"},
        "Lincoln": {"ORG", "PER"},
        "Florence": {"PER", "LOC"},
    }.items():
        assert kinds <= types[name], name


def test_there_are_lower_case_capital_and_accented_lines(corpus: Corpus) -> None:
    lines = [" ".join(sentence.tokens) for sentence in corpus.train]
    assert sum(line.islower() for line in lines) > 200
    assert sum(line.isupper() for line in lines) > 80
    assert sum(not line.isascii() for line in lines) > 200


def test_templates_are_many_and_every_slot_is_known() -> None:
    texts = [text for register in REGISTERS for text in register.templates]
    assert len(set(texts)) == len(texts) >= 200
    known = {*PHRASES, *NUMBERS, *entity_slots(SeededRandom(0))}
    used = set().union(*(slots_of(parse_template(text)) for text in texts))
    for phrases in PHRASES.values():
        used.update(*(slots_of(parse_template(text)) for text in phrases))
    assert used == known


def test_articles_agree_with_the_next_word(corpus: Corpus) -> None:
    followers: dict[str, set[str]] = {"a": set(), "an": set()}
    for sentence in (*corpus.train, *corpus.dev, *corpus.test):
        for one, other in zip(sentence.tokens, sentence.tokens[1:], strict=False):
            followers.get(one.lower(), set()).add(other.lower())
    assert {"engineer", "adviser", "italian"} & followers["an"]
    assert {word for word in followers["a"] if word[0] in "aeiou"} <= {"european", "ukrainian", "user"}
    assert {word for word in followers["an"] if word[0] not in "aeiou"} == set()
