"""Sentences and lists that several tests of labelling use."""

from trustag.labelling.gazetteers import Gazetteer, ListOptions, ListToCompile, compile_lists
from trustag.labelling.name_lists import ListedName
from trustag.text.sentences import Sentence


def sentence(text: str) -> Sentence:
    tokens = tuple(text.split())
    return Sentence(tokens, (None,) * len(tokens))


def gazetteer(*names: tuple[str, str | None], name: str = "names") -> Gazetteer:
    return Gazetteer(compile_lists([ListToCompile(name, [ListedName(*one) for one in names], ListOptions())]))
