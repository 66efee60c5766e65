"""Threads are as many as were asked for, and survive forks and other people's thread pools."""

import importlib.util
import multiprocessing
import os
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import noiseplus
from noiseplus import NoiseAudit, RobustClassifier, nearest_neighbors


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20000, 40)).astype(np.float32)
    return X, (X[:, 0] > 0).astype(int)


def threads_of_this_process():
    return set(os.listdir("/proc/self/task"))


@pytest.mark.parametrize("n_threads", [1, 2, 5])
def test_as_many_as_asked(rows, n_threads):
    before, most = threads_of_this_process(), 0

    def look(stage, done):
        nonlocal most
        most = max(most, len(threads_of_this_process() - before))

    # One thread works and n - 1 help it; the caller's own waits. A call that is over before a thread
    # has begun is repeated with more neighbors.
    for k in (5, 50, 500):
        nearest_neighbors(rows[0], k=k, n_threads=n_threads, progress=look)
        assert most <= n_threads
        if most == n_threads:
            break
    assert most == n_threads
    # A thread that has ended may be listed for a moment more.
    deadline = time.monotonic() + 20
    while threads_of_this_process() - before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not threads_of_this_process() - before


def rates_in_child(arguments):
    X, y = arguments
    return NoiseAudit().fit(X, y).noise_rates_


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_pool_of_processes(rows, method):
    X, y = rows[0][:3000], rows[1][:3000]
    alone = rates_in_child((X, y))  # threads have run in this process before it is forked
    with multiprocessing.get_context(method).Pool(2) as pool:
        found = pool.map_async(rates_in_child, [(X, y)] * 4).get(timeout=120)
    for rates in found:
        np.testing.assert_array_equal(rates, alone)


def test_joblib(rows):
    joblib = pytest.importorskip("joblib")
    X, y = rows[0][:3000], rows[1][:3000]
    alone = rates_in_child((X, y))
    for backend in ("loky", "multiprocessing", "threading"):
        found = joblib.Parallel(n_jobs=2, backend=backend, timeout=120)(
            joblib.delayed(rates_in_child)((X, y)) for _ in range(3))
        for rates in found:
            np.testing.assert_array_equal(rates, alone)


def test_no_openmp_of_our_own():
    """A second OpenMP runtime in one process is what makes wheels hang: we bring none."""
    needed = subprocess.run(["ldd", noiseplus._core.__file__], capture_output=True, text=True).stdout
    assert "libstdc++" in needed
    assert "omp" not in needed and "openblas" not in needed and "mkl" not in needed


def test_two_openmp_runtimes_in_the_process(rows):
    """GCC's by scikit-learn and LLVM's, where it is installed, both with threads of their own."""
    pytest.importorskip("sklearn")
    script = textwrap.dedent("""
        import ctypes.util, sys
        import numpy as np
        from sklearn.cluster import KMeans
        for name in ("libomp.so.5", "libomp5.so", "libomp.so"):
            try:
                omp = ctypes.CDLL(name)
                omp.omp_get_max_threads()
                break
            except OSError:
                continue
        rng = np.random.default_rng(0)
        X = rng.normal(size=(3000, 8)).astype(np.float32)
        y = (X[:, 0] > 0).astype(int)
        KMeans(4, n_init=2, random_state=0).fit(X)
        from noiseplus import NoiseAudit
        first = NoiseAudit(n_threads=2).fit(X, y).noise_rates_
        KMeans(4, n_init=2, random_state=0).fit(X)
        second = NoiseAudit(n_threads=2).fit(X, y).noise_rates_
        assert np.array_equal(first, second)
        runtimes = {line.split()[-1] for line in open("/proc/self/maps") if "omp" in line.split("/")[-1]}
        print(len(runtimes), *runtimes)
    """)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    if importlib.util.find_spec("torch") is None and not os.path.exists("/usr/lib/x86_64-linux-gnu/libomp.so.5"):
        pytest.skip("there is no second OpenMP runtime here")
    assert int(done.stdout.split()[0]) >= 2, done.stdout


def test_nothing_is_copied(rows):
    """The engine looks at the very memory of the array."""
    X, y = rows
    codes = {"codes": y.astype(np.int32), "classes": ["0", "1"]}
    for array in (X, X.astype(np.float16)):
        data = noiseplus._core.Data(array, codes)
        assert data.features.__array_interface__["data"][0] == array.__array_interface__["data"][0]
    readonly = X.copy()
    readonly.flags.writeable = False
    assert np.shares_memory(noiseplus._core.Data(readonly, codes).features, readonly)


@pytest.mark.parametrize("call", ["NoiseAudit(anchors=200)", "RobustClassifier(steps=2)"])
@pytest.mark.parametrize("form", ["float32", "float64"])
def test_memory_of_a_call(call, form):
    """Beside 61 MB of floats there is no room for a second copy of them; of doubles one is made."""
    script = textwrap.dedent(f"""
        import numpy as np
        from noiseplus import NoiseAudit, RobustClassifier

        def status(field):
            with open("/proc/self/status") as file:
                return next(int(line.split()[1]) for line in file if line.startswith(field)) / 1024

        X = np.random.default_rng(0).random((80000, 200), dtype=np.float32)
        X = X.astype(np.{form}, copy=False)
        y = (X[:, 0] > 0.5).astype(np.int32)
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
        before = status("VmRSS:")
        {call}.fit(X, y)
        print(status("VmHWM:") - before)
    """)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    added = float(done.stdout)
    assert (added < 40) == (form == "float32"), f"{added:.0f} MB"


def test_results_outlive_what_they_came_from(rows):
    ids, distances = nearest_neighbors(rows[0][:500].copy(), k=3)
    model = RobustClassifier().fit(rows[0][:500].copy(), rows[1][:500])
    layers = model.model_.layers
    del model
    assert ids.max() < 500 and np.isfinite(distances).all() and np.isfinite(layers[0][0]).all()
