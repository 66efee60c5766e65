"""Pages: what audit, balance, train and evaluate write with --html, and report from their JSON."""
import json
import os
import re
import subprocess
from datetime import datetime, timezone

import pytest

from conftest import clusters
from kernel_outputs import without_seconds


def data_of(page):
    text = page.read_text(encoding="utf-8") if hasattr(page, "read_text") else page
    found = re.search(r'id="noiseplus-data">(.*?)</script>', text, re.DOTALL)
    return json.loads(found[1])


def reports_of(page):
    return {document["kind"]: document["report"] for document in data_of(page)["documents"]}


@pytest.fixture
def noisy(noiseplus, tmp_path):
    (tmp_path / "clean.csv").write_text(clusters(1500))
    noiseplus("corrupt", "clean.csv", "--label", "y", "--rate", "yes=0.3", "--output", "noisy.csv")
    return "noisy.csv", "--label", "y_noisy", "--drop", "id"


def test_a_page_from_an_audit_is_that_of_its_json(noiseplus, noisy, tmp_path):
    noiseplus("audit", *noisy, "--html", "a.html", "--json", "audit.json")
    noiseplus("report", "audit.json", "-o", "b.html")
    pages = []
    for name in ("a.html", "b.html"):
        text = (tmp_path / name).read_text(encoding="utf-8")
        pages.append(re.sub(r'"origin":\{.*?\}', "", text, count=1))
        assert pages[-1] != text
    assert pages[0] == pages[1]
    report = reports_of(tmp_path / "a.html")["audit"]
    assert report["noisier"] == "yes"
    assert len(report["suspects"]["rows"]) == 1000
    assert report["suspects"]["columns"] == ["id", "color", "x0", "x1", "x2", "y"]
    assert len(report["agreement"]["gap"]) == 13
    row = report["suspects"]["rows"][0]
    line = (tmp_path / "noisy.csv").read_text().splitlines()[row["row"]].split(",")
    assert row["values"] == line[:-1] and report["classes"][row["given"]] == line[-1]


