"""The losses of noiseplus.torch against the targets of the library and what is known of them."""

import copy
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import noiseplus  # noqa: E402
import noiseplus.torch as robust  # noqa: E402
from noiseplus import _core  # noqa: E402

ROWS = 40
ALPHA = 0.4
DELTAS = np.array([0.9, 0.5, 0.7])
TWO_CLASSES = np.array([[0.9, 0.1], [0.3, 0.7]])


def transition_of(classes):
    generator = np.random.default_rng(classes)
    return 0.6 * np.eye(classes) + 0.4 * generator.dirichlet(np.ones(classes), classes)


class Batch:
    """Random logits, with each label in each group."""

    def __init__(self, classes, rows=ROWS):
        generator = np.random.default_rng(100 + classes)
        self.classes = classes
        self.transition = transition_of(classes)
        self.codes = np.arange(rows) % classes
        self.group_codes = np.arange(rows) // classes % len(DELTAS)
        self.labels = torch.tensor(self.codes)
        self.groups = torch.tensor(self.group_codes)
        self.logits = torch.tensor(3 * generator.normal(size=(rows, classes)), requires_grad=True)
        self.weights = torch.tensor(generator.uniform(0.5, 2, rows))

    def losses(self, **options):
        """name -> the loss as a function of logits, labels, groups and sample weights."""
        peer = robust.PeerLoss.from_labels(self.labels, self.classes, ALPHA, **options)
        group_peer = robust.GroupPeerLoss.from_labels(
            self.labels, self.classes, self.groups, DELTAS, ALPHA, **options
        )
        backward = robust.BackwardCorrectedLoss(self.transition, **options)
        forward = robust.ForwardCorrectedLoss(self.transition, **options)
        return {
            "backward": lambda z, y, g, w=None: backward(z, y, w),
            "forward": lambda z, y, g, w=None: forward(z, y, w),
            "peer": lambda z, y, g, w=None: peer(z, y, w),
            "group-peer": group_peer,
        }


NAMES = ["backward", "forward", "peer", "group-peer"]


def modules():
    return {
        "backward": robust.BackwardCorrectedLoss(TWO_CLASSES),
        "forward": robust.ForwardCorrectedLoss(TWO_CLASSES),
        "peer": robust.PeerLoss(ALPHA, [0.25, 0.75]),
        "group-peer": robust.GroupPeerLoss([0.9, 0.5], [[0.25, 0.75], [0.5, 0.5]], ALPHA),
    }


def call(name, module, logits, labels):
    groups = (torch.arange(len(labels)) % 2,) if name == "group-peer" else ()
    return module(logits, labels, *groups)


# ------------------------------------------------------------------------------ against the library


def loss_of_targets(batch, name):
    weights, total = _core.loss_targets(
        name,
        batch.codes.astype(np.int32),
        batch.classes,
        transition=batch.transition if name in ("backward", "forward") else None,
        alpha=ALPHA if name in ("peer", "group-peer") else 0.0,
        groups=batch.group_codes.astype(np.int32) if name == "group-peer" else None,
        deltas=DELTAS if name == "group-peer" else None,
    )
    logits = batch.logits.detach().numpy()
    log_p = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    if name == "forward":
        log_p = np.log(np.exp(log_p) @ batch.transition)
    return -(weights.astype(np.float64) * log_p).sum() / total


@pytest.mark.parametrize("classes", [2, 3, 7])
@pytest.mark.parametrize("name", NAMES)
def test_each_loss_is_that_of_the_targets(name, classes):
    batch = Batch(classes)
    value = batch.losses()[name](batch.logits, batch.labels, batch.groups)
    assert value.item() == pytest.approx(loss_of_targets(batch, name), rel=1e-6)


