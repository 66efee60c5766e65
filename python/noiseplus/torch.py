"""Losses for labels that may be wrong, as modules of PyTorch.

Labels are codes 0 .. K-1, int64, one a row. Logits are n x K; two classes may have one logit a row
instead (n, or n x 1), that of class 1. Transition matrices are T[i][j] = P(label j | clean i).

With l_c(x) = -log P(c | x) the loss of a row is the sum over classes of w[c] l_c(x). Cross entropy
has w = 1 for the label and 0 else; corrections for noise have other weights, some below zero. The
forward correction is the exception: it is the cross entropy of T^t P( | x).

Every loss has

* ``reduction``: ``"mean"``, ``"sum"`` or ``"none"``. The mean divides by the sum of the sample
  weights, so that scaling all of them changes nothing (and is no number where that sum is 0);
* ``forward(logits, labels, sample_weight=None)``, with one weight a row, none below 0;
* the floating-point type of the logits. What it was told of the noise is kept in float64 buffers,
  which follow ``.to(device)`` and ``state_dict``; for devices without float64 call ``.float()``.

With weights below zero the loss has no lower bound: a network gains by making such a class ever
less likely. Where nothing else holds it back, as a ridge does, ``floor=1e-3`` ends the pull where
the class is less likely than that.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

try:
    import torch
except ModuleNotFoundError as error:
    if error.name != "torch":
        raise
    raise ImportError("noiseplus.torch needs PyTorch; install it: pip install torch") from None

from torch import Tensor
from torch.nn import functional

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = [
    "BackwardCorrectedLoss",
    "ForwardCorrectedLoss",
    "GroupPeerLoss",
    "PeerLoss",
    "co_teaching_losses",
    "small_loss_rows",
]


def _float64(values: ArrayLike | Tensor) -> Tensor:
    if isinstance(values, Tensor):
        return values.detach().to("cpu", torch.float64, copy=True)
    return torch.tensor(np.asarray(values, dtype=np.float64))


def _check_codes(codes: Tensor, rows: int, what: str) -> Tensor:
    """Whether they are in range is left to the lookups: asking here would wait for the device."""
    if codes.is_floating_point() or codes.is_complex() or codes.dtype == torch.bool:
        raise TypeError(f"{what}s must be integer codes, not {codes.dtype}")
    return _check_length(codes, rows, what).long()


def _check_length(values: Tensor, rows: int, what: str) -> Tensor:
    if values.shape != (rows,):
        raise ValueError(f"{what}s have the shape {tuple(values.shape)}; one a row is ({rows},)")
    return values


def _codes(values: ArrayLike | Tensor, count: int, what: str) -> Tensor:
    codes = torch.as_tensor(values if isinstance(values, Tensor) else np.asarray(values)).cpu()
    codes = _check_codes(codes, codes.numel(), what)
    if len(codes) == 0 or codes.min() < 0 or codes.max() >= count:
        raise ValueError(f"{what}s must be codes from 0 to {count - 1}, one at least")
    return codes


def _check_shares(shares: Tensor, what: str) -> Tensor:
    is_sound = (shares >= 0).all(-1) & ((shares.sum(-1) - 1).abs() <= 1e-6)
    if not is_sound.all():
        row = f"row {int((~is_sound).nonzero()[0]) + 1} of " if shares.dim() == 2 else ""
        raise ValueError(f"{row}{what} must be probabilities that add up to 1")
    return shares


def _transition_and_inverse(transition: ArrayLike | Tensor) -> tuple[Tensor, Tensor]:
    matrix = _float64(transition)
    if matrix.dim() != 2 or matrix.shape[0] != matrix.shape[1] or matrix.shape[0] < 2:
        raise ValueError("the transition matrix must be K x K, of two classes at least")
    _check_shares(matrix, "the transition matrix")
    inverse, failed = torch.linalg.inv_ex(matrix)
    largest_entry = 1e4
    if failed or not (inverse.abs() <= largest_entry).all():
        raise ValueError(
            "the transition matrix cannot be inverted: it leaves two classes alike, so the noise "
            "cannot be undone; correct the matrix, or use PeerLoss"
        )
    return matrix, inverse


def _check_alpha(alpha: float) -> float:
    if not -100 < alpha < 1:
        raise ValueError(
            f"alpha is {alpha}; peer loss needs one below 1, or a constant model would be the best"
        )
    return float(alpha)


def _log_probabilities(logits: Tensor, classes: int) -> Tensor:
    """n x K, whichever way two classes are given."""
    if logits.dim() == 2 and logits.shape[1] == classes:
        return functional.log_softmax(logits, dim=1)
    if classes == 2 and (logits.dim() == 1 or (logits.dim() == 2 and logits.shape[1] == 1)):
        logit = logits.reshape(-1)
        return torch.stack((functional.logsigmoid(-logit), functional.logsigmoid(logit)), dim=1)
    raise ValueError(f"logits of {classes} classes cannot have the shape {tuple(logits.shape)}")


class _Loss(torch.nn.Module):
    def __init__(self, classes: int, reduction: str, floor: float = 0.0) -> None:
        super().__init__()
        if reduction not in ("mean", "sum", "none"):
            raise ValueError(f"reduction must be 'mean', 'sum' or 'none', not {reduction!r}")
        if not 0 <= floor < 1:
            raise ValueError(f"floor is {floor}; it must be a probability below 1")
        self.classes = classes
        self.reduction = reduction
        self.floor = floor

    def _inputs(self, logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
        log_p = _log_probabilities(logits, self.classes)
        return log_p, _check_codes(labels, len(log_p), "label")

    def _weighted(self, log_p: Tensor, weights: Tensor) -> Tensor:
        """The sum of w[c] l_c of each row."""
        if self.floor > 0:
            log_p = torch.where(weights < 0, log_p.clamp(min=math.log(self.floor)), log_p)
        return -(weights * log_p).sum(dim=1)

    def _reduced(self, losses: Tensor, sample_weight: Tensor | None) -> Tensor:
        total: Tensor | int = len(losses)
        if sample_weight is not None:
            weight = _check_length(sample_weight, len(losses), "sample weight").to(losses.dtype)
            losses, total = losses * weight, weight.sum()
        if self.reduction == "none":
            return losses
        return losses.sum() / total if self.reduction == "mean" else losses.sum()

    def extra_repr(self) -> str:
        settings = ("classes", "alpha", "floor", "reduction")
        return ", ".join(f"{name}={vars(self)[name]!r}" for name in settings if name in vars(self))


class BackwardCorrectedLoss(_Loss):
    """Each label weighs as its row of the inverse of T.

    In expectation over the noise this is the cross entropy of clean labels (Natarajan et al. 2013;
    Patrini et al. 2017). ValueError when T is not made of probabilities or cannot be inverted.

    >>> loss = BackwardCorrectedLoss([[0.9, 0.1], [0.3, 0.7]])
    >>> print(f"{loss(torch.tensor([2.0, -1.0]), torch.tensor([1, 0])):.4f}")
    -0.3632
    """

    inverse: Tensor

    def __init__(
        self, transition: ArrayLike | Tensor, *, reduction: str = "mean", floor: float = 0.0
    ) -> None:
        _, inverse = _transition_and_inverse(transition)
        super().__init__(len(inverse), reduction, floor)
        self.register_buffer("inverse", inverse)

    def forward(
        self, logits: Tensor, labels: Tensor, sample_weight: Tensor | None = None
    ) -> Tensor:
        log_p, labels = self._inputs(logits, labels)
        weights = self.inverse.to(log_p.dtype).index_select(0, labels)
        return self._reduced(self._weighted(log_p, weights), sample_weight)


class ForwardCorrectedLoss(_Loss):
    """Cross entropy of T^t P( | x), what a model of the clean label says of the noisy one.

    Never below zero, so it needs no floor (Patrini et al. 2017). ValueError as for
    BackwardCorrectedLoss: what T leaves alike, no model can tell apart.

    >>> loss = ForwardCorrectedLoss([[0.9, 0.1], [0.3, 0.7]])
    >>> print(f"{loss(torch.tensor([[-1.0, 1.0]]), torch.tensor([1])):.4f}")
    0.4645
    """

    transition: Tensor

    def __init__(self, transition: ArrayLike | Tensor, *, reduction: str = "mean") -> None:
        matrix, _ = _transition_and_inverse(transition)
        super().__init__(len(matrix), reduction)
        self.register_buffer("transition", matrix)

    def forward(
        self, logits: Tensor, labels: Tensor, sample_weight: Tensor | None = None
    ) -> Tensor:
        log_p, labels = self._inputs(logits, labels)
        # The logarithm comes first: what is tiny in float64 would be 0 in float32.
        log_t = self.transition.log().to(log_p.dtype).t().index_select(0, labels)
        return self._reduced(-torch.logsumexp(log_p + log_t, dim=1), sample_weight)


class PeerLoss(_Loss):
    """The label minus alpha times the frequencies of all labels (Liu and Guo 2020).

    Needs no noise rates. The expectation over the peers takes the place of a draw, so the
    frequencies are those of all labels of the training set, not of a batch. alpha is below 1 and
    may be changed while training.

    >>> loss = PeerLoss(0.5, [0.25, 0.75])
    >>> print(f"{loss(torch.tensor([[-1.0, 1.0]]), torch.tensor([1])):.4f}")
    -0.1865
    >>> PeerLoss.from_labels([0, 1, 1, 1], classes=2, alpha=0.5).label_frequencies.tolist()
    [0.25, 0.75]
    """

    label_frequencies: Tensor

    def __init__(
        self,
        alpha: float,
        label_frequencies: ArrayLike | Tensor,
        *,
        reduction: str = "mean",
        floor: float = 0.0,
    ) -> None:
        frequencies = _float64(label_frequencies)
        if frequencies.dim() != 1 or len(frequencies) < 2:
            raise ValueError("label frequencies must be K numbers, of two classes at least")
        super().__init__(len(frequencies), reduction, floor)
        self.alpha = _check_alpha(alpha)
        self.register_buffer("label_frequencies", _check_shares(frequencies, "label frequencies"))

    @classmethod
    def from_labels(
        cls, labels: ArrayLike | Tensor, classes: int, alpha: float, **options: Any
    ) -> PeerLoss:
        """With the frequencies of these labels; options are ``reduction`` and ``floor``."""
        counts = torch.bincount(_codes(labels, classes, "label"), minlength=classes).double()
        return cls(alpha, counts / counts.sum(), **options)

    def forward(
        self, logits: Tensor, labels: Tensor, sample_weight: Tensor | None = None
    ) -> Tensor:
        log_p, labels = self._inputs(logits, labels)
        own = functional.one_hot(labels, self.classes).to(log_p.dtype)
        weights = own - self.alpha * self.label_frequencies.to(log_p.dtype)
        return self._reduced(self._weighted(log_p, weights), sample_weight)


class GroupPeerLoss(_Loss):
    """Peer loss inside each group, divided by its delta = 1 - e+ - e- (Wang, Liu and Levy 2021).

    One delta a group, above 0 and at most 1, and one row of label frequencies a group; alpha as
    for PeerLoss. ``forward(logits, labels, groups, sample_weight=None)`` takes the group, from 0
    on, of each row.

    >>> loss = GroupPeerLoss([1.0, 0.5], [[0.25, 0.75], [0.5, 0.5]], alpha=0.5)
    >>> logits, labels = torch.tensor([[-1.0, 1.0], [-1.0, 1.0]]), torch.tensor([1, 1])
    >>> print(f"{loss(logits, labels, groups=torch.tensor([0, 1])):.4f}")
    -0.5298
    """

    deltas: Tensor
    group_label_frequencies: Tensor

    def __init__(
        self,
        deltas: ArrayLike | Tensor,
        group_label_frequencies: ArrayLike | Tensor,
        alpha: float,
        *,
        reduction: str = "mean",
        floor: float = 0.0,
    ) -> None:
        each, frequencies = _float64(deltas), _float64(group_label_frequencies)
        if each.dim() != 1 or not ((each > 0) & (each <= 1)).all():
            raise ValueError("delta is 1 - e+ - e-, one a group, above 0 and at most 1")
        if frequencies.dim() != 2 or len(frequencies) != len(each) or frequencies.shape[1] < 2:
            raise ValueError("label frequencies of groups must be K numbers for each delta")
        super().__init__(frequencies.shape[1], reduction, floor)
        self.alpha = _check_alpha(alpha)
        self.register_buffer("deltas", each)
        self.register_buffer(
            "group_label_frequencies", _check_shares(frequencies, "label frequencies")
        )

    @classmethod
    def from_labels(
        cls,
        labels: ArrayLike | Tensor,
        classes: int,
        groups: ArrayLike | Tensor,
        deltas: ArrayLike | Tensor,
        alpha: float,
        **options: Any,
    ) -> GroupPeerLoss:
        """With the frequencies of these labels in each group; ValueError for a group without any.

        Options are ``reduction`` and ``floor``.

        >>> loss = GroupPeerLoss.from_labels([0, 1, 1], 2, [0, 0, 1], deltas=[1, 0.5], alpha=0.5)
        >>> loss.group_label_frequencies.tolist()
        [[0.5, 0.5], [0.0, 1.0]]
        """
        each = _float64(deltas)
        codes, of = _codes(labels, classes, "label"), _codes(groups, each.numel(), "group")
        _check_length(of, len(codes), "group")
        cells = torch.bincount(of * classes + codes, minlength=each.numel() * classes).double()
        counts = cells.reshape(-1, classes)
        rows = counts.sum(dim=1, keepdim=True)
        if not rows.all():
            raise ValueError(f"group {int(rows.argmin())} has no labels to take frequencies from")
        return cls(each, counts / rows, alpha, **options)

    def forward(
        self, logits: Tensor, labels: Tensor, groups: Tensor, sample_weight: Tensor | None = None
    ) -> Tensor:
        log_p, labels = self._inputs(logits, labels)
        groups = _check_codes(groups, len(log_p), "group")
        own = functional.one_hot(labels, self.classes).to(log_p.dtype)
        peers = self.group_label_frequencies.to(log_p.dtype).index_select(0, groups)
        deltas = self.deltas.to(log_p.dtype).index_select(0, groups)
        weights = (own - self.alpha * peers) / deltas[:, None]
        return self._reduced(self._weighted(log_p, weights), sample_weight)


def small_loss_rows(losses: Tensor, forget_rate: float) -> Tensor:
    """The rows, in order, with the smallest losses: all but a share of ``forget_rate``.

    One is kept at least, and of equals the first.

    >>> small_loss_rows(torch.tensor([0.3, 2.0, 0.1, 0.7]), forget_rate=0.5)
    tensor([0, 2])
    """
    if not 0 <= forget_rate < 1:
        raise ValueError(f"forget_rate must be from 0 to below 1, not {forget_rate}")
    kept = max(1, math.floor(len(losses) * (1 - forget_rate) + 0.5))
    order = torch.sort(losses, stable=True).indices
    return order[:kept].sort().values


def co_teaching_losses(
    logits_a: Tensor, logits_b: Tensor, labels: Tensor, forget_rate: float
) -> tuple[Tensor, Tensor]:
    """What two networks learn from one batch: each from the other's easiest rows (Han et al. 2018).

    Mean cross entropies, for a and for b; call backward on each, or on their sum. Let
    ``forget_rate`` grow from 0 to the noise rate over the first epochs: a network learns what is
    common before it learns what is wrong by heart.

    >>> a, b = torch.tensor([3.0, 1.0, -2.0]), torch.tensor([-1.0, 2.0, -3.0])
    >>> for loss in co_teaching_losses(a, b, torch.tensor([1, 1, 0]), forget_rate=1 / 3):
    ...     print(f"{loss:.4f}")
    0.2201
    0.6809
    """
    loss_a, loss_b = (_cross_entropies(logits, labels) for logits in (logits_a, logits_b))
    for_a, for_b = (small_loss_rows(losses, forget_rate) for losses in (loss_b, loss_a))
    return loss_a[for_a].mean(), loss_b[for_b].mean()


def _cross_entropies(logits: Tensor, labels: Tensor) -> Tensor:
    has_columns = logits.dim() == 2 and logits.shape[1] > 1
    log_p = _log_probabilities(logits, logits.shape[1] if has_columns else 2)
    labels = _check_codes(labels, len(log_p), "label")
    return -log_p.gather(1, labels[:, None]).squeeze(1)
