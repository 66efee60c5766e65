"""The tables of docs/advice.md: which route is best for which data, noise and model.

    python bench/advice/run.py DATA_FOLDER CELLS.jsonl [--rows 5000] [--seeds 0-3] [--sets SET,SET] [--kinds KIND,KIND]
                               [--models trees] [--routes plain,NoiseRobust] [--document docs/advice.md] [--audit-again]

Each cell of the table is a line of CELLS.jsonl; cells that are there already are not run again, but for their audits with
--audit-again. A cell that fails is a line with its error: the others go on, the exit code is 1, and the next run tries it
again. Seeds 0-3 are 0, 1 and 2.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import time
import warnings
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import document  # noqa: E402
import noise  # noqa: E402
import routes  # noqa: E402
import sets  # noqa: E402

KEY = ("set", "noise", "model", "seed")


def key_of(cell: dict) -> tuple:
    return tuple(cell[name] for name in KEY)


def run_cell(
    folder: str, name: str, kind: str, model: str, seed: int, rows: int, wanted: tuple[str, ...]
) -> dict:
    warnings.filterwarnings("ignore")
    logging.disable(logging.WARNING)
    start = time.process_time()
    part = sets.split(sets.SETS[name](Path(folder)), rows, seed)
    given = part.given if kind == "real" else noise.corrupt(part, kind, seed)
    cell = dict(zip(KEY, (name, kind, model, seed)))
    cell |= {"rows": len(given), "test_rows": len(part.y_test), "wrong": float((given != part.clean).mean())}
    cell |= routes.accuracies(model, part, given, wanted)
    cell["seconds"] = time.process_time() - start
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


def read_cells(path: Path) -> list[dict]:
    """The cells of a file; later lines add routes to a cell. A last line that was cut off is taken out of the file."""
    if not path.exists():
        return []
    whole, newline, torn = path.read_text().rpartition("\n")
    if torn:
        print(f"{path}: the last line was cut off, and is left out", file=sys.stderr)
        path.write_text(whole + newline)
    cells: dict[tuple, dict] = {}
    for cell in map(json.loads, whole.splitlines()):
        if "error" in cell:
            continue
        before = cells.get(key_of(cell), {"accuracy": {}})
        cells[key_of(cell)] = before | cell | {"accuracy": before["accuracy"] | cell["accuracy"]}
    return list(cells.values())


def wanted_cells(
    folder: Path, names: list[str], kinds: list[str], models: list[str], seeds: range
) -> list[tuple[str, str, str, int]]:
    """All cells of the first seed come before those of the next."""
    cells = []
    for name in names:
        data = sets.SETS[name](folder)
        own = [kind for kind in noise.KINDS if noise.applies(kind, data.groups is not None)]
        if data.given is not None:
            own = ["real"]
        cells += [(name, kind, model) for kind in own if kind in kinds for model in models]
    return [(*cell, seed) for seed in seeds for cell in cells]


def names_of(text: str, known: list[str]) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in known:
            raise SystemExit(f"{name} is none of {', '.join(known)}")
    return names


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("cells", type=Path)
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--seeds", default="0-3", help="first to end, without the end")
    parser.add_argument("--sets", default=",".join(sets.SETS))
    parser.add_argument("--kinds", default=",".join((*noise.KINDS, "real")))
    parser.add_argument("--models", default=",".join(routes.MODELS))
    parser.add_argument("--routes", default=",".join(routes.ROUTES))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--document", type=Path)
    parser.add_argument("--audit-again", action="store_true", help="ask the audit of today for its advice on old cells")
    return parser.parse_args()


def run_missing(missing: list[tuple], options: argparse.Namespace, wanted: tuple[str, ...]) -> list[dict]:
    """The cells as they end, each a line of the file too; those that fail have an `error` alone."""
    ended = []
    with ProcessPoolExecutor(options.workers) as pool, options.cells.open("a") as file:
        running = {
            pool.submit(run_cell, str(options.folder), *cell, options.rows, wanted): cell for cell in missing
        }
        for count, future in enumerate(as_completed(running), 1):
            try:
                cell = future.result()
                told = f"{cell['seconds']:.0f} s"
            except BrokenProcessPool:  # a worker was killed; no cell is to blame
                raise
            except Exception as error:
                told = f"{type(error).__name__}: {error}"
                cell = dict(zip(KEY, running[future])) | {"error": told}
            ended.append(cell)
            print(json.dumps(cell), file=file, flush=True)
            print(f"{count} of {len(missing)}: {', '.join(map(str, running[future]))}: {told}", flush=True)
    return ended


def main() -> None:
    options = parse_arguments()
    wanted = tuple(names_of(options.routes, list(routes.ROUTES)))
    done = read_cells(options.cells)
    if options.audit_again:
        take_audits_again(str(options.folder), done, options.rows, options.workers)
        options.cells.write_text("".join(json.dumps(cell) + "\n" for cell in done))
    known = {key_of(cell) for cell in done if set(wanted) <= set(cell["accuracy"])}
    first, end = map(int, options.seeds.split("-"))
    cells = wanted_cells(
        options.folder,
        names_of(options.sets, list(sets.SETS)),
        names_of(options.kinds, [*noise.KINDS, "real"]),
        names_of(options.models, list(routes.MODELS)),
        range(first, end),
    )
    options.cells.parent.mkdir(parents=True, exist_ok=True)
    ended = run_missing([cell for cell in cells if cell not in known], options, wanted)
    done = read_cells(options.cells)
    print(f"{sum(cell['seconds'] for cell in done):.0f} s of one core for {len(done)} cells")
    if options.document:
        document.write_tables(done, options.document)
    failed = [cell for cell in ended if "error" in cell]
    for cell in failed:
        print(f"failed: {', '.join(map(str, key_of(cell)))}: {cell['error']}", file=sys.stderr)
    if failed:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