@pytest.mark.parametrize("classes", [2, 3])
def test_a_linear_model_is_the_one_that_the_library_trains(classes):
    generator = np.random.default_rng(classes)
    transition = transition_of(classes)
    features = generator.normal(size=(400, 4)).astype(np.float32)
    clean = (features @ generator.normal(size=(4, classes))).argmax(axis=1)
    labels = (generator.random((400, 1)) > transition[clean].cumsum(axis=1)).sum(axis=1)
    ridge = 1e-3
    x, y = torch.tensor(features, dtype=torch.float64), torch.tensor(labels)
    model = torch.nn.Linear(4, 1 if classes == 2 else classes, dtype=torch.float64)
    loss = robust.BackwardCorrectedLoss(transition)
    optimizer = torch.optim.LBFGS(
        model.parameters(), max_iter=1000, tolerance_grad=1e-9, line_search_fn="strong_wolfe"
    )

    def objective():
        optimizer.zero_grad()
        value = loss(model(x), y) + ridge / 2 * (model.weight**2).sum()
        value.backward()
        return value

    optimizer.step(objective)
    logits = model(x).detach()
    if classes == 2:
        logits = torch.cat((torch.zeros_like(logits), logits), dim=1)
    classifier = noiseplus.RobustClassifier(
        loss="backward", transition=transition, ridge=ridge, seed=0
    )
    expected = classifier.fit(features, labels).predict_proba(features)
    np.testing.assert_allclose(logits.softmax(dim=1).numpy(), expected, rtol=0, atol=1e-3)


class NoisyRows(torch.utils.data.Dataset):
    def __init__(self):
        self.features = np.random.default_rng(0).normal(size=(200, 3)).astype(np.float32)
        self.labels = np.arange(200) % 2

    def __len__(self):
        return 4

    def __getitem__(self, index):
        noisy = noiseplus.corrupt_labels(self.labels, rates={0: 0.3, 1: 0.1}, seed=index)
        neighbors, _ = noiseplus.nearest_neighbors(self.features, k=3)
        return np.asarray(noisy, dtype=np.int64), np.asarray(neighbors, dtype=np.int64)


def test_forked_workers_of_a_loader_get_what_their_parent_gets():
    rows = NoisyRows()
    expected = [rows[index] for index in range(len(rows))]  # threads have run before the fork
    assert not np.array_equal(expected[0][0], expected[1][0])
    loader = torch.utils.data.DataLoader(
        rows, batch_size=None, num_workers=2, timeout=60, multiprocessing_context="fork"
    )
    seen = [(noisy.numpy(), neighbors.numpy()) for noisy, neighbors in loader]
    assert len(seen) == len(expected)
    for (noisy, neighbors), (expected_noisy, expected_neighbors) in zip(seen, expected):
        np.testing.assert_array_equal(noisy, expected_noisy)
        np.testing.assert_array_equal(neighbors, expected_neighbors)


# ---------------------------------------------------------------------------------- what they mean


def test_the_backward_loss_is_that_of_the_clean_label_in_expectation():
    batch = Batch(3)
    loss = robust.BackwardCorrectedLoss(batch.transition, reduction="none")
    of_each_label = torch.stack(
        [loss(batch.logits, torch.full((ROWS,), label)) for label in range(3)], dim=1
    )
    chances = torch.tensor(batch.transition)[batch.labels]
    clean = torch.nn.functional.cross_entropy(batch.logits, batch.labels, reduction="none")
    torch.testing.assert_close((chances * of_each_label).sum(dim=1), clean)


def test_without_noise_all_are_cross_entropy():
    batch = Batch(3)
    frequencies = np.full((2, 3), 1 / 3)
    groups = torch.zeros(ROWS, dtype=torch.int64)
    clean = torch.nn.functional.cross_entropy(batch.logits, batch.labels)
    for value in (
        robust.BackwardCorrectedLoss(np.eye(3))(batch.logits, batch.labels),
        robust.ForwardCorrectedLoss(np.eye(3))(batch.logits, batch.labels),
        robust.PeerLoss(0, frequencies[0])(batch.logits, batch.labels),
        robust.GroupPeerLoss([1, 0.5], frequencies, 0)(batch.logits, batch.labels, groups),
    ):
        torch.testing.assert_close(value, clean)


def test_the_deltas_are_those_of_the_groups():
    loss = robust.GroupPeerLoss([1, 0.5], [[0.5, 0.5], [0.5, 0.5]], ALPHA, reduction="none")
    one, other = loss(torch.tensor([1.0, 1.0]), torch.tensor([1, 1]), torch.tensor([0, 1]))
    assert other.item() == pytest.approx(2 * one.item())


