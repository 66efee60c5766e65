"""Files as newcomers have them: ids, dates, semicolons, misspelled names, missing labels, very many classes."""
import csv
import io
import json
import os
import random
import re

import pytest

AUDIT = ["audit", "t.csv", "--label", "y"]


def rows_of(count=600, seed=3, rates=(.05, .3)):
    """Two numbers and a noisy label, for two classes that lie apart."""
    draw = random.Random(seed)
    for _ in range(count):
        truth = draw.random() < .5
        label = truth != (draw.random() < rates[truth])
        yield [f"{draw.gauss(4 * truth, 1):.4f}", f"{draw.gauss(0, 1):.4f}"], "yes" if label else "no"


@pytest.fixture
def write(tmp_path):
    def file(header, lines, name="t.csv", delimiter=","):
        text = "".join(delimiter.join(cells) + "\n" for cells in [header, *lines])
        (tmp_path / name).write_text(text, encoding="utf-8")
    return file


@pytest.fixture
def audited(noiseplus):
    def call(*arguments, data=AUDIT):
        return json.loads(noiseplus(*data, *arguments, "--json", "-").stdout)
    return call


def without_times(report):
    return {key: value for key, value in report.items() if key not in ("seconds", "warnings", "missing_labels")}


def warning_about(report, words):
    found = [warning for warning in report["warnings"] if words in warning]
    assert len(found) == 1, report["warnings"]
    return found[0]


# ------------------------------------------------------------------------------------------- headline

def test_the_share_of_wrong_labels_comes_first(write, noiseplus, audited):
    write(["a", "b", "y"], [[*x, y] for x, y in rows_of()])
    text, report = noiseplus(*AUDIT).stdout.decode(), audited()
    share = report["wrong_share"]
    assert text.startswith(f"{100 * share['value']:.1f} % of all labels are wrong ({100 * share['low']:.1f} to "), text
    places = [text.index(part) for part in ("of all labels are wrong", "These rates hold if", "Class 'yes' is noisier", "600 rows", "Advice:")]
    assert places == sorted(places)
    keys = list(report)
    assert keys.index("wrong_share") < keys.index("condition") < min(keys.index("classes"), keys.index("prior"))


@pytest.mark.parametrize("rates", [(.05, .3), (.2, .2), (.02, .02)], ids=str)
def test_a_plan_to_flip_is_told_where_it_is_the_advice(write, noiseplus, audited, rates):
    write(["a", "b", "y"], [[*x, y] for x, y in rows_of(3000, rates=rates)])
    said = noiseplus(*AUDIT).stdout.decode()
    assert ("To balance" in said) == (audited()["advice"]["action"] == "balance")
    balanced = noiseplus("balance", *AUDIT[1:], "--force", "--output", "b.csv").stdout.decode()
    assert "Flipped " in balanced or "No label was flipped" in balanced


# ------------------------------------------------------------------------------------------------- ids

# How programs number rows: pandas' index, R's row names, keys of databases.
IDS = {
    "pandas index": ("", lambda n: str(n)),
    "row numbers under any name": ("nr", lambda n: str(n + 1)),
    "Unnamed: 0 of a shuffled frame": ("Unnamed: 0", lambda n: str(n * 7919 % 600)),
    "id": ("id", lambda n: str(100 + 13 * n)),
    "customer_id": ("customer_id", lambda n: str(10**9 + n * 7919 % 600)),
    "PassengerId": ("PassengerId", lambda n: str(600 - n)),
    "uuid": ("uuid", lambda n: f"{n * 2654435761 % 2**32:08x}-0000"),
    "texts that all differ": ("name", lambda n: f"person {n}"),
}


@pytest.mark.parametrize("kind", IDS)
def test_ids_are_no_features_and_named(write, audited, kind):
    name, value = IDS[kind]
    write([name, "a", "b", "y"], [[value(n), *x, y] for n, (x, y) in enumerate(rows_of())])
    report = audited()
    shown = name or "1"
    assert warning_about(report, "as ids or row numbers").startswith(f"1 column left out as ids or row numbers: {shown}; ")
    assert without_times(report) == without_times(audited("--drop", shown)) and report["features"] == 2


