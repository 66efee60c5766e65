"""Pages that people look at: the command line's, from Python."""

import json
import re
from datetime import datetime, timezone

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
    origins = []
    for page in (ours, theirs):
        page["documents"][0]["report"].pop("seconds")
        origins.append(page.pop("origin"))
    assert ours == theirs
    assert set(origins[0]) == {"date"} < set(origins[1])  # and what was typed


def test_the_page_says_when_it_was_made(clusters, tmp_path, monkeypatch):
    audit = NoiseAudit().fit(clusters.X, clusters.y)
    before = datetime.now(timezone.utc).date().isoformat()
    audit.to_html(tmp_path / "page.html")
    assert before <= data_of(tmp_path / "page.html")["origin"]["date"] <= datetime.now(timezone.utc).date().isoformat()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1772600000")
    audit.to_html(tmp_path / "page.html")
    assert data_of(tmp_path / "page.html")["origin"] == {"date": "2026-03-04"}


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