@pytest.mark.parametrize("name", NAMES)
def test_one_logit_is_two_of_which_the_first_is_zero(name):
    batch = Batch(2)
    loss = batch.losses()[name]
    logit = batch.logits[:, 1].detach()
    two = torch.stack((torch.zeros_like(logit), logit), dim=1)
    values = [
        loss(logits, batch.labels, batch.groups, batch.weights)
        for logits in (two, logit, logit[:, None])
    ]
    torch.testing.assert_close(values[1], values[0], rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(values[2], values[0], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_a_weight_of_two_is_a_row_that_is_there_twice(name):
    batch = Batch(3)
    loss = batch.losses()[name]
    times = torch.arange(ROWS) % 3  # 0 leaves a row out
    rows = torch.repeat_interleave(torch.arange(ROWS), times)
    repeated = loss(batch.logits[rows], batch.labels[rows], batch.groups[rows])
    for scale in (1, 5):
        weighted = loss(batch.logits, batch.labels, batch.groups, scale * times)
        torch.testing.assert_close(weighted, repeated)


@pytest.mark.parametrize("name", NAMES)
def test_reductions_are_those_of_the_rows(name):
    batch = Batch(3)
    arguments = (batch.logits, batch.labels, batch.groups, batch.weights)
    each = batch.losses(reduction="none")[name](*arguments)
    assert each.shape == (ROWS,)
    torch.testing.assert_close(batch.losses(reduction="sum")[name](*arguments), each.sum())
    mean = batch.losses(reduction="mean")[name](*arguments)
    torch.testing.assert_close(mean, each.sum() / batch.weights.sum())


# ---------------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("name", NAMES)
def test_gradients_are_exact(name, classes):
    batch = Batch(classes, rows=12)
    loss = batch.losses()[name]
    forms = [batch.logits, batch.logits[:, 1]] if classes == 2 else [batch.logits]
    for logits in forms:
        logits = logits.detach().requires_grad_()
        assert torch.autograd.gradcheck(
            lambda z: loss(z, batch.labels, batch.groups, batch.weights), logits
        )


def test_noise_that_never_happens_leaves_gradients_numbers():
    loss = robust.ForwardCorrectedLoss([[1, 0, 0], [0.2, 0.8, 0], [0, 0.1, 0.9]])
    batch = Batch(3, rows=12)
    assert torch.autograd.gradcheck(lambda z: loss(z, batch.labels), batch.logits)


def test_the_forward_loss_is_stable_where_probabilities_vanish():
    logits = torch.tensor([[1000.0, -1000.0]], requires_grad=True)
    label = torch.tensor([1])
    flipped = robust.ForwardCorrectedLoss(TWO_CLASSES)(logits, label)
    assert flipped.item() == pytest.approx(-np.log(0.1), rel=1e-6)
    never_flipped = robust.ForwardCorrectedLoss([[1, 0], [0.3, 0.7]])(logits, label)
    assert never_flipped.item() == pytest.approx(2000 - np.log(0.7), rel=1e-6)
    never_flipped.backward()
    assert logits.grad.tolist() == [[1.0, -1.0]]
    hardly = robust.ForwardCorrectedLoss([[1, 1e-60], [0.3, 0.7]])(logits, label)
    assert hardly.item() == pytest.approx(60 * np.log(10), rel=1e-6)


def test_a_floor_ends_the_pull_of_weights_below_zero():
    logit = torch.tensor([50.0, 2.0], dtype=torch.float64, requires_grad=True)
    label = torch.tensor([1, 1])
    free = robust.PeerLoss(ALPHA, [0.25, 0.75], reduction="none")(logit, label)
    assert free[0].item() == pytest.approx(-ALPHA * 0.25 * 50)
    held = robust.PeerLoss(ALPHA, [0.25, 0.75], reduction="none", floor=1e-3)(logit, label)
    assert held[0].item() == pytest.approx(ALPHA * 0.25 * np.log(1e-3))
    assert held[1].item() == free[1].item()
    (gradient,) = torch.autograd.grad(held[0], logit)
    assert abs(gradient[0].item()) < 1e-20


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", NAMES)
def test_losses_have_the_type_of_the_logits(name, dtype):
    logits = torch.tensor([0.5, -1.0], dtype=dtype, requires_grad=True)
    value = call(name, modules()[name], logits, torch.tensor([1, 0]))
    value.backward()
    assert value.dtype == logits.grad.dtype == dtype


# ---------------------------------------------------------------------------------------- modules


@pytest.mark.parametrize("name", NAMES)
def test_the_state_is_all_there_is_of_the_noise(name):
    others = {
        "backward": robust.BackwardCorrectedLoss(np.eye(2)),
        "forward": robust.ForwardCorrectedLoss(np.eye(2)),
        "peer": robust.PeerLoss(ALPHA, [0.5, 0.5]),
        "group-peer": robust.GroupPeerLoss([1, 1], [[0.5, 0.5], [0.9, 0.1]], ALPHA),
    }
    module, other = modules()[name], others[name]
    arguments = (torch.tensor([0.5, -1.0, 2.0]), torch.tensor([1, 0, 0]))
    expected = call(name, module, *arguments)
    assert call(name, other, *arguments) != expected
    other.load_state_dict(module.state_dict())
    assert call(name, other, *arguments) == expected
    for twin in (copy.deepcopy(module), pickle.loads(pickle.dumps(module))):
        assert call(name, twin, *arguments) == expected


@pytest.mark.parametrize("name", NAMES)
def test_buffers_follow_the_module(name):
    module = modules()[name].to(torch.float32)
    buffers = list(module.buffers())
    assert buffers
    assert all(buffer.dtype == torch.float32 for buffer in buffers)
    assert not list(module.parameters())


def test_what_was_given_is_copied():
    for transition in (TWO_CLASSES.copy(), torch.tensor(TWO_CLASSES)):
        loss = robust.ForwardCorrectedLoss(transition)
        transition[:] = 0
        assert loss.transition.tolist() == TWO_CLASSES.tolist()


def test_a_module_says_what_it_is():
    assert repr(modules()["peer"]) == (
        "PeerLoss(classes=2, alpha=0.4, floor=0.0, reduction='mean')"
    )


# ------------------------------------------------------------------------------------ co-teaching


def test_each_network_learns_from_the_easy_rows_of_the_other():
    batch, forget = Batch(3, rows=10), 0.35  # 6.5 rows are 7
    logits = {
        "a": batch.logits.detach().requires_grad_(),
        "b": batch.logits.detach().flip(0).requires_grad_(),
    }
    each = {
        name: torch.nn.functional.cross_entropy(z, batch.labels, reduction="none").detach().numpy()
        for name, z in logits.items()
    }
    loss_a, loss_b = robust.co_teaching_losses(logits["a"], logits["b"], batch.labels, forget)
    losses = {"a": loss_a, "b": loss_b}
    for name, other in ("ab", "ba"):
        easy = np.argsort(each[other])[:7]
        assert losses[name].item() == pytest.approx(each[name][easy].mean())
        own, others = torch.autograd.grad(
            losses[name], (logits[name], logits[other]), allow_unused=True
        )
        assert others is None
        assert set(own.abs().sum(dim=1).nonzero().flatten().tolist()) == set(easy.tolist())


def test_nothing_forgotten_is_cross_entropy():
    batch = Batch(2)
    for value in robust.co_teaching_losses(batch.logits, batch.logits, batch.labels, 0):
        torch.testing.assert_close(
            value, torch.nn.functional.cross_entropy(batch.logits, batch.labels)
        )


def test_one_row_is_kept_and_of_equals_the_first():
    assert robust.small_loss_rows(torch.ones(9), 0.999).tolist() == [0]
    assert robust.small_loss_rows(torch.ones(4001), 0.5).tolist() == list(range(2001))


# ----------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: robust.BackwardCorrectedLoss([[0.9, 0.1]]), "K x K"),
        (lambda: robust.BackwardCorrectedLoss([[1.0]]), "K x K"),
        (lambda: robust.BackwardCorrectedLoss([[0.9, 0.1], [0.5, 0.6]]), "row 2 of the transition"),
        (lambda: robust.BackwardCorrectedLoss([[1, 1e-5], [0, 1]]), "row 1 of the transition"),
        (lambda: robust.ForwardCorrectedLoss([[1.1, -0.1], [0, 1]]), "row 1 of the transition"),
        (lambda: robust.ForwardCorrectedLoss([[float("nan"), 1], [0, 1]]), "row 1"),
        (lambda: robust.BackwardCorrectedLoss([[0.5, 0.5], [0.5, 0.5]]), "cannot be inverted"),
        (lambda: robust.ForwardCorrectedLoss([[0.5, 0.5], [0.50001, 0.49999]]), "be inverted"),
        (lambda: robust.BackwardCorrectedLoss(TWO_CLASSES, reduction="average"), "reduction"),
        (lambda: robust.BackwardCorrectedLoss(TWO_CLASSES, floor=1), "floor"),
        (lambda: robust.PeerLoss(1, [0.5, 0.5]), "alpha is 1"),
        (lambda: robust.PeerLoss(float("nan"), [0.5, 0.5]), "alpha is nan"),
        (lambda: robust.PeerLoss(0, [0.5, 0.6]), "add up to 1"),
        (lambda: robust.PeerLoss(0, [[0.5, 0.5]]), "K numbers"),
        (lambda: robust.PeerLoss.from_labels([0, 2], 2, 0), "from 0 to 1"),
        (lambda: robust.PeerLoss.from_labels([0, -1], 2, 0), "from 0 to 1"),
        (lambda: robust.PeerLoss.from_labels(np.empty(0, int), 2, 0), "one at least"),
        (lambda: robust.GroupPeerLoss([0], [[0.5, 0.5]], 0), "above 0"),
        (lambda: robust.GroupPeerLoss([1.5], [[0.5, 0.5]], 0), "at most 1"),
        (lambda: robust.GroupPeerLoss([1, 1], [[0.5, 0.5]], 0), "for each delta"),
        (lambda: robust.GroupPeerLoss([1], [[0.5, 0.5]], 1), "alpha"),
        (lambda: robust.GroupPeerLoss.from_labels([0, 1], 2, [0, 0], [1, 1], 0), "group 1 has no"),
        (lambda: robust.GroupPeerLoss.from_labels([0, 1], 2, [0], [1], 0), "one a row"),
        (lambda: robust.small_loss_rows(torch.ones(3), 1), "forget_rate"),
        (lambda: robust.small_loss_rows(torch.ones(3), -0.1), "forget_rate"),
    ],
)
def test_what_cannot_be_a_loss_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("name", NAMES)
def test_rows_that_do_not_fit_are_refused(name):
    module = modules()[name]
    labels = torch.tensor([1, 0])
    for shape in ((2, 3), (2, 2, 2), (), (3, 2)):
        with pytest.raises(ValueError, match="shape"):
            call(name, module, torch.zeros(shape), labels)
    for not_codes in (labels.double(), labels.bool()):
        with pytest.raises(TypeError, match="integer codes"):
            call(name, module, torch.zeros(2), not_codes)
    for wrong in (2, -1, -100):
        with pytest.raises((IndexError, RuntimeError)):
            call(name, module, torch.zeros(2), torch.tensor([1, wrong]))


