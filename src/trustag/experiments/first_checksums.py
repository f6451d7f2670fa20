"""Checksums of settings in results of the first version, which named its settings otherwise."""

from collections.abc import Mapping
from typing import Final

FIRST_CHECKSUMS: Final[Mapping[str, str]] = {
    "89e311014a74": "05e34b3e27fe",
    "6c7b1213ab8e": "a41058c4ecd5",
    "bc52bba2ec7b": "ca03758bb99f",
    "651370d9859e": "e073298883f4",
    "2e4832bee8eb": "40e47cba40b6",
    "d042f0c6ee18": "bd06c68f5418",
    "75ebcb3722c1": "68cff3fbfa93",
    "79a180e1a5e6": "f8e0ba32fded",
    "51cf38241565": "b686daa320f1",
    "5a02118f7b08": "25c6970049f4",
    "8bec24e7816e": "c22f8d22a878",
    "18bc9aa69f19": "76fba60ec284",
    "578e98e52bef": "316086935961",
    "82dfdab13204": "76588988bef6",
    "595bf965cf68": "66748a8df466",
    "ca9132dde748": "3afe75f112c4",
    "b032fbe024e0": "5c92f6e7f0d8",
    "5e0bde6c7966": "5339d92a46b1",
    "66fbf93acce5": "f1821c31002d",
}
"""The checksum of the same settings in today's form, as :meth:`trustag.experiments.systems.System.checksum` has it."""


def todays_checksum(checksum: str) -> str:
    """Return the checksum of the same settings in today's form."""
    return FIRST_CHECKSUMS.get(checksum, checksum)
