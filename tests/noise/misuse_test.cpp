#include "misuse.h"

#include <cmath>

#include "noise/ring.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

using namespace testing_support;

const Execution one_thread{1, {}};

// Rows, labels and a graph that fit; each test breaks one thing.
struct NoiseMisuse : testing::Test {
  NoiseMisuse() {
    RingOptions options;
    options.rows = rows;
    ring = make_ring(options);
    codes = ring.codes;
    graph = ring.graph;
    matrix = Matrix(rows, 2);
    for (std::size_t n = 0; n < rows; ++n) {
      matrix.row(n)[0] = static_cast<float>(n % 37);
      matrix.row(n)[1] = static_cast<float>(n % 11);
    }
  }

  // A copy of the labels with one wrong code.
  std::vector<std::int32_t> with_code(std::int32_t code) const {
    std::vector<std::int32_t> wrong = codes;
    wrong[7] = code;
    return wrong;
  }

  // Everything that can be wrong with a graph and labels.
  void refuse_graphs(
      const std::string& call,
      const std::function<void(const NeighborGraph&, std::span<const std::int32_t>)>& act,
      ErrorKind without_labels = ErrorKind::usage) const {
    NeighborGraph wrong = graph;
    wrong.ids[11] = static_cast<std::uint32_t>(rows);
    refused(call, "an id beyond the rows", [&] { act(wrong, codes); });
    wrong.ids[11] = std::numeric_limits<std::uint32_t>::max();
    refused(call, "the largest id", [&] { act(wrong, codes); });
    wrong = graph;
    wrong.anchors[5] = static_cast<std::uint32_t>(rows);
    refused(call, "an anchor beyond the rows", [&] { act(wrong, codes); });
    wrong = graph;
    wrong.ids.resize(wrong.ids.size() - 1);
    refused(call, "an id too few", [&] { act(wrong, codes); });
    wrong = graph;
    wrong.ids[3 * wrong.k + 1] = wrong.anchors[3];
    refused(call, "an anchor among its neighbors", [&] { act(wrong, codes); });
    wrong = graph;
    wrong.ids[3 * wrong.k + 1] = wrong.ids[3 * wrong.k];
    refused(call, "a neighbor that is there twice", [&] { act(wrong, codes); });
    wrong = graph;
    wrong.k = huge;
    refused(call, "a huge k", [&] { act(wrong, codes); });
    refused(call, "too few labels", [&] { act(graph, std::span(codes).first(10)); });
    refused(
        call, "no labels", [&] { act(graph, {}); }, without_labels);
  }

  void refuse_codes(const std::string& call,
                    const std::function<void(std::span<const std::int32_t>)>& act) const {
    for (const std::int32_t code : wrong_codes) {
      refused(call, "a label of " + std::to_string(code), [&] { act(with_code(code)); });
    }
  }

  // Scores that do not fit, for calls that take n x K probabilities.
  void refuse_scores(const std::string& call, const std::function<void(MatrixView)>& act) const {
    refused(call, "no scores", [&] { act({}); });
    refused(call, "scores without data", [&] { act({nullptr, rows, 2}); });
    refused(call, "scores of no class", [&] { act({ring.scores.row(0), rows, 0}); });
    refused(call, "too few scores", [&] { act({ring.scores.row(0), 10, 2}); });
    Matrix wrong = ring.scores;
    for (const double value : {not_a_number, infinite, -.1, 1.1}) {
      wrong.row(9)[1] = static_cast<float>(value);
      refused(
          call, "a score of " + std::to_string(value), [&] { act(wrong.view()); }, ErrorKind::data);
    }
  }

  static constexpr std::size_t rows = 200;
  Ring ring;
  std::vector<std::int32_t> codes;
  NeighborGraph graph;
  Matrix matrix;
  const std::vector<std::string> names = {"a", "b"};
  const std::vector<std::string> three = {"a", "b", "c"};
};

