"""What is wrong, where, and what to do: in one line, as the exception Python expects."""

import contextlib
import gzip
import os
import subprocess
import sys

import numpy as np
import pytest

import noiseplus
from noiseplus import FairClassifier, NoiseAudit, NoiseBalancer, RobustClassifier, corrupt_labels


def bad_value(clusters, value):
    X = clusters.X.copy()
    X[3, 2] = value
    return X


def test_infinity_is_named(clusters):
    for estimator in (NoiseAudit(), NoiseBalancer(), RobustClassifier()):
        with pytest.raises(ValueError, match="row 4, column 3 is infinite or too large for a 32-bit float"):
            estimator.fit(bad_value(clusters, np.inf), clusters.y)
    too_large = clusters.X.astype(np.float64)
    too_large[3, 2] = 1e300
    with pytest.raises(ValueError, match="row 4, column 3 is infinite or too large"):
        NoiseAudit().fit(too_large, clusters.y)
    model = RobustClassifier().fit(clusters.X, clusters.y)
    with pytest.raises(ValueError, match="row 4, column 3 is infinite"):
        model.predict(bad_value(clusters, -np.inf))
    with pytest.raises(ValueError, match="row 4, column 3 is missing"):
        model.predict(bad_value(clusters, np.nan))


def test_gaps_are_taken(clusters):
    X = clusters.X.copy()
    X[::9, 0] = np.nan
    assert NoiseAudit().fit(X, clusters.y).noisier_ == 1
    model = RobustClassifier().fit(X, clusters.y)
    assert model.score(X, clusters.clean) > 0.95
    assert np.isfinite(model.predict_proba(clusters.X)).all()


OPTIONS = [
    (NoiseAudit(k=1), ValueError, "k 1: three views are needed"),
    (NoiseAudit(k=256), ValueError, "k 256: at most 255"),
    (NoiseAudit(k=-3), ValueError, "k=-3 is out of range"),
    (NoiseAudit(k="many"), TypeError, "k='many' is of a wrong type: str"),
    (NoiseAudit("magic"), ValueError, "magic"),
    (NoiseAudit(metric="taxi"), ValueError, "metric"),
    (NoiseAudit(assume="luck"), ValueError, "assume"),
    (NoiseAudit(views="none"), ValueError, "views"),
    (NoiseAudit(positive="2"), ValueError, "there is no class '2'; there are: 0, 1"),
    (NoiseAudit(anchors="some"), ValueError, "anchors='some'"),
    (NoiseAudit(anchors=0), ValueError, "anchors=0"),
    (NoiseAudit(anchors=100, precision=0.1), ValueError, "precision=0.1"),
    (NoiseAudit(precision=0.7), ValueError, "precision"),
    (NoiseAudit(anchors=100, judge_rows=True), ValueError, "judge_rows is about all rows"),
    (NoiseAudit(n_threads=0), ValueError, "n_threads=0"),
    (NoiseAudit(n_threads=1.5), TypeError, "n_threads=1.5"),
    (NoiseAudit(seed=-1), ValueError, "seed=-1 is out of range"),
    (NoiseAudit(drop=["x"]), ValueError, "X has no column called 'x'"),
    (NoiseAudit(group_columns="sex"), ValueError, "there is no column 'sex'"),
    (NoiseBalancer(scope="world"), ValueError, "scope"),
    (NoiseBalancer(scope="group"), ValueError, "group"),
    (NoiseBalancer(method="luck"), ValueError, "method"),
    (RobustClassifier(loss="magic"), ValueError, "loss magic: there are ce, backward"),
    (RobustClassifier(model="tree"), ValueError, "model tree: there are linear, mlp and trees"),
    (RobustClassifier(loss="co-teaching", model="linear"), ValueError, "co-teaching trains two networks"),
    (RobustClassifier(loss="backward", transition="luck"), ValueError, "transition luck"),
    (RobustClassifier(loss="backward", transition=[[1, 0]]), ValueError, "must have 2 rows of as many numbers"),
    (RobustClassifier(loss="backward", transition=[[0.5, 0.5], [0.5, 0.5]]), RuntimeError, "transition"),
    (RobustClassifier(loss="peer", alpha=1.0), ValueError, "alpha"),
    (RobustClassifier(loss="peer", alpha="x"), TypeError, "alpha='x'"),
    (RobustClassifier(ridge=-1.0), ValueError, "ridge must be 0 or above"),
    (RobustClassifier(hold_out=0.9), ValueError, "held out must be from 0 to 0.5"),
    (RobustClassifier(model="mlp", hidden=0), ValueError, "hidden layer"),
    (RobustClassifier(model="mlp", batch=0), ValueError, "batch"),
    (RobustClassifier(model="mlp", rate=0.0), ValueError, "rate"),
    (RobustClassifier(model="mlp", dropout=1.0), ValueError, "dropout"),
    (RobustClassifier(model="trees", trees=0), ValueError, "trees"),
    (RobustClassifier(model="trees", learning_rate=1.5), ValueError, "learning_rate"),
    (RobustClassifier(model="trees", bins=1000), ValueError, "bins"),
    (RobustClassifier(model="trees", loss="co-teaching"), ValueError, "co-teaching trains two networks"),
    (FairClassifier(model="trees", group_columns=0), ValueError, "goes with the models linear and mlp"),
    (RobustClassifier(loss="group-peer", group_rates={0: 0.1}), ValueError, "group_rates needs groups"),
    (RobustClassifier("backward", transition=[0.9, 0.1, 0.2, 0.8]), ValueError, "must have 2 rows"),
    (RobustClassifier("backward", transition=[[1, 0], [0, 1]], group_rates={0: 0.1, 1: 0.1}, group_columns=0),
     ValueError, "both say how noisy groups are"),
    (RobustClassifier(balance=True, group_rates={0: 0.1, 1: 0.1}, group_columns=0), ValueError, "give one of them"),
    (FairClassifier(noise_aware=True, transition=[[1, 0], [0, 1]], group_columns=0), ValueError, "use group_rates"),
    (FairClassifier(route="clean", group_columns=0), ValueError, "there are auto, plain, noise-aware and balance"),
    (FairClassifier(route="clean"), ValueError, "route clean: there are auto, plain, noise-aware and balance"),
    (FairClassifier(route=3), TypeError, "route=3 is of a wrong type: int"),
    (FairClassifier(route="auto", balance=True, group_columns=0), ValueError, "give one of them"),
    (FairClassifier(route="auto", scope="group", group_columns=0), ValueError, "the route is auto"),
    (FairClassifier(route="auto", transition=[[1, 0], [0, 1]], group_columns=0), ValueError, "use group_rates"),
    (FairClassifier(route="balance", group_rates={0: 0.1, 1: 0.1}, group_columns=0), ValueError, "give one of them"),
    (FairClassifier(route="plain", group_rates={0: 0.1, 1: 0.1}, group_columns=0), ValueError, "group_rates does nothing"),
    (FairClassifier(group_rates={0: 0.1, 1: 0.1}, group_columns=0), ValueError, "group_rates does nothing"),
    (FairClassifier("magic", group_columns=0), ValueError, "constraint magic: there are equalized-odds"),
    (FairClassifier(group_columns=0, loss="forward"), ValueError, "constraint goes with the losses"),
]


