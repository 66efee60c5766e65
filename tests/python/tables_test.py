"""DataFrames of every kind, and what becomes of their columns."""

import datetime
import decimal
import json
import pickle

import numpy as np
import pytest

from conftest import without_times
from noiseplus import FairClassifier, NoiseAudit, NoiseBalancer, RobustClassifier, load_model

pd = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def frame(clusters):
    rng = np.random.default_rng(3)
    rows = len(clusters.y)
    frame = pd.DataFrame({
        "number": clusters.X[:, 0].astype(float),
        "whole": rng.integers(-5, 100, rows),
        "flag": rng.random(rows) < 0.3,
        "text": np.array([" Ulm", "Bonn", "Köln", ""])[rng.integers(0, 4, rows)],
        "small": clusters.X[:, 1],
    })
    frame.loc[::17, "number"] = np.nan
    return frame


def other_forms(frame):
    """The same table as other libraries hold it; those that are installed."""
    forms = {"category": frame.assign(text=frame["text"].astype("category"))}
    nullable = frame.convert_dtypes()
    forms["nullable"] = nullable
    try:
        import pyarrow as pa

        table = pa.Table.from_pandas(frame)
        forms["pyarrow"] = table
        forms["chunked"] = pa.concat_tables([table.slice(0, 700), table.slice(700)])
        forms["sliced"] = pa.concat_tables([table.slice(0, 13), table]).slice(13)
        forms["dictionary"] = table.set_column(3, "text", table["text"].dictionary_encode())
        forms["large"] = table.set_column(3, "text", table["text"].cast(pa.large_string()))
    except ImportError:
        pass
    try:
        import polars as pl

        forms["polars"] = pl.DataFrame({name: pl.Series(name, frame[name].to_numpy(), nan_to_null=True)
                                        if name == "number" else frame[name].tolist() for name in frame.columns[:4]}
                                       ).with_columns(pl.Series("small", frame["small"].to_numpy()))
        forms["polars-category"] = forms["polars"].with_columns(pl.col("text").cast(pl.Categorical))
        forms["polars-lazy-slice"] = pl.concat([forms["polars"][:700], forms["polars"][700:]], rechunk=False)
    except ImportError:
        pass
    return forms


def test_every_form_gives_the_same_bits(frame, clusters):
    wanted = NoiseAudit().fit(frame, clusters.y)
    forms = other_forms(frame)
    assert len(forms) >= 2
    for name, table in forms.items():
        found = NoiseAudit().fit(table, clusters.y)
        assert without_times(found.report().to_json()) == without_times(wanted.report().to_json()), name
        np.testing.assert_array_equal(found.label_quality_, wanted.label_quality_, err_msg=name)
        assert found.feature_names_in_.tolist() == list(frame.columns), name


def test_models_take_every_form(frame, clusters):
    model = RobustClassifier().fit(frame, clusters.y)
    wanted = model.predict_proba(frame)
    for name, table in other_forms(frame).items():
        np.testing.assert_array_equal(model.predict_proba(table), wanted, err_msg=name)
        again = RobustClassifier().fit(table, clusters.y)
        np.testing.assert_array_equal(again.predict_proba(frame), wanted, err_msg=name)


def test_tables_are_scaled_and_arrays_are_not(clusters):
    X = clusters.X * np.array([1, 1000, 1, 1, 1], dtype=np.float32)
    as_table = NoiseAudit(k=5).fit(pd.DataFrame(X, columns=list("abcde")), clusters.y)
    as_array = NoiseAudit(k=5).fit(X, clusters.y)
    scaled = NoiseAudit(k=5, scale=True).fit(X, clusters.y)
    np.testing.assert_array_equal(as_table.noise_rates_, scaled.noise_rates_)
    assert not np.array_equal(as_array.noise_rates_, scaled.noise_rates_)
    unscaled = NoiseAudit(k=5, scale=False).fit(pd.DataFrame(X, columns=list("abcde")), clusters.y)
    np.testing.assert_array_equal(unscaled.noise_rates_, as_array.noise_rates_)


