// The main job on data with known truth: corrupt, audit, balance, train, and the truth beside each
// estimate.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "commands.h"
#include "core/format.h"
#include "noiseplus/learn.h"
#include "rates.h"
#include "report/text_table.h"

namespace noiseplus::cli {
namespace {

struct DemoFlags {
  std::string data = "/usr/share/datasets/fashion-mnist";
  std::string output = "demo-output";
  std::vector<std::string> rates = {"no=0.05", "yes=0.35"};
};

// Features and clean labels (0 = no, 1 = yes) to learn from, and others to test on.
struct Task {
  std::string question;
  Features train, test;
  std::vector<std::int32_t> train_clean, test_clean;
  std::vector<std::size_t> row_shape = {};
};

struct LabeledImages {
  Features pixels;
  std::vector<std::int32_t> answers;
};

LabeledImages read_images(const std::string& folder, const std::string& part) {
  const std::string images = folder + "/" + part + "-images-idx3-ubyte.gz";
  const std::string labels = folder + "/" + part + "-labels-idx1-ubyte.gz";
  LabeledImages data;
  const Features stored = read_arrays(Bytes::read(images), images, Format::idx).features;
  Matrix buffer;
  const MatrixView raw = stored.view().floats(buffer);
  Matrix scaled(raw.rows, raw.columns);
  for (std::size_t i = 0; i < raw.rows * raw.columns; ++i) scaled.row(0)[i] = raw.data[i] / 255.0F;
  data.pixels = Features(std::move(scaled));
  for (const std::string& label : read_label_texts(Bytes::read(labels), labels, Format::idx)) {
    // T-shirt, pullover, dress, coat, shirt; against trouser, sandal, sneaker, bag, boot.
    data.answers.push_back(std::string("02346").find(label) != std::string::npos ? 1 : 0);
  }
  return data;
}

Task fashion_task(const std::string& folder) {
  LabeledImages train = read_images(folder, "train");
  LabeledImages test = read_images(folder, "t10k");
  return {"Fashion-MNIST: is it worn on the upper body?",
          std::move(train.pixels),
          std::move(test.pixels),
          std::move(train.answers),
          std::move(test.answers),
          {28, 28}};
}

Task generated_task(std::uint64_t seed) {
  GeneratorOptions options;
  options.rows = 24000;
  options.seed = seed;
  options.positive = 0.4;
  options.separation = 0.5;
  const Generated data = generate(options);
  Task task;
  task.question = "Generated clusters, half of them told apart by a line";
  Matrix parts[2] = {Matrix(20000, options.dimensions), Matrix(4000, options.dimensions)};
  std::size_t used[2] = {0, 0};
  for (std::size_t n = 0; n < options.rows; ++n) {
    const std::size_t part = n % 6 == 0 ? 1 : 0;
    std::copy_n(data.features.row(n), options.dimensions, parts[part].row(used[part]++));
    (part == 0 ? task.train_clean : task.test_clean).push_back(data.codes[n]);
  }
  task.train = Features(std::move(parts[0]));
  task.test = Features(std::move(parts[1]));
  return task;
}

double wrong_share(std::span<const std::int32_t> labels, std::span<const std::int32_t> clean,
                   int of) {
  double rows = 0;
  double wrong = 0;
  for (std::size_t n = 0; n < clean.size(); ++n) {
    if (clean[n] != of) continue;
    ++rows;
    wrong += labels[n] != clean[n] ? 1 : 0;
  }
  return wrong / rows;
}

// How good a linear model of these labels is, on clean test rows.
Evaluation trained_on(const Task& task, std::span<const std::int32_t> labels,
                      const Execution& execution) {
  const Targets targets = cross_entropy_targets({labels, 2});
  const FitResult trained = train_linear(task.train.view(), targets, {}, nullptr, execution);
  const Matrix shares = probabilities(trained.model, task.test.view(), execution);
  return evaluate(most_likely(shares.view()), {task.test_clean, {"no", "yes"}, {"no", "yes"}}, 1,
                  {});
}

struct Outcome {
  std::string question;
  std::size_t train_rows = 0, test_rows = 0;
  double truth[2] = {}, truth_after[2] = {};
  AuditReport report;
  Evaluation by_clean, by_noisy, by_balanced;  // of models by the labels they were trained on
};

double accuracy_of(const Evaluation& evaluation) {
  return evaluation.all.accuracy.value;
}

// A folder that was named must be there; where the usual one is missing the generator serves.
bool uses_fashion(const DemoFlags& flags) {
  return !flags.data.empty() &&
         (flags.data != DemoFlags().data || std::filesystem::exists(flags.data));
}

Outcome run(const DemoFlags& flags, const CommonFlags& common) {
  const Execution execution = cli::execution(common);
  Task task = uses_fashion(flags) ? fashion_task(flags.data) : generated_task(common.seed);
  Dataset dataset;
  dataset.row_shape = task.row_shape;
  dataset.label_name = "answer";
  dataset.labels.classes = dataset.labels.spellings = {"no", "yes"};
  dataset.labels.codes =
      draw_labels(task.train_clean, 2, transition_of_rates(flags.rates, dataset.labels),
                  common.seed, Stream::corrupt);
  dataset.features = std::move(task.train);

  BalanceOptions options;
  options.audit.seed = common.seed;
  options.audit.suspects = 1000;
  options.audit.agreements = true;
  const BalanceResult balanced = balance(dataset, options, execution);
  task.train = std::move(dataset.features);

  Outcome outcome;
  outcome.question = task.question;
  outcome.train_rows = task.train.view().rows;
  outcome.test_rows = task.test.view().rows;
  outcome.report = balanced.report;
  for (int c = 0; c < 2; ++c) {
    outcome.truth[c] = wrong_share(dataset.labels.codes, task.train_clean, c);
    outcome.truth_after[c] = wrong_share(balanced.codes, task.train_clean, c);
  }
  outcome.by_clean = trained_on(task, task.train_clean, execution);
  outcome.by_noisy = trained_on(task, dataset.labels.codes, execution);
  outcome.by_balanced = trained_on(task, balanced.codes, execution);
  return outcome;
}

std::string rates_table(const Outcome& outcome, TextStyle style) {
  TextTable table({"class", "true noise", "estimated", "95 % interval", "true, after balancing"});
  for (std::size_t c = 0; c < 2; ++c) {
    const EstimateWithInterval& rate = outcome.report.estimate.noise[c];
    table.add({{outcome.report.classes[c]},
               {percent(outcome.truth[c])},
               {percent(rate.value)},
               {span(rate.low, rate.high)},
               {percent(outcome.truth_after[c]), Ink::strong}});
  }
  return table.text(style);
}

std::string accuracy_text(const Outcome& outcome, TextStyle style) {
  const std::string balanced = fmt::format("  trained on balanced labels   {:.2f} %\n",
                                           100 * accuracy_of(outcome.by_balanced));
  return fmt::format(
             "accuracy of a linear model on clean test rows\n"
             "  trained on clean labels      {:.2f} %   (nobody has these)\n"
             "  trained on noisy labels      {:.2f} %\n",
             100 * accuracy_of(outcome.by_clean), 100 * accuracy_of(outcome.by_noisy)) +
         inked(balanced, Ink::strong, style);
}

std::string outcome_text(const Outcome& outcome, TextStyle style = TextStyle::plain) {
  const std::size_t flipped = outcome.report.flipped[0] + outcome.report.flipped[1];
  return fmt::format(
      "{}\n{} to learn from, {} to test on.\n\n"
      "Labels were made noisy at known rates; the audit sees only the noisy ones.\n\n{}\n"
      "{} of {} labels were flipped to balance the noise.\n\n{}",
      inked(outcome.question, Ink::strong, style), counted(outcome.train_rows, "row"),
      counted(outcome.test_rows, "clean row"), rates_table(outcome, style), with_thousands(flipped),
      with_thousands(outcome.train_rows), accuracy_text(outcome, style));
}

std::string outcome_json(const Outcome& outcome) {
  return fmt::format(
      "{{\"classes\": [\"no\", \"yes\"], \"true\": [{}, {}], \"true_after\": [{}, {}],\n"
      " \"accuracy\": {{\"clean\": {}, \"noisy\": {}, \"balanced\": {}}}}}\n",
      outcome.truth[0], outcome.truth[1], outcome.truth_after[0], outcome.truth_after[1],
      accuracy_of(outcome.by_clean), accuracy_of(outcome.by_noisy),
      accuracy_of(outcome.by_balanced));
}

std::string outcome_page(const Outcome& outcome) {
  const PageDocument documents[] = {{"audit.json", to_json(outcome.report)},
                                    {"before.json", to_json(outcome.by_noisy)},
                                    {"after.json", to_json(outcome.by_balanced)}};
  return to_html(documents, outcome.question, page_origin());
}

}  // namespace

Run add_demo(CLI::App& app, const CommonFlags& common) {
  auto flags = std::make_shared<DemoFlags>();
  CLI::App& command =
      *app.add_subcommand("demo", "Audit, balance and train on data with known noise");
  command
      .add_option("--data", flags->data,
                  "Folder of the four Fashion-MNIST files; '' generates data instead")
      ->type_name("FOLDER")
      ->capture_default_str();
  command.add_option("--output", flags->output, "Folder for the report")
      ->type_name("FOLDER")
      ->capture_default_str();
  command.add_option("--rate", flags->rates, "How noisy no and yes are made; may be repeated")
      ->type_name("CLASS=RATE")
      ->allow_extra_args(false)
      ->default_str("no=0.05 and yes=0.35");
  command.footer("Example: noiseplus demo");
  return [flags, &common] {
    std::error_code error;
    std::filesystem::create_directories(flags->output, error);
    if (error)
      throw Error(ErrorKind::io, flags->output + ": cannot make the folder: " + error.message());
    Outputs outputs;
    OutputFile* text_file = outputs.add(flags->output + "/report.txt");
    OutputFile* audit_file = outputs.add(flags->output + "/audit.json");
    OutputFile* truth_file = outputs.add(flags->output + "/truth.json");
    const std::string page = flags->output + "/report.html";
    OutputFile* page_file = outputs.add(page);
    const Outcome outcome = run(*flags, common);
    text_file->write(outcome_text(outcome));
    audit_file->write(to_json(outcome.report));
    truth_file->write(outcome_json(outcome));
    page_file->write(outcome_page(outcome));
    if (common.quiet) return outputs.commit();
    outputs.commit(outcome_text(outcome, style_of_output()) +
                   fmt::format("\nWritten: report.txt, audit.json and truth.json in {}\n"
                               "The report to look at: {}\n",
                               printable(flags->output), printable(page)));
  };
}

}  // namespace noiseplus::cli
