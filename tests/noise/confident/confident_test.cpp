#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

using Codes = std::vector<std::int32_t>;
using Counts = std::vector<std::int64_t>;

struct Case {
  Matrix probabilities;
  Codes codes;
};

Case make_case(const std::vector<std::vector<float>>& rows, Codes codes) {
  Case made{Matrix(rows.size(), rows.front().size()), std::move(codes)};
  for (std::size_t n = 0; n < rows.size(); ++n) {
    std::copy(rows[n].begin(), rows[n].end(), made.probabilities.row(n));
  }
  return made;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-10) << i;
}

// Thresholds .6 and .8: two rows are credibly of class 0, two of class 1, and the last of none. It
// is then taken to be like the other rows of its label.
TEST(Confident, ByHand) {
  const Case c =
      make_case({{.9F, .1F}, {.8F, .2F}, {.1F, .9F}, {.1F, .9F}, {.3F, .7F}}, {0, 0, 0, 1, 1});
  const ConfidentJoint joint = confident_joint(c.probabilities.view(), c.codes);
  EXPECT_NEAR(joint.thresholds[0], .6, 1e-7);
  EXPECT_NEAR(joint.thresholds[1], .8, 1e-7);
  EXPECT_EQ(joint.counted, (Counts{2, 1, 0, 1}));
  EXPECT_EQ(joint.counts, (Counts{2, 1, 0, 2}));
  expect_near(joint.prior, {.4, .6});
  expect_near(joint.transition, {1, 0, 1 / 3., 2 / 3.});
}

// Both classes are credible for the first and the last row: the likelier counts, and the first of
// equals. Thresholds are .5.
TEST(Confident, OfSeveralCredibleClassesTheLikeliest) {
  const Case c = make_case({{.5F, .5F}, {.5F, .5F}, {.25F, .75F}, {.75F, .25F}}, {0, 1, 1, 1});
  const ConfidentJoint joint = confident_joint(c.probabilities.view(), c.codes);
  EXPECT_EQ(joint.counted, (Counts{1, 0, 2, 1}));
}

TEST(Confident, WrongInput) {
  const Case c = make_case({{.9F, .1F}, {.2F, .8F}}, {0, 1});
  EXPECT_THROW(confident_joint(c.probabilities.view(), Codes{0}), Error);
  EXPECT_THROW(confident_joint(c.probabilities.view(), Codes{0, 2}), Error);
  EXPECT_THROW(confident_joint({}, Codes{}), Error);
  for (const float wrong : {-.1F, 1.1F, std::numeric_limits<float>::quiet_NaN()}) {
    const Case bad = make_case({{.9F, .1F}, {.2F, wrong}}, {0, 1});
    EXPECT_THROW(confident_joint(bad.probabilities.view(), bad.codes), Error) << wrong;
  }
}

// ------------------------------------------------------------------------------- golden numbers

constexpr std::size_t none = 99;

// Probabilities in 64ths, so that floats hold them exactly and ties and halves are common. Labels
// are below `used`; where that is not all, the last class is likely and absent. The probability of
// class `dead` is 0. The same numbers were given to cleanlab 2.9.
Case golden_case(std::uint64_t seed, std::size_t rows, std::size_t classes, std::size_t used,
                 std::size_t dead) {
  std::uint64_t state = seed;
  const auto next = [&](std::uint64_t bound) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (state >> 33) % bound;
  };
  Case made{Matrix(rows, classes), Codes(rows)};
  for (std::size_t n = 0; n < rows; ++n) {
    const std::uint64_t label = next(used);
    std::vector<std::uint64_t> weights(classes);
    for (std::uint64_t& weight : weights) weight = next(8) + 1;
    weights[label] += next(8);
    if (used < classes) weights.back() += 9;
    if (dead < classes) weights[dead] = 0;
    std::uint64_t total = 0, shared = 0;
    for (const std::uint64_t weight : weights) total += weight;
    const auto largest = std::max_element(weights.begin(), weights.end()) - weights.begin();
    for (std::uint64_t& weight : weights) shared += weight = 64 * weight / total;
    weights[static_cast<std::size_t>(largest)] += 64 - shared;
    made.codes[n] = static_cast<std::int32_t>(label);
    for (std::size_t k = 0; k < classes; ++k) {
      made.probabilities.row(n)[k] = static_cast<float>(weights[k]) / 64;
    }
  }
  return made;
}

