"""Text and names from the data, escaped and made visible."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence

LONGEST_NAME = 32
MOST_CODE_POINTS = 4
# Beside format characters: joiners, fillers and selectors that leave no trace.
INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u2800\u3164\uffa0"
) | frozenset(map(chr, range(0xFE00, 0xFE10)))


def text(raw: object) -> str:
    """Escaped, and without what a page cannot hold: control characters, halves of surrogates."""
    shown = "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(c) in ("Cc", "Cs") else c
        for c in str(raw)
    )
    return html.escape(shown)


def shortened(raw: str, longest: int = LONGEST_NAME) -> str:
    return raw if len(raw) <= longest else raw[: longest - 1] + "…"


def name(raw: str, longest: int = LONGEST_NAME) -> str:
    """Of a class, a group, a column; isolated, since it may be written from right to left."""
    if invisible(raw):
        return f"<bdi>{code_points(raw)}</bdi>"
    shown = shortened(raw, longest)
    whole = f' title="{text(raw)}"' if shown != raw else ""
    return f"<bdi{whole}>{text(shown) if shown.strip() else '(empty)'}</bdi>"


def invisible(raw: str) -> bool:
    """Of characters only that leave no trace, and not just of blanks."""
    unseen = [c for c in raw if unicodedata.category(c) == "Cf" or c in INVISIBLE]
    blanks = sum(unicodedata.category(c) in ("Zs", "Zl", "Zp") for c in raw)
    return bool(unseen) and len(unseen) + blanks == len(raw)


def code_points(raw: str) -> str:
    shown = " ".join(f"U+{ord(c):04X}" for c in raw[:MOST_CODE_POINTS])
    return f"({shown}{'…' if len(raw) > MOST_CODE_POINTS else ''})"


def quoted(raw: str) -> str:
    return f"'{name(raw)}'"


def _printed(raw: str) -> str:
    """As the engine prints a name: what a terminal obeys is replaced."""
    return re.sub("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", "?", raw)


def _name_before(rest: str, names: Sequence[str]) -> tuple[str, int] | None:
    """The name that stands before a closing quote, where it may be cut, and its length there."""
    for raw in names:
        if rest.startswith(f"{_printed(raw)}'"):
            return raw, len(_printed(raw))
    start, cut, _ = rest.partition("...'")
    for raw in names if start and cut else ():
        if _printed(raw).startswith(start):
            return raw, len(start) + 3
    return None


def _unbroken(raw: str) -> str:
    space = "\N{NO-BREAK SPACE}"
    return text(re.sub(r"\bp ([<=]) (?=\d)", rf"p{space}\1{space}", raw.replace(" %", f"{space}%")))


def with_names(raw: str, names: Sequence[str]) -> str:
    """A text of the engine's, in which the names that are quoted are isolated."""
    longest_first = sorted(names, key=len, reverse=True)
    shown, begin = "", 0
    quote = raw.find("'")
    while quote >= 0:
        found = _name_before(raw[quote + 1 :], longest_first)
        if found is not None:
            shown += _unbroken(raw[begin : quote + 1]) + name(found[0])
            begin = quote = quote + 1 + found[1]
        quote = raw.find("'", quote + 1)
    return shown + _unbroken(raw[begin:])