TEST_F(NoiseMisuse, OfViewCountsIsRefused) {
  refuse_graphs("count_views", [](const NeighborGraph& of, std::span<const std::int32_t> labels) {
    count_views(of, labels, 1);
  });
  refuse_graphs("count_pairs", [](const NeighborGraph& of, std::span<const std::int32_t> labels) {
    count_pairs(of, labels, 1, one_thread);
  });
  answered("count_views", "a positive label that no row has",
           [&] { EXPECT_EQ(count_views(graph, codes, 99).anchors(), std::int64_t{rows}); });
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  refused("ViewCounts::anchors", "too few cells", [] { ViewCounts{3, {1, 2}}.anchors(); });
  refused("ViewCounts::anchors", "a huge k", [] { ViewCounts{huge, {}}.anchors(); });
  refused("ViewCounts::anchors", "a negative count", [] { ViewCounts{0, {-1, 2}}.anchors(); });
  refused("ViewCounts::anchors", "a sum beyond 64 bits", [=] {
    ViewCounts{0, {most, most}}.anchors();
  });
  refused("ViewCounts::shares", "no anchors", [] { ViewCounts{0, {0, 0}}.shares(); });
  refused("ViewCounts::shares", "counts that nobody filled", [] { ViewCounts().shares(); });
  refused("ViewCounts::operator+=", "another k", [] {
    ViewCounts counts{0, {1, 2}};
    counts += ViewCounts{1, {1, 2, 3, 4}};
  });
  refused("ViewCounts::operator+=", "too few cells", [] {
    ViewCounts counts{1, {1, 2, 3, 4}};
    counts += ViewCounts{1, {1}};
  });
}

TEST_F(NoiseMisuse, OfMomentsIsRefused) {
  const std::vector<double> shares(6, 1. / 6);
  refused("moments_of", "k below 2", [&] { moments_of(std::vector<double>(4, .25), 1); });
  refused("moments_of", "too few shares", [&] { moments_of(std::span(shares).first(5), 2); });
  refused("moments_of", "a huge k", [&] { moments_of(shares, huge); });
  refused("moments_of", "views that are none",
          [&] { moments_of(shares, 2, static_cast<Views>(8)); });
  for (const double value : {not_a_number, -.5, 2.}) {
    std::vector<double> wrong = shares;
    wrong[2] = value;
    refused("moments_of", "a share of " + std::to_string(value), [&] { moments_of(wrong, 2); });
    refused("agreements_of", "a share of " + std::to_string(value), [&] { agreements_of(wrong); });
  }
  refused("agreements_of", "no shares", [] { agreements_of({}); });
  refused("agreements_of", "shares of another k",
          [] { agreements_of(std::vector<double>(8, .125)); });
  answered("Agreements::gap", "NaN", [] {
    EXPECT_TRUE(std::isnan(Agreements{not_a_number, 0}.gap()));
  });
  for (const double value : {not_a_number, infinite, -1e308}) {
    answered("solve", "moments of no mixture", [=] {
      EXPECT_FALSE(solve({value, value, value}).solvable);
    });
    answered("student_quantile", "odd degrees", [=] {
      EXPECT_EQ(std::isnan(student_quantile(value)), std::isnan(value));
      EXPECT_FALSE(student_quantile(value) < 1.9);
    });
    answered("student_p_value", "odd numbers", [=] {
      EXPECT_EQ(std::isnan(student_p_value(1, value)), std::isnan(value));
      EXPECT_EQ(std::isnan(student_p_value(value, 5)), std::isnan(value));
    });
  }

  const ViewCounts views = count_views(graph, codes, 1);
  const PairCounts pairs = count_pairs(graph, codes, 1, one_thread);
  const Moments moments = moments_of(views.shares(), views.k);
  const MomentSolution solution = solve(moments);
  const auto errors = [&](const ViewCounts& of, const PairCounts& with, Views use = Views::all) {
    return [=] { errors_of(moments, solution, of, with, use); };
  };
  refused("errors_of", "views that nobody filled", errors({}, pairs));
  refused("errors_of", "pairs that nobody filled", errors(views, {}));
  refused("errors_of", "pairs of another k", errors(views, {2, std::vector<std::int64_t>(36)}));
  refused("errors_of", "too few pairs", errors(views, {views.k, std::vector<std::int64_t>(5)}));
  refused("errors_of", "views that are none", errors(views, pairs, static_cast<Views>(-1)));

  const auto estimate = [&](MomentOptions options) {
    return [=, this] { estimate_by_moments(graph, codes, names, options, one_thread); };
  };
  for (const std::int32_t positive : wrong_codes) {
    refused("estimate_by_moments", "positive is " + std::to_string(positive),
            estimate({.positive = positive}));
  }
  refused("estimate_by_moments", "views that are none", estimate({.views = static_cast<Views>(5)}));
  refused("estimate_by_moments", "a significance of NaN", estimate({.significance = not_a_number}));
  refused("estimate_by_moments", "three classes",
          [&] { estimate_by_moments(graph, codes, three, {}, one_thread); });
  refused("estimate_by_moments", "no graph",
          [&] { estimate_by_moments({}, codes, names, {}, one_thread); });
  refuse_codes("estimate_by_moments", [&](std::span<const std::int32_t> labels) {
    estimate_by_moments(graph, labels, names, {}, one_thread);
  });
  refuse_graphs("estimate_by_moments",
                [&](const NeighborGraph& of, std::span<const std::int32_t> labels) {
                  estimate_by_moments(of, labels, names, {}, one_thread);
                });
}

