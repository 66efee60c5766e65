"""What the engine found, to be read by people and by programs."""

from __future__ import annotations

import json
import os
from datetime import datetime, timezone
from html import escape
from os import PathLike, fspath
from typing import Any, Optional

from . import _core, _html


class Report:
    """The result of an audit, a balancing or a training.

    Printed, it is the table and the verdict that the command line shows; in a notebook it is a
    small page; `to_dict` and `to_json` give every number, spelled as docs/audit.schema.json has
    them. It can be copied and pickled.
    """

    def __init__(self, kind: str, json_text: str, text: str) -> None:
        self.kind = kind
        self._json = json_text
        self._text = _core.in_python_terms(text)

    def to_dict(self) -> dict[str, Any]:
        """Every number, to the last bit."""
        found: dict[str, Any] = json.loads(self._json)
        return found

    def to_json(self) -> str:
        """The text that the command line writes with --json."""
        return self._json

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<noiseplus {self.kind} report; print it, or see to_dict()>"

    def _repr_html_(self) -> str:
        found = self.to_dict()
        if "warnings" in found:
            found["warnings"] = [_core.in_python_terms(text) for text in found["warnings"]]
        if self.kind == "training":
            return _html.training_html(found)
        if self.kind == "evaluation":
            return f"<pre>{escape(self._text)}</pre>"
        return _html.audit_html(found)

    def to_html(
        self, path: str | PathLike[str], *others: Report, title: Optional[str] = None
    ) -> None:
        """Write a page to look at, all in one file, as `noiseplus report` does.

        Other reports may be shown on it too: one audit or balancing, one training, and one
        evaluation or two, before and after. The page carries the date.
        """
        for other in others:
            if not isinstance(other, Report):
                raise TypeError(f"a page shows reports, not {type(other).__name__}")
        documents = [(f"{report.kind}.json", report.to_json()) for report in (self, *others)]
        page = _core.html_page(documents, title or "", _today())
        with open(fspath(path), "w", encoding="utf-8") as file:
            file.write(page)


def _today() -> str:
    """As on the command line: in UTC, and of SOURCE_DATE_EPOCH where that is set."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.now(timezone.utc)
    if epoch.isdecimal():
        now = datetime.fromtimestamp(int(epoch), timezone.utc)
    return now.date().isoformat()