@pytest.mark.parametrize("estimator, kind, message", OPTIONS, ids=lambda v: str(v) if hasattr(v, "fit") else "")
def test_options(clusters, estimator, kind, message):
    with pytest.raises(kind) as raised:
        estimator.fit(np.column_stack([clusters.group, clusters.X]).astype(np.float32), clusters.y)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value) and "--" not in str(raised.value)


def test_what_cannot_be_known_is_a_runtime_error(clusters):
    by_chance = np.random.default_rng(99).integers(0, 2, 2000)
    with pytest.raises(RuntimeError, match="identified"):
        RobustClassifier(loss="backward").fit(clusters.X, by_chance)


def test_labels(clusters):
    with pytest.raises(ValueError, match="inconsistent numbers of samples: X has 2000, y has 1999"):
        NoiseAudit().fit(clusters.X, clusters.y[1:])
    with pytest.raises(ValueError, match="infinity: row 2 of 2000"):
        NoiseAudit().fit(clusters.X, np.where(np.arange(2000) == 1, np.inf, clusters.y))
    with pytest.raises(ValueError, match="row 2 of 2000"):
        noiseplus.apply_plan(np.eye(2), np.where(np.arange(2000) == 1, np.nan, clusters.y))
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        NoiseAudit().fit(clusters.X, clusters.y + 0.5)
    with pytest.raises(ValueError, match="one class only"):
        NoiseAudit().fit(clusters.X, np.zeros(2000))
    with pytest.raises(ValueError, match="cannot be compared"):
        NoiseAudit().fit(clusters.X, np.array([1, "a"] * 1000, dtype=object))
    days = np.array(["2020-01-01", "2021-01-01"], dtype="datetime64[ns]")[clusters.y]
    assert str(NoiseAudit().fit(clusters.X, days).noisier_).startswith("2021-01-01")
    with pytest.raises(ValueError, match="row 1 of 2000"):
        NoiseAudit(missing_label="error").fit(clusters.X, np.where(np.arange(2000) == 0, np.datetime64("NaT"), days))