def test_features_name_an_id_to_use_it(write, audited):
    write(["id", "a", "b", "y"], [[str(100 + n), *x, y] for n, (x, y) in enumerate(rows_of())])
    report = audited("--features", "id,a,b")
    assert report["features"] == 3 and not any("row numbers" in warning for warning in report["warnings"])


# Numbers that may tell something: repeated, not whole, or not called like an id.
USEFUL = {"id": lambda n: str(n % 300), "weight_id": lambda n: f"{n}.5", "salary": lambda n: str(2 * n),
          "grid": lambda n: str(n * 7919 % 600), "PAID": lambda n: str(n * 7919 % 600)}


@pytest.mark.parametrize("name", USEFUL)
def test_a_number_that_may_tell_something_stays(write, audited, name):
    write([name, "a", "b", "y"], [[USEFUL[name](n), *x, y] for n, (x, y) in enumerate(rows_of())])
    report = audited()
    assert report["features"] == 3 and not any("row numbers" in warning for warning in report["warnings"])


def test_the_only_measurement_is_used_though_it_counts(write, audited):
    write(["dose", "y"], [[str(n + 1), y] for n, (_, y) in enumerate(rows_of(200))])
    assert audited()["features"] == 1


def test_nothing_but_an_id_is_said(write, noiseplus):
    write(["id", "y"], [[str(n + 1), y] for n, (_, y) in enumerate(rows_of(200))])
    assert b"id only names the rows" in noiseplus(*AUDIT, code=2).stderr


# ----------------------------------------------------------------------------------------------- dates

DATES = {"ISO": "{year}-{month:02}-{day:02}", "ISO with time": "{year}-{month:02}-{day:02}T{hour:02}:30:00Z",
         "Germany": "{day:02}.{month:02}.{year}", "Britain": "{day}/{month}/{year}", "America": "{month}/{day}/{year} {hour}:30",
         "Japan": "{year}/{month:02}/{day:02}"}


def date_rows(form, count=600):
    """Classes that differ by their year, in labels with noise."""
    draw = random.Random(8)
    for (a, b), y in rows_of(count):
        year = 2001 + int(float(a)) // 2 + draw.randrange(3)
        yield [form.format(year=year, month=draw.randrange(1, 13), day=draw.randrange(1, 29), hour=draw.randrange(24)), b, y]


@pytest.mark.parametrize("kind", DATES)
def test_dates_are_one_feature_and_predict_reads_them_alike(write, noiseplus, audited, tmp_path, kind):
    lines = list(date_rows(DATES[kind]))
    lines[5][0] = ""
    write(["signup", "b", "y"], lines)
    assert audited()["features"] == 3  # days, whether they are missing, b
    noiseplus("train", "t.csv", "--label", "y", "--output", "m")
    for name, part in {"all.csv": lines, "some.csv": lines[:20], "empty.csv": [["", b, y] for _, b, y in lines[:20]]}.items():
        write(["signup", "b", "y"], part, name)
        noiseplus("predict", "m", name, "--output", f"p-{name}")
    everything, some, empty = ((tmp_path / f"p-{name}").read_text().splitlines()[:21] for name in ("all.csv", "some.csv", "empty.csv"))
    assert everything == some and some != empty


def test_the_same_day_is_the_same_number_however_it_is_written(write, audited):
    reports = []
    for form in ("{year}-{month:02}-{day:02}", "{day:02}.{month:02}.{year}", "{month}/{day}/{year}"):
        write(["signup", "b", "y"], date_rows(form))
        reports.append(without_times(audited()))
    assert reports[0] == reports[1] == reports[2]


def test_a_date_that_could_be_either_is_said(write, audited):
    draw = random.Random(2)
    lines = [[f"{draw.randrange(1, 13):02}/{draw.randrange(1, 13):02}/2024", *x, y] for x, y in rows_of()]
    write(["when", "a", "b", "y"], lines)
    assert "month, day, year" in warning_about(audited(), "column 'when': dates such as")


