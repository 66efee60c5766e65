#include "misuse.h"

#include "noiseplus/learn.h"

namespace noiseplus {
namespace {

using namespace testing_support;

const Execution one_thread{1, {}};

// Thirty rows of two columns and two classes; each test breaks one thing.
struct LearnMisuse : testing::Test {
  LearnMisuse() : matrix(30, 2), codes(30) {
    for (std::size_t n = 0; n < 30; ++n) {
      matrix.row(n)[0] = static_cast<float>(n % 7);
      matrix.row(n)[1] = static_cast<float>(n % 4);
      codes[n] = n % 7 < 3 ? 0 : 1;
    }
    labels = {codes, 2};
    targets = cross_entropy_targets(labels);
  }

  // Labels that do not fit, for all that takes them.
  void refuse_labels(const std::string& call,
                     const std::function<void(const GivenLabels&)>& act) const {
    for (const std::int32_t code : wrong_codes) {
      std::vector<std::int32_t> wrong = codes;
      wrong[3] = code;
      refused(call, "a label of " + std::to_string(code), [&] { act({wrong, 2}); });
    }
    refused(call, "no classes", [&] { act({codes, 0}); });
    refused(call, "one class", [&] {
      const std::vector<std::int32_t> same(30, 0);
      act({same, 1});
    });
    refused(call, "more classes than fit a square", [&] { act({codes, 65537}); });
    refused(call, "classes whose square wraps", [&] { act({codes, std::size_t{1} << 32}); });
    refused(call, "huge classes", [&] { act({codes, huge}); });
    const std::vector<float> few = {1, 1}, negative(30, -1),
                             odd(30, std::numeric_limits<float>::quiet_NaN());
    refused(call, "too few weights", [&] { act({codes, 2, few}); });
    refused(call, "negative weights", [&] { act({codes, 2, negative}); });
    refused(call, "weights of NaN", [&] { act({codes, 2, odd}); });
  }

  void refuse_transitions(const std::string& call,
                          const std::function<void(std::span<const double>)>& act) const {
    refused(call, "no matrix", [&] { act({}); });
    refused(call, "too small a matrix", [&] { act(std::vector<double>{.9, .1, .2}); });
    for (const double value : {not_a_number, infinite, -.1, 1.5}) {
      refused(call, "an entry of " + std::to_string(value), [&] {
        act(std::vector<double>{.9, .1, value, .8});
      });
    }
  }

