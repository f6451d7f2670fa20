"""Errors a user can fix: one line that names the place, the finding and the way out."""


def printable(text: str) -> str:
    r"""Return ``text`` on one line, with control characters and whatever else cannot be seen spelled out.

    >>> printable("dev\n\x1b[2J.txt")
    'dev\\n\\x1b[2J.txt'
    """
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


class TrustagError(Exception):
    """Base of every error Trustag raises on purpose; the command line prints it as one line and exits with 2."""


class InputError(TrustagError):
    """A file, value or option that cannot be used as it is.

    >>> str(InputError("expected 2 columns, found 1", where="train.txt:7", remedy="add the missing label"))
    'train.txt:7: expected 2 columns, found 1; add the missing label'
    """

    def __init__(self, finding: str, *, where: object = None, remedy: str = "") -> None:
        self.finding = finding
        self.where = where
        self.remedy = remedy
        place = f"{where}: " if where is not None else ""
        way_out = f"; {remedy}" if remedy else ""
        super().__init__(printable(f"{place}{finding}{way_out}"))


class DiskFullError(InputError):
    """Something cannot be written because the disk, or the part of it one may use, is full."""


class MissingExtraError(TrustagError):
    """An optional dependency that the asked-for work needs is not installed."""

    def __init__(self, work: str, extra: str) -> None:
        self.work = work
        self.extra = extra
        super().__init__(f"{work} needs an optional dependency; install it with: pip install 'trustag[{extra}]'")

    def __reduce__(self) -> tuple[type["MissingExtraError"], tuple[str, str]]:
        """Tell how a worker process hands the error on."""
        return type(self), (self.work, self.extra)
