"""The searches of PyPI on one file of rows: faiss-cpu's flat index, and scikit-learn's.

    python peers.py faiss|scikit-learn FILE.npy --k 2 --k 10 [--queries 8192] [--tree-queries 100] [--runs 3]
    python peers.py sgemm --size 4000

Run by the interpreter of a virtual environment that has them. Each measurement is a JSON object on a line of its own,
with the seconds of the fastest run on `queries` rows and, apart, those it took to prepare.
"""
import argparse
import json
import time

import numpy

THREADS = 2
# Rows of a block of queries and of the base, of which faiss multiplies one with the other. The first is its default.
FAISS_BLOCKS = ((4096, 1024), (1024, 1024), (1024, 4096), (256, 1024))
LEAF_SIZES = (40, 400)  # the first is scikit-learn's usual one; with little to prune a larger one is faster
TUNING_QUERIES = 4096  # enough to tell the settings apart: the largest block of queries
ENOUGH_SECONDS = 10  # no further run once a measurement has taken as long


def best_seconds(work, runs):
    best, spent, done = float("inf"), 0.0, 0
    while done < runs and spent < ENOUGH_SECONDS:
        start = time.perf_counter()
        work()
        seconds = time.perf_counter() - start
        best, spent, done = min(best, seconds), spent + seconds, done + 1
    return best, done


def report(**measurement):
    print(json.dumps(measurement), flush=True)


def spread_evenly(rows, count):
    count = min(len(rows), count)
    return rows[numpy.arange(count) * len(rows) // count]


def run_faiss(rows, ks, queries, runs):
    import faiss

    faiss.omp_set_num_threads(THREADS)
    index = faiss.IndexFlatL2(rows.shape[1])
    index.add(rows)
    sample = spread_evenly(rows, queries)

    def seconds_with(blocks, k, sample, runs):
        faiss.cvar.distance_compute_blas_query_bs, faiss.cvar.distance_compute_blas_database_bs = blocks
        return best_seconds(lambda: index.search(sample, k + 1), runs)

    index.search(sample[:TUNING_QUERIES], 1)  # warms up
    for k in ks:
        fastest = min(FAISS_BLOCKS, key=lambda blocks: seconds_with(blocks, k, sample[:TUNING_QUERIES], 1)[0])
        seconds, done = seconds_with(fastest, k, sample, runs)
        report(search=f"faiss-cpu {faiss.__version__}", setting=f"blocks of {fastest[0]} x {fastest[1]}", k=k,
               queries=len(sample), seconds=seconds, prepare=0, runs=done)


def run_scikit_learn(rows, ks, queries, tree_queries, runs):
    import sklearn
    from sklearn.neighbors import NearestNeighbors

    for algorithm in ("brute", "kd_tree", "ball_tree"):
        is_tree = algorithm != "brute"
        sample = spread_evenly(rows, tree_queries if is_tree else queries)
        models = {}
        for leaf_size in LEAF_SIZES if is_tree else LEAF_SIZES[:1]:
            model = NearestNeighbors(algorithm=algorithm, leaf_size=leaf_size, n_jobs=THREADS)
            prepare, _ = best_seconds(lambda: model.fit(rows), 1)
            models[leaf_size] = model, prepare
        for k in ks:
            def seconds_with(leaf_size, sample, runs):
                model = models[leaf_size][0]
                return best_seconds(lambda: model.kneighbors(sample, k + 1), runs)

            fastest = LEAF_SIZES[0]
            if is_tree:
                half = sample[:len(sample) // 2]
                fastest = min(models, key=lambda leaf_size: seconds_with(leaf_size, half, 1)[0])
            seconds, done = seconds_with(fastest, sample, runs)
            report(search=f"scikit-learn {sklearn.__version__} {algorithm}",
                   setting=f"leaves of {fastest}" if is_tree else "", k=k, queries=len(sample), seconds=seconds,
                   prepare=models[fastest][1], runs=done)


def run_sgemm(size):
    matrix = numpy.random.default_rng(0).standard_normal((size, size), dtype=numpy.float32)
    seconds, _ = best_seconds(lambda: matrix @ matrix, 7)
    report(sgemm=f"numpy {numpy.__version__}", gflops=2 * size**3 / seconds / 1e9)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("faiss", "scikit-learn", "sgemm"))
    parser.add_argument("file", nargs="?")
    parser.add_argument("--k", type=int, action="append", default=[])
    parser.add_argument("--queries", type=int, default=8192)
    parser.add_argument("--tree-queries", type=int, default=100)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--size", type=int, default=4000, help="of the matrices of sgemm")
    arguments = parser.parse_args()
    if arguments.what == "sgemm":
        run_sgemm(arguments.size)
    elif arguments.what == "faiss":
        run_faiss(numpy.load(arguments.file), arguments.k, arguments.queries, arguments.runs)
    else:
        run_scikit_learn(numpy.load(arguments.file), arguments.k, arguments.queries, arguments.tree_queries,
                         arguments.runs)


if __name__ == "__main__":
    main()
