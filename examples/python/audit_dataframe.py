"""Audits the labels of a pandas DataFrame and looks at the rows that are probably wrong.

    python audit_dataframe.py FOLDER

The table is generated: loan applications with numbers, categories and gaps, handled by two
branches. One branch writes down the wrong outcome far more often than the other. The audit sees
the labels as written, never the true ones; these serve only to say, at the end, whether it was
right. The report is written to FOLDER/audit.html.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

from noiseplus import NoiseAudit, corrupt_labels

ROWS = 6000
WRONG_LABELS = {"north": 0.05, "south": 0.25}  # the share of each branch


def make_applications(seed):
    """A table as one finds it, and the true outcomes."""
    rng = np.random.default_rng(seed)
    repaid = rng.random(ROWS) < 0.6
    table = pd.DataFrame({
        "income": np.exp(rng.normal(np.where(repaid, 11.2, 9.8), 0.3)).round(-2),
        "years_employed": rng.gamma(np.where(repaid, 12.0, 2.0)).round(1),
        "debt_ratio": rng.beta(2, np.where(repaid, 14, 3)).round(3),
        "late_payments": rng.poisson(np.where(repaid, 0.3, 4.0)),
        "home": np.where(rng.random(ROWS) < np.where(repaid, 0.7, 0.3), "own", "rent"),
        "purpose": rng.choice(["car", "house", "business", "other"], ROWS),
        "branch": rng.choice(list(WRONG_LABELS), ROWS),
    })
    # Gaps are left as they are: in numbers they are NaN, in texts None.
    table.loc[rng.random(ROWS) < 0.08, "years_employed"] = np.nan
    table.loc[rng.random(ROWS) < 0.05, "home"] = None
    return table, np.where(repaid, "repaid", "default")


def suspects_table(audit, table, limit):
    """The least credible labels, beside what the audit would put in their place."""
    rows = audit.suspicious_rows(limit)
    return pd.DataFrame({
        "given": table["outcome"].iloc[rows],
        "suggested": audit.suggested_labels_[rows],
        "probability given is right": audit.label_quality_[rows].round(4),
        "income": table["income"].iloc[rows],
        "late_payments": table["late_payments"].iloc[rows],
        "branch": table["branch"].iloc[rows],
    })


def main(folder, seed=0):
    table, truth = make_applications(seed)
    table["outcome"] = corrupt_labels(
        truth, group_rates=WRONG_LABELS, groups=table["branch"], seed=seed
    )

    # The label and the groups are columns of the table, so their names are enough. Numbers are
    # standardized and categories become columns; nothing has to be prepared. The branch decides
    # who writes the outcome down and not who repays: it is a group here, and no feature.
    audit = NoiseAudit(drop=["branch"]).fit(table, y="outcome", groups="branch")
    print(audit.report())

    print("The ten least credible labels:\n")
    print(suspects_table(audit, table, limit=10).to_string())

    # From here on we use the truth, which nobody has of real data.
    print("\nWrong labels by branch, estimated and true:")
    for branch, rate in zip(audit.groups_, audit.group_rates_):
        here = table["branch"] == branch
        print(f"  {branch}: {rate:.3f} {np.mean((table['outcome'] != truth)[here]):.3f}")

    suspects = audit.suspicious_rows()
    is_wrong = (table["outcome"] != truth).to_numpy()
    print(f"\nsuspects: {len(suspects)}")
    print(f"suspects that are wrong: {is_wrong[suspects].sum()} ({is_wrong[suspects].mean():.3f})")
    print(f"wrong labels that are suspects: {is_wrong[suspects].sum() / is_wrong.sum():.3f}")
    print(f"noisier branch: {audit.noisier_group_}")

    page = Path(folder) / "audit.html"
    audit.to_html(page)
    print(f"page: {page}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python audit_dataframe.py FOLDER")
    main(sys.argv[1])