TEST_F(NoiseMisuse, OfLatentClassesIsRefused) {
  refuse_codes("fit_latent_classes", [&](std::span<const std::int32_t> labels) {
    fit_latent_classes(graph, labels, 2, {}, one_thread);
  });
  refuse_codes("estimate_by_latent_class", [&](std::span<const std::int32_t> labels) {
    estimate_by_latent_class(graph, labels, names, {}, one_thread);
  });
  refuse_graphs("fit_latent_classes",
                [&](const NeighborGraph& of, std::span<const std::int32_t> labels) {
                  fit_latent_classes(of, labels, 2, {}, one_thread);
                });
  refuse_graphs("estimate_by_latent_class",
                [&](const NeighborGraph& of, std::span<const std::int32_t> labels) {
                  estimate_by_latent_class(of, labels, names, {}, one_thread);
                });
  for (const std::size_t classes : {std::size_t{0}, std::size_t{1}, std::size_t{1} << 22, huge}) {
    refused(
        "fit_latent_classes", std::to_string(classes) + " classes",
        [&] { fit_latent_classes(graph, codes, classes, {}, one_thread); }, ErrorKind::data);
  }
  refused(
      "estimate_by_latent_class", "no names",
      [&] { estimate_by_latent_class(graph, codes, {}, {}, one_thread); }, ErrorKind::data);
  const auto fit = [&](const LatentClassOptions& options) {
    return [=, this] { fit_latent_classes(graph, codes, 2, options, one_thread); };
  };
  refused("fit_latent_classes", "negative steps", fit({.max_steps = -1}));
  refused("fit_latent_classes", "a tolerance of NaN", fit({.tolerance = not_a_number}));
  refused("fit_latent_classes", "a negative tolerance", fit({.tolerance = -1}));
}

