"""Which route to a fair model pays: the plain constraint, rates by clean labels, balanced labels, or the one that
`--route auto` takes, on real rows with known noise and clean test labels.

    python3 bench/fair_routes/run.py DATA_FOLDER CELLS.jsonl [--seeds 100-106] [--sets SET,SET] [--rows 8000]
                                     [--constraint equalized-odds] [--document docs/fairness.md]

Each cell of the table is a line of CELLS.jsonl; cells that are there already are not run again.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import warnings
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(1, str(Path(__file__).resolve().parent.parent / "advice"))

import numpy as np  # noqa: E402
import sets  # noqa: E402
from noiseplus import FairClassifier  # noqa: E402
from table import write_table  # noqa: E402

SETS = ("Adult", "bank", "COMPAS", "credit", "FairFace")
NOISE = ("none", "class", "group", "both", "equal")
ROUTES = ("plain", "noise-aware", "balance", "auto")


def noise_rates(kind: str, random: np.random.Generator) -> np.ndarray:
    """Chance of a wrong label: a row per group, a column per clean class."""
    if kind == "none":
        return np.zeros((2, 2))
    if kind == "class":
        return np.tile(random.uniform(0, 0.4, 2), (2, 1))
    if kind == "group":
        return np.repeat(random.uniform(0, 0.4, 2)[:, None], 2, axis=1)
    if kind == "both":
        return random.uniform(0, 0.4, (2, 2))
    return np.full((2, 2), random.uniform(0.1, 0.35))


def judge(shares: np.ndarray, labels: np.ndarray, groups: np.ndarray) -> dict[str, float]:
    """By clean labels, of expected answers: no draw adds its chance."""
    rate = [[shares[(groups == z) & (labels == c)].mean() for c in (0, 1)] for z in (0, 1)]
    fpr_gap, tpr_gap = np.abs(np.subtract(*rate))
    return {
        "accuracy": 100 * float(np.where(labels == 1, shares, 1 - shares).mean()),
        "equalized-odds": 100 * float(max(fpr_gap, tpr_gap)),
        "equal-opportunity": 100 * float(tpr_gap),
    }


def run_cell(data: sets.DataSet, kind: str, constraint: str, seed: int, max_rows: int) -> dict[str, Any]:
    assert data.groups is not None
    order = np.random.default_rng(seed).permutation(len(data.clean))
    rows = min(max_rows, int(0.6 * len(order)))
    train, test = order[:rows], order[rows:]
    random = np.random.default_rng([seed, NOISE.index(kind)])
    rates = noise_rates(kind, random)
    clean, groups = data.clean[train], data.groups[train]
    given = np.where(random.random(rows) < rates[groups, clean], 1 - clean, clean)
    cell: dict[str, Any] = {"rates": rates.tolist(), "rows": rows}
    for route in ROUTES:
        model = FairClassifier(constraint, route=route, n_threads=1)
        try:
            model.fit(data.X[train], given, groups=groups)
        except RuntimeError as refusal:  # the noise is not identified, or impossible
            cell[route] = {"refused": str(refusal)}
            continue
        cell[route] = judge(model.predict_proba(data.X[test])[:, 1], data.clean[test], data.groups[test])
        if route == "auto":
            cell |= {"route": model.route_, "reason": model.reason_}
    return cell


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("cells", type=Path)
    parser.add_argument("--seeds", default="100-106")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--rows", type=int, default=8000)
    parser.add_argument("--constraint", default="equalized-odds", choices=("equalized-odds", "equal-opportunity"))
    parser.add_argument("--document", type=Path)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)

    done = []
    if options.cells.exists():
        done = [json.loads(line) for line in options.cells.read_text().splitlines()]
    known = {(cell["set"], cell["noise"], cell["constraint"], cell["seed"]) for cell in done}
    first, end = map(int, options.seeds.split("-"))
    options.cells.parent.mkdir(parents=True, exist_ok=True)
    data = {name: sets.SETS[name](options.folder) for name in options.sets.split(",")}
    with options.cells.open("a") as file:
        for seed in range(first, end):
            for name in data:
                for kind in NOISE:
                    key = (name, kind, options.constraint, seed)
                    if key in known:
                        continue
                    cell = dict(zip(("set", "noise", "constraint", "seed"), key))
                    cell |= run_cell(data[name], kind, options.constraint, seed, options.rows)
                    done.append(cell)
                    print(json.dumps(cell), file=file, flush=True)
                    print(*key, cell["route"], flush=True)
    if options.document:
        write_table(done, options.constraint, options.document)


if __name__ == "__main__":
    main()
