// The main job on data with known truth: corrupt, audit, balance, train, and the truth beside each
// estimate.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "commands.h"
#include "noiseplus/learn.h"

namespace noiseplus::cli {
namespace {

constexpr double noise_of_no = 0.05;
constexpr double noise_of_yes = 0.35;

struct Flags {
  std::string data = "/usr/share/datasets/fashion-mnist";
  std::string output = "demo-output";
};

// Features and clean labels (0 = no, 1 = yes) to learn from, and others to test on.
struct Task {
  std::string question;
  Features train, test;
  std::vector<std::int32_t> train_clean, test_clean;
};

struct LabelledImages {
  Features pixels;
  std::vector<std::int32_t> answers;
};

LabelledImages read_images(const std::string& folder, const std::string& part) {
  const std::string images = folder + "/" + part + "-images-idx3-ubyte.gz";
  const std::string labels = folder + "/" + part + "-labels-idx1-ubyte.gz";
  LabelledImages data;
  const MatrixView raw =
      (data.pixels = read_arrays(Bytes::read(images), images, Format::idx).features).view();
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
  LabelledImages train = read_images(folder, "train");
  LabelledImages test = read_images(folder, "t10k");
  return {"Fashion-MNIST: is it worn on the upper body?", std::move(train.pixels),
          std::move(test.pixels), std::move(train.answers), std::move(test.answers)};
}

Task generated_task(std::uint64_t seed) {
  GeneratorOptions options;
  options.rows = 24000;
  options.seed = seed;
  options.positive = 0.4;
  const Generated data = generate(options);
  Task task;
  task.question = "Generated clusters (the package dataset-fashion-mnist is not installed)";
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

std::string rates_table(const Task& task, const Dataset& dataset, const Balanced& balanced) {
  std::string text = fmt::format("{:<8}{:>12}{:>12}{:>18}{:>24}\n", "class", "true noise",
                                 "estimated", "95 % interval", "true, after balancing");
  for (int c = 0; c < 2; ++c) {
    const Estimated& rate = balanced.report.estimate.noise[static_cast<std::size_t>(c)];
    text +=
        fmt::format("{:<8}{:>10.1f} %{:>10.1f} %{:>18}{:>22.1f} %\n",
                    dataset.labels.classes[static_cast<std::size_t>(c)],
                    100 * wrong_share(dataset.labels.codes, task.train_clean, c), 100 * rate.value,
                    fmt::format("{:.1f} to {:.1f} %", 100 * rate.low, 100 * rate.high),
                    100 * wrong_share(balanced.codes, task.train_clean, c));
  }
  return text;
}

double trained_accuracy(const Task& task, std::span<const std::int32_t> labels,
                        const Execution& execution) {
  LinearOptions options;
  options.tolerance = 1e-4;
  return accuracy(train_linear(task.train.view(), labels, options, execution), task.test.view(),
                  task.test_clean);
}

std::string run(const Flags& flags, const CommonFlags& common, std::string& json) {
  const Execution execution = cli::execution(common);
  const bool has_fashion = std::filesystem::exists(flags.data + "/train-images-idx3-ubyte.gz");
  Task task = has_fashion ? fashion_task(flags.data) : generated_task(common.seed);
  const std::vector<double> transition = {1 - noise_of_no, noise_of_no, noise_of_yes,
                                          1 - noise_of_yes};
  Dataset dataset;
  dataset.label_name = "answer";
  dataset.labels.classes = dataset.labels.spellings = {"no", "yes"};
  dataset.labels.codes = draw_labels(task.train_clean, 2, transition, common.seed, Stream::corrupt);
  dataset.features = std::move(task.train);

  BalanceOptions options;
  options.audit.seed = common.seed;
  options.audit.anchors = 8000;
  const Balanced balanced = balance(dataset, options, execution);
  json = to_json(balanced.report);
  task.train = std::move(dataset.features);

  const double clean = trained_accuracy(task, task.train_clean, execution);
  const double noisy = trained_accuracy(task, dataset.labels.codes, execution);
  const double after = trained_accuracy(task, balanced.codes, execution);
  const std::size_t flipped = balanced.report.flipped[0] + balanced.report.flipped[1];
  return fmt::format(
      "{}\n{} rows to learn from, {} clean rows to test on.\n\n"
      "Labels were made noisy at known rates; the audit sees only the noisy ones.\n\n{}\n"
      "{} of {} labels were flipped to balance the noise.\n\n"
      "accuracy of a linear model on clean test rows\n"
      "  trained on clean labels      {:.2f} %   (nobody has these)\n"
      "  trained on noisy labels      {:.2f} %\n"
      "  trained on balanced labels   {:.2f} %\n",
      task.question, task.train.view().rows, task.test.view().rows,
      rates_table(task, dataset, balanced), flipped, dataset.labels.codes.size(), 100 * clean,
      100 * noisy, 100 * after);
}

}  // namespace

Run add_demo(CLI::App& app, const CommonFlags& common) {
  auto flags = std::make_shared<Flags>();
  CLI::App& command =
      *app.add_subcommand("demo", "Audit, balance and train on data with known noise");
  command.add_option("--data", flags->data, "Folder of the four Fashion-MNIST files")
      ->capture_default_str();
  command.add_option("--output", flags->output, "Folder for the report")->capture_default_str();
  command.footer("Example: noiseplus demo");
  return [flags, &common] {
    std::error_code error;
    std::filesystem::create_directories(flags->output, error);
    if (error)
      throw Error(ErrorKind::io, flags->output + ": cannot make the folder: " + error.message());
    Outputs outputs;
    OutputFile* json_file = outputs.add(flags->output + "/audit.json");
    OutputFile* text_file = outputs.add(flags->output + "/report.txt");
    std::string json;
    const std::string text = run(*flags, common, json);
    json_file->write(json);
    text_file->write(text);
    outputs.commit();
    if (!common.quiet) {
      print(text + fmt::format("\nWritten: {0}/report.txt, {0}/audit.json\n", flags->output));
    }
  };
}

}  // namespace noiseplus::cli