TEST_F(NoiseMisuse, OfScoresIsRefused) {
  refuse_scores("confident_joint", [&](MatrixView scores) { confident_joint(scores, codes); });
  refuse_scores("estimate_from_probabilities",
                [&](MatrixView scores) { estimate_from_probabilities(scores, codes, names); });
  refuse_scores("estimate_by_edges",
                [&](MatrixView scores) { estimate_by_edges(scores, codes, names); });
  refuse_scores("fit_curve", [&](MatrixView scores) {
    fit_curve(std::vector<MatrixView>{scores}, codes, names, {}, one_thread);
  });
  refuse_scores("fit_curves", [&](MatrixView scores) {
    fit_curves(ring.scores.view(), scores, codes, names, {}, one_thread);
  });
  const MatrixView scores = ring.scores.view();
  refuse_codes("confident_joint",
               [&](std::span<const std::int32_t> labels) { confident_joint(scores, labels); });
  refuse_codes("estimate_from_probabilities", [&](std::span<const std::int32_t> labels) {
    estimate_from_probabilities(scores, labels, names);
  });
  refuse_codes("estimate_by_edges", [&](std::span<const std::int32_t> labels) {
    estimate_by_edges(scores, labels, names);
  });
  refuse_codes("fit_curve", [&](std::span<const std::int32_t> labels) {
    fit_curve(std::vector<MatrixView>{scores}, labels, names, {}, one_thread);
  });
  for (const double tail : {0., -1., 2., not_a_number}) {
    refused("estimate_by_edges", "a tail of " + std::to_string(tail),
            [&] { estimate_by_edges(scores, codes, names, {.tail = tail}); });
  }
  refused(
      "estimate_by_edges", "three rows",
      [&] {
        estimate_by_edges({scores.data, 3, 2}, std::span(codes).first(3), names);
      },
      ErrorKind::data);
  answered("estimate_by_edges", "no names", [&] {
    EXPECT_EQ(estimate_by_edges(scores, codes, {}).transition,
              estimate_by_edges(scores, codes, names).transition);
  });
  const auto curve = [&](const CurveOptions& options) {
    return [=, this] {
      fit_curve(std::vector<MatrixView>{scores}, codes, names, options, one_thread);
    };
  };
  refused("fit_curve", "no scores at all", [&] { fit_curve({}, codes, names, {}, one_thread); });
  refused("fit_curve", "a ridge of NaN", curve({.ridge = not_a_number}));
  refused("fit_curve", "a negative ridge", curve({.ridge = -1}));
  refused("fit_curve", "negative steps", curve({.max_steps = -7}));
  refused("fit_curve", "a tolerance of NaN", curve({.tolerance = not_a_number}));
  const CurveFit fit = fit_curve(std::vector<MatrixView>{scores}, codes, names, {}, one_thread);
  refused("CurveFit::error_of_gap", "a class that is not there", [&] { fit.error_of_gap(0, 2); });
  refused("CurveFit::error_of_gap", "a huge class", [&] { fit.error_of_gap(huge, 0); });
  refused("CurveFit::error_of_gap", "a fit that nobody filled",
          [] { CurveFit().error_of_gap(0, 1); });
  refused("CurveFit::error_of_gap", "too few covariances", [] {
    CurveFit wrong;
    wrong.standard_errors = {.1, .1};
    wrong.error_of_gap(0, 1);
  });
}

TEST_F(NoiseMisuse, OfConfidentLearningIsRefused) {
  const auto learn = [&](RowsView view, const GivenLabels& labels, const FoldOptions& options) {
    return [=] { estimate_by_confident_learning(view, labels, options, one_thread); };
  };
  const RowsView view = matrix.view();
  refuse_codes("estimate_by_confident_learning", [&](std::span<const std::int32_t> labels) {
    estimate_by_confident_learning(view, {labels, 2}, {}, one_thread);
  });
  refused("estimate_by_confident_learning", "rows without data",
          learn(MatrixView{nullptr, rows, 2}, {codes, 2}, {}));
  refused("estimate_by_confident_learning", "one fold", learn(view, {codes, 2}, {.folds = 1}));
  refused("estimate_by_confident_learning", "more folds than rows",
          learn(view, {codes, 2}, {.folds = huge}), ErrorKind::data);
  refused("estimate_by_confident_learning", "too few labels",
          learn(view, {std::span(codes).first(9), 2}, {}));
}

