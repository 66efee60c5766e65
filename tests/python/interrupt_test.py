"""Long work shows how far it is, and stops when it is told to: within half a second of computing."""

import os
import resource
import select
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

from noiseplus import FairClassifier, NoiseAudit, NoiseBalancer, RobustClassifier, nearest_neighbors

# Long enough that nothing here is done before it is interrupted.
ROWS, COLUMNS = 60000, 64

WORK = {
    "audit": "NoiseAudit().fit(X, y)",
    "table": "NoiseAudit(scale=True).fit(X, y)",
    "neighbors": "nearest_neighbors(X, k=200)",
    "balance": "NoiseBalancer().fit_resample(X, y)",
    "backward": "RobustClassifier(loss='backward').fit(X, y)",
    "peer": "RobustClassifier(loss='peer', alpha_folds=50).fit(X, y)",
    "mlp": "RobustClassifier(model='mlp', epochs=500).fit(X, y)",
    "trees": "RobustClassifier(model='trees', trees=100000).fit(X, y)",
    "large batches": "RobustClassifier(model='mlp', epochs=500, hidden=1024, batch=20000).fit(X, y)",
    "fair": "FairClassifier(model='mlp', epochs=50).fit(X, y, groups=g)",
}


def processor_seconds(pid):
    """What all threads of a process have used so far: other programs on the machine do not count."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("work", WORK)
def test_ctrl_c(work):
    script = textwrap.dedent(f"""
        import time
        import numpy as np
        from noiseplus import *
        rng = np.random.default_rng(0)
        X = rng.normal(size=({ROWS}, {COLUMNS})).astype(np.float32)
        y = (X[:, 0] + rng.normal(size={ROWS}) > 0).astype(int)
        g = rng.integers(0, 2, {ROWS})
        print("ready", flush=True)
        try:
            {WORK[work]}
            print("done", flush=True)
        except KeyboardInterrupt:
            print("stopped", time.process_time(), flush=True)
    """)
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.6)
    used = processor_seconds(child.pid)
    os.kill(child.pid, signal.SIGINT)
    answer = child.communicate(timeout=60)[0].split()
    assert answer[0] == "stopped", "the work was done before it could be interrupted"
    assert float(answer[1]) - used < 0.5 * len(os.sched_getaffinity(0))


def test_ctrl_c_while_a_model_is_waited_for(tmp_path):
    """Nobody ever writes to the pipe; other threads go on meanwhile."""
    os.mkfifo(tmp_path / "pipe")
    script = textwrap.dedent(f"""
        import threading, time
        from noiseplus import load_model
        def say():
            time.sleep(0.3)
            print("waiting", flush=True)
        threading.Thread(target=say, daemon=True).start()
        try:
            load_model({str(tmp_path / "pipe")!r})
        except KeyboardInterrupt:
            print("stopped", time.process_time(), flush=True)
    """)
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    try:
        reader, _, _ = select.select([child.stdout], [], [], 20)
        assert reader, "the lock is held while the model is read"
        assert child.stdout.readline() == "waiting\n"
        used = processor_seconds(child.pid)
        os.kill(child.pid, signal.SIGINT)
        answer = child.communicate(timeout=20)[0].split()
        assert answer[0] == "stopped" and float(answer[1]) - used < 0.5
    finally:
        child.kill()


@pytest.mark.skipif(os.environ.get("NOISEPLUS_SANITIZE", "") != "", reason="a sanitizer starts threads of its own")
def test_a_system_without_threads_is_out_of_memory():
    """The stack of a new thread would be larger than all addresses."""
    script = textwrap.dedent("""
        import numpy as np
        from noiseplus import nearest_neighbors
        try:
            nearest_neighbors(np.zeros((10, 2), np.float32), k=2)
        except MemoryError:
            print("no memory")
    """)
    _, hard = resource.getrlimit(resource.RLIMIT_STACK)
    if hard != resource.RLIM_INFINITY:
        pytest.skip("the stack's limit cannot be raised")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60,
                          env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (1 << 50, hard)))
    assert (done.returncode, done.stdout) == (0, "no memory\n"), done.stderr


def test_the_process_may_end_meanwhile():
    """A daemon's work is stopped, and nothing crashes."""
    script = textwrap.dedent("""
        import threading, time
        import numpy as np
        from noiseplus import RobustClassifier
        X = np.random.default_rng(0).random((20000, 32), dtype=np.float32)
        y = (X[:, 0] > 0.5).astype(int)
        model = RobustClassifier(model="mlp", epochs=100000)
        threading.Thread(target=lambda: model.fit(X, y), daemon=True).start()
        time.sleep(0.5)
        print("over", flush=True)
    """)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "over\n"), done.stderr


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20000, 32)).astype(np.float32)
    return X, (X[:, 0] + rng.normal(size=20000) > 0).astype(int), rng.integers(0, 2, 20000)


def estimators(progress, epochs=3):
    return [NoiseAudit(progress=progress), NoiseBalancer(progress=progress),
            RobustClassifier(loss="peer", progress=progress),
            FairClassifier(model="mlp", epochs=epochs, tolerance=0.05, progress=progress)]


@pytest.mark.parametrize("place", range(4))
def test_progress_is_told_and_ends(rows, place):
    seen = []
    X, y, groups = rows
    estimator = estimators(lambda stage, done: seen.append((stage, done)))[place]
    estimator.fit(X, y, groups=groups)
    assert seen and all(stage and 0 <= done <= 1 for stage, done in seen)


@pytest.mark.parametrize("place", range(4))
def test_a_callback_stops_the_work(rows, place):
    # The callback is asked every 50 ms: the work lasts longer than that on any machine.
    X, y, groups = (np.tile(part, (8, 1) if part.ndim == 2 else 8) for part in rows)
    X = X + np.random.default_rng(1).normal(size=X.shape).astype(np.float32)
    with pytest.raises(RuntimeError, match="interrupted"):
        estimators(lambda stage, done: False, epochs=1000)[place].fit(X, y, groups=groups)


def test_what_a_callback_raises_comes_out(rows):
    def fail(stage, done):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        NoiseAudit(progress=fail).fit(rows[0], rows[1])


def test_other_threads_go_on_meanwhile(rows):
    """The lock is released: a thread that only counts keeps counting."""
    import threading

    counts, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counts[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    start = time.perf_counter()
    RobustClassifier(model="mlp", epochs=100, n_threads=1).fit(rows[0], rows[1])
    took = time.perf_counter() - start
    stop.set()
    thread.join()
    assert took > 0.2
    assert counts[0] > 100 * took  # of some 900 a second at rest


def test_two_calls_at_once(rows):
    from concurrent.futures import ThreadPoolExecutor

    X, y, _ = rows
    X, y = X[:4000], y[:4000]
    alone = NoiseAudit().fit(X, y).noise_rates_
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: NoiseAudit(n_threads=2).fit(X, y).noise_rates_, range(8)))
    for rates in found:
        np.testing.assert_array_equal(rates, alone)


def test_a_bar_where_tqdm_is(rows, capsys):
    pytest.importorskip("tqdm")
    NoiseAudit(progress=True).fit(rows[0][:8000], rows[1][:8000])
    assert "%" in capsys.readouterr().err
