"""The same data and seed give the same numbers, bit for bit, from Python and the command line."""

import numpy as np
import pytest

import noiseplus
from conftest import without_times
from noiseplus import FairClassifier, NoiseAudit, NoiseBalancer, RobustClassifier, corrupt_labels

pd = pytest.importorskip("pandas")

ESTIMATORS = ["auto", "curve", "moments", "latent-class", "edges", "overlap", "confident", "paper"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, clusters):
    folder = tmp_path_factory.mktemp("parity")
    np.save(folder / "X.npy", clusters.X)
    np.save(folder / "half.npy", clusters.X.astype(np.float16))
    np.save(folder / "double.npy", clusters.X.astype(np.float64) * (1 + 1e-9))
    np.save(folder / "y.npy", clusters.y)
    np.save(folder / "g.npy", clusters.group)
    table(clusters).to_csv(folder / "t.csv", index=False)
    return folder


def table(clusters):
    rng = np.random.default_rng(5)
    rows = len(clusters.y)
    frame = pd.DataFrame({"a": clusters.X[:, 0].round(3).astype(float), "b": rng.integers(0, 50, rows)})
    frame["city"] = np.array(["Ulm", "Bonn", "Köln", "?", "Aix la Chapelle"])[rng.integers(0, 5, rows)]
    frame["mark"] = frame["city"].astype("category")
    frame.loc[rng.random(rows) < 0.1, "b"] = np.nan
    frame["sex"] = np.array(["f", "m"])[clusters.group]
    frame["income"] = np.array([">50K", "<=50K"])[clusters.y]
    return frame


@pytest.mark.parametrize("name", ["X", "half", "double"])
def test_audit_of_arrays(program, folder, clusters, name):
    program("audit", "--labels", "y.npy", "--json", "out.json", "--rows", "rows.csv", f"{name}.npy", folder=folder)
    audit = NoiseAudit().fit(np.load(folder / f"{name}.npy"), clusters.y)
    assert without_times(audit.report().to_json()) == without_times((folder / "out.json").read_text())
    rows = pd.read_csv(folder / "rows.csv")
    np.testing.assert_array_equal(rows["suggested"], audit.suggested_labels_)
    np.testing.assert_allclose(rows["probability"], audit.label_quality_, atol=5.1e-7)


def test_rows_are_said_to_be_calibrated_or_a_ranking(clusters):
    said = set()
    for assume in ("embedding", "table"):
        X = clusters.X if assume == "embedding" else clusters.X * 0.05 + np.random.default_rng(1).normal(size=clusters.X.shape)
        audit = NoiseAudit(assume=assume).fit(X.astype(np.float32), clusters.y)
        word = audit.report().to_dict()["row_probabilities"]
        assert audit.rows_are_calibrated_ is (word == "calibrated")
        text = " ".join(str(audit.report()).split())
        assert ("Row probabilities are calibrated" in text) is audit.rows_are_calibrated_
        assert ("Row probabilities are a ranking" in text) is not audit.rows_are_calibrated_
        said.add(word)
    assert said == {"calibrated", "ranking"}
    assert NoiseAudit(judge_rows=False).fit(clusters.X, clusters.y).rows_are_calibrated_ is None


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_every_estimator(program, folder, clusters, estimator):
    program("audit", "X.npy", "--labels", "y.npy", "--estimator", estimator, "--k", 4, "--seed", 7,
            "--json", "e.json", folder=folder)
    audit = NoiseAudit(estimator, k=4, seed=7).fit(clusters.X, clusters.y)
    assert without_times(audit.report().to_json()) == without_times((folder / "e.json").read_text())


def test_audit_by_groups_metrics_and_anchors(program, folder, clusters):
    program("audit", "X.npy", "--labels", "y.npy", "--groups", "g.npy", "--metric", "cosine", "--json", "g.json",
            folder=folder)
    audit = NoiseAudit(metric="cosine").fit(clusters.X, clusters.y, groups=clusters.group)
    assert without_times(audit.report().to_json()) == without_times((folder / "g.json").read_text())
    program("audit", "X.npy", "--labels", "y.npy", "--anchors", 500, "--json", "a.json", folder=folder)
    audit = NoiseAudit(anchors=500).fit(clusters.X, clusters.y)
    assert without_times(audit.report().to_json()) == without_times((folder / "a.json").read_text())
    program("audit", "X.npy", "--labels", "y.npy", "--anchors", "auto", "--precision", 0.05, "--json", "p.json",
            folder=folder)
    audit = NoiseAudit(anchors="auto", precision=0.05).fit(clusters.X, clusters.y)
    assert without_times(audit.report().to_json()) == without_times((folder / "p.json").read_text())