def test_the_label_in_another_state_is_no_feature(frame, clusters, caplog):
    table = frame.assign(income=clusters.clean, income_noisy=clusters.y)
    audit = NoiseAudit().fit(table, "income_noisy")
    assert "not used as a feature, being the label in another state: income" in caplog.text
    plain = NoiseAudit().fit(frame, clusters.y)
    np.testing.assert_array_equal(audit.noise_rates_, plain.noise_rates_)


@pytest.mark.parametrize("name", ["y", "label", "target"])
def test_a_label_of_any_name_is_no_feature(frame, clusters, name):
    wanted = RobustClassifier().fit(frame, clusters.y)
    found = RobustClassifier().fit(frame.assign(**{name: clusters.y}), name)
    np.testing.assert_array_equal(found.coef_, wanted.coef_)
    assert found.feature_names_in_.tolist() == list(frame.columns)
    np.testing.assert_array_equal(found.predict(frame), wanted.predict(frame))


def test_a_feature_may_be_called_label(frame, clusters):
    renamed = frame.rename(columns={"number": "label", "small": "y"})
    np.testing.assert_array_equal(RobustClassifier().fit(renamed, clusters.y).coef_,
                                  RobustClassifier().fit(frame, clusters.y).coef_)


def test_a_column_called_as_y_is_said(frame, clusters, caplog):
    model = RobustClassifier().fit(frame, pd.Series(clusters.y, name="small"))
    assert "X has a column called 'small', as y is: it is no feature" in caplog.text
    assert "small" not in model.feature_names_in_
    np.testing.assert_array_equal(model.predict(frame), model.predict(frame.drop(columns="small")))


def test_columns_of_the_same_name(clusters, caplog):
    values = np.column_stack([np.random.default_rng(0).normal(size=2000), clusters.X[:, 0]])
    twice = RobustClassifier().fit(pd.DataFrame(values, columns=["a", "a"]), clusters.y)
    apart = RobustClassifier().fit(pd.DataFrame(values, columns=["a", "b"]), clusters.y)
    np.testing.assert_array_equal(twice.coef_, apart.coef_)
    assert "the column name 'a' occurs again; here it is called 'a.1'" in caplog.text


def test_columns_without_names_keep_their_places(clusters):
    frame = pd.DataFrame(clusters.X)[[1, 2, 0, 4, 3]]
    model = RobustClassifier().fit(frame, clusters.y)
    np.testing.assert_array_equal(model.predict_proba(frame), model.predict_proba(frame.to_numpy()))
    shifted = RobustClassifier().fit(frame.rename(columns=lambda c: c + 5), clusters.y)
    np.testing.assert_array_equal(shifted.predict_proba(frame.to_numpy()), model.predict_proba(frame))
    groups = pd.DataFrame({0: clusters.group, 1: clusters.y})
    assert len(NoiseAudit().fit(frame, clusters.y, groups=groups).groups_) == 4


def test_columns_of_objects(frame, clusters):
    decimals = frame.assign(whole=[decimal.Decimal(int(v)) for v in frame["whole"]])
    np.testing.assert_array_equal(RobustClassifier().fit(decimals, clusters.y).coef_,
                                  RobustClassifier().fit(frame, clusters.y).coef_)
    for value, kind in ((datetime.time(5, 6), "time"), ([1, 2], "list"), ({"a": 1}, "dict")):
        strange = frame.assign(odd=pd.Series([value] * len(frame), dtype=object))
        with pytest.raises(ValueError, match=f"the column 'odd' is of type {kind}"):
            NoiseAudit().fit(strange, clusters.y)


