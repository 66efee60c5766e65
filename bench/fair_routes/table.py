"""Cells of the benchmark as the tables of docs/fairness.md."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np

SHOWN = ("plain", "noise-aware", "balance", "auto")


def write_table(cells: list[dict], constraint: str, path: Path) -> None:
    """Replace what stands between `<!-- routes CONSTRAINT -->` and `<!-- end -->` in the document."""
    text = path.read_text()
    pattern = re.compile(rf"(<!-- routes {constraint} -->\n).*?(<!-- end -->)", re.DOTALL)
    if not pattern.search(text):
        raise SystemExit(f"{path}: there is no place for the table of {constraint}")
    own = [cell for cell in cells if cell["constraint"] == constraint]
    path.write_text(pattern.sub(lambda found: f"{found[1]}\n{table(own, constraint)}\n{found[2]}", text))


def _values(cells: list[dict], route: str, measure: str) -> np.ndarray:
    """A route that is refused leaves the plain constraint."""
    return np.array([(cell[route] if measure in cell[route] else cell["plain"])[measure] for cell in cells])


def _mean(values: np.ndarray) -> str:
    return f"{values.mean():+.2f} ± {values.std(ddof=1) / len(values) ** 0.5:.2f}"


def table(cells: list[dict], constraint: str) -> str:
    lines = [
        "| set | noise | " + " | ".join(SHOWN) + " | auto - plain: violation | accuracy | taken |",
        "|---" * (len(SHOWN) + 5) + "|",
    ]
    for name in dict.fromkeys(cell["set"] for cell in cells):
        for kind in dict.fromkeys(cell["noise"] for cell in cells):
            lines.append(_line([c for c in cells if (c["set"], c["noise"]) == (name, kind)], name, kind, constraint))
    lines.append(_line(cells, "all", "", constraint))
    return "\n".join(lines) + "\n"


def _line(own: list[dict], name: str, kind: str, constraint: str) -> str:
    shown = [
        f"{_values(own, route, constraint).mean():.1f} ({_values(own, route, 'accuracy').mean():.1f})"
        for route in SHOWN
    ]
    gaps = [_values(own, "auto", measure) - _values(own, "plain", measure) for measure in (constraint, "accuracy")]
    taken = Counter(cell["route"] for cell in own)
    return (
        f"| {name} | {kind} | {' | '.join(shown)} | {_mean(gaps[0])} | {_mean(gaps[1])} | "
        f"{', '.join(f'{route} {count}' for route, count in sorted(taken.items()))} |"
    )