def test_tables_by_pandas(program, folder, clusters):
    program("audit", "t.csv", "--label", "income", "--group", "sex", "--json", "t.json", folder=folder)
    audit = NoiseAudit().fit(table(clusters), "income", groups="sex")
    assert without_times(audit.report().to_json()) == without_times((folder / "t.json").read_text())
    frame = table(clusters)
    separate = NoiseAudit().fit(frame.drop(columns="income"), frame["income"], groups=frame["sex"])
    assert without_times(separate.report().to_json()) == without_times(audit.report().to_json())


@pytest.mark.parametrize("seed", [0, 3])
def test_balance(program, folder, clusters, seed):
    program("balance", "X.npy", "--labels", "y.npy", "--seed", seed, "--output", "b.npy", "--json", "b.json",
            folder=folder)
    balancer = NoiseBalancer(seed=seed)
    X, y = balancer.fit_resample(clusters.X, clusters.y)
    assert X is clusters.X
    np.testing.assert_array_equal(np.load(folder / "b.npy"), y)
    assert without_times(balancer.report().to_json()) == without_times((folder / "b.json").read_text())
    np.testing.assert_array_equal(balancer.flipped_, y != clusters.y)
    assert balancer.flipped_.any()


LOSSES = [
    ({"loss": "ce"}, []),
    ({"loss": "backward"}, ["--loss", "backward"]),
    ({"loss": "forward", "transition": "confident"}, ["--loss", "forward", "--transition", "confident"]),
    ({"loss": "peer", "alpha_folds": 2}, ["--loss", "peer", "--alpha-folds", 2]),
    ({"loss": "co-teaching", "epochs": 2, "forget": 0.2}, ["--loss", "co-teaching", "--epochs", 2, "--forget", 0.2]),
    ({"loss": "ce", "model": "mlp", "epochs": 2, "hold_out": 0.2},
     ["--model", "mlp", "--epochs", 2, "--hold-out", 0.2]),
    ({"loss": "forward", "model": "trees", "trees": 30, "learning_rate": 0.2, "leaves": 7, "depth": 3, "min_leaf_rows": 9,
      "leaf_ridge": 1.0, "bins": 32, "row_share": 0.9, "column_share": 0.7},
     ["--loss", "forward", "--model", "trees", "--trees", 30, "--learning-rate", 0.2, "--leaves", 7, "--depth", 3,
      "--min-leaf-rows", 9, "--leaf-ridge", 1, "--bins", 32, "--row-share", 0.9, "--column-share", 0.7]),
    ({"loss": "ce", "model": "trees", "hold_out": 0.2}, ["--model", "trees", "--hold-out", 0.2]),
    ({"loss": "ce", "balance": True, "force": True}, ["--balance", "--force"]),
]


@pytest.mark.parametrize("options, flags", LOSSES, ids=lambda v: "" if isinstance(v, list) else "-".join(map(str, v.values())))
def test_models_are_the_same_bytes(program, folder, clusters, tmp_path, options, flags):
    program("train", "X.npy", "--labels", "y.npy", *flags, "--output", "m.model", folder=folder)
    model = RobustClassifier(**options).fit(clusters.X, clusters.y)
    model.save(tmp_path / "p.model")
    assert (tmp_path / "p.model").read_bytes() == (folder / "m.model").read_bytes()


