"""Cells of the benchmark as the tables of docs/advice.md."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Callable

import numpy as np
from routes import ADVISED, ROUTES

CLOSE = 0.3  # points of accuracy that make no difference


def write_tables(cells: list[dict], path: Path) -> None:
    """Replace what stands between `<!-- NAME -->` and `<!-- end -->` in the document, from cells of all routes."""
    cells = [cell for cell in cells if set(ROUTES) <= set(cell["accuracy"])]
    text = path.read_text()
    tables = {"summary": summary, "choices": choices, "clean": clean, "sets": by_set, "advice": advice}
    for name, table in ((name, make(cells)) for name, make in tables.items()):
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        if not pattern.search(text):
            raise SystemExit(f"{path}: there is no place for the table {name}")
        text = pattern.sub(lambda found: found[1] + "\n" + table + "\n" + found[2], text)
    path.write_text(text)


def accuracy(cell: dict, route: str) -> float:
    """A route that could not be taken is plain training."""
    found = cell["accuracy"][route]
    return cell["accuracy"]["plain"] if found is None else found


def _mean(cells: list[dict], route: str) -> float:
    return float(np.mean([accuracy(cell, route) for cell in cells]))


def _rows(cells: list[dict], key: Callable[[dict], tuple[str, ...]], titles: tuple[str, ...]) -> str:
    lines = [f"| {' | '.join(titles)} | cells | {' | '.join(ROUTES)} |", "|---" * (len(titles) + 1 + len(ROUTES)) + "|"]
    for group in dict.fromkeys(map(key, cells)):
        own = [cell for cell in cells if key(cell) == group]
        means = [_mean(own, route) for route in ROUTES]
        shown = [f"**{mean:.1f}**" if mean >= max(means) - 0.05 else f"{mean:.1f}" for mean in means]
        lines.append(f"| {' | '.join(group)} | {len(own)} | {' | '.join(shown)} |")
    return "\n".join(lines) + "\n"


def _ordered(cells: list[dict]) -> list[dict]:
    models, kinds = ["trees", "linear", "MLP"], ["none", "class", "group", "equal", "hard rows", "real"]
    return sorted(cells, key=lambda c: (models.index(c["model"]), kinds.index(c["noise"]), c["set"], c["seed"]))


def summary(cells: list[dict]) -> str:
    return _rows(_ordered(cells), lambda cell: (cell["model"], cell["noise"]), ("model", "noise"))


def by_set(cells: list[dict]) -> str:
    own = [cell for cell in _ordered(cells) if cell["model"] == "trees"]
    own.sort(key=lambda cell: cell["set"])
    return _rows(own, lambda cell: (cell["set"], cell["noise"]), ("data, trees", "noise"))


def choices(cells: list[dict]) -> str:
    """How NoiseRobust fares against plain training, CleanLearning, and the best route of each cell."""
    lines = [
        "| model | cells | NoiseRobust − plain, noisy cells | − CleanLearning, noisy cells | − plain, no noise | "
        "lowest − plain, no noise, mean of seeds | cells within .3 of the best route | more than .3 below plain | routes chosen |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for model in dict.fromkeys(cell["model"] for cell in _ordered(cells)):
        own = [cell for cell in cells if cell["model"] == model]
        noisy = [cell for cell in own if cell["noise"] != "none"]
        clean = [cell for cell in own if cell["noise"] == "none"]
        gains = [accuracy(cell, "NoiseRobust") - accuracy(cell, "plain") for cell in own]
        best = [max(accuracy(cell, route) for route in ROUTES) for cell in own]
        close = sum(accuracy(cell, "NoiseRobust") >= top - CLOSE for cell, top in zip(own, best))
        by_name = [
            _mean(part, "NoiseRobust") - _mean(part, "plain")
            for name in dict.fromkeys(cell["set"] for cell in clean)
            for part in [[cell for cell in clean if cell["set"] == name]]
        ]
        chosen = Counter(cell["route"] for cell in own).most_common()
        lines.append(
            f"| {model} | {len(own)} | {_mean(noisy, 'NoiseRobust') - _mean(noisy, 'plain'):+.2f} | "
            f"{_mean(noisy, 'NoiseRobust') - _mean(noisy, 'CleanLearning'):+.2f} | "
            f"{_mean(clean, 'NoiseRobust') - _mean(clean, 'plain'):+.2f} | {min(by_name, default=0):+.2f} | "
            f"{close} | {sum(gain < -CLOSE for gain in gains)} | "
            f"{', '.join(f'{name} {count}' for name, count in chosen)} |"
        )
    return "\n".join(lines) + "\n"


def clean(cells: list[dict]) -> str:
    """NoiseRobust on labels without noise. The error is that of the difference on the test rows of one seed."""
    lines = [
        "| model | data without noise | test rows | plain | CleanLearning | NoiseRobust | NoiseRobust − plain | "
        "standard error | routes chosen |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    own = [cell for cell in _ordered(cells) if cell["noise"] == "none"]
    for model, name in dict.fromkeys((cell["model"], cell["set"]) for cell in own):
        part = [cell for cell in own if (cell["model"], cell["set"]) == (model, name)]
        plain, learning, robust = (_mean(part, route) for route in ("plain", "CleanLearning", "NoiseRobust"))
        error = np.mean([cell["errors"]["NoiseRobust"] for cell in part])
        chosen = Counter(cell["route"] for cell in part).most_common()
        lines.append(
            f"| {model} | {name} | {part[0]['test_rows']} | {plain:.1f} | {learning:.1f} | {robust:.1f} | "
            f"{robust - plain:+.2f} | {error:.2f} | {', '.join(f'{route} {count}' for route, count in chosen)} |"
        )
    return "\n".join(lines) + "\n"


# What an action of an audit's advice comes to. Where rows are to be checked first, nothing is done yet.
ROUTE_OF_ACTION = {"weight": "weights", "correct": "forward", "balance": "balance", "nothing": "plain", "check": "plain"}


def advised(cell: dict) -> float:
    """Accuracy of what the audit advises, as the command line does, with no model to go by."""
    action = cell["audit"]["advice"]["action"]
    if action == "fix":  # a person gives these rows their clean labels
        found = cell["accuracy"].get("fix")
        return accuracy(cell, "plain") if found is None else found
    return accuracy(cell, ROUTE_OF_ACTION[action])


def is_right(cell: dict) -> bool:
    return advised(cell) >= max(accuracy(cell, route) for route in ADVISED) - CLOSE


def advice(cells: list[dict]) -> str:
    """How what `audit` advises fares against plain training and the best route of each cell."""
    lines = [
        "| model | noise | cells | advised | advised − plain | best − plain | within .3 of the best | more than .3 below plain |",
        "|---|---|---|---|---|---|---|---|",
    ]
    ordered = _ordered(cells)
    keys = list(dict.fromkeys((cell["model"], cell["noise"]) for cell in ordered))
    models = list(dict.fromkeys(cell["model"] for cell in ordered))
    for model in models:
        own = [cell for cell in ordered if cell["model"] == model]
        kinds = [kind for of, kind in keys if of == model]
        parts = [(kind, [cell for cell in own if cell["noise"] == kind]) for kind in kinds] + [("all", own)]
        for kind, part in parts:
            plain = _mean(part, "plain")
            best = np.mean([max(accuracy(cell, route) for route in ADVISED) for cell in part])
            chosen = Counter(cell["audit"]["advice"]["action"] for cell in part).most_common()
            below = sum(advised(cell) < accuracy(cell, "plain") - CLOSE for cell in part)
            lines.append(
                f"| {model} | {kind} | {len(part)} | {', '.join(f'{name} {count}' for name, count in chosen)} | "
                f"{np.mean([advised(cell) for cell in part]) - plain:+.2f} | {best - plain:+.2f} | "
                f"{sum(map(is_right, part))} | {below} |"
            )
    return "\n".join(lines) + "\n"
