// Any audit that is done at all can be shown: its JSON fits the schema, and makes a page and a
// text. Random tables, as far from the usual as they can be read.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "noiseplus/report.h"
#include "report/json.h"
#include "report/schema.h"
#include "support.h"

namespace noiseplus {
namespace {

// The same numbers with every standard library, which its distributions are not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}
  double share() { return static_cast<double>(bits_() >> 11U) * 0x1p-53; }
  bool chance(double probability) { return share() < probability; }
  std::size_t below(std::size_t end) { return bits_() % end; }
  std::size_t between(std::size_t first, std::size_t last) {
    return first + below(last - first + 1);
  }
  template <typename T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

 private:
  std::mt19937_64 bits_;
};

// Row-stochastic. Some classes are clean, and some keep less than chance would give.
std::vector<double> random_transition(Random& random, std::size_t classes) {
  std::vector<double> matrix(classes * classes);
  const double worst = random.one_of<double>({.1, .4, .7, .97});
  for (std::size_t i = 0; i < classes; ++i) {
    const double rate = random.chance(.3) ? 0 : worst * random.share();
    std::vector<double> parts(classes);
    double sum = 0;
    for (std::size_t j = 0; j < classes; ++j) {
      if (j != i) sum += parts[j] = random.chance(.3) ? 0 : random.share();
    }
    for (std::size_t j = 0; j < classes; ++j) {
      if (j != i && sum > 0) matrix[i * classes + j] = rate * parts[j] / sum;
    }
    matrix[i * classes + i] = sum > 0 ? 1 - rate : 1;
  }
  return matrix;
}

// Turns a position along a line into a cell of a csv file: at any scale, of one value only, too
// small for a normal number, whole, missing here and there, or text.
class RandomColumn {
 public:
  explicit RandomColumn(Random& random) : kind_(random.below(7)) {
    scale_ = std::pow(10.0, 600 * random.share() - 300);
    offset_ = random.chance(.5) ? 0 : scale_ * 1000;
  }

  std::string cell(double position, Random& random) const {
    switch (kind_) {
      case 0:
        return "7";
      case 1:
        return format_number(std::round(position * 8) * 5e-324);
      case 2:
        return format_number(std::round(position));
      case 3:
        return random.chance(.1) ? "" : format_number(position);
      case 4:
        return "t" + format_number(std::round(position));
      default:
        return format_number(offset_ + scale_ * position);
    }
  }

