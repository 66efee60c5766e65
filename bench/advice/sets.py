"""Data sets of ../shared/data as arrays: features, clean labels, groups; or labels with real noise."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Optional

import numpy as np
import pandas as pd

MAX_TEST_ROWS = 10_000


@dataclass(frozen=True)
class DataSet:
    X: np.ndarray
    clean: np.ndarray  # codes
    groups: Optional[np.ndarray] = None  # codes of two groups
    given: Optional[np.ndarray] = None  # labels with real noise; None: noise is put in


@dataclass(frozen=True)
class Split:
    """Rows to train on, whose labels are to be corrupted, and clean rows to score with."""

    X: np.ndarray
    clean: np.ndarray
    groups: Optional[np.ndarray]
    given: Optional[np.ndarray]
    X_test: np.ndarray
    y_test: np.ndarray


def split(data: DataSet, max_rows: int, seed: int) -> Split:
    order = np.random.default_rng(seed).permutation(len(data.clean))
    rows = min(max_rows, int(0.6 * len(order)))
    train, test = order[:rows], order[rows : rows + MAX_TEST_ROWS]

    def of(values: Optional[np.ndarray]) -> Optional[np.ndarray]:
        return None if values is None else values[train]

    return Split(
        data.X[train], data.clean[train], of(data.groups), of(data.given), data.X[test], data.clean[test]
    )


def encode(table: pd.DataFrame) -> np.ndarray:
    """Numbers standardized, categories one-hot."""
    columns = []
    for name in table.columns:
        column = table[name]
        if pd.api.types.is_numeric_dtype(column):
            values = column.astype(float).fillna(column.median())
            columns.append(((values - values.mean()) / (values.std() or 1)).to_numpy()[:, None])
        else:
            columns.append(pd.get_dummies(column.astype(str)).to_numpy(dtype=float))
    return np.hstack(columns).astype(np.float32)


def adult(folder: Path) -> DataSet:
    table = pd.read_csv(folder / "adult/adult.csv.gz", skipinitialspace=True)
    clean = (table.pop("income") == ">50K").to_numpy(dtype=int)
    return DataSet(encode(table), clean, (table["sex"] == "Male").to_numpy(dtype=int))


def bank(folder: Path) -> DataSet:
    table = pd.read_csv(folder / "bank/bank-full.csv.gz")
    clean = (table.pop("y") == "yes").to_numpy(dtype=int)
    return DataSet(encode(table), clean, (table["marital"] == "single").to_numpy(dtype=int))


def compas(folder: Path) -> DataSet:
    table = pd.read_csv(folder / "compas/compas-scores-two-years.csv.gz")
    features = "sex age age_cat race juv_fel_count juv_misd_count juv_other_count priors_count c_charge_degree"
    groups = (table["race"] == "Caucasian").to_numpy(dtype=int)
    return DataSet(encode(table[features.split()]), table["two_year_recid"].to_numpy(), groups)


def credit(folder: Path) -> DataSet:
    table = pd.read_csv(folder / "credit/credit-card-clients.csv.gz")
    clean = table.pop("default payment").to_numpy()
    return DataSet(encode(table), clean, (table["SEX"] == 2).to_numpy(dtype=int))


def german(folder: Path) -> DataSet:
    table = pd.read_csv(folder / "german/german.csv")
    clean = (table.pop("credit") == 2).to_numpy(dtype=int)
    return DataSet(encode(table), clean, (table["sex"] == "male").to_numpy(dtype=int))


def principal_components(X: np.ndarray, count: int = 40) -> np.ndarray:
    from sklearn.decomposition import PCA

    return PCA(count, random_state=0).fit_transform(X).astype(np.float32)


def fair_face(folder: Path) -> DataSet:
    """Gender, by 40 principal components of a network's features, so that trees take seconds."""
    labels = pd.read_csv(folder / "fairface/train_labels.csv")
    groups = (labels["race"] == "White").to_numpy(dtype=int)
    clean = pd.factorize(labels["gender"], sort=True)[0]
    features = np.load(folder / "fairface/train_features.npy").astype(np.float32)
    return DataSet(principal_components(features), clean, groups)


def mnist(folder: Path) -> DataSet:
    """The ten digits, 20,000 of them, by their 40 principal components."""
    images, digits = (_idx(folder / f"mnist/train-{part}-ubyte.gz") for part in ("images-idx3", "labels-idx1"))
    some = np.random.default_rng(0).permutation(len(digits))[:20_000]
    pixels = images[some].reshape(len(some), -1).astype(np.float32) / 255
    return DataSet(principal_components(pixels), digits[some].astype(int))


def _idx(path: Path) -> np.ndarray:
    content = gzip.decompress(path.read_bytes())
    dimensions = content[3]
    shape = np.frombuffer(content, ">u4", dimensions, offset=4)
    return np.frombuffer(content, np.uint8, offset=4 + 4 * dimensions).reshape(shape)


def cifar10n_worse(folder: Path) -> DataSet:
    """People's labels, the worst of three; log-probabilities of a Swin network as features."""
    labels = pd.read_csv(folder / "cifar10n/cifar10n_labels.csv.gz")
    shares = np.load(folder / "cifar10n/aggre_swin_probabilities.npy")
    X = np.log(np.clip(shares, 1e-4, 1)).astype(np.float32)
    return DataSet(X, labels["clean_label"].to_numpy(), given=labels["worse_label"].to_numpy())


def yoruba(folder: Path) -> DataSet:
    """News titles with weak labels made by rules; TF-IDF, 50 singular vectors."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    table = pd.read_csv(folder / "yoruba/yoruba_train.csv")
    words = TfidfVectorizer(min_df=2, sublinear_tf=True).fit_transform(table["news_title"])
    X = TruncatedSVD(50, random_state=0).fit_transform(words).astype(np.float32)
    names = sorted(set(table["gold"]) & set(table["weak_label"]))
    table_of = {name: code for code, name in enumerate(names)}
    known = (table["gold"].isin(names) & table["weak_label"].isin(names)).to_numpy()
    clean = table["gold"][known].map(table_of).to_numpy()
    return DataSet(X[known], clean, given=table["weak_label"][known].map(table_of).to_numpy())


SETS: dict[str, Callable[[Path], DataSet]] = {
    "Adult": adult,
    "bank": bank,
    "COMPAS": compas,
    "credit": credit,
    "German": german,
    "FairFace": fair_face,
    "MNIST": mnist,
    "CIFAR-10N worse": cifar10n_worse,
    "Yoruba": yoruba,
}