def test_no_labels_at_all():
    shares = np.zeros((0, 2))
    for estimator in (NoiseAudit(), NoiseBalancer()):
        with pytest.raises(ValueError, match="^y has no labels$"):
            estimator.fit(None, [], probabilities=shares)


def test_forms_of_groups(clusters):
    X = np.column_stack([clusters.group, clusters.X]).astype(np.float32)
    wanted = NoiseAudit().fit(X, clusters.y, groups=clusters.group).group_rates_
    for groups in (0, np.int64(0), [0], clusters.group.tolist(), clusters.group[:, None]):
        with pytest.warns(UserWarning) if np.ndim(groups) == 2 else contextlib.nullcontext():
            found = NoiseAudit().fit(X, clusters.y, groups=groups).group_rates_
        np.testing.assert_array_equal(found, wanted)
    with pytest.raises(ValueError, match="groups has 1200"):
        NoiseAudit().fit(X, clusters.y, groups=[0, 1, 2] * 400)
    with pytest.raises(ValueError, match="X has no column 9"):
        NoiseAudit().fit(X, clusters.y, groups=9)
    pairs = np.array([["a|b", "c"], ["a", "b|c"]] * 1000)
    with pytest.raises(ValueError, match="two groups would be called the same"):
        NoiseAudit().fit(X, clusters.y, groups=pairs)


def test_groups(clusters):
    with pytest.raises(ValueError, match="groups has 3"):
        NoiseAudit().fit(clusters.X, clusters.y, groups=[1, 2, 3.0])
    with pytest.raises(ValueError, match="the group '1' has none; give one to each"):
        FairClassifier(noise_aware=True, group_rates={0: 0.1}).fit(clusters.X, clusters.y, groups=clusters.group)
    with pytest.raises(ValueError, match="add up to less than 1"):
        FairClassifier(noise_aware=True, group_rates={0: 0.1, 1: (0.5, 0.6)}).fit(
            clusters.X, clusters.y, groups=clusters.group)
    with pytest.raises(ValueError, match="all rows are of one: 'a'"):
        FairClassifier().fit(clusters.X, clusters.y, groups=["a"] * 2000)
    with pytest.warns(UserWarning, match="there is nobody to be fair to"):
        FairClassifier().fit(clusters.X, clusters.y)
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        FairClassifier().fit(clusters.X, np.arange(2000) % 3, groups=clusters.group)


@pytest.mark.parametrize("arguments, message", [
    ({}, "how noisy"), ({"rates": {0: 0.1}, "random_gap": 0.1}, "how noisy"), ({"rates": {5: 0.1}}, "no class '5'"),
    ({"rates": {0: 1.5}}, "from 0 to 1"), ({"transition": [[1]]}, "2 x 2"),
    ({"transition": [[0.5, 0.6], [0, 1]]}, "row 1"), ({"group_rates": {0: 0.1}}, "both groups and group_rates"),
    ({"random_gap": 0.9}, "gap"), ({"group_rates": {"x": 0.1}, "groups": [0, 1, 0, 1]}, "no group 'x'")], ids=str)
def test_corruption(arguments, message):
    with pytest.raises(ValueError) as raised:
        corrupt_labels([0, 1, 0, 1], **arguments)
    assert message in str(raised.value)


def test_what_is_said_is_said_in_python(clusters):
    """No flags, no files; what the user has written is left as it is."""
    said = noiseplus._core.in_python_terms
    assert said("--hold-out 2: leave --rows out") == "hold_out 2: leave judge_rows out"
    assert said("give --transition FILE, or use --loss ce") == "give transition as a matrix, or use loss ce"
    assert said("--group-rate and --groups, --group; '--x-y' stays, a--b too") == (
        "group_rates and groups, groups; '--x-y' stays, a--b too")
    audit = NoiseAudit(anchors=500).fit(clusters.X, clusters.y)
    assert "with anchors, auto is moments" in str(audit.report())
    assert "--" not in str(audit.report()) and "--anchors" not in audit.report()._repr_html_()


def test_a_failed_refit_leaves_nothing(clusters):
    model = RobustClassifier().fit(clusters.X, np.array(["a", "b"])[clusters.y])
    with pytest.raises(ValueError):
        model.set_params(ridge=-1.0).fit(clusters.X, np.array(["x", "y"])[clusters.y])
    for call in (model.predict, model.predict_proba):
        with pytest.raises(ValueError, match="not fitted yet"):
            call(clusters.X)
    with pytest.raises(ValueError, match="not fitted yet"):
        model.report()