 private:
  std::size_t kind_;
  double scale_, offset_;
};

struct Case {
  std::string csv;
  bool has_groups = false;
  AuditOptions options;
  std::string description;
};

std::string name_of_class(std::size_t c, std::size_t kind) {
  if (kind == 0) return std::to_string(c);
  if (kind == 1) return "</script>&\xc3\xa9" + std::to_string(c);
  if (kind == 2) return std::to_string(c) + std::string(5000, 'x') + std::to_string(c);
  return "\xff" + std::to_string(c);  // not UTF-8
}

Case make_case(std::uint64_t seed) {
  Random random(seed);
  const std::size_t classes = random.chance(.3) ? 2 : random.between(3, 12);
  const std::size_t rows = random.chance(.3) ? random.between(20, 60) : random.between(100, 900);
  const std::size_t groups = random.chance(.5) ? 0 : random.between(1, 5);
  const std::size_t names = random.below(4);
  const double apart = random.one_of<double>({0, 2, 8, 40});
  const double imbalance = random.one_of<double>({0, .5, 2});
  const std::vector<double> transition = random_transition(random, classes);

  std::vector<RandomColumn> columns;
  for (std::size_t j = random.between(1, 5); j > 0; --j) columns.emplace_back(random);
  std::vector<double> weights(classes);
  double sum = 0;
  for (double& weight : weights) sum += weight = std::exp(-imbalance * 2 * random.share());

  std::vector<std::int32_t> clean(rows);
  for (std::size_t n = 0; n < rows; ++n) {
    double left = random.share() * sum;
    std::size_t c = 0;
    while (c + 1 < classes && left >= weights[c]) left -= weights[c++];
    clean[n] = static_cast<std::int32_t>(c);
  }
  const std::vector<std::int32_t> given =
      draw_labels(clean, classes, transition, seed, Stream::corrupt);

  Case made;
  made.has_groups = groups > 0;
  for (std::size_t j = 0; j < columns.size(); ++j) made.csv += "x" + std::to_string(j) + ',';
  made.csv += groups > 0 ? "g,y\n" : "y\n";
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const double center = apart * static_cast<double>((clean[n] * (j + 1)) % classes);
      made.csv += columns[j].cell(center + random.share(), random) + ',';
    }
    // The last group has hardly a row.
    if (groups > 0) {
      const std::size_t g = random.chance(.01) ? groups - 1 : random.below(groups);
      made.csv += "group" + std::to_string(g) + ',';
    }
    made.csv += name_of_class(static_cast<std::size_t>(given[n]), names) + '\n';
  }

  AuditOptions& options = made.options;
  std::vector<std::string> estimators = {"auto",         "auto",      "curve",
                                         "latent-class", "confident", "paper"};
  if (classes == 2) estimators.insert(estimators.end(), {"moments", "moments", "edges", "overlap"});
  options.estimator = random.one_of(estimators);
  options.k = random.between(2, 12);
  options.seed = seed;
  options.suspects = random.one_of<std::size_t>({0, 50});
  options.agreements = classes == 2 && random.chance(.5);
  options.judge_rows = random.chance(.5);
  options.metric = random.chance(.2) ? "cosine" : "euclidean";
  if (options.estimator == "auto" && groups == 0 && random.chance(.3)) options.anchors = rows / 2;
  if (options.anchors != 0) {  // single rows are judged only where all are looked at
    options.judge_rows = false;
    options.suspects = 0;
  }
  if (options.estimator == "auto" && random.chance(.2)) options.assume = "embedding";
  made.description = std::to_string(classes) + " classes, " + std::to_string(rows) + " rows, " +
                     std::to_string(groups) + " groups, " + options.estimator;
  return made;
}

bool is_claimed(const std::vector<ClassPair>& claims, std::size_t noisier, std::size_t cleaner) {
  return std::ranges::any_of(claims, [&](const ClassPair& pair) {
    return pair.noisier == static_cast<int>(noisier) && pair.cleaner == static_cast<int>(cleaner);
  });
}

// Of rates between which nothing is claimed the intervals meet; a claim has a gap above 0 and a
// p-value that is significant.
void expect_agreement(const std::vector<EstimateWithInterval>& rates,
                      const std::vector<ClassPair>& claims, const EstimateWithInterval& gap,
                      double p_value) {
  for (std::size_t i = 0; i < rates.size(); ++i) {
    EXPECT_LE(rates[i].low, rates[i].value);
    EXPECT_LE(rates[i].value, rates[i].high);
    EXPECT_LT(rates[i].low, rates[i].high);
    for (std::size_t j = 0; j < rates.size(); ++j) {
      if (is_claimed(claims, i, j)) {
        EXPECT_GT(rates[i].value, rates[j].value);
      } else {
        EXPECT_LE(rates[i].low, rates[j].high) << i << " and " << j;
      }
    }
  }
  EXPECT_LT(gap.low, gap.high);
  if (claims.empty()) {
    EXPECT_LE(gap.low, 0);
  } else {
    EXPECT_GT(gap.low, 0);
    EXPECT_LT(p_value, .05);
  }
}

void expect_width(const std::optional<EstimateWithInterval>& share) {
  if (!share) return;
  EXPECT_LE(share->low, share->value);
  EXPECT_LE(share->value, share->high);
  EXPECT_LT(share->low, share->high);
}

void expect_share_among(const EstimateWithInterval& share,
                        const std::vector<EstimateWithInterval>& rates) {
  double low = 1, high = 0;
  for (const EstimateWithInterval& rate : rates) {
    low = std::min(low, rate.low);
    high = std::max(high, rate.high);
  }
  EXPECT_LE(low, share.high);
  EXPECT_GE(high, share.low);
}

void expect_widths(const AuditReport& report) {
  expect_width(report.wrong_share);
  if (!report.groups.empty()) expect_width(report.comparison.gap);
  for (const GroupNoise& group : report.groups) {
    expect_width(group.rate);
    expect_width(group.symmetric_rate);
    for (const EstimateWithInterval& rate : group.estimate.noise) expect_width(rate);
  }
  const std::string text = to_text(report);
  EXPECT_EQ(text.find(" 0.0 to 0.0"), text.npos) << text;
  EXPECT_EQ(text.find("(0.0 to 0.0"), text.npos) << text;
}

