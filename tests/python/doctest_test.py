"""The examples in the package's docstrings run, and say what they say."""

import doctest
import importlib
import pkgutil

import pytest

import noiseplus

OPTIONAL = {"noiseplus.torch": "torch"}


def modules():
    return [m.name for m in pkgutil.iter_modules(noiseplus.__path__, "noiseplus.") if m.name != "noiseplus._core"]


@pytest.mark.parametrize("name", modules())
def test_examples(name):
    if name in OPTIONAL:
        pytest.importorskip(OPTIONAL[name])
    failures, _ = doctest.testmod(importlib.import_module(name))
    assert failures == 0


@pytest.mark.parametrize("name", noiseplus.__all__)
def test_what_is_public_is_described(name):
    public = getattr(noiseplus, name)
    assert public.__doc__ and len(public.__doc__) > 80


def test_every_estimator_has_an_example():
    for name in ("NoiseAudit", "NoiseBalancer", "RobustClassifier", "FairClassifier", "corrupt_labels"):
        assert doctest.DocTestFinder().find(getattr(noiseplus, name), name)[0].examples, name