@pytest.mark.parametrize("lie", [np.asfortranarray, lambda T: T[::-1, ::-1][::-1, ::-1], lambda T: T.astype("f4")],
                         ids=["fortran", "strided", "single"])
def test_matrices_are_read_however_they_lie(clusters, lie):
    T = np.array([[0.8, 0.2, 0.0], [0.0, 0.8, 0.2], [0.25, 0.0, 0.75]])
    y = np.arange(2000) % 3
    wide = np.zeros((6, 6))
    wide[::2, ::2] = T
    for matrix in (lie(T), wide[::2, ::2]):
        np.testing.assert_array_equal(corrupt_labels(y, transition=matrix), corrupt_labels(y, transition=T.tolist()))
        model = RobustClassifier("forward", transition=matrix).fit(clusters.X, y)
        np.testing.assert_allclose(model.transition_, T, rtol=1e-7)
        np.testing.assert_allclose(noiseplus.balancing_plan(matrix), noiseplus.balancing_plan(T.tolist()), atol=1e-7)


def test_classes_that_do_not_occur(clusters):
    shares = np.array([[0.8, 0.1, 0.1], [0.1, 0.1, 0.8], [0.1, 0.8, 0.1]] * 20)
    y = np.array([0, 2, 0] * 20)
    T, prior = np.full((3, 3), 0.1) + 0.7 * np.eye(3), np.full(3, 1 / 3)
    with pytest.raises(ValueError, match="3 classes, and 2 classes; say with classes="):
        noiseplus.label_quality(shares, y, T, prior)
    with pytest.raises(ValueError, match="say with classes="):
        noiseplus.estimate_from_probabilities(shares, y)
    right, likeliest = noiseplus.label_quality(shares, y, T, prior, classes=[0, 1, 2])
    assert likeliest[:3].tolist() == [0, 2, 1] and right[0] > 0.5 > right[2]
    assert noiseplus.evaluate([0, 0, 0], [0, 1, 0]).to_dict()["accuracy"] == pytest.approx(2 / 3)


def test_anchors(clusters):
    all_ids, _ = noiseplus.nearest_neighbors(clusters.X, k=2)
    mask = np.zeros(2000, dtype=bool)
    mask[7] = True
    for anchors in ([7], mask, np.array([7])):
        np.testing.assert_array_equal(noiseplus.nearest_neighbors(clusters.X, k=2, anchors=anchors)[0], all_ids[[7]])
    assert noiseplus.nearest_neighbors(clusters.X, k=2, anchors=[])[0].shape == (0, 2)
    for anchors, kind in (([1.7], TypeError), ([-1], ValueError), ([2000], ValueError), (mask[1:], ValueError)):
        with pytest.raises(kind, match="anchors"):
            noiseplus.nearest_neighbors(clusters.X, k=2, anchors=anchors)


def test_forms_of_options(clusters):
    base = NoiseAudit(n_threads=np.int64(2), missing=None, drop=None, seed=np.int64(3)).fit(clusters.X, clusters.y)
    np.testing.assert_array_equal(base.noise_rates_, NoiseAudit(seed=3).fit(clusters.X, clusters.y).noise_rates_)
    with pytest.raises(RuntimeError, match="interrupted"):
        noiseplus.nearest_neighbors(np.random.default_rng(0).random((30000, 64), dtype=np.float32), k=20, n_threads=1,
                                     progress=lambda stage, done: np.bool_(False))
    for call in (lambda: corrupt_labels([0, 1], {0: 0.1}, seed=-1), lambda: noiseplus.nearest_neighbors(clusters.X, -1)):
        with pytest.raises(ValueError, match="out of range"):
            call()


def test_masked_arrays_have_gaps(clusters):
    masked = np.ma.masked_array(clusters.X.copy(), np.zeros_like(clusters.X, dtype=bool))
    masked.mask[::7, 0] = True
    masked.data[::7, 0] = 1e6
    filled = clusters.X.astype(np.float64)
    filled[::7, 0] = np.nan
    np.testing.assert_array_equal(RobustClassifier().fit(masked, clusters.y).coef_,
                                  RobustClassifier().fit(filled, clusters.y).coef_)


def test_files(clusters, tmp_path):
    model = RobustClassifier().fit(clusters.X, clusters.y)
    with pytest.raises(OSError, match="nowhere"):
        model.save(tmp_path / "nowhere" / "m")
    (tmp_path / "damaged").write_bytes(b"noise")
    with pytest.raises(ValueError, match="damaged"):
        noiseplus.load_model(tmp_path / "damaged")


