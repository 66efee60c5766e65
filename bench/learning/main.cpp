// learn-rivals: our trainers on npy files, timed; each command prints one JSON object.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "contest.h"

namespace noiseplus::bench {
namespace {

constexpr int failure = 2;

struct Arguments {
  std::string rows, codes, test_rows, test_codes;
  std::string coefficients, scores, table, label, rows_output, codes_output;
  Timing timing;
  LinearOptions linear;
  FoldOptions folds;
  MlpOptions mlp;
  TreeOptions trees;
};

void print(const Json& line) {
  std::cout << line.dump() << std::endl;
}

CLI::App* add_trainer(CLI::App& program, Arguments& arguments, const char* name, const char* text) {
  CLI::App* command = program.add_subcommand(name, text);
  command->add_option("ROWS", arguments.rows, "npy file, n x d floats")->required();
  command->add_option("CODES", arguments.codes, "npy file, n labels")->required();
  command->add_option("--runs", arguments.timing.runs)->check(CLI::PositiveNumber);
  command->add_option("--enough-seconds", arguments.timing.enough_seconds,
                      "No further run after these");
  command->add_option("--threads", arguments.timing.threads);
  return command;
}

void add_linear(CLI::App& program, Arguments& arguments) {
  CLI::App* command = add_trainer(program, arguments, "linear", "Times a linear model");
  command->add_option("--ridge", arguments.linear.ridge);
  command->add_option("--tolerance", arguments.linear.tolerance);
  command->add_option("--steps", arguments.linear.max_steps);
  command->add_option("--coefficients", arguments.coefficients, "npy file to write them to");
  command->callback([&] {
    print(time_linear(read_labeled_rows(arguments.rows, arguments.codes), arguments.linear,
                      arguments.timing, arguments.coefficients));
  });
}

void add_confident(CLI::App& program, Arguments& arguments) {
  CLI::App* command =
      add_trainer(program, arguments, "confident", "Times confident learning from rows on");
  command->add_option("--folds", arguments.folds.folds)->check(CLI::PositiveNumber);
  command->add_option("--ridge", arguments.folds.linear.ridge);
  command->add_option("--tolerance", arguments.folds.linear.tolerance);
  command->callback([&] {
    print(time_confident(read_labeled_rows(arguments.rows, arguments.codes), arguments.folds,
                         arguments.timing));
  });
}

void add_mlp(CLI::App& program, Arguments& arguments) {
  CLI::App* command = add_trainer(program, arguments, "mlp", "Times a perceptron");
  command->add_option("--hidden", arguments.mlp.hidden)->check(CLI::PositiveNumber);
  command->add_option("--epochs", arguments.mlp.epochs)->check(CLI::PositiveNumber);
  command->add_option("--batch", arguments.mlp.batch)->check(CLI::PositiveNumber);
  CLI::Option* test = command->add_option("--test-rows", arguments.test_rows);
  command->add_option("--test-codes", arguments.test_codes)->needs(test);
  command->callback([&] {
    const LabeledRows test_data =
        arguments.test_rows.empty() ? LabeledRows{}
                                    : read_labeled_rows(arguments.test_rows, arguments.test_codes);
    print(time_mlp(read_labeled_rows(arguments.rows, arguments.codes), test_data, arguments.mlp,
                   arguments.timing));
  });
}

void add_trees(CLI::App& program, Arguments& arguments) {
  CLI::App* command =
      add_trainer(program, arguments, "trees", "Times out-of-fold probabilities by boosted trees");
  command->add_option("--folds", arguments.folds.folds)->check(CLI::PositiveNumber);
  command->add_option("--seed", arguments.folds.seed);
  command->add_option("--transition", arguments.folds.transition, "T00 T01 T10 T11")->expected(4);
  command->add_option("--trees", arguments.trees.trees)->check(CLI::PositiveNumber);
  command->add_option("--max-bins", arguments.trees.max_bins)->check(CLI::PositiveNumber);
  command->add_option("--scores", arguments.scores, "npy file to write the probabilities to");
  command->callback([&] {
    print(time_trees(read_labeled_rows(arguments.rows, arguments.codes), arguments.folds,
                     arguments.trees, arguments.timing, arguments.scores));
  });
}

void add_tree_model(CLI::App& program, Arguments& arguments) {
  CLI::App* command = add_trainer(program, arguments, "tree-model",
                                  "Times one model of boosted trees, and its predictions");
  command->add_option("--transition", arguments.folds.transition, "T00 T01 T10 T11")->expected(4);
  command->add_option("--trees", arguments.trees.trees)->check(CLI::PositiveNumber);
  command->add_option("--max-bins", arguments.trees.max_bins)->check(CLI::PositiveNumber);
  command->add_option("--scores", arguments.scores, "npy file to write the probabilities to");
  command->callback([&] {
    print(time_tree_model(read_labeled_rows(arguments.rows, arguments.codes),
                          arguments.folds.transition, arguments.trees, arguments.timing,
                          arguments.scores));
  });
}

void add_encode(CLI::App& program, Arguments& arguments) {
  CLI::App* command = program.add_subcommand("encode", "Writes a table's features and labels");
  command->add_option("FILE", arguments.table)->required();
  command->add_option("--label", arguments.label, "Label column")->required();
  command->add_option("--rows-output", arguments.rows_output, "npy file")->required();
  command->add_option("--codes-output", arguments.codes_output, "npy file")->required();
  command->callback([&] {
    encode_table(arguments.table, arguments.label, arguments.rows_output, arguments.codes_output);
  });
}

}  // namespace
}  // namespace noiseplus::bench

int main(int argc, char** argv) {
  using namespace noiseplus::bench;
  CLI::App program("Our trainers, timed");
  program.require_subcommand(1);
  Arguments arguments;
  add_linear(program, arguments);
  add_confident(program, arguments);
  add_mlp(program, arguments);
  add_trees(program, arguments);
  add_tree_model(program, arguments);
  add_encode(program, arguments);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? 0 : failure;
  } catch (const std::exception& error) {
    std::cerr << "learn-rivals: " << error.what() << "\n";
    return failure;
  }
  return 0;
}