TEST_F(NoiseMisuse, OfVotesIsRefused) {
  for (const std::size_t classes : {std::size_t{0}, huge}) {
    refused("count_votes", std::to_string(classes) + " classes",
            [&] { count_votes(graph, codes, classes); });
    refused("vote_scores", std::to_string(classes) + " classes",
            [&] { vote_scores(graph, codes, classes); });
  }
  refuse_codes("count_votes",
               [&](std::span<const std::int32_t> labels) { count_votes(graph, labels, 2); });
  refuse_codes("vote_scores",
               [&](std::span<const std::int32_t> labels) { vote_scores(graph, labels, 2); });
  refuse_graphs("count_votes", [](const NeighborGraph& of, std::span<const std::int32_t> labels) {
    count_votes(of, labels, 2);
  });
  refuse_graphs("vote_scores", [](const NeighborGraph& of, std::span<const std::int32_t> labels) {
    vote_scores(of, labels, 2);
  });
}

TEST_F(NoiseMisuse, OfOverlapIsRefused) {
  refuse_codes("estimate_by_overlap", [&](std::span<const std::int32_t> labels) {
    estimate_by_overlap(graph, labels, names, {}, one_thread);
  });
  refuse_graphs("estimate_by_overlap",
                [&](const NeighborGraph& of, std::span<const std::int32_t> labels) {
                  estimate_by_overlap(of, labels, names, {}, one_thread);
                });
  refused("estimate_by_overlap", "three classes",
          [&] { estimate_by_overlap(graph, codes, three, {}, one_thread); });
  refused("estimate_by_overlap", "one atom",
          [&] { estimate_by_overlap(graph, codes, names, {.max_atoms = 1}, one_thread); });
  refused("estimate_by_overlap", "a weight of NaN", [&] {
    estimate_by_overlap(graph, codes, names, {.min_weight = not_a_number}, one_thread);
  });
}

TEST_F(NoiseMisuse, OfShapesIsRefused) {
  refused("shape_of", "nothing", [] { shape_of({}); });
  refused("shape_of", "no columns", [&] { shape_of({ring.scores.row(0), 5, 0}); });
  refused("shape_of", "no data", [] { shape_of({nullptr, 5, 2}); });
  refused("shape_of", "pure from NaN", [&] { shape_of(ring.scores.view(), not_a_number); });
  Matrix wrong = ring.scores;
  wrong.row(3)[0] = static_cast<float>(not_a_number);
  refused("shape_of", "NaN", [&] { shape_of(wrong.view()); });
  refuse_graphs("neighbor_disagreement",
                [&](const NeighborGraph& of, std::span<const std::int32_t> labels) {
                  neighbor_disagreement({ring.scores.row(0), labels.size(), 2}, of);
                });
  refused("neighbor_disagreement", "no neighbors to compare",
          [&] { neighbor_disagreement(ring.scores.view(), graph, 0); });
  refused("neighbor_disagreement", "no columns", [&] {
    neighbor_disagreement({ring.scores.row(0), rows, 0}, graph);
  });
  refused("neighbor_disagreement", "no data", [&] {
    neighbor_disagreement({nullptr, rows, 2}, graph);
  });
  refused("distinct_share", "no rows", [] { distinct_share(RowsView(), one_thread); });
  refused("distinct_share", "no data", [] {
    distinct_share(MatrixView{nullptr, 4, 4}, one_thread);
  });
}

