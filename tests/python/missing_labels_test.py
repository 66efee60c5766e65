"""Rows without a label: left out, counted, and kept in what is one entry per row."""

import json
import logging

import numpy as np
import pytest
from conftest import without_times
from noiseplus import FairClassifier, NoiseAudit, NoiseBalancer, NoiseRobust, RobustClassifier

GAPS = np.array([0, 7, 8, 500, 1999])


@pytest.fixture(scope="module")
def known(clusters):
    return np.setdiff1d(np.arange(len(clusters.y)), GAPS)


def with_gaps(y, gap, dtype=object):
    found = np.array(y, dtype=dtype)
    found[GAPS] = gap
    return found


def forms(y):
    """Labels with gaps as each library holds them, by name."""
    found = {
        "None": with_gaps(y, None),
        "NaN": with_gaps(y, np.nan, float),
        "NaN among objects": with_gaps(y, np.nan),
        "a text among texts": with_gaps(y, "", "U3"),
    }
    try:
        import pandas as pd

        found["pandas Int64"] = pd.Series(found["NaN"]).astype("Int64")
        found["pandas category of integers"] = pd.Series(found["NaN"]).astype("Int64").astype(pd.CategoricalDtype([0, 1]))
        found["pandas category"] = pd.Series(found["NaN"]).astype("category")
        found["pandas string"] = pd.Series(found["None"]).astype("string")
        found["pandas boolean"] = pd.Series(with_gaps(y == 1, None)).astype("boolean")
        found["NaT"] = pd.Series(with_gaps(np.array(["2020-01-01", "2021-01-01"])[y], None)).astype("datetime64[ns]")
    except ImportError:
        pass
    try:
        import polars as pl

        found["polars"] = pl.Series("y", found["None"].tolist())
    except ImportError:
        pass
    try:
        import pyarrow as pa

        found["pyarrow"] = pa.array(found["None"].tolist())
    except ImportError:
        pass
    return found


def test_every_form_of_a_gap_gives_the_estimates_of_the_rows_that_have_a_label(clusters, known):
    expected = NoiseAudit().fit(clusters.X[known], clusters.y[known])
    for name, y in forms(clusters.y).items():
        audit = NoiseAudit().fit(clusters.X, y)
        np.testing.assert_array_equal(audit.noise_rates_, expected.noise_rates_, err_msg=name)
        assert audit.n_missing_labels_ == 5 and len(audit.classes_) == 2, name
        assert audit.report().to_dict()["missing_labels"] == 5, name
        assert audit.report().to_dict()["rows"] == 1995, name
        assert np.isnan(audit.label_quality_[GAPS]).all(), name
        np.testing.assert_array_equal(audit.label_quality_[known], expected.label_quality_, err_msg=name)
        np.testing.assert_array_equal(audit.suspicious_rows(), known[expected.suspicious_rows()], err_msg=name)
    assert expected.n_missing_labels_ == 0


@pytest.mark.parametrize("name, kind", [("None", "i"), ("NaN", "f"), ("pandas Int64", "i"), ("pandas category of integers", "i"),
                                        ("pandas category", "f"), ("pandas boolean", "b"),
                                        ("polars", "i"), ("pyarrow", "i")])
def test_classes_are_of_the_type_they_were_of(clusters, name, kind):
    y = forms(clusters.y).get(name)
    if y is None:
        pytest.skip("not installed")
    assert NoiseAudit(anchors=200).fit(clusters.X, y).classes_.dtype.kind == kind


def test_suggestions_keep_one_entry_per_row(clusters, known):
    expected = NoiseAudit().fit(clusters.X[known], clusters.y[known]).suggested_labels_
    floats = NoiseAudit().fit(clusters.X, with_gaps(clusters.y, np.nan, float)).suggested_labels_
    assert floats.dtype == float and np.isnan(floats[GAPS]).all()
    np.testing.assert_array_equal(floats[known], expected)
    objects = NoiseAudit().fit(clusters.X, with_gaps(clusters.y, None)).suggested_labels_
    assert all(objects[row] is None for row in GAPS)
    np.testing.assert_array_equal(objects[known].astype(int), expected)