ConfidentJoint golden_joint(std::uint64_t seed, std::size_t rows, std::size_t classes,
                            std::size_t used, std::size_t dead = none) {
  const Case c = golden_case(seed, rows, classes, used, dead);
  return confident_joint(c.probabilities.view(), c.codes);
}

TEST(Confident, CleanlabsTwoClasses) {
  const ConfidentJoint joint = golden_joint(1, 60, 2, 2);
  EXPECT_EQ(joint.counts, (Counts{26, 2, 7, 25}));
  expect_near(joint.prior, {.55, .45});
  expect_near(joint.transition, {.787878787879, .212121212121, .0740740740741, .925925925926});
}

TEST(Confident, CleanlabsThreeClasses) {
  const ConfidentJoint joint = golden_joint(2, 80, 3, 3);
  EXPECT_EQ(joint.counts, (Counts{27, 0, 5, 4, 12, 1, 8, 3, 20}));
  expect_near(joint.prior, {.4875, .1875, .325});
  expect_near(joint.transition, {.692307692308, .102564102564, .205128205128, 0, .8, .2,
                                 .192307692308, .0384615384615, .769230769231});
}

// Rows are guessed to be of a class that no label names.
TEST(Confident, CleanlabsAbsentClass) {
  const ConfidentJoint joint = golden_joint(3, 90, 4, 3);
  EXPECT_EQ(joint.thresholds[3], 2);
  EXPECT_EQ(joint.counts, (Counts{19, 1, 7, 2, 1, 20, 6, 0, 0, 2, 32, 0, 0, 0, 0, 0}));
  expect_near(joint.prior, {.245596301012, .254234160992, .500159538085, 9.99991000081e-06});
  expect_near(joint.transition,
              {.950034136013, .049965863987, 0, 0, .0435069818807, .869514331705, .0869786864139, 0,
               .155615330019, .133288714825, .711095955156, 0, 1, 0, 0, 0});
}

TEST(Confident, CleanlabsClassThatIsNeverLikely) {
  const ConfidentJoint joint = golden_joint(4, 70, 3, 3, 2);
  EXPECT_EQ(joint.counts, (Counts{17, 3, 0, 0, 26, 0, 11, 11, 2}));
  expect_near(joint.prior, {.4, .571428571429, .0285714285714});
  expect_near(joint.transition, {.607142857143, 0, .392857142857, .075, .65, .275, 0, 0, 1});
}

TEST(Confident, CleanlabsTenClasses) {
  const ConfidentJoint joint = golden_joint(5, 300, 10, 10);
  const Counts first_rows = {24, 1, 2, 1, 2, 2, 2, 2, 0, 0, 2, 11, 0, 1, 1, 3, 1, 0, 1, 0};
  EXPECT_EQ(Counts(joint.counts.begin(), joint.counts.begin() + 20), first_rows);
  expect_near(joint.prior, {.17, .133333333333, .126666666667, .0933333333333, .0933333333333,
                            .106666666667, .06, .08, .0766666666667, .06});
  std::vector<double> diagonal;
  for (std::size_t k = 0; k < 10; ++k) diagonal.push_back(joint.transition[k * 11]);
  expect_near(diagonal, {.470588235294, .275, .578947368421, .678571428571, .5, .5625,
                         .444444444444, .791666666667, .608695652174, .722222222222});
}

// ------------------------------------------------------------------------------- the estimate