TEST_F(NoiseMisuse, OfTheChoiceIsRefused) {
  const MatrixView scores = ring.scores.view();
  const CurveFits fits = fit_curves(scores, scores, codes, names, {}, one_thread);
  const LatentClasses latent{{.9, .1, .2, .8}, {.5, .5}};
  const auto choose = [&](const CurveFits& of, const LatentClasses& with, const NeighborGraph& near,
                          double distinct, const ChoiceRule& rule) {
    return [&, distinct] { choose_estimate(of, with, near, distinct, names, rule); };
  };
  answered("choose_estimate", "what fits",
           [&] { EXPECT_EQ(choose_estimate(fits, latent, graph, 1, names).doubts.size(), 2U); });
  const CurveFits empty;
  refused("choose_estimate", "fits that nobody filled", choose(empty, latent, graph, 1, {}));
  const LatentClasses none, long_prior{{.9, .1, .2, .8}, {.3, .3, .4}};
  refused("choose_estimate", "no latent classes", choose(fits, none, graph, 1, {}));
  refused("choose_estimate", "a prior of other classes", choose(fits, long_prior, graph, 1, {}));
  NeighborGraph wrong = graph;
  wrong.ids[0] = 100000;
  refused("choose_estimate", "an id beyond the rows", choose(fits, latent, wrong, 1, {}));
  refused("choose_estimate", "distinct rows of NaN", choose(fits, latent, graph, not_a_number, {}));
  const ChoiceRule odd_rules[] = {{.max_disagreement = not_a_number},
                                  {.nearest = 0},
                                  {.min_kept = 2},
                                  {.min_prior = .7},
                                  {.interval_errors = -1},
                                  {.assume = static_cast<Assumption>(4)}};
  for (const ChoiceRule& rule : odd_rules) {
    refused("choose_estimate", "a rule out of range", choose(fits, latent, graph, 1, rule));
  }
  CurveFits short_prior = fit_curves(scores, scores, codes, names, {}, one_thread);
  short_prior.linear.estimate.prior.pop_back();
  refused("choose_estimate", "a prior too short", choose(short_prior, latent, graph, 1, {}));
}

TEST_F(NoiseMisuse, OfLabelQualityIsRefused) {
  NoiseEstimate estimate;
  estimate.prior = {.5, .5};
  estimate.transition = {.9, .1, .2, .8};
  refuse_scores("label_quality", [&](MatrixView posterior) {
    label_quality(posterior, estimate, codes, one_thread);
  });
  refuse_codes("label_quality", [&](std::span<const std::int32_t> labels) {
    label_quality(ring.scores.view(), estimate, labels, one_thread);
  });
  refused("label_quality", "an estimate that nobody filled",
          [&] { label_quality(ring.scores.view(), {}, codes, one_thread); });
  for (const double value : {not_a_number, -.5, 7.}) {
    NoiseEstimate wrong = estimate;
    wrong.transition[2] = value;
    refused("label_quality", "a transition of " + std::to_string(value),
            [&] { label_quality(ring.scores.view(), wrong, codes, one_thread); });
    wrong = estimate;
    wrong.prior[0] = value;
    refused("label_quality", "a prior of " + std::to_string(value),
            [&] { label_quality(ring.scores.view(), wrong, codes, one_thread); });
  }
}