def test_no_date_where_dates_were_learned(write, noiseplus):
    write(["signup", "b", "y"], date_rows(DATES["ISO"]))
    noiseplus("train", "t.csv", "--label", "y", "--output", "m")
    for cell in ("soon", "2024", "13.01.2024"):
        write(["signup", "b"], [["2024-01-05", "1"], [cell, "2"]], "new.csv")
        error = noiseplus("predict", "m", "new.csv", "--output", "p.csv", code=3).stderr.decode()
        assert "new.csv:3:1: column 'signup'" in error and f"'{cell}'" in error


# ------------------------------------------------------------------------------------------- delimiter

@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_other_delimiters_are_found(write, noiseplus, audited, tmp_path, delimiter):
    lines = [[*x, y] for x, y in rows_of()]
    write(["a", "b", "y"], lines)
    commas = without_times(audited())
    write(["a", "b", "y"], lines, delimiter=delimiter)
    assert without_times(audited()) == commas
    noiseplus("balance", "t.csv", "--label", "y", "--force", "--output", "b.csv")
    before, after = ((tmp_path / name).read_text().splitlines() for name in ("t.csv", "b.csv"))
    assert [line.rpartition(delimiter)[0] for line in after] == before
    assert after[0].endswith(f"{delimiter}y_balanced")
    noiseplus("corrupt", "t.csv", "--label", "y", "--rate", "yes=0.5", "--output", "c.csv")
    assert all(line.startswith(old + delimiter) for old, line in zip(before, (tmp_path / "c.csv").read_text().splitlines()))


def test_a_delimiter_that_is_not_found_is_told(write, audited, noiseplus):
    lines = [[*x, y] for x, y in rows_of()]
    write(["a", "b", "y"], lines)
    commas = without_times(audited())
    write(["a", "b", "y"], lines, delimiter="~")
    assert b"--delimiter" in noiseplus(*AUDIT, code=2).stderr
    assert without_times(audited("--delimiter", "~")) == commas
    write(["a", "b", "y"], lines, name="t.txt", delimiter="\t")
    assert without_times(audited("--delimiter", "tab", data=["audit", "t.txt", "--label", "y"])) == commas
    for wrong in ("ab", "", "x", "1", '"'):
        assert b"cannot separate cells" in noiseplus(*AUDIT, "--delimiter", wrong, code=2).stderr


def test_a_table_of_commas_stays_one(write, audited):
    """Semicolons, bars and tabs in its cells are part of these."""
    lines = [[*x, f'"{n % 3};{n % 2}|z\t"', y] for n, (x, y) in enumerate(rows_of())]
    write(["a", "b", "c;d|e", "y"], lines)
    assert audited()["features"] == 2 + 6


# -------------------------------------------------------------------------------------------- spelling

@pytest.mark.parametrize("arguments, wanted", [
    (["audit", "t.csv", "--label", "incme"], "income"), (["audit", "t.csv", "--label", "Income"], "income"),
    (["audit", "t.csv", "--label", "income", "--group", "sxe"], "sex"),
    (["audit", "t.csv", "--label", "income", "--drop", "agee"], "age"),
    (["audit", "t.csv", "--label", "income", "--features", "agf"], "age"),
    (["train", "t.csv", "--label", "income", "--weights", "agge", "--output", "m"], "age"),
    (["audit", "t.csv", "--lable", "income"], "--label"), (["balance", "t.csv", "--label", "income", "--ouput=b.csv"], "--output"),
    (["audit", "t.csv", "--label", "income", "--jsno", "a.json"], "--json"), (["audti", "t.csv"], "audit")])
def test_did_you_mean(write, noiseplus, arguments, wanted):
    write(["age", "sex", "income"], [["1", "m", "a"], ["2", "w", "b"]])
    assert f"did you mean '{wanted}'?" in noiseplus(*arguments, code=2).stderr.decode()