def test_texts_that_mean_a_gap(clusters, known):
    names = np.array(["no", "yes"])[clusters.y]
    expected = NoiseAudit().fit(clusters.X[known], names[known]).noise_rates_
    for text in ("", "?", "NaN", "nan"):
        audit = NoiseAudit().fit(clusters.X, with_gaps(names, text))
        np.testing.assert_array_equal(audit.noise_rates_, expected)
    assert len(NoiseAudit().fit(clusters.X, with_gaps(names, "n/a")).classes_) == 3
    assert len(NoiseAudit(missing=["n/a"]).fit(clusters.X, with_gaps(names, "n/a")).classes_) == 2


def test_minus_one_is_a_label(clusters):
    audit = NoiseAudit().fit(clusters.X, 2 * clusters.y - 1)
    assert list(audit.classes_) == [-1, 1] and audit.n_missing_labels_ == 0


def test_the_first_gap_is_warned_of(clusters, caplog):
    with caplog.at_level(logging.WARNING, "noiseplus"):
        NoiseAudit().fit(clusters.X, with_gaps(clusters.y, None))
    assert any("5 of 2000 rows have no label and are left out, the first is row 1" in text for text in caplog.messages)


def estimators():
    return [NoiseAudit, NoiseBalancer, RobustClassifier, FairClassifier]


