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
    return f"{values.mean():+.2f} ± {_standard_error(values):.2f}"


def _standard_error(values: np.ndarray) -> float:
    return float(values.std(ddof=1) / len(values) ** 0.5)


def table(cells: list[dict], constraint: str) -> str:
    lines = [
        "| set | noise | " + " | ".join(SHOWN) + " | auto - plain: violation | accuracy | taken |",
        "|---" * (len(SHOWN) + 5) + "|",
    ]
    for name in sorted({cell["set"] for cell in cells}, key=str.lower):
        for kind in dict.fromkeys(cell["noise"] for cell in cells):
            lines.append(_line([c for c in cells if (c["set"], c["noise"]) == (name, kind)], name, kind, constraint))
    lines.append(_line(cells, "all", "", constraint))
    return "\n".join([*lines, "", _summary(cells, constraint)]) + "\n"


def _summary(cells: list[dict], constraint: str) -> str:
    left = [cell for cell in cells if cell["route"] != "plain"]
    lower = sum(cell["auto"][constraint] < cell["plain"][constraint] for cell in left)
    as_accurate = sum(cell["auto"]["accuracy"] >= cell["plain"]["accuracy"] for cell in left)
    settings = list(dict.fromkeys((cell["set"], cell["noise"]) for cell in cells))
    worse = {route: 0 for route in SHOWN[1:]}
    for setting in settings:
        own = [cell for cell in cells if (cell["set"], cell["noise"]) == setting]
        for route in worse:
            gaps = [
                sign * (_values(own, route, measure) - _values(own, "plain", measure))
                for measure, sign in ((constraint, 1), ("accuracy", -1))
            ]
            worse[route] += any(gap.mean() > _standard_error(gap) + 1e-9 for gap in gaps)
    return (
        f"`auto` leaves `plain` in {len(left)} of {len(cells)} runs; the violation is lower in {lower} of these, the "
        f"accuracy no lower in {as_accurate}. Settings of {len(settings)} that end worse than `plain` by more than a "
        f"standard error, in violation or accuracy: {', '.join(f'`{route}` {count}' for route, count in worse.items())}."
    )


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