// No two numbers of one report contradict each other, whatever the estimator.
// The paper's order is a direction without a test: only there intervals say nothing of claims.
void expect_no_contradiction(const AuditReport& report) {
  expect_widths(report);
  if (report.paper) return;
  const NoiseEstimate& estimate = report.estimate;
  expect_agreement(estimate.noise, report.claims, estimate.gap, estimate.p_value);
  EXPECT_EQ(estimate.noisier >= 0, !report.claims.empty());
  if (report.wrong_share) expect_share_among(*report.wrong_share, estimate.noise);
  std::vector<EstimateWithInterval> rates;
  for (const GroupNoise& group : report.groups) {
    // One that nothing is known of meets all others.
    rates.push_back(group.known() ? group.rate : EstimateWithInterval{.5, 0, 1});
    if (group.known() && group.estimate.noisier < 0) {
      expect_agreement(group.estimate.noise, {}, {0, -1, 1}, 1);
    }
  }
  if (rates.empty()) return;
  expect_agreement(rates, report.comparison.claims, report.comparison.gap,
                   report.comparison.p_value);
}

void expect_to_be_shown(const AuditReport& report) {
  expect_no_contradiction(report);
  const std::string json = to_json(report);
  ASSERT_EQ(schema_fault(Json::parse(json), "audit.schema.json"), "");
  const PageDocument document{"audit.json", json};
  const std::string page = to_html({&document, 1});
  EXPECT_LT(page.size(), 2'000'000U);
  EXPECT_NE(page.find("id=\"noiseplus-data\">"), page.npos);
  for (const TextStyle style : {TextStyle::plain, TextStyle::ansi}) {
    const std::string text = to_text(report, style);
    EXPECT_FALSE(text.empty());
    EXPECT_LT(text.size(), 20'000U);
  }
}

class EveryAudit : public ::testing::TestWithParam<int> {};

TEST_P(EveryAudit, CanBeShown) {
  const testing_support::TemporaryFolder folder;
  constexpr int cases = 10;
  int audited = 0;
  for (int i = 0; i < cases; ++i) {
    const Case tried = make_case(static_cast<std::uint64_t>(GetParam() * cases + i));
    SCOPED_TRACE("case " + std::to_string(GetParam() * cases + i) + ": " + tried.description);
    DataRequest request;
    request.path = folder.write("rows.csv", tried.csv);
    request.label = "y";
    if (tried.has_groups) request.groups = {"g"};
    try {
      const Dataset dataset = load(request);
      const AuditReport report = audit(dataset, tried.options);
      expect_to_be_shown(report);
      ++audited;
    } catch (const Error& error) {
      // Too few rows, of a class or of all; no features; a row that has no direction.
      EXPECT_EQ(error.kind(), ErrorKind::data) << error.what();
    }
  }
  EXPECT_GE(audited, cases / 2);
}

INSTANTIATE_TEST_SUITE_P(Seeds, EveryAudit, ::testing::Range(0, 6));

// Clusters of K classes whose labels are wrong at the given rates.
Dataset clusters(const std::vector<double>& rates, std::size_t rows) {
  const std::size_t classes = rates.size();
  Random random(1);
  Matrix features(rows, 2);
  std::vector<std::int32_t> clean(rows);
  for (std::size_t n = 0; n < rows; ++n) {
    clean[n] = static_cast<std::int32_t>(n % classes);
    // Small clusters, many to a class: neighbors share their clean label.
    features.row(n)[0] = static_cast<float>(100 * clean[n] + random.share());
    features.row(n)[1] = static_cast<float>(10 * random.below(20) + random.share());
  }
  std::vector<double> transition;
  for (std::size_t i = 0; i < classes; ++i) {
    const std::vector<double> row = symmetric_transition(classes, rates[i]);
    transition.insert(transition.end(), row.begin() + static_cast<std::ptrdiff_t>(i * classes),
                      row.begin() + static_cast<std::ptrdiff_t>((i + 1) * classes));
  }
  Dataset dataset;
  dataset.labels.codes = draw_labels(clean, classes, transition, 3, Stream::corrupt);
  for (std::size_t c = 0; c < classes; ++c) {
    dataset.labels.classes.push_back("class " + std::to_string(c));
  }
  dataset.labels.spellings = dataset.labels.classes;
  dataset.label_name = "y";
  dataset.features = Features(std::move(features));
  return dataset;
}

struct ChanceCase {
  const char* estimator;
  std::vector<double> rates;
  bool is_claimed;  // that the classes differ, which is when the audit looks for a plan
};

bool warns_of_balancing(const AuditReport& report) {
  return std::any_of(report.warnings.begin(), report.warnings.end(),
                     [](const std::string& warning) {
                       return warning.starts_with("balancing is not possible: ");
                     });
}

void expect_impossible(const Dataset& dataset, const AuditOptions& options,
                       const AuditReport& report) {
  EXPECT_TRUE(warns_of_balancing(report));
  EXPECT_TRUE(report.plan.flips_nothing());
  EXPECT_FALSE(report.forced);
  EXPECT_EQ(report.advice.action, "correct");
  EXPECT_NE(report.advice.why.find("keeps no more of its labels"), std::string::npos);
  BalanceOptions balancing;
  balancing.audit = options;
  EXPECT_THROW(balance(dataset, balancing), Error);
}

// Nothing is claimed, so that there is nothing to balance either.
void expect_nothing_to_do(const Dataset& dataset, const AuditOptions& options,
                          const AuditReport& report) {
  EXPECT_FALSE(warns_of_balancing(report));
  EXPECT_EQ(report.estimate.noisier, -1);
  EXPECT_EQ(report.comparison.noisier, -1);
  EXPECT_TRUE(report.plan.flips_nothing());
  EXPECT_EQ(report.advice.action, report.estimate.identified ? "nothing" : "check");
  BalanceOptions balancing;
  balancing.audit = options;
  EXPECT_TRUE(balance(dataset, balancing).report.plan.flips_nothing());
}

// A class that keeps at most 1/K of its labels cannot be balanced; the audit says so.
TEST(EveryAuditOf, LabelsWorseThanChanceIsReported) {
  const std::vector<ChanceCase> cases = {{"auto", {.8, .02, .02}, true},
                                         {"latent-class", {.8, .02, .02}, false},
                                         {"auto", {.66, .66, .1}, true},
                                         {"latent-class", {.66, .66, .1}, false}};
  for (const ChanceCase& one : cases) {
    SCOPED_TRACE(one.estimator + std::string(" ") + std::to_string(one.rates[0]));
    const Dataset dataset = clusters(one.rates, 3000);
    AuditOptions options;
    options.estimator = one.estimator;
    options.compare_routes = false;  // the bounds alone advise
    const AuditReport report = audit(dataset, options);
    expect_to_be_shown(report);
    if (one.is_claimed) {
      EXPECT_TRUE(report.estimate.noisier == 0 || report.estimate.noisier == 1);
      expect_impossible(dataset, options, report);
    } else {
      expect_nothing_to_do(dataset, options, report);
    }
  }
}

// The labels of a group at chance tell nothing of its noise.
TEST(EveryAuditOf, AGroupAtChanceIsNotKnown) {
  Dataset dataset = clusters({.05, .05}, 2000);
  const Dataset noisy = clusters({.5, .5}, 2000);
  for (std::size_t n = 0; n < 2000; ++n) {
    dataset.groups.codes.push_back(n / 2 % 2 == 0 ? 0 : 1);
    if (dataset.groups.codes[n] == 1) dataset.labels.codes[n] = noisy.labels.codes[n];
  }
  dataset.groups.classes = dataset.groups.spellings = {"clean", "at chance"};
  AuditOptions options;
  options.estimator = "latent-class";
  const AuditReport report = audit(dataset, options);
  expect_to_be_shown(report);
  EXPECT_TRUE(report.groups[0].known());
  EXPECT_NEAR(report.groups[0].rate.value, .05, .03);
  EXPECT_FALSE(report.groups[1].known());
  EXPECT_EQ(report.groups[1].rate.high, 1);
  expect_nothing_to_do(dataset, options, report);
}

}  // namespace
}  // namespace noiseplus