def test_what_is_like_nothing_is_not_guessed(write, noiseplus):
    write(["age", "sex", "income"], [["1", "m", "a"], ["2", "w", "b"]])
    for arguments in (["--label", "postcode"], ["--label", "income", "--elephant", "1"]):
        assert b"did you mean" not in noiseplus("audit", "t.csv", *arguments, code=2).stderr


def test_classes_that_differ_in_case_or_blanks_only(write, audited):
    spelled = {"yes": ["yes", "Yes", '" yes"'], "no": ["no"]}
    lines = [[*x, spelled[y][n % len(spelled[y])]] for n, (x, y) in enumerate(rows_of())]
    write(["a", "b", "y"], lines)
    assert "' yes', 'Yes' and 'yes'" in warning_about(audited(), "differ only in case or blanks")
    write(["a", "b", "y"], [[*x, y] for x, y in rows_of()])
    assert not any("case" in warning for warning in audited()["warnings"])


# -------------------------------------------------------------------------------------- missing labels

@pytest.fixture
def gaps(write):
    """Every 7th label is missing, in the spellings that programs use. Groups are missing there too."""
    empty = ["", "?", "NaN", "nan"]
    lines = [[*x, "" if n % 7 == 0 else "mw"[n % 2], empty[n % 4] if n % 7 == 0 else y] for n, (x, y) in enumerate(rows_of())]
    write(["a", "b", "g", "y"], lines)
    write(["a", "b", "g", "y"], [line for n, line in enumerate(lines) if n % 7 != 0], "full.csv")
    return [n for n in range(len(lines)) if n % 7 == 0]


@pytest.mark.parametrize("more", [[], ["--group", "g"], ["--suspects", "20"]])
def test_rows_without_label_are_left_out_and_counted(gaps, audited, more):
    report, full = audited(*more), audited(*more, data=["audit", "full.csv", "--label", "y"])
    assert report["missing_labels"] == len(gaps) and full["missing_labels"] == 0
    assert "86 of 600 rows have no label and are left out, the first is row 1" in report["warnings"]
    in_file = [n for n in range(600) if n not in gaps]
    for row in full.get("suspects", {"rows": []})["rows"]:
        row["row"] = in_file[row["row"] - 1] + 1
    assert without_times(report) == without_times(full)


def test_rows_and_suspects_have_the_numbers_of_the_file(gaps, noiseplus, tmp_path):
    noiseplus(*AUDIT, "--rows", "rows.csv", "--suspects-file", "s.csv")
    noiseplus("audit", "full.csv", "--label", "y", "--rows", "full-rows.csv")
    rows = (tmp_path / "rows.csv").read_text().splitlines()
    full = (tmp_path / "full-rows.csv").read_text().splitlines()
    assert [int(line.split(",")[0]) for line in rows[1:]] == list(range(1, 601))
    assert [line for line in rows if line.endswith(",,,")] == [f"{n + 1},,," for n in gaps]
    assert [line.partition(",")[2] for line in rows if not line.endswith(",,,")] == [line.partition(",")[2] for line in full]
    data = (tmp_path / "t.csv").read_text().splitlines()
    for line in (tmp_path / "s.csv").read_text().splitlines()[1:]:
        row, _, _, _, record = line.split(",", 4)
        assert data[int(row)] == record


@pytest.mark.parametrize("command", [["balance", "--force"], ["corrupt", "--rate", "yes=0.4"]])
def test_rows_without_label_are_kept_with_an_empty_one(gaps, noiseplus, tmp_path, command):
    noiseplus(command[0], "t.csv", "--label", "y", *command[1:], "--output", "o.csv")
    before, after = ((tmp_path / name).read_text().splitlines() for name in ("t.csv", "o.csv"))
    assert [line.rpartition(",")[0] for line in after] == before
    assert [n for n, line in enumerate(after[1:]) if line.endswith(",")] == gaps