@pytest.mark.filterwarnings("ignore:FairClassifier was given no groups")
@pytest.mark.parametrize("estimator", estimators(), ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("y", [with_gaps(np.arange(2000) % 2, None), with_gaps(np.arange(2000) % 2, "", "U3")],
                         ids=["None", "text"])
def test_they_are_an_error_where_that_is_wanted(clusters, estimator, y):
    with pytest.raises(ValueError, match="row 1 of 2000"):
        estimator(missing_label="error").fit(clusters.X, y)
    with pytest.raises(ValueError, match="missing_label='keep'"):
        estimator(missing_label="keep").fit(clusters.X, y)
    with pytest.raises(ValueError, match="no row has a label"):
        estimator().fit(clusters.X, np.full(2000, None))


def test_balancing_keeps_rows_without_a_label(clusters, known):
    _, expected = NoiseBalancer().fit_resample(clusters.X[known], clusters.y[known])
    assert (expected != clusters.y[known]).any()
    for name, y in forms(clusters.y).items():
        balancer = NoiseBalancer()
        _, balanced = balancer.fit_resample(clusters.X, y)
        assert len(balanced) == 2000 and balancer.flipped_.shape == (2000,), name
        assert not balancer.flipped_[GAPS].any(), name
        np.testing.assert_array_equal(balancer.flipped_[known], expected != clusters.y[known], err_msg=name)
        if hasattr(y, "iloc"):
            assert balanced.dtype == y.dtype and balanced.isna().to_numpy()[GAPS].all(), name
        else:
            gap = balanced[GAPS[0]]
            assert gap is None or gap != gap or gap == "", name
            assert all(str(balanced[row]) == str(gap) for row in GAPS), name


def test_groups_and_probabilities_are_left_out_with_the_rows(clusters, known):
    y = with_gaps(clusters.y, None)
    groups = clusters.group.astype(object)
    groups[GAPS] = None  # nobody asks for the group of such a row
    shares = np.stack([1 - clusters.clean, clusters.clean], axis=1) * 0.9 + 0.05
    audit = NoiseAudit().fit(clusters.X, y, groups=groups, probabilities=shares)
    expected = NoiseAudit().fit(clusters.X[known], clusters.y[known], groups=clusters.group[known],
                                probabilities=shares[known])
    np.testing.assert_array_equal(audit.group_rates_, expected.group_rates_)
    np.testing.assert_array_equal(audit.noise_rates_, expected.noise_rates_)
    alone = NoiseAudit().fit(None, y, probabilities=shares)
    np.testing.assert_array_equal(alone.noise_rates_, NoiseAudit().fit(None, clusters.y[known],
                                                                      probabilities=shares[known]).noise_rates_)


@pytest.mark.parametrize("make, parameters", [(RobustClassifier, {}), (FairClassifier, {"groups": True})],
                         ids=["robust", "fair"])
def test_classifiers_leave_them_out(clusters, known, make, parameters):
    groups = {"groups": clusters.group} if parameters else {}
    known_groups = {"groups": clusters.group[known]} if parameters else {}
    model = make().fit(clusters.X, with_gaps(clusters.y, None), **groups)
    expected = make().fit(clusters.X[known], clusters.y[known], **known_groups)
    np.testing.assert_array_equal(model.predict_proba(clusters.X), expected.predict_proba(clusters.X))
    assert model.n_missing_labels_ == 5
    assert model.report().to_dict()["missing_labels"] == 5


def test_weights_are_left_out_with_the_rows(clusters, known):
    weights = np.linspace(0.5, 2, 2000)
    model = RobustClassifier().fit(clusters.X, with_gaps(clusters.y, np.nan, float), sample_weight=weights)
    expected = RobustClassifier().fit(clusters.X[known], clusters.y[known], sample_weight=weights[known])
    np.testing.assert_array_equal(model.predict_proba(clusters.X), expected.predict_proba(clusters.X))


def test_noise_robust_leaves_them_out(clusters, known):
    pytest.importorskip("sklearn")
    from sklearn.linear_model import LogisticRegression

    y, weights = with_gaps(clusters.y, None), np.linspace(0.5, 2, 2000)
    robust = NoiseRobust(LogisticRegression()).fit(clusters.X, y, sample_weight=weights)
    expected = NoiseRobust(LogisticRegression()).fit(clusters.X[known], clusters.y[known], sample_weight=weights[known])
    assert robust.gains_ == expected.gains_ and robust.n_missing_labels_ == 5
    np.testing.assert_array_equal(robust.predict_proba(clusters.X), expected.predict_proba(clusters.X))
    assert np.isnan(robust.label_quality_[GAPS]).all()
    np.testing.assert_array_equal(robust.label_quality_[known], expected.label_quality_)
    with pytest.raises(ValueError, match="row 1 of 2000"):
        NoiseRobust(LogisticRegression(), missing_label="error").fit(clusters.X, y)


def test_tables_and_their_columns_as_on_the_command_line(program, tmp_path, clusters):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(clusters.X.astype(float), columns=list("abcde"))
    frame["city"] = np.where(clusters.group == 1, "Ulm", "Bonn")
    frame["sex"] = np.where(clusters.group == 1, "f", "m")
    frame["y"] = with_gaps(np.array(["no", "yes"])[clusters.y], "?")
    frame.loc[7, "y"] = None
    frame.loc[GAPS, "city"] = "seen here only"  # not learned from rows without a label
    frame.to_csv(tmp_path / "t.csv", index=False)
    program("audit", "t.csv", "--label", "y", "--group", "sex", "--suspects", 5, "--json", "t.json", folder=tmp_path)
    audit = NoiseAudit(suspects=5).fit(frame, "y", groups="sex")
    from_file = json.loads((tmp_path / "t.json").read_text())
    assert from_file["missing_labels"] == 5
    ours, theirs = without_times(audit.report().to_json()), without_times(from_file)
    for report in (ours, theirs):
        report.pop("warnings")  # rows are those of t.csv there, and of X here
    assert ours == theirs


def test_arrays_as_on_the_command_line(program, tmp_path, clusters):
    y = with_gaps(clusters.y, np.nan, float)
    np.save(tmp_path / "X.npy", clusters.X)
    (tmp_path / "y.txt").write_text("\n".join("" if value != value else str(int(value)) for value in y) + "\n")
    np.save(tmp_path / "y.npy", y)
    program("audit", "X.npy", "--labels", "y.npy", "--json", "a.json", folder=tmp_path)
    audit = NoiseAudit().fit(clusters.X, y)
    assert without_times(audit.report().to_json()) == without_times((tmp_path / "a.json").read_text())
    program("train", "X.npy", "--labels", "y.npy", "--output", "t.model", "--json", "t.json", folder=tmp_path)
    model = RobustClassifier().fit(clusters.X, y)
    assert without_times(model.report().to_json()) == without_times((tmp_path / "t.json").read_text())


@pytest.mark.parametrize("first", [np.datetime64("2020-01-01", "ns"), np.timedelta64(86400 * 10**9, "ns")], ids=["datetime", "timedelta"])
def test_suggested_times_stay_times(clusters, known, first):
    names = np.array([first, first + np.timedelta64(30, "D")])
    y = names[clusters.y]
    y[GAPS] = "NaT"
    audit = NoiseAudit().fit(clusters.X, y)
    assert audit.suggested_labels_.dtype == y.dtype and np.isnat(audit.suggested_labels_[GAPS]).all()
    expected = NoiseAudit().fit(clusters.X[known], clusters.y[known]).suggested_labels_
    np.testing.assert_array_equal(audit.suggested_labels_[known], names[expected])