def test_labels_in_a_frame_of_one_column(frame, clusters):
    y = pd.DataFrame({"income": clusters.y}, index=frame.index)
    with pytest.warns(UserWarning, match="column-vector y"):
        _, balanced = NoiseBalancer(force=True).fit_resample(frame, y)
    assert list(balanced.columns) == ["income"] and (balanced["income"] != clusters.y).any()
    with pytest.raises(ValueError, match="give y apart"):
        NoiseBalancer().fit_resample(frame.assign(income=clusters.y), "income")


def test_labels_and_groups_of_pyarrow(frame, clusters):
    pa = pytest.importorskip("pyarrow")
    texts = np.array(["no", "yes"])[clusters.y]
    batch = pa.RecordBatch.from_pandas(frame.assign(t=texts, flag=clusters.group.astype(bool)))
    wanted = NoiseAudit().fit(frame.assign(t=texts, flag=clusters.group.astype(bool)), "t", groups="flag")
    for y in ("t", batch["t"]):
        found = NoiseAudit(drop=[] if isinstance(y, str) else ["t"]).fit(batch, y, groups="flag")
        np.testing.assert_array_equal(found.group_rates_, wanted.group_rates_)


def test_a_model_tells_nobodys_label(clusters):
    few = pickle.dumps(FairClassifier(tolerance=0.05).fit(clusters.X, clusters.y, groups=clusters.group))
    many = pickle.dumps(FairClassifier(tolerance=0.05).fit(
        np.tile(clusters.X, (10, 1)), np.tile(clusters.y, 10), groups=np.tile(clusters.group, 10)))
    assert abs(len(many) - len(few)) < 2000  # and not 18,000 labels


def test_balanced_labels_keep_their_index(frame, clusters):
    y = pd.Series(clusters.y, index=np.arange(len(frame))[::-1], name="income")
    X, balanced = NoiseBalancer(force=True).fit_resample(frame, y)
    assert X is frame
    assert balanced.index.equals(y.index) and balanced.name == "income" and balanced.dtype == y.dtype


@pytest.mark.parametrize("labels", [["no", "yes"], [b"no", b"yes"], [False, True], [2.0, 7.0], [-1, 1]], ids=str)
def test_labels_of_any_type(clusters, labels):
    y = np.array(labels)[clusters.y]
    audit = NoiseAudit().fit(clusters.X, y)
    assert audit.classes_.tolist() == labels
    assert audit.noisier_ == labels[1]
    model = RobustClassifier().fit(clusters.X, y)
    assert set(model.predict(clusters.X).tolist()) == set(labels)
    assert model.predict(clusters.X).dtype == y.dtype


def test_groups_of_several_columns(frame, clusters):
    table = frame.assign(sex=np.array(["f", "m"])[clusters.group])
    audit = NoiseAudit().fit(table, clusters.y, groups=["sex", "flag"])
    assert audit.groups_.tolist() == ["f|False", "f|True", "m|False", "m|True"]
    again = NoiseAudit(group_columns=["sex", "flag"]).fit(table, clusters.y)
    np.testing.assert_array_equal(again.group_rates_, audit.group_rates_)
    apart = NoiseAudit().fit(table, clusters.y, groups=table[["sex", "flag"]])
    np.testing.assert_array_equal(apart.group_rates_, audit.group_rates_)


def moments(count):
    """Dates with a time of day, before and after 1970, and gaps."""
    draw = np.random.default_rng(4)
    seconds = draw.integers(-10**9, 10**9, count)
    days = pd.Series(np.array(seconds, dtype="datetime64[s]")).astype("datetime64[ns]")
    days[::13] = pd.NaT
    return days


def same_audit(table, wanted, clusters):
    found = NoiseAudit().fit(table, clusters.y).report().to_json()
    assert without_times(found) == without_times(wanted.report().to_json())