def test_groups_and_weights_that_do_not_fit_are_refused():
    module, logits, labels = modules()["group-peer"], torch.zeros(2), torch.tensor([1, 0])
    for wrong in (2, -1):
        with pytest.raises(IndexError):
            module(logits, labels, torch.tensor([0, wrong]))
    with pytest.raises(ValueError, match="groups have the shape"):
        module(logits, labels, torch.tensor([0]))
    with pytest.raises(ValueError, match="sample weights have the shape"):
        module(logits, labels, torch.tensor([0, 1]), torch.ones(2, 1))


def test_co_teaching_ignores_no_label():
    with pytest.raises(RuntimeError):
        robust.co_teaching_losses(torch.zeros(2), torch.zeros(2), torch.tensor([1, -100]), 0.1)


def run_python(code, *folders):
    path = os.pathsep.join([*map(str, folders), *filter(None, sys.path)])
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120
    )


def test_without_pytorch_one_line_says_what_to_install():
    done = run_python("import sys; sys.modules['torch'] = None\nimport noiseplus.torch")
    assert done.returncode == 1
    errors = [line for line in done.stderr.splitlines() if "Error: " in line]
    assert errors == ["ImportError: noiseplus.torch needs PyTorch; install it: pip install torch"]


def test_a_pytorch_that_is_broken_says_so_itself(tmp_path):
    (tmp_path / "torch.py").write_text("import a_part_of_pytorch\n")
    done = run_python("import noiseplus.torch", tmp_path)
    assert done.returncode == 1
    assert "No module named 'a_part_of_pytorch'" in done.stderr.splitlines()[-1]


def test_the_package_alone_does_not_load_pytorch():
    done = run_python("import sys, noiseplus\nassert 'torch' not in sys.modules")
    assert done.returncode == 0, done.stderr
