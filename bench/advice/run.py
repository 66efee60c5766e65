"""The tables of docs/advice.md: which route is best for which data, noise and model.

    python bench/advice/run.py DATA_FOLDER CELLS.jsonl [--rows 5000] [--seeds 3] [--sets SET,SET] [--models trees]
                               [--document docs/advice.md] [--audit-again]

Each cell of the table is a line of CELLS.jsonl; cells that are there already are not run again, but for their audits with
--audit-again.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import time
import warnings
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import document  # noqa: E402
import noise  # noqa: E402
import routes  # noqa: E402
import sets  # noqa: E402


def run_cell(folder: str, name: str, kind: str, model: str, seed: int, rows: int) -> dict:
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    start = time.perf_counter()
    part = sets.split(sets.SETS[name](Path(folder)), rows, seed)
    given = part.given if kind == "real" else noise.corrupt(part, kind, seed)
    cell = {"set": name, "noise": kind, "model": model, "seed": seed, "rows": len(given)}
    cell["wrong"] = float((given != part.clean).mean())
    cell |= routes.accuracies(model, part, given)
    cell["seconds"] = time.perf_counter() - start
    return cell


def audit_again(folder: str, name: str, kind: str, seed: int, rows: int) -> dict:
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    part = sets.split(sets.SETS[name](Path(folder)), rows, seed)
    given = part.given if kind == "real" else noise.corrupt(part, kind, seed)
    return routes.audit_again(part, given)


def take_audits_again(folder: str, cells: list[dict], rows: int, workers: int) -> None:
    """The audit sees no model, so that one serves the cells of all models."""
    with ProcessPoolExecutor(workers) as pool:
        running = {}
        for cell in cells:
            key = (cell["set"], cell["noise"], cell["seed"])
            if key not in running:
                running[key] = pool.submit(audit_again, folder, *key, rows)
        for cell in cells:
            cell["audit"] = running[(cell["set"], cell["noise"], cell["seed"])].result()


def wanted_cells(
    folder: Path, names: list[str], models: list[str], seeds: int
) -> list[tuple[str, str, str, int]]:
    cells = []
    for name in names:
        data = sets.SETS[name](folder)
        kinds = [kind for kind in noise.KINDS if noise.applies(kind, data.groups is not None)]
        if data.given is not None:
            kinds = ["real"]
        cells += [(name, kind, model) for kind in kinds for model in models]
    return [(*cell, seed) for seed in range(seeds) for cell in cells]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("cells", type=Path)
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--sets", default=",".join(sets.SETS))
    parser.add_argument("--models", default=",".join(routes.MODELS))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--document", type=Path)
    parser.add_argument("--audit-again", action="store_true", help="ask the audit of today for its advice on old cells")
    options = parser.parse_args()

    done = []
    if options.cells.exists():
        done = [json.loads(line) for line in options.cells.read_text().splitlines()]
    if options.audit_again:
        take_audits_again(str(options.folder), done, options.rows, options.workers)
        options.cells.write_text("".join(json.dumps(cell) + "\n" for cell in done))
    known = {(cell["set"], cell["noise"], cell["model"], cell["seed"]) for cell in done}
    names, models = options.sets.split(","), options.models.split(",")
    wanted = wanted_cells(options.folder, names, models, options.seeds)
    missing = [cell for cell in wanted if cell not in known]
    options.cells.parent.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(options.workers) as pool, options.cells.open("a") as file:
        running = [pool.submit(run_cell, str(options.folder), *cell, options.rows) for cell in missing]
        for count, future in enumerate(as_completed(running), 1):
            cell = future.result()
            done.append(cell)
            print(json.dumps(cell), file=file, flush=True)
            what = ", ".join([cell["set"], cell["noise"], cell["model"]])
            print(f"{count} of {len(missing)}: {what}, {cell['seconds']:.0f} s", flush=True)
    if options.document:
        document.write_tables(done, options.document)


if __name__ == "__main__":
    main()