def test_the_page_says_where_it_comes_from(program, noisy, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "my data.csv").write_bytes((tmp_path / "noisy.csv").read_bytes())
    pages = {}
    for threads, kernel in (("1", "scalar"), ("2", "auto")):
        command = [program, "audit", f"{tmp_path}/folder/my data.csv", *noisy[1:], "--html", "folder/page.html", "--threads", threads,
                   f"--kernel={kernel}", "--quiet", "--estimator", "moments"]
        subprocess.run(command, cwd=tmp_path, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1772600000"}, timeout=120)
        pages[kernel] = without_seconds((tmp_path / "folder" / "page.html").read_bytes())
    origin = data_of(tmp_path / "folder" / "page.html")["origin"]
    assert origin == {"file": "my data.csv", "date": "2026-03-04",
                      "command": "noiseplus audit 'my data.csv' --label y_noisy --drop id --html page.html --estimator moments"}
    assert pages["scalar"] == pages["auto"] and str(tmp_path).encode() not in pages["auto"]


def test_the_date_is_of_today_and_not_in_the_json(noiseplus, noisy, tmp_path):
    before = datetime.now(timezone.utc).date().isoformat()
    report = noiseplus("audit", *noisy, "--json", "-", "--html", "page.html").stdout.decode()
    assert before <= data_of(tmp_path / "page.html")["origin"]["date"] <= datetime.now(timezone.utc).date().isoformat()
    assert before not in report and "noiseplus audit" not in report


def test_the_page_asks_for_nothing(noiseplus, noisy, tmp_path):
    noiseplus("audit", *noisy, "--html", "a.html")
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in text
    assert not re.search(r'(src|href)="?(https?:|//)|@import|url\(\s*["\']?http', text)
    assert len(text) < 2_000_000


def test_json_has_no_rows_unless_asked_for(noiseplus, noisy, tmp_path):
    noiseplus("audit", *noisy, "--json", "plain.json")
    plain = json.loads((tmp_path / "plain.json").read_text())
    assert "suspects" not in plain and "agreement" not in plain
    noiseplus("audit", *noisy, "--json", "some.json", "--suspects", "7")
    some = json.loads((tmp_path / "some.json").read_text())
    assert len(some["suspects"]["rows"]) == 7 and "agreement" in some
    some["findings"] = [finding for finding in some["findings"] if finding["id"] != "row-scores"]
    assert {key: some[key] for key in plain if key != "seconds"} == {key: plain[key] for key in plain if key != "seconds"}
    noiseplus("report", "plain.json", "-o", "plain.html")
    assert "suspects" not in reports_of(tmp_path / "plain.html")["audit"]
    noiseplus("audit", *noisy, "--suspects", "1001", code=2)
    noiseplus("audit", *noisy, "--suspects", "-1", code=2)
    assert b"--json or --html" in noiseplus("audit", *noisy, "--suspects", "5", code=2).stderr


def test_a_sample_of_rows_has_a_page_without_rows(noiseplus, noisy, tmp_path):
    noiseplus("audit", *noisy, "--anchors", "500", "--html", "a.html")
    assert "suspects" not in reports_of(tmp_path / "a.html")["audit"]
    noiseplus("audit", *noisy, "--anchors", "500", "--suspects", "5", "--json", "a.json", code=2)


def test_everything_on_one_page(noiseplus, noisy, tmp_path):
    noiseplus("balance", *noisy, "--output", "b.csv", "--json", "balance.json", "--html", "balance.html")
    noiseplus("train", *noisy, "--output", "m", "--json", "train.json", "--html", "train.html")
    noiseplus("train", *noisy, "--balance", "--output", "m2")
    for model, name in (("m", "before"), ("m2", "after")):
        noiseplus("evaluate", model, "clean.csv", "--label", "y", "--group", "color", "--json", f"{name}.json",
                  "--html", f"{name}.html")
    noiseplus("report", "balance.json", "train.json", "before.json", "after.json", "--output", "all.html", "--title", "A & B")
    page = data_of(tmp_path / "all.html")
    assert page["title"] == "A & B"
    assert [d["kind"] for d in page["documents"]] == ["audit", "training", "evaluation", "evaluation"]
    assert [d["name"] for d in page["documents"]][2:] == ["before.json", "after.json"]
    assert "flipped" in reports_of(tmp_path / "balance.html")["audit"]
    assert "loss" in reports_of(tmp_path / "train.html")["training"]
    assert "confusion" in reports_of(tmp_path / "after.html")["evaluation"]


def test_a_label_called_script(noiseplus, tmp_path):
    evil = "</script><script>document.title='x'</script>"
    lines = clusters(600).splitlines()
    text = "\n".join(line.replace(",yes", f",{evil}") for line in lines) + "\n"
    (tmp_path / "evil.csv").write_text(text)
    noiseplus("audit", "evil.csv", "--label", "y", "--drop", "id", "--html", "evil.html")
    page = (tmp_path / "evil.html").read_text()
    assert "<script>document.title" not in page
    assert evil in reports_of(page)["audit"]["classes"]


def test_standard_input_and_output(noiseplus, noisy, tmp_path):
    text = noiseplus("audit", *noisy, "--json", "-").stdout
    page = noiseplus("report", "-", "-o", "-", stdin=text).stdout.decode()
    assert reports_of(page)["audit"]["rows"] == 1500
    page = noiseplus("audit", *noisy, "--html", "-").stdout.decode()
    assert page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>")


def test_files_that_make_no_page(noiseplus, noisy, tmp_path):
    noiseplus("audit", *noisy, "--json", "audit.json")
    (tmp_path / "cut.json").write_text((tmp_path / "audit.json").read_text()[:500])
    (tmp_path / "other.json").write_text("{}")
    assert b"cut.json:" in noiseplus("report", "cut.json", "-o", "x.html", code=3).stderr
    assert b"is no report" in noiseplus("report", "other.json", "-o", "x.html", code=3).stderr
    noiseplus("report", "none.json", "-o", "x.html", code=5)
    noiseplus("report", "audit.json", "audit.json", "-o", "x.html", code=2)
    noiseplus("report", "audit.json", code=2)
    noiseplus("report", "-o", "x.html", code=2)
    noiseplus("report", "audit.json", "-o", "audit.json", code=2)
    assert not (tmp_path / "x.html").exists()


def test_values_are_those_of_the_file(noiseplus, arrays, tmp_path):
    rows = arrays[0]
    for flags in ((), ("--scale",)):
        noiseplus("audit", "x.npy", "--labels", "y.npy", "--suspects", "3", "--json", "a.json", *flags)
        for suspect in json.loads((tmp_path / "a.json").read_text())["suspects"]["rows"]:
            assert [float(value) for value in suspect["values"]] == pytest.approx(list(rows[suspect["row"] - 1]), rel=1e-3)


def test_an_image_for_each_suspect(noiseplus, tmp_path):
    numpy = pytest.importorskip("numpy")
    draw = numpy.random.default_rng(0)
    labels = draw.integers(0, 3, 600)
    pictures = draw.integers(0, 40, (600, 8, 9)) + 70 * labels[:, None, None]
    numpy.save(tmp_path / "x.npy", pictures.astype(numpy.uint8))
    numpy.save(tmp_path / "y.npy", labels)
    noiseplus("audit", "x.npy", "--labels", "y.npy", "--html", "a.html")
    suspects = reports_of(tmp_path / "a.html")["audit"]["suspects"]
    assert suspects["image"] == {"width": 9, "height": 8} and suspects["columns"] == []
    assert all(len(row["pixels"]) == 96 for row in suspects["rows"])


@pytest.mark.parametrize("depth", [65, 120_000])
def test_deeply_nested_json_is_refused(noiseplus, tmp_path, depth):
    (tmp_path / "deep.json").write_text('{"noise": ' + "[" * depth + "]" * depth + "}")
    done = noiseplus("report", "deep.json", "-o", "deep.html", code=3)
    assert b"deep.json: is nested too deeply" in done.stderr
    assert not (tmp_path / "deep.html").exists()


def test_a_label_of_megabytes_makes_a_small_page(noiseplus, tmp_path):
    label = "first" + "y" * 3_000_000 + "last"
    rows = "".join(f"{i},red,{i},{i},{i},{label}\n" for i in range(2))
    (tmp_path / "clean.csv").write_text(clusters(1000) + rows)
    done = noiseplus("audit", "clean.csv", "--label", "y", "--html", "a.html", "--json", "a.json", "--rows", "r.csv")
    assert max(map(len, done.stdout.splitlines())) < 1_000
    assert len(done.stdout) < 20_000
    assert json.loads((tmp_path / "a.json").read_text())["classes"][0] == label
    assert (tmp_path / "a.html").stat().st_size < 2_000_000
    shown = reports_of(tmp_path / "a.html")["audit"]["classes"][0]
    assert len(shown) <= 300 and shown.startswith("firsty") and "..." in shown and shown.endswith("ylast")
