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
    stop_words: bool = Field(default=True, description="leave out forms that are one stop word of the language")


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
    cover: Cover = Field(
        default="longest",
        description="which overlapping names count: longest: first from the left; best: most by length²",
    )
    ambiguous: Ambiguous = Field(
        default="unknown", description="names whose types have equally many votes: unknown, drop, or the first list"
    )
    document_sentences: CountOrNone = Field(
        default=200, description="sentences of a document that are labelled together; more are split"
    )
