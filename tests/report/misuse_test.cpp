#include "misuse.h"

#include "noiseplus/report.h"
#include "noiseplus/version.h"
#include "pipeline/generated.h"

namespace noiseplus {
namespace {

using namespace testing_support;

const Execution one_thread{1, {}};

Dataset small_data() {
  Dataset dataset = generated(.5, .2, .1, 120);
  dataset.groups.classes = dataset.groups.spellings = {"g", "h"};
  for (std::size_t n = 0; n < 120; ++n) dataset.groups.codes.push_back(n % 2 == 0 ? 0 : 1);
  return dataset;
}

using Change = std::function<void(Dataset&)>;

// Data sets whose parts do not fit together.
std::vector<std::pair<std::string, Change>> broken_data() {
  std::vector<std::pair<std::string, Change>> changes = {
      {"nothing", [](Dataset& d) { d = {}; }},
      {"a label too few", [](Dataset& d) { d.labels.codes.pop_back(); }},
      {"no labels", [](Dataset& d) { d.labels = {}; }},
      {"no classes", [](Dataset& d) { d.labels.classes.clear(); }},
      {"a spelling too few", [](Dataset& d) { d.labels.spellings.pop_back(); }},
      {"a group too few", [](Dataset& d) { d.groups.codes.pop_back(); }},
      {"groups without names", [](Dataset& d) { d.groups.classes.clear(); }},
      {"names without groups", [](Dataset& d) { d.groups.codes.clear(); }},
      {"rows without data",
       [](Dataset& d) {
         d.features = Features(MatrixView{nullptr, 120, 8});
       }},
      {"no rows", [](Dataset& d) { d.features = Features(RowsView()); }},
      {"a feature name too few", [](Dataset& d) { d.feature_names = {"x"}; }},
      {"another shape of rows",
       [](Dataset& d) {
         d.row_shape = {28, 28};
       }},
      {"a shape of rows that wraps",
       [](Dataset& d) {
         d.row_shape = {huge, huge};
       }},
      {"an encoder of other columns", [](Dataset& d) { d.recipe.encoder.emplace(); }},
      {"a table of other rows", [](Dataset& d) { d.table.emplace(); }},
      {"a value that is not finite", [](Dataset& d) {
         Matrix wrong(120, 2);
         wrong.row(60)[1] = std::numeric_limits<float>::quiet_NaN();
         d.features = Features(std::move(wrong));
       }}};
  for (const std::int32_t code : wrong_codes) {
    changes.emplace_back("a label of " + std::to_string(code),
                         [=](Dataset& d) { d.labels.codes[9] = code; });
    changes.emplace_back("a group of " + std::to_string(code),
                         [=](Dataset& d) { d.groups.codes[9] = code; });
  }
  return changes;
}

// The error for each of them: usage but where there is no question, or a value is to blame.
ErrorKind kind_of(const std::string& how) {
  if (how == "nothing" || how == "no labels" || how == "no classes") return ErrorKind::impossible;
  return how == "a value that is not finite" ? ErrorKind::data : ErrorKind::usage;
}

TEST(ReportMisuse, OfDataIsRefused) {
  for (const auto& [how, change] : broken_data()) {
    Dataset wrong = small_data();
    change(wrong);
    const ErrorKind kind = kind_of(how);
    refused(
        "audit", how, [&] { audit(wrong, {.estimator = "moments"}, one_thread); }, kind);
    refused(
        "balance", how,
        [&] {
          BalanceOptions options;
          options.audit.estimator = "moments";
          balance(wrong, options, one_thread);
        },
        kind);
    refused(
        "train_model", how, [&] { train_model(wrong, {}, one_thread); }, kind);
  }
}

TEST(ReportMisuse, OfOptionsIsRefused) {
  const Dataset data = small_data();
  const AuditOptions odd[] = {{.estimator = "best"},
                              {.assume = "luck"},
                              {.k = 0},
                              {.k = 1},
                              {.k = 120},
                              {.k = huge},
                              {.precision = -1},
                              {.precision = not_a_number},
                              {.metric = "taxi"},
                              {.views = "none"},
                              {.positive = "z"},
                              {.suspects = huge},
                              {.anchors = 5},
                              {.estimator = "paper", .paper = {.gamma = not_a_number}}};
  for (const AuditOptions& options : odd) {
    refused(
        "audit", "options out of range", [&] { audit(data, options, one_thread); },
        options.k == 120 ? ErrorKind::data : ErrorKind::usage);
  }
  const BalanceOptions wrong[] = {{.scope = "planet"}, {.method = "magic"}, {.audit = {.k = 0}}};
  for (const BalanceOptions& options : wrong) {
    refused("balance", "options out of range", [&] { balance(data, options, one_thread); });
  }
  Dataset no_groups = small_data();
  no_groups.groups = {};
  refused("balance", "groups that are not there", [&] {
    BalanceOptions options;
    options.scope = "group";
    balance(no_groups, options, one_thread);
  });
  const std::vector<std::function<void(TrainModelOptions&)>> changes = {
      [](TrainModelOptions& o) { o.train.loss = static_cast<LossKind>(9); },
      [](TrainModelOptions& o) { o.train.model = static_cast<ModelKind>(9); },
      [](TrainModelOptions& o) {
        o.transition = "guess";
        o.train.loss = LossKind::backward;
      },
      [](TrainModelOptions& o) {
        o.transition = "given";
        o.train.loss = LossKind::backward;
      },
      [](TrainModelOptions& o) {
        o.transition = "given";
        o.train.loss = LossKind::group_peer;
      },
      [](TrainModelOptions& o) { o.positive = "z"; },
      [](TrainModelOptions& o) { o.row_weights = {1}; },
      [](TrainModelOptions& o) { o.fair = static_cast<Constraint>(9); },
      [](TrainModelOptions& o) {
        o.fair = Constraint::equalized_odds;
        o.tolerance = not_a_number;
      },
      [](TrainModelOptions& o) {
        o.fair = Constraint::equalized_odds;
        o.noise_aware = true;
        o.group_noise = {{.1, .1}};
      },
      [](TrainModelOptions& o) {
        o.balance = true;
        o.scope = "planet";
      },
      [](TrainModelOptions& o) { o.train.linear.ridge = not_a_number; }};
  for (const auto& change : changes) {
    TrainModelOptions options;
    change(options);
    refused("train_model", "options that do not fit",
            [&] { train_model(data, options, one_thread); });
  }
  answered("option_values", "no such option", [] { EXPECT_TRUE(option_values("speed").empty()); });
  answered("version", "nothing", [] { EXPECT_FALSE(version().empty()); });
  answered("AuditReport::is_upper_bound", "no such class",
           [] { EXPECT_FALSE(AuditReport().is_upper_bound(2'000'000'000)); });
  answered("AuditReport::has_upper_bound", "a report that nobody filled",
           [] { EXPECT_FALSE(AuditReport().has_upper_bound()); });
}

TEST(ReportMisuse, OfNamesOfFindingsIsAnswered) {
  answered("to_string", "a finding that is none",
           [] { EXPECT_EQ(to_string(static_cast<FindingId>(77)), ""); });
  answered("to_string", "a severity that is none",
           [] { EXPECT_EQ(to_string(static_cast<Severity>(77)), ""); });
}

TEST(ReportMisuse, OfAuditReportsIsRefused) {
  const AuditReport good = audit(small_data(), {.estimator = "moments"}, one_thread);
  answered("to_json", "a report that fits", [&] { EXPECT_EQ(to_json(good).front(), '{'); });
  answered("to_text", "a style that is none",
           [&] { EXPECT_FALSE(to_text(good, static_cast<TextStyle>(8)).empty()); });
  const std::vector<std::function<void(AuditReport&)>> changes = {
      [](AuditReport& r) { r = {}; },
      [](AuditReport& r) { r.positive = 2; },
      [](AuditReport& r) { r.classes.pop_back(); },
      [](AuditReport& r) { r.classes.emplace_back("c"); },
      [](AuditReport& r) { r.class_rows.clear(); },
      [](AuditReport& r) { r.estimate = {}; },
      [](AuditReport& r) { r.estimate.transition.pop_back(); },
      [](AuditReport& r) { r.estimate.prior.clear(); },
      [](AuditReport& r) { r.estimate.noise[0].value = not_a_number; },
      [](AuditReport& r) { r.estimate.noise[1].high = 1e300; },
      [](AuditReport& r) { r.estimate.noisier = 2; },
      [](AuditReport& r) { r.estimate.leans = -7; },
      [](AuditReport& r) {
        r.claims = {{0, 9}};
      },
      [](AuditReport& r) {
        r.claims = {{1, -1}};
      },
      [](AuditReport& r) { r.upper_bound_only = {1}; },
      [](AuditReport& r) { r.estimates["x"] = {.1}; },
      [](AuditReport& r) { r.groups[0].estimate = {}; },
      [](AuditReport& r) {
        r.groups[0].estimate.noisier = -1;
        r.groups[0].estimate.cleaner = 0;
      },
      [](AuditReport& r) { r.groups[1].rate.low = not_a_number; },
      [](AuditReport& r) { r.comparison.noisier = 2; },
      [](AuditReport& r) {
        r.comparison.claims = {{5, 0}};
      },
      [](AuditReport& r) {
        r.comparison.noisier = 1;
        r.comparison.cleaner = -1;
      },
      [](AuditReport& r) { r.group_class_rows = {{1}}; },
      [](AuditReport& r) { r.plan = {}; },
      [](AuditReport& r) { r.plan.groups = 5; },
      [](AuditReport& r) {
        r.forced = FlipPlan{3, {}, 1};
      },
      [](AuditReport& r) { r.flipped = {1}; },
      [](AuditReport& r) { r.paper.emplace().successful = true; },
      [](AuditReport& r) {
        r.scope = "class";
        r.paper.emplace();
        r.estimate.noisier = 1;
        r.estimate.cleaner = 0;
      },
      [](AuditReport& r) {
        r.scope = "class";
        r.paper.emplace().parts.resize(2);
        r.estimate.noisier = 1;
        r.estimate.cleaner = -1;
      },
      [](AuditReport& r) {
        r.scope = "group";
        r.paper.emplace();
        r.comparison.noisier = 1;
        r.comparison.cleaner = 0;
      },
      [](AuditReport& r) {
        r.agreements = AgreementCurve{5, {}, {}};
      },
      [](AuditReport& r) {
        r.suspects = Suspects();
        r.suspects->rows = {{0, 0, 7, 0, {}, {}, {}, {}}};
      }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    AuditReport wrong = good;
    changes[i](wrong);
    refused("to_json", "an audit that does not fit, " + std::to_string(i), [&] { to_json(wrong); });
    refused("to_text", "an audit that does not fit, " + std::to_string(i), [&] { to_text(wrong); });
    refused("findings", "an audit that does not fit, " + std::to_string(i),
            [&] { findings(wrong); });
  }
}

TEST(ReportMisuse, OfOtherReportsIsRefused) {
  const std::vector<std::function<void(Evaluation&)>> changes = {
      [](Evaluation& e) { e = {}; },
      [](Evaluation& e) { e.positive = 3; },
      [](Evaluation& e) { e.classes.emplace_back("c"); },
      [](Evaluation& e) { e.all.confusion.counts.pop_back(); },
      [](Evaluation& e) { e.all.confusion.counts[1] = not_a_number; },
      [](Evaluation& e) { e.all.confusion.counts[1] = -1e300; },
      [](Evaluation& e) { e.all.confusion.class_rows.clear(); },
      [](Evaluation& e) { e.groups.emplace_back(); }};
  const std::vector<std::int32_t> codes = {0, 1, 1};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Evaluation wrong = evaluate(codes, {codes, {"a", "b"}, {"a", "b"}}, 1);
    changes[i](wrong);
    refused("to_json", "an evaluation that does not fit, " + std::to_string(i),
            [&] { to_json(wrong); });
    refused("to_text", "an evaluation that does not fit, " + std::to_string(i),
            [&] { to_text(wrong); });
  }
  const std::vector<std::function<void(TrainReport&)>> broken = {
      [](TrainReport& r) { r = {}; },
      [](TrainReport& r) {
        r.transition = {1, 0};
      },
      [](TrainReport& r) { r.groups = {"g"}; },
      [](TrainReport& r) {
        r.trials = {{.1, .9}};
        r.alpha = .2;
      },
      [](TrainReport& r) { r.steps = -1; },
      [](TrainReport& r) {
        r.balanced.emplace().flipped = {1, 2};
      },
      [](TrainReport& r) {
        r.fair.emplace().groups = {"g", "h"};
      },
      [](TrainReport& r) { r.fair.emplace().rates.resize(3); }};
  for (std::size_t i = 0; i < broken.size(); ++i) {
    TrainReport wrong;
    wrong.classes = {"a", "b"};
    broken[i](wrong);
    refused("to_json", "a training that does not fit, " + std::to_string(i),
            [&] { to_json(wrong); });
    refused("to_text", "a training that does not fit, " + std::to_string(i),
            [&] { to_text(wrong); });
  }
  refused("to_html", "no documents", [] { to_html({}); });
  for (const char* json : {"", "{", "[]", "{}", "null", "\xff"}) {
    refused(
        "to_html", "a document that is none",
        [=] {
          to_html(std::vector<PageDocument>{{"d", json}});
        },
        ErrorKind::data);
  }
  answered("printable", "bytes that are no text",
           [] { EXPECT_FALSE(printable(std::string("\xff\0\x1b", 3)).empty()); });
}

}  // namespace
}  // namespace noiseplus