def test_dates_are_numbers_of_days_as_in_a_file(frame, clusters, program, tmp_path):
    days = moments(len(frame))
    wanted = NoiseAudit().fit(frame.assign(day=days.dt.strftime("%Y-%m-%d %H:%M:%S")), clusters.y)
    assert wanted.report().to_dict()["features"] == NoiseAudit().fit(frame, clusters.y).report().to_dict()["features"] + 2
    forms = {
        "datetime64": days, "zone": days.dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo"),
        "objects": days.astype(object), "datetime": pd.Series([None if d is pd.NaT else d.to_pydatetime() for d in days], dtype=object),
        "seconds": pd.Series(days.to_numpy().astype("datetime64[s]")),
    }
    for form in forms.values():
        same_audit(frame.assign(day=form), wanted, clusters)
    numbers = frame[["number", "whole"]]
    wanted = NoiseAudit().fit(numbers.assign(day=days), clusters.y)
    numbers.assign(day=days.dt.strftime("%Y-%m-%d %H:%M:%S"), y=clusters.y).to_csv(tmp_path / "t.csv", index=False)
    said = json.loads(program("audit", "t.csv", "--label", "y", "--json", "-", folder=tmp_path))
    np.testing.assert_array_equal([rate["rate"] for rate in said["noise"]], wanted.noise_rates_)


def test_whole_dates_periods_and_durations(frame, clusters):
    days = moments(len(frame)).dt.floor("D")
    wanted = NoiseAudit().fit(frame.assign(day=days), clusters.y)
    same_audit(frame.assign(day=pd.Series([None if d is pd.NaT else d.date() for d in days], dtype=object)), wanted, clusters)
    same_audit(frame.assign(day=days.dt.to_period("D")), wanted, clusters)
    spans = days - pd.Timestamp("2000-01-01 12:00")
    numbers = NoiseAudit().fit(frame.assign(day=spans / pd.Timedelta(days=1)), clusters.y)
    for form in (spans, spans.astype(object)):
        same_audit(frame.assign(day=form), numbers, clusters)


def test_a_model_of_dates_wants_dates(frame, clusters, program, tmp_path):
    days = moments(len(frame))
    frame = frame[["number", "whole"]]
    model = RobustClassifier().fit(frame.assign(day=days), clusters.y)
    texts = frame.assign(day=days.dt.strftime("%Y-%m-%d %H:%M:%S"))
    np.testing.assert_array_equal(model.predict_proba(frame.assign(day=days)), model.predict_proba(texts))
    with pytest.raises(ValueError, match="'day' holds '7' where dates were learned"):
        model.predict(frame.assign(day=7.0))
    plain = RobustClassifier().fit(frame.assign(day=np.arange(len(frame)) % 50), clusters.y)
    with pytest.raises(ValueError, match="'day' holds dates where numbers were learned"):
        plain.predict(frame.assign(day=days))
    model.save(tmp_path / "m.model")
    texts.to_csv(tmp_path / "t.csv", index=False)
    program("predict", "m.model", "t.csv", "--output", "p.csv", folder=tmp_path)
    said = pd.read_csv(tmp_path / "p.csv").iloc[:, -1]
    np.testing.assert_allclose(said, model.predict_proba(texts)[:, 1], atol=1e-6)


def test_suspects_show_dates_as_dates(frame, clusters):
    days = moments(len(frame))
    audit = NoiseAudit(suspects=20).fit(frame.assign(day=days), clusters.y)
    found = audit.report().to_dict()["suspects"]
    place = found["columns"].index("day")
    for row in found["rows"]:
        day = days[row["row"] - 1]
        assert pd.isna(day) and row["values"][place] == "" or row["values"][place].startswith(f"{day:%Y-%m-%d}")


@pytest.mark.parametrize("library", ["pyarrow", "polars"])
def test_dates_of_other_libraries(frame, clusters, library):
    pytest.importorskip(library)
    import pyarrow as pa

    days = moments(len(frame))
    wanted = NoiseAudit().fit(frame.assign(day=days, span=days - pd.Timestamp("2000-01-01")), clusters.y)
    table = pa.Table.from_pandas(frame.assign(day=days, span=days - pd.Timestamp("2000-01-01")))
    if library == "polars":
        import polars as pl

        table = pl.from_arrow(table)
    same_audit(table, wanted, clusters)