def test_predictions_of_a_model_of_a_table(program, folder, clusters, tmp_path):
    program("train", "t.csv", "--label", "income", "--output", "t.model", folder=folder)
    frame = table(clusters)
    model = RobustClassifier().fit(frame.drop(columns="income"), frame["income"])
    model.save(tmp_path / "p.model")
    assert (tmp_path / "p.model").read_bytes() == (folder / "t.model").read_bytes()
    program("predict", "t.model", "t.csv", "--output", "p.csv", folder=folder)
    said = pd.read_csv(folder / "p.csv")
    np.testing.assert_array_equal(said["prediction"], model.predict(frame.drop(columns="income")))
    loaded = noiseplus.load_model(folder / "t.model")
    np.testing.assert_array_equal(loaded.predict(frame.drop(columns="income")), said["prediction"])
    np.testing.assert_array_equal(loaded.predict_proba(frame), model.predict_proba(frame.drop(columns="income")))


FAIR = [({}, []),
        ({"noise_aware": True, "group_rates": {0: 0.1, 1: (0.1, 0.3)}, "tolerance": 0.05},
         ["--noise-aware", "--group-rate", "0=0.1", "--group-rate", "1=0.1:0.3", "--tolerance", 0.05]),
        ({"route": "auto"}, ["--route", "auto"]),
        ({"loss": "group-peer", "alpha": 0.1, "group_rates": {0: 0.1, 1: 0.2}},
         ["--loss", "group-peer", "--alpha", 0.1, "--group-rate", "0=0.1", "--group-rate", "1=0.2"])]


@pytest.mark.parametrize("options, flags", FAIR, ids=["plain", "noise-aware", "route", "group-peer"])
def test_fair_models(program, folder, clusters, tmp_path, options, flags):
    program("train", "X.npy", "--labels", "y.npy", "--groups", "g.npy", "--fair", "equalized-odds", *flags,
            "--output", "f.model", folder=folder)
    model = FairClassifier("equalized-odds", **options).fit(clusters.X, clusters.y, groups=clusters.group)
    model.save(tmp_path / "p.model")
    assert (tmp_path / "p.model").read_bytes() == (folder / "f.model").read_bytes()
    program("predict", "f.model", "X.npy", "--seed", 0, "--output", "f.csv", folder=folder)
    np.testing.assert_array_equal(pd.read_csv(folder / "f.csv")["prediction"], model.predict(clusters.X))
    drawn = noiseplus.load_model(folder / "f.model").predict(clusters.X)
    np.testing.assert_array_equal(drawn.astype(int), model.predict(clusters.X))


CORRUPTIONS = [({"rates": {0: 0.1, 1: 0.4}}, ["--rate", "0=0.1", "--rate", "1=0.4"]),
               ({"random_gap": 0.2}, ["--random-gap", 0.2])]


@pytest.mark.parametrize("options, flags", CORRUPTIONS, ids=["rates", "random"])
def test_corruption(program, folder, clusters, options, flags):
    program("corrupt", "X.npy", *flags, "--seed", 9, "--labels", "y.npy", "--output", "c.npy", folder=folder)
    np.testing.assert_array_equal(np.load(folder / "c.npy"), corrupt_labels(clusters.y, seed=9, **options))


def test_the_stages_give_what_the_whole_gives(clusters):
    audit = NoiseAudit().fit(clusters.X, clusters.y)
    stage = noiseplus.estimate_noise(clusters.X, clusters.y, posterior=True)
    np.testing.assert_array_equal(stage["rates"][:, 0], audit.noise_rates_)
    np.testing.assert_array_equal(stage["rates"][:, 1:], audit.intervals_)
    right, suggested = noiseplus.label_quality(stage["posterior"], clusters.y, stage["transition"], stage["prior"])
    np.testing.assert_array_equal(right, audit.label_quality_)
    np.testing.assert_array_equal(suggested, audit.suggested_labels_)
    np.testing.assert_array_equal(noiseplus.balancing_plan(audit.transition_), audit.plan_)
    _, balanced = NoiseBalancer(seed=4).fit_resample(clusters.X, clusters.y)
    np.testing.assert_array_equal(noiseplus.apply_plan(audit.plan_, clusters.y, seed=4), balanced)


def test_threads_change_nothing(clusters):
    one = NoiseAudit(n_threads=1).fit(clusters.X, clusters.y)
    three = NoiseAudit(n_threads=3).fit(clusters.X, clusters.y)
    assert without_times(one.report().to_json()) == without_times(three.report().to_json())
    np.testing.assert_array_equal(one.label_quality_, three.label_quality_)
