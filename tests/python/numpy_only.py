"""Run where numpy is all there is: the package imports, works, and says what it lacks."""

import importlib.util
import pickle

import numpy as np

import noiseplus
from noiseplus import FairClassifier, NoiseAudit, NoiseBalancer, RobustClassifier, corrupt_labels

for name in ("sklearn", "pandas", "scipy", "torch", "tqdm"):
    assert importlib.util.find_spec(name) is None, f"{name} is installed"

rng = np.random.default_rng(0)
clean = rng.integers(0, 2, 3000)
X = (rng.normal(size=(3000, 4)) + 3 * clean[:, None]).astype(np.float32)
group = rng.integers(0, 2, 3000)
y = corrupt_labels(clean, rates={1: 0.3}, seed=1)

audit = NoiseAudit(progress=True).fit(X, y, groups=group)
assert audit.noisier_ == 1 and abs(audit.noise_rates_[1] - 0.3) < 0.05
assert "noiseplus" in audit.report()._repr_html_()
_, balanced = NoiseBalancer().fit_resample(X, y)
assert (balanced != y).any()
model = RobustClassifier(loss="backward").fit(X, y)
assert model.score(X, clean) > 0.97
np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
assert FairClassifier(tolerance=0.05).fit(X, y, groups=group).predict_proba(X).shape == (3000, 2)

assert NoiseAudit(k=4).get_params()["k"] == 4
assert NoiseAudit().set_params(k=5).k == 5
assert repr(NoiseAudit(k=4)) == "NoiseAudit(k=4)"
for mistake, kind in ((lambda: NoiseAudit().set_params(kk=5), ValueError),
                      (lambda: RobustClassifier().predict(X), ValueError),
                      (lambda: importlib.import_module("noiseplus.torch"), ImportError)):
    try:
        mistake()
    except kind:
        continue
    raise AssertionError("no error")
print(f"noiseplus {noiseplus.__version__} with numpy {np.__version__} alone: fine")