def test_training_and_judging_leave_them_out(gaps, noiseplus, tmp_path):
    results = []
    for name in ("t.csv", "full.csv"):
        noiseplus("train", name, "--label", "y", "--output", f"{name}.model", "--json", f"{name}.json")
        done = noiseplus("evaluate", "full.csv.model" if name == "full.csv" else "t.csv.model", name, "--json", "-")
        results.append(json.loads(done.stdout)["accuracy"])
    assert results[0] == results[1]
    assert (tmp_path / "t.csv.model").read_bytes() == (tmp_path / "full.csv.model").read_bytes()
    assert json.loads((tmp_path / "t.csv.json").read_text())["missing_labels"] == len(gaps)


def test_missing_labels_can_be_an_error(gaps, noiseplus):
    for command in (["audit"], ["balance", "--output", "b.csv"], ["train", "--output", "m"], ["corrupt", "--rate", "yes=.1", "--output", "c.csv"]):
        done = noiseplus(*command, "t.csv", "--label", "y", "--missing-label", "error", code=3)
        assert b"t.csv:2:" in done.stderr and b"the label is missing" in done.stderr


def test_arrays_with_missing_labels(noiseplus, audited, tmp_path):
    numpy = pytest.importorskip("numpy")
    rows = list(rows_of())
    x = numpy.array([[float(v) for v in cells] for cells, _ in rows], dtype="f4")
    y = numpy.array([y == "yes" for _, y in rows], dtype="f8")
    y[::9] = numpy.nan
    kept = ~numpy.isnan(y)
    probabilities = numpy.column_stack([1 - .8 * (x[:, 0] > 2) - .1, .8 * (x[:, 0] > 2) + .1])
    for name, part in (("all", slice(None)), ("kept", kept)):
        numpy.save(tmp_path / f"{name}-x.npy", x[part])
        numpy.save(tmp_path / f"{name}-y.npy", y[part])
        numpy.save(tmp_path / f"{name}-p.npy", probabilities[part])
    for more in ([], ["--probabilities", "{}-p.npy"]):
        reports = [audited(*(word.format(name) for word in more), data=["audit", f"{name}-x.npy", "--labels", f"{name}-y.npy"])
                   for name in ("all", "kept")]
        for report in reports:
            report.pop("probabilities", None)
        assert reports[0]["missing_labels"] == 67 and without_times(reports[0]) == without_times(reports[1])
    noiseplus("balance", "all-x.npy", "--labels", "all-y.npy", "--force", "--output", "new.txt")
    labels = (tmp_path / "new.txt").read_text().split("\n")[:-1]
    assert [label == "" for label in labels] == list(~kept)


def test_no_label_at_all(write, noiseplus):
    write(["a", "b", "y"], [[*x, ""] for x, _ in rows_of(50)])
    assert b"no row has a label in 'y'" in noiseplus(*AUDIT, code=3).stderr


# ---------------------------------------------------------------------------------------- many classes

def many_classes(classes, rows_each=3):
    return [[f"{c % 50}", f"{c // 50}", f"class {c}"] for c in range(classes) for _ in range(rows_each)]


def test_more_than_a_thousand_classes(write, noiseplus, audited):
    write(["a", "b", "y"], many_classes(1100))
    report = audited("--estimator", "latent-class")
    assert len(report["classes"]) == 1100 and len(report["transition"]) == 1100
    noiseplus("corrupt", "t.csv", "--label", "y", "--rate", "class 7=0.5", "--output", "c.csv")


def test_all_commands_take_more_than_a_thousand_classes(write, noiseplus, audited, tmp_path):
    draw, count, each = random.Random(5), 1010, 12

    def cells(c):
        is_wrong = draw.random() < (.3 if 2 * c < count else .05)
        return [f"{c % 50 + draw.gauss(0, .01):.3f}", f"{c // 50 + draw.gauss(0, .01):.3f}",
                f"class {draw.randrange(count) if is_wrong else c}"]

    write(["a", "b", "y"], [cells(c) for c in range(count) for _ in range(each)])
    report = audited()
    assert report["identified"] and len(report["classes"]) == len(report["noise"]) == count
    noiseplus("balance", *AUDIT[1:], "--force", "--output", "b.csv")
    before, after = ((tmp_path / name).read_text().splitlines() for name in ("t.csv", "b.csv"))
    assert [line.rpartition(",")[0] for line in after] == before
    assert sum(line.rpartition(",")[2] != old.rpartition(",")[2] for line, old in zip(after, before)) > 100
    write(["a", "b", "y"], many_classes(count))
    noiseplus("train", *AUDIT[1:], "--output", "m")
    noiseplus("predict", "m", "t.csv", "--output", "p.csv")
    assert (tmp_path / "p.csv").read_text().count("\n") == 3 * count + 1


