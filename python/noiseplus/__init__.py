"""Which labels are noisier, by how much, and what to do about it.

    NoiseAudit         which class or group has the noisier labels, with what certainty
    NoiseBalancer      flips a few labels of the cleaner side, so that all are equally noisy
    NoiseRobust        any classifier of yours, trained on labels that may be wrong
    RobustClassifier   models trained on labels that may be wrong
    FairClassifier     models that treat groups alike, from labels that may be wrong
    corrupt_labels     noise at known rates, for experiments
    load_model         models from files that a classifier, or the command line, has saved
    evaluate           accuracy and fairness of answers, with intervals

The stages behind them: nearest_neighbors, estimate_noise, estimate_from_probabilities,
label_quality, balancing_plan, apply_plan. The robust losses for PyTorch are in noiseplus.torch.
"""

from ._audit import NoiseAudit
from ._balance import NoiseBalancer
from ._core import version as _version
from ._corrupt import corrupt_labels
from ._fair import FairClassifier
from ._noise_robust import NoiseRobust
from ._report import Report
from ._robust import RobustClassifier
from ._saved import SavedClassifier, load_model
from ._stages import (
    apply_plan,
    balancing_plan,
    estimate_from_probabilities,
    estimate_noise,
    evaluate,
    label_quality,
    nearest_neighbors,
)

__version__ = _version()

__all__ = [
    "FairClassifier",
    "NoiseAudit",
    "NoiseBalancer",
    "NoiseRobust",
    "Report",
    "RobustClassifier",
    "SavedClassifier",
    "apply_plan",
    "balancing_plan",
    "corrupt_labels",
    "estimate_from_probabilities",
    "estimate_noise",
    "evaluate",
    "label_quality",
    "load_model",
    "nearest_neighbors",
]