TEST_F(NoiseMisuse, OfEvidenceIsRefused) {
  const RowsView view = matrix.view();
  const auto make = [&](RowsView of, std::span<const std::int32_t> labels,
                        std::span<const std::string> classes,
                        const NoiseEstimatorOptions& options) {
    NoiseEstimator(of, labels, classes, options, one_thread);
  };
  refuse_codes("NoiseEstimator::NoiseEstimator",
               [&](std::span<const std::int32_t> labels) { make(view, labels, names, {}); });
  refused("NoiseEstimator::NoiseEstimator", "too few labels",
          [&] { make(view, std::span(codes).first(3), names, {}); });
  refused(
      "NoiseEstimator::NoiseEstimator", "no rows", [&] { make({}, {}, names, {}); },
      ErrorKind::data);
  refused("NoiseEstimator::NoiseEstimator", "no classes", [&] { make(view, codes, {}, {}); });
  refused("NoiseEstimator::NoiseEstimator", "rows without data", [&] {
    make(MatrixView{nullptr, rows, 2}, codes, names, {});
  });
  const std::vector<std::uint32_t> beyond = {rows};
  refused("NoiseEstimator::NoiseEstimator", "an anchor beyond the rows",
          [&] { make(view, codes, names, {.anchors = beyond}); });
  refused("NoiseEstimator::NoiseEstimator", "a metric that is none",
          [&] { make(view, codes, names, {.metric = static_cast<Metric>(3)}); });
  refused("NoiseEstimator::NoiseEstimator", "views that are none",
          [&] { make(view, codes, names, {.views = static_cast<Views>(3)}); });
  for (const std::int32_t positive : wrong_codes) {
    refused("NoiseEstimator::NoiseEstimator", "positive is " + std::to_string(positive),
            [&] { make(view, codes, names, {.positive = positive}); });
  }

  NoiseEstimator evidence(view, codes, names, {}, one_thread);
  refuse_graphs(
      "NoiseEstimator::use",
      [&](const NeighborGraph& of, std::span<const std::int32_t> labels) {
        NoiseEstimator(MatrixView{matrix.row(0), labels.size(), 2}, labels, names, {}, one_thread)
            .use(of);
      },
      ErrorKind::data);
  refused("NoiseEstimator::use", "a graph that nobody filled", [&] { evidence.use({}); });
  refused("NoiseEstimator::use", "no distances", [&] {
    NeighborGraph wrong = graph;
    wrong.distances.clear();
    evidence.use(wrong);
  });
  NeighborGraph swapped = graph;
  swapped.distances.resize(swapped.ids.size());
  answered("NoiseEstimator::use", "a graph that fits", [&] { evidence.use(swapped); });
  std::swap(swapped.anchors[2], swapped.anchors[3]);
  // Both are far from each other's neighbors, so that no set holds a row twice.
  for (std::size_t i = 2 * swapped.k; i < 4 * swapped.k; ++i) {
    swapped.ids[i] = static_cast<std::uint32_t>(rows / 2 + i);
  }
  refused("NoiseEstimator::use", "anchors in another order", [&] { evidence.use(swapped); });
  const std::vector<std::uint32_t> two_anchors = {4, 2};
  NeighborGraph of_two{2, {2, 4}, {10, 11, 12, 13}, {1, 2, 1, 2}};
  refused("NoiseEstimator::use", "other anchors than asked for", [&] {
    NoiseEstimator(view, codes, names, {.anchors = two_anchors}, one_thread).use(of_two);
  });
  answered("NoiseEstimator::use", "the anchors asked for", [&] {
    of_two.anchors = two_anchors;
    NoiseEstimator(view, codes, names, {.anchors = two_anchors}, one_thread).use(of_two);
  });
  refused("NoiseEstimator::graph", "no neighbors", [&] { evidence.graph(0); });
  refused(
      "NoiseEstimator::graph", "as many neighbors as rows", [&] { evidence.graph(rows); },
      ErrorKind::data);
  refused("NoiseEstimator::estimate", "an estimator that is none",
          [&] { evidence.estimate(static_cast<EstimatorKind>(77)); });
  refused("NoiseEstimator::views", "k is 0",
          [&] { NoiseEstimator(view, codes, names, {.k = 0}, one_thread).views(); });
  refused("NoiseEstimator::estimate", "k is 1", [&] {
    NoiseEstimator(view, codes, names, {.k = 1}, one_thread).estimate(EstimatorKind::moments);
  });
  refused("NoiseEstimator::curves", "no voters",
          [&] { NoiseEstimator(view, codes, names, {.voters = 0}, one_thread).curves(); });
  refused("NoiseEstimator::scores", "one fold",
          [&] { NoiseEstimator(view, codes, names, {.folds = 1}, one_thread).scores(); });
  refused("NoiseEstimator::NoiseEstimator", "probabilities of fewer rows", [&] {
    const Matrix few(rows - 1, 2);
    make(view, codes, names, {.probabilities = few.view()});
  });
  refused(
      "NoiseEstimator::NoiseEstimator", "probabilities that add up to 0",
      [&] {
        const Matrix zeros(rows, 2);
        make(view, codes, names, {.probabilities = zeros.view()});
      },
      ErrorKind::data);
  refused("probability_rows", "no rows", [] { probability_rows({}, one_thread); });
  refused("probability_rows", "a value of 2", [] {
    Matrix two(1, 2);
    two.row(0)[0] = 2;
    probability_rows(two.view(), one_thread);
  });
  refused("NoiseEstimator::posterior", "no voters",
          [&] { NoiseEstimator(view, codes, names, {.voters = 0}, one_thread).posterior(); });
  const std::vector<std::int32_t> one_class(rows, 0);
  for (const EstimatorKind kind :
       {EstimatorKind::automatic, EstimatorKind::curve, EstimatorKind::latent_class,
        EstimatorKind::edges, EstimatorKind::confident}) {
    refused(
        "NoiseEstimator::estimate", "one class only",
        [&] {
          const std::vector<std::string> one = {"a"};
          NoiseEstimator(view, one_class, one, {}, one_thread).estimate(kind);
        },
        kind == EstimatorKind::latent_class ? ErrorKind::data : ErrorKind::usage);
  }
  answered("NoiseEstimator::chosen", "nothing was asked for yet",
           [&] { EXPECT_EQ(evidence.chosen(), nullptr); });
  answered("NoiseEstimator::seconds_searching", "nothing was asked for yet",
           [&] { EXPECT_GE(evidence.seconds_searching(), 0); });
  const auto none = static_cast<EstimatorKind>(99);
  answered("to_string", "a giveaway that is none",
           [] { EXPECT_EQ(to_string(static_cast<GiveawayKind>(9)), ""); });
  answered("to_string", "an estimator that is none", [=] { EXPECT_EQ(to_string(none), ""); });
  answered("parse_estimator", "no such name", [] { EXPECT_FALSE(parse_estimator("best")); });
  answered("needs_views_only", "an estimator that is none",
           [=] { EXPECT_FALSE(needs_views_only(none)); });
  answered("needs_two_classes", "an estimator that is none",
           [=] { EXPECT_FALSE(needs_two_classes(none)); });
}

