"""The keys of the review page, as the page lists them."""

from typing import Final, TypeAlias

Shortcut: TypeAlias = tuple[tuple[str, ...], str]
Group: TypeAlias = tuple[str, tuple[Shortcut, ...]]

SHORTCUTS: Final[tuple[Group, ...]] = (
    (
        "Decide",
        (
            (("a",), "accept the suggestion, or what models see"),
            (("A",), "accept it for all identical cases"),
            (("r",), "reject: the given labels are right"),
            (("R",), "reject it for all identical cases"),
            (("e",), "edit the entities of the sentence"),
            (("l",), "all like this: decide on the form"),
            (("d",), "it depends (forms)"),
            (("1", "…", "9"), "this type is right (forms)"),
            (("0",), "no entity is right (forms)"),
            (("s",), "skip"),
            (("u",), "undo my last action"),
        ),
    ),
    (
        "Move",
        (
            (("j",), "next"),
            (("k",), "previous"),
            (("↓", "↑"), "through the places of a form"),
            (("x",), "mark a place as an exception"),
            (("/",), "find a word"),
            (("c",), "write a comment"),
            (("?",), "show these keys"),
        ),
    ),
    (
        "While editing",
        (
            (("←", "→"), "select a word"),
            (("Shift", "←", "→"), "select several"),
            (("1", "…", "9"), "set the type"),
            (("0",), "no entity"),
            (("Enter",), "save"),
            (("Shift", "Enter"), "save for all identical cases"),
            (("Esc",), "cancel"),
        ),
    ),
)
