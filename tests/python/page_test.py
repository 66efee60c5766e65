"""Pages that people look at: the command line's, from Python."""

import json
import re

import numpy as np
import pytest

from noiseplus import NoiseAudit, NoiseBalancer, RobustClassifier, evaluate


def data_of(path):
    text = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'id="noiseplus-data">(.*?)</script>', text, re.DOTALL)[1])


def test_the_page_is_that_of_the_command_line(program, clusters, tmp_path):
    np.save(tmp_path / "X.npy", clusters.X)
    np.save(tmp_path / "y.npy", clusters.y)
    program("audit", "X.npy", "--labels", "y.npy", "--html", "cli.html", folder=tmp_path)
    NoiseAudit(suspects=1000).fit(clusters.X, clusters.y).to_html(tmp_path / "python.html")
    ours, theirs = (data_of(tmp_path / name) for name in ("python.html", "cli.html"))
    report = ours["documents"][0]["report"]
    assert len(report["suspects"]["rows"]) == min(1000, len(clusters.y))
    for page in (ours, theirs):
        page["documents"][0]["report"].pop("seconds")
        page.pop("origin")  # the command line says what was typed, Python says nothing
    assert ours == theirs


def test_suspects_are_in_the_report_where_asked_for(clusters):
    assert "suspects" not in NoiseAudit().fit(clusters.X, clusters.y).report().to_dict()
    audit = NoiseAudit(suspects=5).fit(clusters.X, clusters.y)
    found = audit.report().to_dict()["suspects"]
    assert [row["row"] - 1 for row in found["rows"]] == audit.suspicious_rows(5).tolist()
    with pytest.raises(ValueError, match="suspects 1001: at most 1000"):
        NoiseAudit(suspects=1001).fit(clusters.X, clusters.y)


def test_all_reports_on_one_page(clusters, tmp_path):
    balancer = NoiseBalancer()
    X, y = balancer.fit_resample(clusters.X, clusters.y)
    before = RobustClassifier().fit(clusters.X, clusters.y)
    after = RobustClassifier().fit(X, y)
    judged = [evaluate(clusters.y, model.predict(clusters.X)) for model in (before, after)]
    balancer.report().to_html(tmp_path / "all.html", after.report_, *judged, title="Before & after")
    page = data_of(tmp_path / "all.html")
    assert page["title"] == "Before & after"
    assert [document["kind"] for document in page["documents"]] == ["audit", "training", "evaluation", "evaluation"]
    with pytest.raises(ValueError, match="one training, not two"):
        before.report_.to_html(tmp_path / "two.html", after.report_)
    assert not (tmp_path / "two.html").exists()