TEST_F(NoiseMisuse, OfGroupsIsRefused) {
  NoiseEstimate estimate;
  estimate.noise = {{.1, 0, .2}, {.2, .1, .3}};
  ChosenEstimate chosen;
  refused("noise_of_group", "an estimate that nobody filled",
          [&] { noise_of_group("g", 5, {}, nullptr); });
  refused("noise_of_group", "a choice that nobody filled",
          [&] { noise_of_group("g", 5, estimate, &chosen); });
  chosen.covariance = {0, 0, 0, 0};
  chosen.doubts = {0};
  refused("noise_of_group", "a doubt too few", [&] { noise_of_group("g", 5, estimate, &chosen); });
  for (const double value : {not_a_number, -.5, 2.}) {
    NoiseEstimate wrong = estimate;
    wrong.noise[1].value = value;
    refused("noise_of_group", "a rate of " + std::to_string(value),
            [&] { noise_of_group("g", 5, wrong, nullptr); });
    GroupNoise group;
    group.rate.value = value;
    refused("compare_groups", "a rate of " + std::to_string(value), [&] {
      compare_groups(std::vector<GroupNoise>{group, group});
    });
  }
  answered("compare_groups", "no groups", [] { EXPECT_EQ(compare_groups({}).noisier, -1); });
  answered("unknown_group", "an estimate that nobody filled",
           [] { EXPECT_FALSE(unknown_group("g", 0, {}, "too small").known()); });
  answered("GroupNoise::known", "a group that nobody filled",
           [] { EXPECT_FALSE(GroupNoise().known()); });
  answered("GroupNoise::is_upper_bound", "a group that nobody filled",
           [] { EXPECT_FALSE(GroupNoise().is_upper_bound()); });
}

TEST_F(NoiseMisuse, FindGiveaway) {
  answered("find_giveaway", "no rows", [] { EXPECT_FALSE(find_giveaway({})); });
  Dataset dataset;
  dataset.features = Features(matrix.view());
  dataset.labels.classes = dataset.labels.spellings = {"no", "yes"};
  for (const std::int32_t code : wrong_codes) {
    dataset.labels.codes = with_code(code);
    refused("find_giveaway", "a wrong code", [&] { find_giveaway(dataset); });
  }
  dataset.labels.codes.pop_back();
  refused("find_giveaway", "a label too few", [&] { find_giveaway(dataset); });
}

}  // namespace
}  // namespace noiseplus