def test_a_compressed_model_has_a_limit_that_can_be_raised(clusters, tmp_path):
    model = RobustClassifier().fit(clusters.X, clusters.y)
    model.save(tmp_path / "m")
    (tmp_path / "m.gz").write_bytes(gzip.compress((tmp_path / "m").read_bytes()))
    size = (tmp_path / "m").stat().st_size
    with pytest.raises(ValueError, match="m.gz: .*unpack.*, the limit max_unpacked;"):
        noiseplus.load_model(tmp_path / "m.gz", max_unpacked=size - 1)
    loaded = noiseplus.load_model(tmp_path / "m.gz", max_unpacked=size)
    np.testing.assert_array_equal(loaded.predict_proba(clusters.X), model.predict_proba(clusters.X))


@pytest.mark.skipif(os.environ.get("NOISEPLUS_SANITIZE", "") != "", reason="sanitizers reserve terabytes of addresses")
def test_out_of_memory_is_a_memory_error():
    """In a process of its own, with less memory than the neighbor search of all rows needs."""
    code = """if True:
        import resource
        import numpy as np
        import noiseplus
        X = np.random.default_rng(0).normal(size=(60000, 200)).astype(np.float32)
        y = np.arange(60000) % 2
        noiseplus.NoiseAudit(n_threads=1).fit(X[:500], y[:500])
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 2**24, used + 2**24))
        try:
            noiseplus.NoiseAudit(n_threads=1).fit(X, y)
        except MemoryError:
            print("MemoryError")
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "MemoryError\n"), done.stderr


@pytest.mark.parametrize("text", ["'[' * 120000", "'[' * 120000 + ']' * 120000", "'{\"a\":' * 120000 + '1' + '}' * 120000"])
def test_a_page_of_deeply_nested_json_is_refused(tmp_path, text):
    """In a process of its own: a parser that goes as deep would overflow the stack."""
    code = f"""if True:
        from noiseplus._report import Report
        for kind in ("audit", "training", "evaluation"):
            try:
                Report(kind, {text}, "").to_html("page.html")
            except ValueError as error:
                print(error)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"{kind}.json: is nested too deeply; give a report in JSON as it was written"
                                        for kind in ("audit", "training", "evaluation")]
    assert not (tmp_path / "page.html").exists()


def test_the_core_checks_what_it_is_given(clusters):
    core = noiseplus._core
    with pytest.raises(TypeError, match="float32 or float16"):
        core.neighbors(clusters.X.astype(np.float64), 2, "euclidean", [], 0)
    with pytest.raises(TypeError, match="C-contiguous"):
        core.neighbors(clusters.X[:, ::2], 2, "euclidean", [], 0)
    with pytest.raises(ValueError, match="row 1 has label 2; give codes from 0 to 1"):
        core.Data(clusters.X, {"codes": np.full(2000, 2, np.int32), "classes": ["a", "b"]})
    with pytest.raises(TypeError, match="no option called kk"):
        core.audit(core.Data(clusters.X, {}), {"kk": 3})
    with pytest.raises(RuntimeError, match="one class only"):
        core.audit(core.Data(clusters.X, {}), {})
    with pytest.raises(ValueError):
        core.evaluate(np.zeros(3, np.int32), np.zeros(2, np.int32), ["a", "b"], 1, np.zeros(0, np.int32), [])
    with pytest.raises(ValueError):
        core.label_quality(np.ones((3, 2), np.float32), np.zeros(3, np.int32), np.eye(3), np.ones(2) / 2)
    with pytest.raises(ValueError):
        core.estimate(clusters.X, np.zeros(3, np.int32), ["a", "b"], {})
    for code in (10**9, -5, 2):
        with pytest.raises(ValueError, match="out of range"):
            core.estimate(clusters.X, np.full(2000, code, np.int32), ["a", "b"], {})
    import datetime

    with pytest.raises(TypeError, match="no Arrow stream"):
        core.Table.from_arrow(datetime.datetime_CAPI, "X", [], [])
    assert not core.Data(clusters.X, {}).features.flags.writeable
    with pytest.raises(ValueError):
        core.loss_targets("peer", np.full(3, 9, np.int32), 2)
    with pytest.raises(ValueError):
        core.draw_labels(np.full(3, 9, np.int32), np.zeros(0, np.int32), np.eye(2)[None], 0, True)
    with pytest.raises(ValueError):
        core.draw_labels(np.zeros(3, np.int32), np.zeros(2, np.int32), np.stack([np.eye(2)] * 2), 0, True)
    with pytest.raises(ValueError):
        core.neighbors(clusters.X, 2, "euclidean", [5000], 0)
