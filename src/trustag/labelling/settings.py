"""What a configuration of labelling may say, checked; the same values that the options of the command line make."""

from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, Field

from trustag.recipes.sections import Count, CountOrNone, Positive, Section, as_tuple

Case: TypeAlias = Literal["auto", "written", "exact", "capitalised", "any"]
Cover: TypeAlias = Literal["longest", "best"]
Ambiguous: TypeAlias = Literal["unknown", "drop", "first"]
Texts: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(as_tuple)]


class ListSettings(Section):
    """One list of names."""

    path: str = Field(description="a file or folder, or builtin:NAME")
    type: str | None = Field(default=None, description="the type of forms that state none; unknown: names of any type")
    name: str | None = Field(
        default=None, pattern=r"^\S+$", description="the name of the source; default: the name of the file"
    )
    case: Case = Field(
        default="auto",
        description="written: as written or in capitals; exact: as written; capitalised: with capital initials, "
        "however the list writes it; any: in any case; auto: written, but for lists that are all in capitals or all in "
        "small letters capitalised, or any if their types are not those of persons, places and organisations",
    )
    weight: Positive = Field(default=1.0, description="how many votes a form of this list has")
    minimum_length: Count = Field(default=2, description="forms with fewer letters and digits are left out")
    cut_at: str = Field(default="", description="characters at which forms end, such as , and ( in Springfield (Ohio)")
    role: str = Field(
        default="names",
        pattern=r"^[\w-]+$",
        description="names, or the name under which rules use the forms as words, such as first-names",
    )
    stop_words: bool = Field(default=True, description="leave out forms that are one stop word of the language")


class KnowledgeSettings(Section):
    """A knowledge base, in the shape of Wikidata."""

    location: str = Field(description="the web address of a SPARQL endpoint, a store of pyoxigraph, or a dump")
    classes: str | None = Field(default=None, description="a TOML file with the types of classes; default: Wikidata's")
    ambiguous: Ambiguous = Field(
        default="unknown",
        description="names of items of several types: unknown, drop, or the type of most items (first)",
    )
    timeout: Positive = Field(default=30.0, description="seconds to wait for an answer")
    retries: CountOrNone = Field(default=5, description="how often a request that failed is repeated")
    per_second: Positive = Field(default=5.0, description="requests per second at most")
    batch: Count = Field(default=50, description="names in one request")
    page: Count = Field(default=1000, description="rows of an answer that are asked for at a time")


class LabellingSettings(Section):
    """All of labelling."""

    language: str = Field(default="en", pattern="^[a-z]{2,3}$", description="code of the language of the texts")
    tokenizer: str = Field(default="auto", description="how raw text becomes tokens; auto: by language")
    sentences: Literal["auto", "lines"] = Field(
        default="auto", description="where raw text is split: auto: by language; lines: each line is one sentence"
    )
    gazetteer: Annotated[tuple[ListSettings, ...], BeforeValidator(as_tuple)] = Field(
        default=(), description="lists of names; where they have equally many votes, the first counts"
    )
    knowledge_base: KnowledgeSettings | None = Field(default=None, description="a knowledge base to look names up in")
    cover: Cover = Field(
        default="longest",
        description="which overlapping names count: longest: first from the left; best: most by length²",
    )
    ambiguous: Ambiguous = Field(
        default="unknown", description="names whose types have equally many votes: unknown, drop, or the first list"
    )
    candidates: str = Field(
        default="none",
        description="what finds candidates for names: none (lists alone), capitals, textblob, hanta, spacy:PIPELINE, "
        "or your own as package.module:NAME",
    )
    unresolved: Literal["unknown", "outside"] = Field(
        default="unknown", description="labels of candidates that no source knows: unknown, or O (outside)"
    )
    rules: Texts = Field(default=(), description="rules of a language (en, de, nl, es) or of TOML files")
    without_rules: Texts = Field(default=(), description="names of rules that are not used")
    types: dict[str, str] = Field(
        default_factory=dict, description="other names for types, such as PER = 'person'; an empty one drops the type"
    )
    priority: Texts = Field(
        default=("kb", "rule:surname", "gazetteer", "rule"),
        description="which source decides between proposals of one length: kinds of sources, or sources, best first",
    )
    document_sentences: CountOrNone = Field(
        default=200, description="sentences of a document that are labelled together; more are split"
    )
