"""scikit-learn's, cleanlab's and LightGBM's trainers on npy files.

    python peers.py linear|confident|mlp|trees|tree-model ROWS.npy CODES.npy [options]

Run by the interpreter of a virtual environment that has them. Prints one JSON object, as learn-rivals does.
"""
import argparse
import json
import time
import warnings

import numpy
import sklearn


def status_megabytes(field):
    with open("/proc/self/status") as file:
        return next((int(line.split()[1]) / 1024 for line in file if line.startswith(field + ":")), 0)


def reset_peak():
    """Makes VmHWM start anew; false where the kernel does not let it."""
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
        return True
    except OSError:
        return False


def measure(work, runs, enough_seconds):
    """The seconds of the fastest run, and the most memory that a run added."""
    best, spent, done, megabytes = float("inf"), 0.0, 0, 0.0
    result = None
    while done < runs and (done == 0 or spent < enough_seconds):
        result = None  # else the run before would count as memory in use
        knows = reset_peak()
        before = status_megabytes("VmRSS")
        start = time.perf_counter()
        result = work()
        seconds = time.perf_counter() - start
        best, spent, done = min(best, seconds), spent + seconds, done + 1
        megabytes = max(megabytes, status_megabytes("VmHWM") - before)
    return result, dict(seconds=best, runs=done, **({"megabytes": megabytes} if knows else {}))


def logistic_regression(arguments, rows):
    """Ours minimizes the mean loss + ridge / 2 |w|^2; scikit-learn C times the sum + |w|^2 / 2."""
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=1 / (arguments.ridge * rows), tol=arguments.tolerance, max_iter=arguments.steps)


def run_linear(rows, codes, arguments):
    model, line = measure(lambda: logistic_regression(arguments, len(rows)).fit(rows, codes), arguments.runs,
                          arguments.enough_seconds)
    if arguments.coefficients:
        numpy.save(arguments.coefficients, numpy.vstack([model.coef_.T, model.intercept_]).astype(numpy.float64))
    return dict(line, name=f"scikit-learn {sklearn.__version__}", steps=int(model.n_iter_.max()))


def run_confident(rows, codes, arguments):
    import cleanlab
    from cleanlab.count import estimate_py_noise_matrices_and_cv_pred_proba

    in_training = len(rows) * (arguments.folds - 1) / arguments.folds

    def work():
        return estimate_py_noise_matrices_and_cv_pred_proba(
            rows, codes, clf=logistic_regression(arguments, in_training), cv_n_folds=arguments.folds, seed=0)
    (prior, noise_matrix, *_), line = measure(work, arguments.runs, arguments.enough_seconds)
    # cleanlab has the clean class in columns.
    return dict(line, name=f"cleanlab {cleanlab.__version__}", prior=prior.tolist(),
                transition=noise_matrix.T.ravel().tolist())


def run_mlp(rows, codes, arguments):
    from sklearn.neural_network import MLPClassifier

    def work():  # patience beyond the last epoch: all of them are run
        return MLPClassifier((arguments.hidden,), batch_size=arguments.batch, max_iter=arguments.epochs, tol=0,
                             n_iter_no_change=arguments.epochs + 1, random_state=0).fit(rows, codes)
    model, line = measure(work, arguments.runs, arguments.enough_seconds)
    if arguments.test_rows:
        test_rows, test_codes = numpy.load(arguments.test_rows), numpy.load(arguments.test_codes)
        line["accuracy"] = float((model.predict(test_rows) == test_codes).mean())
    return dict(line, name=f"scikit-learn {sklearn.__version__}", epochs=model.n_iter_)


def forward_objective(negative_noise, positive_noise):
    """Gradient and expected curvature of the forward-corrected loss, as ours has them."""
    signal = 1 - negative_noise - positive_noise

    def objective(scores, data):
        share = 1 / (1 + numpy.exp(-scores))
        chance = numpy.clip(negative_noise + signal * share, 1e-6, 1 - 1e-6)
        slope = signal * share * (1 - share)
        ratio = slope / (chance * (1 - chance))
        return ratio * (chance - data.get_label()), numpy.maximum(slope * ratio, 1e-4)
    return objective


def tree_settings(arguments):
    _, e_minus, e_plus, _ = arguments.transition
    return dict(objective=forward_objective(e_minus, e_plus), learning_rate=.05, num_leaves=15, max_depth=4,
                min_data_in_leaf=50, lambda_l2=5, bagging_fraction=.8, bagging_freq=1, feature_fraction=.8,
                max_bin=arguments.max_bins, num_threads=arguments.threads, verbose=-1, seed=0)


def run_trees(rows, codes, arguments):
    import lightgbm
    from sklearn.model_selection import StratifiedKFold

    settings = tree_settings(arguments)

    def work():
        found = numpy.zeros(len(rows))
        folds = StratifiedKFold(arguments.folds, shuffle=True, random_state=0)
        for train, held in folds.split(rows, codes):
            data = lightgbm.Dataset(rows[train], codes[train].astype(float))
            model = lightgbm.train(settings, data, num_boost_round=arguments.trees)
            scores = numpy.clip(model.predict(rows[held], raw_score=True, num_threads=arguments.threads), -8, 8)
            found[held] = 1 / (1 + numpy.exp(-scores))
        return found
    found, line = measure(work, arguments.runs, arguments.enough_seconds)
    if arguments.scores:
        numpy.save(arguments.scores, numpy.stack([1 - found, found], 1))
    return dict(line, name=f"LightGBM {lightgbm.__version__}")


def run_tree_model(rows, codes, arguments):
    import lightgbm

    def train():
        data = lightgbm.Dataset(rows, codes.astype(float))
        return lightgbm.train(tree_settings(arguments), data, num_boost_round=arguments.trees)
    model, line = measure(train, arguments.runs, arguments.enough_seconds)
    scores, predicting = measure(lambda: model.predict(rows, raw_score=True, num_threads=arguments.threads),
                                 arguments.runs, arguments.enough_seconds)
    if arguments.scores:
        found = 1 / (1 + numpy.exp(-scores))
        numpy.save(arguments.scores, numpy.stack([1 - found, found], 1))
    return dict(line, predict_seconds=predicting["seconds"], name=f"LightGBM {lightgbm.__version__}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("linear", "confident", "mlp", "trees", "tree-model"))
    parser.add_argument("rows")
    parser.add_argument("codes")
    parser.add_argument("--type", choices=("float32", "float64"), default="float32")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--enough-seconds", type=float, default=60)
    parser.add_argument("--ridge", type=float, default=1e-4)
    parser.add_argument("--tolerance", type=float, default=1e-4)
    parser.add_argument("--steps", type=int, default=100000)
    parser.add_argument("--coefficients")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--batch", type=int, default=200)
    parser.add_argument("--trees", type=int, default=120)
    parser.add_argument("--max-bins", type=int, default=64)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--transition", type=float, nargs=4, default=(1, 0, 0, 1))
    parser.add_argument("--scores")
    parser.add_argument("--test-rows")
    parser.add_argument("--test-codes")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # that the epochs or, while settings are tried, the steps were few
    rows = numpy.load(arguments.rows).astype(arguments.type)
    codes = numpy.load(arguments.codes)
    work = {"linear": run_linear, "confident": run_confident, "mlp": run_mlp, "trees": run_trees,
            "tree-model": run_tree_model}[arguments.what]
    print(json.dumps(work(rows, codes, arguments)))


if __name__ == "__main__":
    main()
