// neighbors-rivals: makes the contest's data, and runs our search against FAISS and against the
// rate of a matrix product in one process.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <map>

#include "contest.h"
#include "data.h"
#include "kernel_rate.h"
#include "noiseplus/kernels.h"
#include "npy.h"
#include "rivals.h"

namespace noiseplus::bench {
namespace {

constexpr int disagreement = 1, failure = 2, no_rivals = 3;

struct DataArguments {
  std::size_t rows = 0, columns = 0, components = 20;
  double spread = 2;
  std::string input, label, output, labels_output;
};

void add_data_commands(CLI::App& program, DataArguments& arguments) {
  const auto add = [&](const char* name, const char* text) {
    CLI::App* command = program.add_subcommand(name, text);
    command->add_option("--output", arguments.output, "npy file")->required();
    return command;
  };
  const auto add_shape = [&](CLI::App* command) {
    command->add_option("--rows", arguments.rows)->required()->check(CLI::PositiveNumber);
    command->add_option("--columns", arguments.columns)->required()->check(CLI::PositiveNumber);
    return command;
  };
  add_shape(add("noise", "Writes Gaussian noise"))->callback([&] {
    write_npy(gaussian_noise(arguments.rows, arguments.columns).view(), arguments.output);
  });
  CLI::App* mixture = add_shape(add("mixture", "Writes a mixture of Gaussians"));
  mixture->add_option("--components", arguments.components)->check(CLI::PositiveNumber);
  mixture->add_option("--spread", arguments.spread, "Standard deviation of the centers");
  mixture->callback([&] {
    write_npy(
        gaussian_mixture(arguments.rows, arguments.columns, arguments.components, arguments.spread)
            .view(),
        arguments.output);
  });
  CLI::App* classes = add_shape(add("classes", "Writes two classes with noisy labels"));
  classes->add_option("--labels-output", arguments.labels_output, "npy file")->required();
  classes->callback([&] {
    write_noisy_classes(arguments.rows, arguments.columns, arguments.output,
                        arguments.labels_output);
  });
  CLI::App* features = add("features", "Writes the features of a file, encoded");
  features->add_option("FILE", arguments.input)->required();
  features->add_option("--label", arguments.label, "Label column of a table");
  features->callback(
      [&] { write_npy(read_features(arguments.input, arguments.label).view(), arguments.output); });
}

void add_search_command(CLI::App& program, SearchContest& contest, std::string& file, int& code) {
  CLI::App* command = program.add_subcommand("search", "Times the searches on an npy file");
  command->add_option("FILE", file)->required();
  command->add_option("--k", contest.k)->check(CLI::PositiveNumber);
  command->add_flag("!--no-ours", contest.with_ours, "Only the rival");
  command->add_flag("--faiss", contest.with_faiss, "The rival too, in turns");
  command->add_option("--queries", contest.queries, "Of FAISS")->check(CLI::PositiveNumber);
  command->add_option("--anchors", contest.anchors, "Of ours; 0 is all rows");
  command->add_option("--metric", contest.metric)
      ->transform(CLI::CheckedTransformer(std::map<std::string, Metric>{
          {"euclidean", Metric::euclidean}, {"cosine", Metric::cosine}}));
  command->add_option("--type", contest.type)
      ->transform(CLI::CheckedTransformer(std::map<std::string, ValueType>{
          {"float32", ValueType::float32}, {"float16", ValueType::float16}}));
  command->add_option("--threads", contest.threads);
  command->add_option("--runs", contest.runs)->check(CLI::PositiveNumber);
  command->add_option("--enough-seconds", contest.enough_seconds, "No further run after these");
  command->callback([&] {
    if (contest.with_faiss && !rivals_available()) {
      code = no_rivals;
      return;
    }
    const Matrix rows = read_features(file, "");
    if (run_searches(rows.view(), contest)) return;
    std::cerr << "neighbors-rivals: FAISS and noiseplus disagree on " << file << "\n";
    code = disagreement;
  });
}

void add_sgemm_command(CLI::App& program, std::size_t& size, int& code) {
  constexpr std::size_t runs = 5;
  CLI::App* command = program.add_subcommand("sgemm", "Times a matrix product");
  command->add_option("--size", size)->check(CLI::PositiveNumber);
  command->callback([&] {
    if (rivals_available()) {
      run_sgemm(size, runs);
    } else {
      code = no_rivals;
    }
  });
}

void add_kernel_command(CLI::App& program, std::size_t& columns) {
  constexpr unsigned threads = 2;
  constexpr std::size_t runs = 3;
  CLI::App* command = program.add_subcommand("kernel", "Times our tile kernel alone");
  command->add_option("--columns", columns)->check(CLI::PositiveNumber);
  command->callback([&columns] { run_kernel(columns, threads, runs); });
}

}  // namespace
}  // namespace noiseplus::bench

int main(int argc, char** argv) {
  using namespace noiseplus::bench;
  CLI::App program("Our exact neighbor search and its rivals");
  program.require_subcommand(1);
  program.add_option_function<std::string>(
      "--kernel", [](const std::string& name) { noiseplus::set_kernel(name); },
      "SIMD kernels of ours: auto, avx512, avx2, ...");
  int code = 0;
  DataArguments data;
  SearchContest contest;
  std::string search_file;
  std::size_t sgemm_size = 4000, kernel_columns = 50;
  add_data_commands(program, data);
  add_search_command(program, contest, search_file, code);
  add_sgemm_command(program, sgemm_size, code);
  add_kernel_command(program, kernel_columns);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? 0 : failure;
  } catch (const std::exception& error) {
    std::cerr << "neighbors-rivals: " << error.what() << "\n";
    return failure;
  }
  if (code == no_rivals) std::cerr << "neighbors-rivals: built without FAISS and OpenBLAS\n";
  return code;
}