@pytest.mark.skipif(os.environ.get("NOISEPLUS_SANITIZE", "") != "", reason="sanitizers reserve terabytes of addresses")
def test_classes_without_memory_say_what_they_need(write, program, tmp_path):
    import resource
    import subprocess
    write(["a", "b", "y"], many_classes(9000, 2))
    limit = 3 * 10**9
    done = subprocess.run([program, *AUDIT, "--threads", "1"], cwd=tmp_path, capture_output=True, timeout=60, check=False,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    message = done.stderr.decode()
    assert done.returncode == 3 and message.count("\n") == 1
    assert re.search(r"9000 classes, which need about \d+\.\d GB of memory; there is 3\.0 GB", message), message
    assert "is it the right column" in message.lower()


# --------------------------------------------------------------------------------------- suspects-file

@pytest.mark.parametrize("delimiter", [",", ";"])
def test_suspects_file_is_sorted_and_has_the_columns(write, noiseplus, tmp_path, delimiter):
    write(["a", "note", "b", "y"], [[x[0], f'"{n % 3}{delimiter} ""x"""', x[1], y] for n, (x, y) in enumerate(rows_of())],
          delimiter=delimiter)
    noiseplus(*AUDIT, "--suspects-file", "s.csv", "--rows", "rows.csv")
    suspects = list(csv.DictReader(io.StringIO((tmp_path / "s.csv").read_text()), delimiter=delimiter))
    data = list(csv.DictReader(io.StringIO((tmp_path / "t.csv").read_text()), delimiter=delimiter))
    rows = {line["row"]: line for line in csv.DictReader(io.StringIO((tmp_path / "rows.csv").read_text()))}
    assert list(suspects[0]) == ["row", "given", "suggested", "probability", "a", "note", "b", "y"]
    chances = [float(line["probability"]) for line in suspects]
    assert chances == sorted(chances) and len(suspects) > 20
    assert {line["row"] for line in suspects} == {row for row, line in rows.items() if line["given"] != line["suggested"]}
    for line in suspects:
        assert {name: line[name] for name in data[0]} == data[int(line["row"]) - 1]
        assert {name: line[name] for name in rows["1"]} == rows[line["row"]]


def test_suspects_file_needs_all_rows_and_a_fitting_name(write, noiseplus):
    write(["a", "b", "y"], [[*x, y] for x, y in rows_of()])
    assert b"--anchors" in noiseplus(*AUDIT, "--anchors", "100", "--suspects-file", "s.csv", code=2).stderr
    assert b"end the name in .csv" in noiseplus(*AUDIT, "--suspects-file", "s.tsv", code=2).stderr
    assert b".csv" in noiseplus(*AUDIT, "--suspects-file", "s.npy", code=2).stderr


# -------------------------------------------------------------------------------------------- matrices

@pytest.mark.parametrize("names", [["T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"],
                                   ["airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"]])
def test_matrices_of_ten_classes_have_whole_names(write, noiseplus, names):
    write(["a", "y"], [[str(n * 7 % 40), names[n % 10]] for n in range(400)])
    lines = noiseplus("corrupt", "t.csv", "--label", "y", "--random-gap", "0.2", "--output", "c.csv").stdout.decode()
    matrix = lines.partition("Noise put in")[2]
    audit = noiseplus("audit", "t.csv", "--label", "y").stdout.decode()
    for text in (matrix, audit):
        for name in names:
            assert name in text, text
        assert "…" not in text and "..." not in text and all(len(line) <= 80 for line in text.splitlines())
