"""The objective of a linear model, worked out for every contestant alike: in double, from its coefficients."""
import numpy

ROWS_AT_A_TIME = 8192  # all of MNIST in double would be 376 MB


def log_likelihoods(logits, codes):
    """log P(code) of each row; one column of logits is that of class 1 of two."""
    if logits.shape[1] == 1:
        logits = numpy.concatenate([numpy.zeros_like(logits), logits], axis=1)
    highest = logits.max(axis=1, keepdims=True)
    totals = numpy.log(numpy.exp(logits - highest).sum(axis=1)) + highest[:, 0]
    return logits[numpy.arange(len(codes)), codes] - totals


def objective(rows, codes, coefficients, ridge, weights=None):
    """Mean log loss + ridge / 2 |w|^2. The biases, which are free, are the last row of `coefficients`."""
    slopes, biases = coefficients[:-1].astype(numpy.float64), coefficients[-1].astype(numpy.float64)
    weights = numpy.ones(len(rows)) if weights is None else weights.astype(numpy.float64)
    loss = 0.0
    for begin in range(0, len(rows), ROWS_AT_A_TIME):
        part = slice(begin, begin + ROWS_AT_A_TIME)
        logits = rows[part].astype(numpy.float64) @ slopes + biases
        loss -= (weights[part] * log_likelihoods(logits, codes[part])).sum()
    return loss / weights.sum() + ridge / 2 * (slopes**2).sum()