  Matrix matrix;
  std::vector<std::int32_t> codes;
  GivenLabels labels;
  Targets targets;
  const std::vector<double> transition = {.9, .1, .2, .8};
};

TEST_F(LearnMisuse, OfTargetsIsRefused) {
  refuse_labels("cross_entropy_targets", [](const GivenLabels& of) { cross_entropy_targets(of); });
  refuse_labels("backward_targets",
                [&](const GivenLabels& of) { backward_targets(of, transition); });
  refuse_labels("forward_targets", [&](const GivenLabels& of) { forward_targets(of, transition); });
  refuse_labels("peer_targets", [](const GivenLabels& of) { peer_targets(of, .2); });
  refuse_labels("sampled_peer_targets",
                [](const GivenLabels& of) { sampled_peer_targets(of, .2, 0); });
  refuse_transitions("backward_targets",
                     [&](std::span<const double> matrix) { backward_targets(labels, matrix); });
  refuse_transitions("forward_targets",
                     [&](std::span<const double> matrix) { forward_targets(labels, matrix); });
  refuse_transitions("misspecified_transition",
                     [](std::span<const double> matrix) { misspecified_transition(matrix, 2, 0); });
  refused(
      "backward_targets", "a matrix that cannot be inverted",
      [&] {
        backward_targets(labels, std::vector<double>{.5, .5, .5, .5});
      },
      ErrorKind::impossible);
  refused("misspecified_transition", "one class",
          [] { misspecified_transition(std::vector<double>{1}, 1, 0); });
  refused("misspecified_transition", "classes whose square wraps",
          [] { misspecified_transition({}, std::size_t{1} << 32, 0); });
  for (const double alpha : {1., 2., -1e9, not_a_number, infinite}) {
    refused("peer_targets", "alpha " + std::to_string(alpha), [&] { peer_targets(labels, alpha); });
    refused("sampled_peer_targets", "alpha " + std::to_string(alpha),
            [&] { sampled_peer_targets(labels, alpha, 0); });
  }
  answered("sampled_peer_targets", "no rows", [] {
    EXPECT_EQ(sampled_peer_targets({{}, 2}, .2, 0).weights.rows(), 0U);
  });

  const std::vector<std::int32_t> groups(30, 0);
  const std::vector<double> deltas = {.5};
  refuse_labels("group_peer_targets", [&](const GivenLabels& of) {
    group_peer_targets(of, {groups, deltas, .5});
  });
  for (const std::int32_t code : {-1, 1, 2000000000}) {
    std::vector<std::int32_t> wrong = groups;
    wrong[8] = code;
    refused("group_peer_targets", "a group of " + std::to_string(code), [&] {
      group_peer_targets(labels, {wrong, deltas, .5});
    });
  }
  for (const double delta : {0., -1., 2., not_a_number}) {
    const std::vector<double> wrong = {delta};
    refused("group_peer_targets", "a delta of " + std::to_string(delta), [&] {
      group_peer_targets(labels, {groups, wrong, .5});
    });
  }
  refused("group_peer_targets", "too few groups", [&] {
    group_peer_targets(labels, {std::span(groups).first(2), deltas, .5});
  });
  refused("group_peer_targets", "no deltas", [&] { group_peer_targets(labels, {groups, {}, .5}); });

  const std::vector<std::uint32_t> one = {3}, beyond = {30};
  refuse_labels("hold_out", [&](const GivenLabels& of) {
    Targets copy = targets;
    hold_out(copy, one, of);
  });
  refused("hold_out", "a row that is not there", [&] { hold_out(targets, beyond, labels); });
  refused("hold_out", "labels of other rows", [&] {
    hold_out(targets, one, {std::span(codes).first(9), 2});
  });
}

TEST_F(LearnMisuse, OfModelsIsRefused) {
  const Model good{2, {{2, 1, {1, 1}, {0}}}};
  const RowsView rows = matrix.view();
  const auto ask = [&](const Model& model, RowsView of) {
    return [=] { probabilities(model, of, one_thread); };
  };
  refused("probabilities", "a model that nobody filled", ask({}, rows));
  refused("probabilities", "rows without data", ask(good, MatrixView{nullptr, 3, 2}));
  refused("probabilities", "rows of other columns", ask(good, MatrixView{matrix.row(0), 3, 1}));
  refused("probabilities", "too few weights", ask({2, {{2, 1, {1}, {0}}}}, rows));
  refused("probabilities", "no biases", ask({2, {{2, 1, {1, 1}, {}}}}, rows));
  refused(
      "probabilities", "layers that do not fit each other",
      ask({2, {{2, 3, std::vector<float>(6), std::vector<float>(3)}, {2, 1, {1, 1}, {0}}}}, rows));
  refused("probabilities", "outputs that do not fit the classes", ask({5, good.layers}, rows));
  refused("probabilities", "a shape that wraps to 0",
          ask({2, {{std::size_t{1} << 32, std::size_t{1} << 32, {}, {}}}}, rows));
  refused("probabilities", "huge classes", ask({huge, good.layers}, rows));

  const auto mix = [&](const Mixture& mixture, RowsView of) {
    return [=] { probabilities(mixture, of, one_thread); };
  };
  refused("probabilities", "a mixture that nobody filled", mix({}, rows));
  refused("probabilities", "a share too few", mix({{1}, {good, good}}, rows));
  refused("probabilities", "shares of NaN", mix({{not_a_number}, {good}}, rows));
  refused("probabilities", "shares that do not add up", mix({{.2, .2}, {good, good}}, rows));
  refused("probabilities", "a mixture of models that nobody filled", mix({{1}, {Model()}}, rows));
  refused("probabilities", "a mixture of huge classes", mix({{1}, {{huge / 4, {}}}}, rows));
  refused("probabilities", "a mixture for many rows of no columns",
          mix({{1}, {good}}, MatrixView{nullptr, std::size_t{1} << 62, 0}));
  refused("probabilities", "a mixture for rows of other columns",
          mix({{1}, {good}}, MatrixView{matrix.row(0), 3, 1}));
  refused("probabilities", "a mixture for rows without data",
          mix({{1}, {good}}, MatrixView{nullptr, 9, 2}));
  refused("probabilities", "a saved model that nobody filled",
          [&] { probabilities(SavedModel(), rows, one_thread); });
  answered("Mixture::is_one", "a mixture that nobody filled",
           [] { EXPECT_FALSE(Mixture().is_one()); });
  answered("Model::inputs", "a model that nobody filled", [] { EXPECT_EQ(Model().inputs(), 0U); });
  answered("Model::has_trees", "a model that nobody filled",
           [] { EXPECT_FALSE(Model().has_trees()); });

  refused("sample_labels", "no data", [] { sample_labels({nullptr, 3, 2}, 0); });
  refused("sample_labels", "no columns", [&] { sample_labels({matrix.row(0), 3, 0}, 0); });
  refused("sample_labels", "probabilities above 1", [&] { sample_labels(matrix.view(), 0); });
  Matrix odd(2, 2);
  odd.row(0)[1] = std::numeric_limits<float>::quiet_NaN();
  refused("sample_labels", "NaN", [&] { sample_labels(odd.view(), 0); });
  refused("most_likely", "no data", [] { most_likely({nullptr, 3, 2}); });
  refused("most_likely", "no columns", [&] { most_likely({matrix.row(0), 3, 0}); });
  answered("most_likely", "no rows", [] { EXPECT_TRUE(most_likely({}).empty()); });
  answered("most_likely", "NaN", [&] { EXPECT_EQ(most_likely(odd.view()).size(), 2U); });
  refused("accuracy", "too few labels", [&] { accuracy(odd.view(), std::span(codes).first(1)); });
  refused("accuracy", "no data", [&] { accuracy({nullptr, 30, 2}, codes); });
  for (const std::int32_t code : wrong_codes) {
    refused("accuracy", "a label of " + std::to_string(code), [&] {
      accuracy(odd.view(), std::vector<std::int32_t>{0, code});
    });
  }
}

TEST_F(LearnMisuse, OfTrainersIsRefused) {
  const auto refuse_rows = [&](const std::string& call,
                               const std::function<void(RowsView, const Targets&)>& act) {
    refused(call, "rows without data", [&] { act(MatrixView{nullptr, 30, 2}, targets); });
    refused(call, "too few rows", [&] { act(MatrixView{matrix.row(0), 10, 2}, targets); });
    refused(call, "no rows", [&] { act({}, {}); });
    Matrix wrong = matrix;
    for (const double value : {not_a_number, infinite}) {
      wrong.row(4)[1] = static_cast<float>(value);
      refused(
          call, "a value of " + std::to_string(value), [&] { act(wrong.view(), targets); },
          ErrorKind::data);
    }
    refused(call, "targets that nobody filled", [&] { act(matrix.view(), {}); });
    Targets odd = targets;
    odd.weights.row(2)[0] = static_cast<float>(not_a_number);
    refused(call, "a target of NaN", [&] { act(matrix.view(), odd); });
    refused(call, "rows of no columns", [&] { act(MatrixView{nullptr, 30, 0}, targets); });
    odd = targets;
    for (const double total : {not_a_number, infinite, -1.}) {
      odd.total = total;
      refused(call, "a total of " + std::to_string(total), [&] { act(matrix.view(), odd); });
    }
    odd.total = 0;
    refused(
        call, "no row that counts", [&] { act(matrix.view(), odd); }, ErrorKind::data);
    odd = targets;
    odd.transition = {.9, .1, .2};
    refused(call, "too small a transition matrix", [&] { act(matrix.view(), odd); });
    odd.transition = {.9, .1, not_a_number, .8};
    refused(call, "a transition of NaN", [&] { act(matrix.view(), odd); });
  };
  const RowsView rows = matrix.view();
  refuse_rows("train_linear", [](RowsView of, const Targets& with) {
    train_linear(of, with, {}, nullptr, one_thread);
  });
  refuse_rows("train_mlp", [](RowsView of, const Targets& with) {
    train_mlp(of, with, {.epochs = 1}, nullptr, one_thread);
  });
  const auto linear = [&](const LinearOptions& options, const Model* start = nullptr) {
    return [=, this] { train_linear(rows, targets, options, start, one_thread); };
  };
  for (const double value : {-1., not_a_number}) {
    refused("train_linear", "a ridge of " + std::to_string(value), linear({.ridge = value}));
    refused("train_linear", "a tolerance of " + std::to_string(value),
            linear({.tolerance = value}));
  }
  refused("train_linear", "an infinite ridge", linear({.ridge = infinite}));
  refused("train_linear", "negative steps", linear({.max_steps = -1}));
  const std::vector<std::uint32_t> beyond = {30}, first = {0};
  const std::vector<std::int32_t> few = {0};
  refused("train_linear", "a held-out row that is not there",
          linear({.stopping = {.rows = beyond, .codes = codes}}));
  refused("train_linear", "held-out rows without labels",
          linear({.stopping = {.rows = first, .codes = {}}}));
  const Model empty, wide{2, {{5, 1, std::vector<float>(5), {0}}}}, cut{2, {{2, 1, {1}, {0}}}};
  for (const Model* start : {&empty, &wide, &cut}) {
    refused("train_linear", "a start that does not fit", linear({}, start));
    refused("train_mlp", "a start that does not fit",
            [&] { train_mlp(rows, targets, {}, start, one_thread); });
  }
  for (const double value : {not_a_number, infinite}) {
    const auto number = static_cast<float>(value);
    const Model odd_start{2, {{2, 1, {1, number}, {0}}}};
    refused("train_linear", "a start of " + std::to_string(value), linear({}, &odd_start));
    const Model odd_mlp{2, {{2, 2, {1, 1, 1, 1}, {0, number}}, {2, 1, {1, 1}, {0}}}};
    refused("train_mlp", "a start of " + std::to_string(value),
            [&] { train_mlp(rows, targets, {.hidden = 2, .epochs = 1}, &odd_mlp, one_thread); });
  }
  const std::vector<std::uint32_t> fourth = {3};
  for (const std::int32_t code : wrong_codes) {
    std::vector<std::int32_t> wrong = codes;
    wrong[3] = code;
    const EarlyStopping stopping{fourth, wrong};
    refused("train_linear", "held out with label " + std::to_string(code),
            linear({.stopping = stopping}));
    refused("train_mlp", "held out with label " + std::to_string(code), [&] {
      train_mlp(rows, targets, {.epochs = 1, .stopping = stopping}, nullptr, one_thread);
    });
    refused("train_co_teaching", "held out with label " + std::to_string(code), [&] {
      train_co_teaching(rows, labels, {{.epochs = 1, .stopping = stopping}}, one_thread);
    });
  }
  const MlpOptions odd[] = {{.hidden = 0},
                            {.hidden = huge},
                            {.epochs = -1},
                            {.batch = 0},
                            {.rate = not_a_number},
                            {.rate = -1},
                            {.weight_decay = -1},
                            {.weight_decay = not_a_number},
                            {.dropout = 1},
                            {.dropout = not_a_number},
                            {.floor = 0},
                            {.floor = not_a_number},
                            {.epochs = 1, .stopping = {.rows = beyond, .codes = codes}}};
  for (const MlpOptions& options : odd) {
    refused("train_mlp", "options out of range",
            [&] { train_mlp(rows, targets, options, nullptr, one_thread); });
    refused("train_co_teaching", "options out of range",
            [&] { train_co_teaching(rows, labels, {options}, one_thread); });
  }
  answered("train_mlp", "a batch of more rows than there are", [&] {
    const auto train = [&](std::size_t batch) {
      return train_mlp(rows, targets, {.hidden = 2, .epochs = 1, .batch = batch}, nullptr,
                       one_thread)
          .model.layers[0]
          .weights;
    };
    EXPECT_EQ(train(huge), train(30));
  });
  refuse_labels("train_co_teaching", [&](const GivenLabels& of) {
    train_co_teaching(rows, of, {{.epochs = 1}}, one_thread);
  });
  refused("train_co_teaching", "too few labels", [&] {
    train_co_teaching(rows, {std::span(codes).first(4), 2}, {{.epochs = 1}}, one_thread);
  });
  for (const double forget : {-.1, 1., not_a_number}) {
    refused("train_co_teaching", "forgets " + std::to_string(forget), [&] {
      train_co_teaching(rows, labels, {{.epochs = 1}, forget}, one_thread);
    });
  }
}

TEST_F(LearnMisuse, OfFoldsIsRefused) {
  refuse_labels("out_of_sample_probabilities", [&](const GivenLabels& of) {
    out_of_sample_probabilities(matrix.view(), of, {.folds = 2}, one_thread);
  });
  for (const std::int32_t code : wrong_codes) {
    std::vector<std::int32_t> wrong = codes;
    wrong[3] = code;
    refused("stratified_folds", "a label of " + std::to_string(code), [&] {
      stratified_folds({wrong, 2}, 2, 0);
    });
  }
  refused("stratified_folds", "no classes", [&] { stratified_folds({codes, 0}, 2, 0); });
  refused("stratified_folds", "huge classes", [&] { stratified_folds({codes, huge}, 2, 0); });
  for (const std::size_t folds : {std::size_t{0}, std::size_t{1}, std::size_t{29}, huge}) {
    const ErrorKind kind = folds < 2 ? ErrorKind::usage : ErrorKind::data;
    refused(
        "stratified_folds", std::to_string(folds) + " folds",
        [&] { stratified_folds(labels, folds, 0); }, kind);
    refused(
        "out_of_sample_probabilities", std::to_string(folds) + " folds",
        [&] { out_of_sample_probabilities(matrix.view(), labels, {.folds = folds}, one_thread); },
        kind);
  }
  refused("out_of_sample_probabilities", "rows without data", [&] {
    out_of_sample_probabilities(MatrixView{nullptr, 30, 2}, labels, {.folds = 2}, one_thread);
  });
  refused("out_of_sample_probabilities", "too small a matrix", [&] {
    out_of_sample_probabilities(matrix.view(), labels, {.folds = 2, .transition = {1}}, one_thread);
  });
}

TEST_F(LearnMisuse, OfTreesIsRefused) {
  const RowsView rows = matrix.view();
  const FoldOptions two_folds{.folds = 2};
  refuse_labels("out_of_fold_tree_probabilities", [&](const GivenLabels& of) {
    out_of_fold_tree_probabilities(rows, of, two_folds, {.trees = 1}, one_thread);
  });
  const auto with = [&](const std::string& how, const std::function<void(TreeOptions&)>& change) {
    refused("out_of_fold_tree_probabilities", how, [&] {
      TreeOptions options{.trees = 1};
      change(options);
      out_of_fold_tree_probabilities(rows, labels, two_folds, options, one_thread);
    });
  };
  for (const int value : {-1, 0, 1000000000}) {
    const std::string text = std::to_string(value);
    with(text + " trees", [=](TreeOptions& o) { o.trees = value; });
    with("a depth of " + text, [=](TreeOptions& o) { o.max_depth = value; });
    with(text + " leaves", [=](TreeOptions& o) { o.max_leaves = value; });
  }
  for (const double value : {-.1, 0., 1.1, infinite, not_a_number}) {
    const std::string text = std::to_string(value);
    with("a learning rate of " + text, [=](TreeOptions& o) { o.learning_rate = value; });
    with("a row share of " + text, [=](TreeOptions& o) { o.row_share = value; });
    with("a column share of " + text, [=](TreeOptions& o) { o.column_share = value; });
  }
  for (const double value : {-.1, infinite, not_a_number}) {
    with("a ridge of " + std::to_string(value), [=](TreeOptions& o) { o.ridge = value; });
  }
  for (const std::size_t value : {std::size_t{0}, std::size_t{1}, std::size_t{257}, huge}) {
    with(std::to_string(value) + " bins", [=](TreeOptions& o) { o.max_bins = value; });
  }
  with("leaves without rows", [](TreeOptions& o) { o.min_rows_in_leaf = 0; });
  const auto call = [&](RowsView of, const GivenLabels& given, const FoldOptions& folds) {
    return [=] { out_of_fold_tree_probabilities(of, given, folds, {.trees = 1}, one_thread); };
  };
  const std::string name = "out_of_fold_tree_probabilities";
  refused(name, "three classes", call(rows, {codes, 3}, two_folds));
  refused(name, "one fold", call(rows, labels, {.folds = 1}));
  refused(name, "29 folds", call(rows, labels, {.folds = 29}), ErrorKind::data);
  refused(name, "too small a matrix", call(rows, labels, {.folds = 2, .transition = {1}}));
  refused(name, "a matrix of NaN",
          call(rows, labels, {.folds = 2, .transition = {not_a_number, .1, .2, .8}}));
  refused(name, "a matrix that cannot be inverted",
          call(rows, labels, {.folds = 2, .transition = {.6, .4, .6, .4}}), ErrorKind::impossible);
  refused(name, "rows without data", call(MatrixView{nullptr, 30, 2}, labels, two_folds));
  refused(name, "rows without columns", call(MatrixView{matrix.row(0), 30, 0}, labels, two_folds));
  refused(name, "fewer rows than labels",
          call(MatrixView{matrix.row(0), 29, 2}, labels, two_folds));
  refused(name, "no rows", call({}, {{}, 2}, two_folds), ErrorKind::data);
  const std::vector<float> nothing(30, 0);
  refused(name, "weights of zero", call(rows, {codes, 2, nothing}, two_folds), ErrorKind::data);
  Matrix wrong = matrix;
  wrong.row(7)[1] = std::numeric_limits<float>::quiet_NaN();
  refused(name, "a value of NaN", call(wrong.view(), labels, two_folds), ErrorKind::data);
  answered(name, "leaves of more rows than there are", [&] {
    const TreeOptions options{.trees = 1, .min_rows_in_leaf = huge};
    EXPECT_EQ(out_of_fold_tree_probabilities(rows, labels, two_folds, options, one_thread).rows(),
              30U);
  });
}

TEST_F(LearnMisuse, OfTrainingTreesIsRefused) {
  const RowsView rows = matrix.view();
  const auto learn = [&](const TreeTrainingOptions& options) {
    return [=, this] { train_trees(rows, targets, options, one_thread); };
  };
  for (const int wrong : {0, -1, 100001}) {
    refused("train_trees", std::to_string(wrong) + " trees", learn({{.trees = wrong}, 0, {}}));
  }
  for (const double wrong : {0., -1., 1.5, not_a_number, infinite}) {
    refused("train_trees", "a rate of " + std::to_string(wrong),
            learn({{.learning_rate = wrong}, 0, {}}));
    refused("train_trees", "a share of " + std::to_string(wrong),
            learn({{.row_share = wrong}, 0, {}}));
  }
  refused("train_trees", "one bin", learn({{.max_bins = 1}, 0, {}}));
  refused("train_trees", "no depth", learn({{.max_depth = 0}, 0, {}}));
  refused("train_trees", "one leaf", learn({{.max_leaves = 1}, 0, {}}));
  const std::vector<std::uint32_t> beyond = {30}, first = {0};
  const std::vector<std::int32_t> no_class(30, 2);
  refused("train_trees", "a row held out that is not there", learn({{}, 0, {beyond, codes, 5}}));
  refused("train_trees", "a label held out that is none", learn({{}, 0, {first, no_class, 5}}));
  const auto with_weights = [&](float zero, float one) {
    return [=, this] {
      Targets wrong = targets;
      wrong.weights.row(3)[0] = zero;
      wrong.weights.row(3)[1] = one;
      train_trees(rows, wrong, {}, one_thread);
    };
  };
  refused("train_trees", "weights that add up to zero", with_weights(1, -1));
  refused("train_trees", "weights that add up to less", with_weights(-2, 1));
  refused("train_trees", "a weight of NaN", with_weights(static_cast<float>(not_a_number), 1));
  answered("train_trees", "a row without weights", with_weights(0, 0));
  refused("train_trees", "targets of other rows", [&] {
    train_trees(MatrixView{matrix.row(0), 29, 2}, targets, {}, one_thread);
  });
  refused("train_trees", "rows without data", [&] {
    train_trees(MatrixView{nullptr, 30, 2}, targets, {}, one_thread);
  });
  refused(
      "train_trees", "a value that is no number",
      [&] {
        Matrix odd = matrix;
        odd.row(2)[1] = static_cast<float>(infinite);
        train_trees(odd.view(), targets, {}, one_thread);
      },
      ErrorKind::data);
  const Model good = train_trees(rows, targets, {{.min_rows_in_leaf = 2}, 0, {}}).model;
  const auto ask = [&](const std::function<void(Model&)>& change) {
    return [=] {
      Model wrong = good;
      change(wrong);
      probabilities(wrong, rows, one_thread);
    };
  };
  refused("probabilities", "a column that is not there",
          ask([](Model& m) { m.boosted.trees[0].splits[0].column = 2; }));
  refused("probabilities", "a split that leads to itself",
          ask([](Model& m) { m.boosted.trees[0].splits[0].left = 0; }));
  refused("probabilities", "a missing leaf",
          ask([](Model& m) { m.boosted.trees[0].leaves.pop_back(); }));
  refused("probabilities", "no offset", ask([](Model& m) { m.boosted.offsets.clear(); }));
  refused("probabilities", "layers beside trees", ask([](Model& m) {
            m.layers = {{2, 1, {1, 1}, {0}}};
          }));
  refused("probabilities", "trees of other rows", ask([](Model& m) { m.boosted.inputs = 3; }));
  refused("parse_model_kind", "no such name", [] { parse_model_kind("forest"); });
  answered("to_string", "a model that is none",
           [] { EXPECT_EQ(to_string(static_cast<ModelKind>(42)), ""); });
}

TEST_F(LearnMisuse, OfTrainingIsRefused) {
  const RowsView rows = matrix.view();
  const auto learn = [&](const std::function<void(TrainOptions&)>& change) {
    return [=, this] {
      TrainOptions options;
      options.mlp.epochs = 1;
      change(options);
      train(rows, labels, options, one_thread);
    };
  };
  refuse_labels("train", [&](const GivenLabels& of) { train(rows, of, {}, one_thread); });
  refused("train", "a loss that is none",
          learn([](TrainOptions& o) { o.loss = static_cast<LossKind>(42); }));
  refused("train", "a model that is none",
          learn([](TrainOptions& o) { o.model = static_cast<ModelKind>(42); }));
  refused("train", "backward without a matrix",
          learn([](TrainOptions& o) { o.loss = LossKind::backward; }));
  refused("train", "group-peer without groups", learn([](TrainOptions& o) {
            o.loss = LossKind::group_peer;
            o.alpha = .5;
          }));
  refused("train", "co-teaching of a linear model",
          learn([](TrainOptions& o) { o.loss = LossKind::co_teaching; }));
  refused("train", "co-teaching that does not know how much", learn([](TrainOptions& o) {
            o.loss = LossKind::co_teaching;
            o.model = ModelKind::mlp;
          }));
  for (const double value : {-.1, .9, not_a_number}) {
    refused("train", "holds out " + std::to_string(value),
            learn([=](TrainOptions& o) { o.held_out = value; }));
  }
  refused("train", "alphas of NaN", learn([](TrainOptions& o) {
            o.loss = LossKind::peer;
            o.alphas = {not_a_number};
          }));
  refused("train", "no folds to choose alpha by", learn([](TrainOptions& o) {
            o.loss = LossKind::peer;
            o.alpha_folds = 0;
          }));
  refused("train", "rows without data", [&] {
    train(MatrixView{nullptr, 30, 2}, labels, {}, one_thread);
  });
  refused(
      "train", "no rows",
      [] {
        train({}, {{}, 2}, {}, one_thread);
      },
      ErrorKind::data);
  refused(
      "train", "one class only",
      [&] {
        const std::vector<std::int32_t> same(30, 1);
        train(rows, {same, 2}, {}, one_thread);
      },
      ErrorKind::impossible);
  refused("parse_loss", "no such name", [] { parse_loss("hinge"); });
  answered("to_string", "a loss that is none",
           [] { EXPECT_EQ(to_string(static_cast<LossKind>(42)), ""); });
}

TEST_F(LearnMisuse, OfEvaluationIsRefused) {
  const Labels truth{codes, {"a", "b"}, {"a", "b"}};
  const Labels groups{std::vector<std::int32_t>(30, 0), {"g"}, {"g"}};
  refused("evaluate", "too few predictions",
          [&] { evaluate(std::span(codes).first(3), truth, 1); });
  refused("evaluate", "no rows", [&] { evaluate(std::span<const std::int32_t>(), {}, 0); });
  refused("evaluate", "a positive class that is not there", [&] { evaluate(codes, truth, 2); });
  refused("evaluate", "a huge positive class", [&] { evaluate(codes, truth, huge); });
  for (const std::int32_t code : wrong_codes) {
    std::vector<std::int32_t> wrong = codes;
    wrong[17] = code;
    refused("evaluate", "a prediction of " + std::to_string(code),
            [&] { evaluate(wrong, truth, 1); });
    refused("evaluate", "a label of " + std::to_string(code), [&] {
      evaluate(codes, {wrong, {"a", "b"}, {"a", "b"}}, 1);
    });
    refused("evaluate", "a group of " + std::to_string(code), [&] {
      evaluate(codes, truth, 1, {wrong, {"g"}, {"g"}});
    });
  }
  refused("evaluate", "too few groups", [&] { evaluate(codes, truth, 1, {{0}, {"g"}, {"g"}}); });
  refused("evaluate", "shares without data", [&] { evaluate({nullptr, 30, 2}, truth, 1); });
  refused("evaluate", "shares of other rows", [&] { evaluate({matrix.row(0), 3, 2}, truth, 1); });
  refused("evaluate", "shares above 1", [&] { evaluate(matrix.view(), truth, 1); });
  answered("evaluate", "one group",
           [&] { EXPECT_FALSE(evaluate(codes, truth, 1, groups).equalized_odds_violation); });

  Confusion confusion{2, std::vector<double>(4), std::vector<std::int64_t>(2)};
  const std::vector<float> shares = {.5F, .5F};
  for (const std::int32_t code : wrong_codes) {
    refused("Confusion::add", "a class of " + std::to_string(code),
            [&] { confusion.add(code, 0); });
    refused("Confusion::add", "a prediction of " + std::to_string(code),
            [&] { confusion.add(0, code); });
    refused("Confusion::add", "shares of class " + std::to_string(code),
            [&] { confusion.add(code, shares); });
  }
  for (const float share : {static_cast<float>(not_a_number), -3.F, .6F, 2.F}) {
    refused("Confusion::add", "a share of " + std::to_string(share), [&] {
      confusion.add(0, std::vector<float>{share, .5F});
    });
  }
  answered("Confusion::add", "shares after those that were refused", [&] {
    confusion.add(0, shares);
    EXPECT_EQ(confusion.counts, (std::vector<double>{.5, .5, 0, 0}));
    EXPECT_EQ(confusion.rows(), 1);
  });
  refused("Confusion::add", "a share too few",
          [&] { confusion.add(0, std::span(shares).first(1)); });
  refused("Confusion::add", "counts that nobody filled", [] { Confusion().add(0, 0); });
  refused("Confusion::add", "too few counts", [&] { Confusion{2, {1}, {1, 1}}.add(1, 1); });
  refused("Confusion::rows_of", "a class that is not there", [&] { confusion.rows_of(2); });
  refused("Confusion::rows", "a sum beyond 64 bits", [] {
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    Confusion{2, std::vector<double>(4), {most, most}}.rows();
  });
}

TEST_F(LearnMisuse, OfModelFilesIsRefused) {
  SavedModel good;
  good.model = {2, {{2, 1, {1, 1}, {0}}}};
  good.classes = good.spellings = {"a", "b"};
  good.label = "y";
  good.recipe.columns = 2;
  answered("model_bytes", "a model that fits", [&] { EXPECT_FALSE(model_bytes(good).empty()); });
  const std::vector<std::function<void(SavedModel&)>> changes = {
      [](SavedModel& m) { m = {}; },
      [](SavedModel& m) { m.model.layers[0].weights.pop_back(); },
      [](SavedModel& m) { m.model.layers[0].weights[0] = std::numeric_limits<float>::infinity(); },
      [](SavedModel& m) { m.model.layers[0].inputs = huge; },
      [](SavedModel& m) { m.classes.pop_back(); },
      [](SavedModel& m) { m.spellings.clear(); },
      [](SavedModel& m) { m.positive = 9; },
      [](SavedModel& m) { m.recipe.columns = 3; },
      [](SavedModel& m) { m.recipe.encoder.emplace(); },
      [](SavedModel& m) { m.mixture.shares = {1}; },
      [](SavedModel& m) { m.fair.emplace(); }};
  OutputFile output("/dev/null");
  for (const auto& change : changes) {
    SavedModel wrong = good;
    change(wrong);
    refused("model_bytes", "a model that does not fit", [&] { model_bytes(wrong); });
    refused("write_model", "a model that does not fit", [&] { write_model(wrong, output); });
  }
  refused(
      "read_model", "no bytes", [] { read_model({}, "m"); }, ErrorKind::data);
  refused(
      "read_model", "bytes cut short",
      [&] { read_model(Bytes(model_bytes(good).substr(0, 40)), "m"); }, ErrorKind::data);
}

}  // namespace
}  // namespace noiseplus