# ------------------------------------------------------------------------------------------------- ids

IDS = {"id": lambda rows: 7 * rows[::-1] + 3, "index": lambda rows: rows[::-1], "nr": lambda rows: rows + 1,
       "Unnamed: 0": lambda rows: rows, "name": lambda rows: np.array([f"person {row}" for row in rows])}


@pytest.mark.parametrize("name", IDS)
def test_ids_of_a_table_are_no_features_and_named(frame, clusters, caplog, name):
    audit = NoiseAudit().fit(frame.assign(**{name: IDS[name](np.arange(len(frame)))}), clusters.y)
    said = [warning for warning in audit.report().to_dict()["warnings"] if "row numbers" in warning]
    assert len(said) == 1 and said[0].startswith(f"1 column left out as ids or row numbers: {name}; "), said
    assert f"row numbers: {name}; give X as an array to use such a column" in caplog.text
    np.testing.assert_array_equal(audit.noise_rates_, NoiseAudit().fit(frame, clusters.y).noise_rates_)


def test_numbers_of_an_array_are_features_whatever_they_count(clusters):
    X = np.column_stack([clusters.X, np.arange(len(clusters.X))]).astype(np.float32)
    for scale in (False, True):
        audit = NoiseAudit(scale=scale).fit(X, clusters.y)
        assert audit.report().to_dict()["features"] == clusters.X.shape[1] + 1
        assert not any("row numbers" in warning for warning in audit.report().to_dict()["warnings"])


def test_what_is_no_feature_need_not_be_there_to_predict(frame, clusters, tmp_path):
    table = frame.assign(day=datetime.time(5, 6), sex=np.array(["f", "m"])[clusters.group])
    model = FairClassifier(drop=["day", "sex"], group_columns="sex", tolerance=0.05).fit(table, clusters.y)
    np.testing.assert_array_equal(model.predict_proba(frame), model.predict_proba(table))
    assert model.feature_names_in_.tolist() == list(frame.columns)
    labeled = frame.assign(income=clusters.y)
    by_name = RobustClassifier().fit(labeled, "income")
    np.testing.assert_array_equal(by_name.predict(labeled), by_name.predict(frame))


def test_a_saved_model_reads_rows_as_it_did(frame, clusters, tmp_path, caplog):
    table = frame.assign(text=frame["text"].replace("", "n.a."))
    group = clusters.group
    model = FairClassifier(missing=["n.a."], thresholded=True, tolerance=0.05).fit(table, clusters.y, groups=group)
    model.save(tmp_path / "m.model")
    loaded = load_model(tmp_path / "m.model", thresholded=True)
    np.testing.assert_array_equal(loaded.predict_proba(table), model.predict_proba(table))
    np.testing.assert_array_equal(loaded.predict(table).astype(int), model.predict(table))
    assert "n.a." not in caplog.text


def test_lazy_tables_are_refused(clusters):
    pl = pytest.importorskip("polars")
    with pytest.raises(TypeError, match="give X.collect"):
        NoiseAudit().fit(pl.LazyFrame({"a": [1.0, 2.0]}), [0, 1])


def test_texts_never_seen_are_said(frame, clusters, caplog):
    model = RobustClassifier().fit(frame, clusters.y)
    model.predict(frame.assign(text="Trier"))
    assert "a text that was not there in training, such as 'Trier'" in caplog.text


def test_further_spellings_of_missing(frame, clusters):
    table = frame.assign(text=frame["text"].replace("", "n.a."))
    wanted = NoiseAudit().fit(frame, clusters.y)
    found = NoiseAudit(missing=["n.a."]).fit(table, clusters.y)
    np.testing.assert_array_equal(found.noise_rates_, wanted.noise_rates_)
