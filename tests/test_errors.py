"""Errors: one printable line, whatever a file is called or holds, in whatever process they were raised."""

import errno
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.errors import DiskFullError, InputError, MissingExtraError, TrustagError, is_out_of_memory, printable


@given(st.text())
def test_every_text_is_printed_on_one_line_and_can_be_read_back(text: str) -> None:
    found = printable(text)
    assert found.isprintable()
    assert len(found.splitlines()) <= 1
    if "\\" not in text:
        assert found.encode("ascii", "backslashreplace").decode("unicode_escape") == text


@given(st.text(), st.text(), st.text())
def test_place_finding_and_remedy_stand_in_this_order_on_one_line(place: str, finding: str, remedy: str) -> None:
    line = str(InputError(finding, where=place, remedy=remedy))
    assert line == printable(f"{place}: {finding}" + (f"; {remedy}" if remedy else ""))
    assert str(InputError(finding)) == printable(finding)


@pytest.mark.parametrize(
    "error", [MissingExtraError("the transformer encoder", "transformers"), TrustagError("stopped"), InputError("odd")]
)
def test_errors_pass_from_one_process_to_another(error: TrustagError) -> None:
    passed = pickle.loads(pickle.dumps(error))
    assert (type(passed), str(passed)) == (type(error), str(error))


def test_a_missing_extra_says_how_to_install_it() -> None:
    line = str(MissingExtraError("drawing", "figures"))
    assert line == "drawing needs an optional dependency; install it with: pip install 'trustag[figures]'"


def test_every_error_that_a_user_can_fix_is_caught_by_one_class() -> None:
    for kind in (InputError, DiskFullError, MissingExtraError):
        assert issubclass(kind, TrustagError)


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        RuntimeError("[enforce fail at alloc_cpu.cpp:127] DefaultCPUAllocator: can't allocate memory: you tried"),
        RuntimeError("can't start new thread"),
        SystemError("error return without exception set"),
        ImportError("libtorch.so: failed to map segment from shared object"),
    ],
)
def test_memory_that_is_used_up_is_known_whoever_says_so(error: Exception) -> None:
    assert is_out_of_memory(error)
    later = ValueError("what came of it")
    later.__cause__ = error
    assert is_out_of_memory(later)


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left"), RuntimeError("shapes differ"), ValueError()])
def test_other_errors_are_not_taken_for_it(error: Exception) -> None:
    assert not is_out_of_memory(error)