NoiseEstimate golden_estimate(std::uint64_t seed, std::size_t rows, std::size_t classes,
                              std::size_t used, std::size_t dead = none) {
  const Case c = golden_case(seed, rows, classes, used, dead);
  return estimate_from_probabilities(c.probabilities.view(), c.codes,
                                     std::vector<std::string>{"a", "b", "c", "d"});
}

TEST(ConfidentEstimate, SaysWhatTheJointSays) {
  const NoiseEstimate estimate = golden_estimate(1, 60, 2, 2);
  EXPECT_EQ(estimate.estimator, "confident");
  EXPECT_TRUE(estimate.identified);
  EXPECT_NEAR(estimate.noise[0].value, .212121212121, 1e-10);
  EXPECT_NEAR(estimate.noise[1].value, .0740740740741, 1e-10);
  EXPECT_NEAR(estimate.gap.value, .212121212121 - .0740740740741, 1e-10);
  EXPECT_NEAR(estimate.s, 1 - .0740740740741 + .212121212121, 1e-10);
  for (const EstimateWithInterval& rate : estimate.noise) {
    EXPECT_LT(rate.low, rate.value);
    EXPECT_GT(rate.high, rate.value);
  }
  EXPECT_EQ(estimate.gap.low, 0) << "60 rows prove nothing";
  EXPECT_EQ(estimate.leans, -1);
  EXPECT_GT(estimate.p_value, .05);
}

// Without rows that are not credible all weights are 1, and the intervals plain binomial ones.
TEST(ConfidentEstimate, LeansButNeverClaims) {
  std::vector<std::vector<float>> rows;
  Codes codes;
  for (int n = 0; n < 1000; ++n) {
    const bool is_one = n % 2 == 1;
    rows.push_back(is_one ? std::vector<float>{.05F, .95F} : std::vector<float>{.95F, .05F});
    codes.push_back(is_one && n % 10 < 4 ? 0 : is_one ? 1 : 0);
  }
  const Case c = make_case(rows, codes);
  const NoiseEstimate estimate = estimate_from_probabilities(c.probabilities.view(), c.codes, {});
  EXPECT_NEAR(estimate.noise[0].value, 0, 1e-12);
  EXPECT_NEAR(estimate.noise[1].value, .4, 1e-12);
  EXPECT_NEAR(estimate.noise[1].low, .3580, 1e-3);
  EXPECT_NEAR(estimate.noise[1].high, .4435, 1e-3);
  EXPECT_LT(estimate.p_value, 1e-10);
  EXPECT_GT(estimate.gap.low, .3);
  EXPECT_EQ(estimate.leans, 1);
  EXPECT_EQ(estimate.noisier, -1);
  EXPECT_NEAR(estimate.conditioning, .25 * .36, 1e-12);
}

TEST(ConfidentEstimate, AClassThatIsNoGuessIsNotIdentified) {
  const Case c =
      make_case({{.9F, .1F, 0}, {.9F, .1F, 0}, {.1F, .9F, 0}, {.1F, .9F, 0}}, {0, 0, 1, 1});
  const NoiseEstimate estimate = estimate_from_probabilities(
      c.probabilities.view(), c.codes, std::vector<std::string>{"a", "b", "c"});
  EXPECT_FALSE(estimate.identified);
  EXPECT_EQ(estimate.warnings.front(),
            "not identified: class c: no row is credibly of it; the rates are not to be relied on");
  expect_near(estimate.transition, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  EXPECT_EQ(estimate.noise[2].low, 0);
  EXPECT_EQ(estimate.noise[2].high, 1);
}

TEST(ConfidentEstimate, LabelsThatSayNothing) {
  const Case c = make_case({{.75F, .25F}, {.75F, .25F}, {.25F, .75F}, {.25F, .75F}}, {0, 1, 0, 1});
  const NoiseEstimate estimate = estimate_from_probabilities(c.probabilities.view(), c.codes, {});
  EXPECT_FALSE(estimate.identified);
  EXPECT_EQ(estimate.leans, -1);
}

}  // namespace
}  // namespace noiseplus
