#include "flags.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "noiseplus/kernels.h"
#include "noiseplus/version.h"

namespace noiseplus::cli {
namespace {

constexpr std::array<std::pair<std::string_view, Format>, 6> formats = {{
    {"csv", Format::csv},
    {"tsv", Format::tsv},
    {"npy", Format::npy},
    {"npz", Format::npz},
    {"idx", Format::idx},
    {"libsvm", Format::libsvm},
}};

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  names.reserve(formats.size());
  for (const auto& [name, format] : formats) names.emplace_back(name);
  return names;
}

Format parse_format(const std::string& text) {
  for (const auto& [name, format] : formats) {
    if (name == text) return format;
  }
  return Format::automatic;
}

bool is_whole_number(const std::string& text) {
  return !text.empty() && text.size() <= 18 && text.find_first_not_of("0123456789") == text.npos &&
         (text.size() == 1 || text[0] != '0');
}

CLI::Validator whole_number_or_auto() {
  return {[](const std::string& text) {
            return is_whole_number(text) || text == "auto"
                       ? std::string()
                       : text + " is neither a whole number from 0 on nor auto";
          },
          ""};
}

// One setting, which the command line spells in two flags.
void add_anchors(CLI::App& command, AuditOptions& options) {
  const CLI::Option* anchors =
      command
          .add_option("--anchors",
                      "Search the neighbors of that many rows only; 0 is all, auto as many as "
                      "--precision needs")
          ->type_name("N|auto")
          ->default_str("0")
          ->check(whole_number_or_auto());
  const CLI::Option* precision =
      command
          .add_option(
              "--precision",
              "With --anchors auto: how well the difference of the rates is to be known, as "
              "half of its 95 % interval")
          ->type_name("FLOAT")
          ->default_str("0.01");
  command.parse_complete_callback([&options, anchors, precision] {
    if (anchors->as<std::string>() == "auto") {
      options.precision = precision->as<double>();
    } else if (precision->count() != 0) {
      throw CLI::ValidationError("--precision", "is for --anchors auto");
    } else {
      options.anchors = anchors->as<std::size_t>();
    }
  });
}

// "," or "tab"; nothing where it cannot separate cells.
std::optional<char> parse_delimiter(const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  constexpr std::string_view within_cells =
      "\"\n\r.+-_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  const bool is_one_character = text.size() == 1 && static_cast<unsigned char>(text[0]) < 0x80;
  if (!is_one_character || within_cells.find(text[0]) != std::string_view::npos) {
    return std::nullopt;
  }
  return text[0];
}

CLI::Validator one_delimiter() {
  return {[](const std::string& text) {
            return parse_delimiter(text) ? std::string()
                                         : '\'' + text +
                                               "' cannot separate cells; write one character, such "
                                               "as ';' or '|', or tab";
          },
          ""};
}

void choose_kernel(const std::string& name) {
  const std::vector<std::string> names = kernel_names();
  if (name != "auto" && std::find(names.begin(), names.end(), name) == names.end()) {
    throw CLI::ValidationError("--kernel",
                               "this processor has no " + name + "; it has " + listed(names));
  }
  set_kernel(name);
}

CLI::Validator size_in_bytes() {
  return {[](const std::string& text) {
            return parse_size(text) ? std::string()
                                    : text + " is no size; write bytes, or 500M, 8G, 1T";
          },
          ""};
}

}  // namespace

void begin_group(CLI::App& command, const std::string& name) {
  command.option_defaults()->group(name);
}

void add_common(CLI::App& command, CommonFlags& flags) {
  begin_group(command, common_group);
  command.add_option("--seed", flags.seed, "Same seed, same result")
      ->capture_default_str()
      ->check(whole_number());
  command.add_option("--threads", flags.threads, "Threads; 0 is one for each core")
      ->capture_default_str()
      ->check(CLI::Range(0, 256));
  command.add_flag("--quiet", flags.quiet, "No progress, no text");
  takes_one_of(command.add_option_function<std::string>(
                   "--colour,--color",
                   [](const std::string& choice) {
                     choose_color(choice == "always"  ? Color::always
                                  : choice == "never" ? Color::never
                                                      : Color::automatic);
                   },
                   "Color in the text: auto where a terminal shows it and NO_COLOR is not set"),
               {"auto", "always", "never"})
      ->default_str("auto");
  takes_one_of(command.add_option_function<std::string>(
                   "--kernel", choose_kernel,
                   "SIMD instructions to use: auto is the fastest that the processor has, scalar "
                   "none; for experts and tests"),
               {"auto", "scalar", "sse4", "avx2", "avx512", "neon"})
      ->default_str("auto");
  add_help(command);
}

void add_help(CLI::App& command) {
  begin_group(command, common_group);
  command.set_help_flag("-h,--help", "This text");
  command.set_version_flag("--version", "noiseplus " + version(), "The version");
}

void add_rows(CLI::App& command, DataFlags& flags) {
  begin_group(command, "Data");
  command
      .add_option(
          "DATA", flags.path,
          "csv, tsv, npy, npz, idx or libsvm file, csv, tsv and idx also as .gz; - reads csv from "
          "standard input")
      ->required()
      ->type_name("FILE");
  takes_one_of(
      command.add_option("--format", flags.format, "What DATA is, when its name does not say"),
      format_names());
  command
      .add_option_function<std::string>(
          "--delimiter",
          [&flags](const std::string& text) { flags.delimiter = parse_delimiter(text); },
          "What separates the cells of csv files: one character, or tab")
      ->type_name("CHARACTER")
      ->default_str("found from the first lines; tab for tsv")
      ->check(one_delimiter());
  command.add_flag("--no-header", flags.no_header, "The first line is data; columns are 1, 2, ...");
  add_max_unpacked(command, flags.max_unpacked);
}

void add_max_unpacked(CLI::App& command, std::optional<std::uint64_t>& max_unpacked) {
  command
      .add_option_function<std::string>(
          "--max-unpacked",
          [&max_unpacked](const std::string& text) { max_unpacked = parse_size(text); },
          "How much a compressed file may unpack to, such as 8G")
      ->type_name("SIZE")
      ->default_str("100 times its size, at least 256 MiB, at most half of the memory")
      ->check(size_in_bytes());
}

void add_label_data(CLI::App& command, DataFlags& flags) {
  add_rows(command, flags);
  command.add_option("--label", flags.label, "Column of the label")->type_name("COLUMN");
  command
      .add_option("--labels", flags.labels, "File of labels for array data: npy, csv, txt or idx")
      ->type_name("FILE");
  takes_one_of(command.add_option("--missing-label", flags.missing_label,
                                  "Rows without a label: drop leaves them out and counts them"),
               {"drop", "error"})
      ->capture_default_str();
}

void add_group(CLI::App& command, DataFlags& flags) {
  begin_group(command, "Data");
  command
      .add_option("--group", flags.groups,
                  "Column whose values name a row's group; repeated, groups are intersections")
      ->type_name("COLUMN")
      ->allow_extra_args(false);
  command
      .add_option("--groups", flags.groups_file,
                  "File of groups for array data: npy, csv, txt or idx")
      ->type_name("FILE");
}

void add_missing(CLI::App& command, DataFlags& flags) {
  command.add_option("--missing", flags.missing, "More spellings of a missing cell: NA,null")
      ->type_name("TEXT,...")
      ->delimiter(',')
      ->allow_extra_args(false);
}

void add_data(CLI::App& command, DataFlags& flags) {
  add_label_data(command, flags);
  command.add_option("--features", flags.features, "Use only these columns: a,b,c")
      ->type_name("COLUMN,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--drop", flags.drop, "Do not use these columns: a,b")
      ->type_name("COLUMN,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_missing(command, flags);
  auto* scale = command.add_flag("--scale", flags.scale,
                                 "Standardize numbers, as is done for csv and tsv anyway");
  command.add_flag("--no-scale", flags.no_scale, "Do not, as is done for arrays anyway")
      ->excludes(scale);
}

DataRequest DataFlags::request() const {
  DataRequest request;
  request.path = path;
  request.format = parse_format(format);
  request.label = label;
  request.labels_path = labels;
  request.header = !no_header;
  request.delimiter = delimiter;
  request.missing_labels = missing_label == "error" ? MissingLabels::error : MissingLabels::drop;
  request.features = features;
  request.drop = drop;
  request.missing = missing;
  request.groups = groups;
  request.groups_path = groups_file;
  request.max_unpacked = max_unpacked;
  if (scale) request.scale = true;
  if (no_scale) request.scale = false;
  return request;
}

std::vector<std::string> DataFlags::files_to_keep() const {
  const Format known = format.empty() ? format_of(path) : parse_format(format);
  const bool is_table = known == Format::csv || known == Format::tsv || known == Format::txt;
  // Without DATA a table of labels is what is written again.
  const Format of_labels = format_of(labels);
  const bool labels_are_data =
      path.empty() && (of_labels == Format::csv || of_labels == Format::tsv);
  return {is_table ? "" : path, labels_are_data ? "" : labels, groups_file, probabilities};
}

void add_probabilities(CLI::App& command, DataFlags& flags, bool data_is_optional) {
  begin_group(command, "Data");
  command
      .add_option("--probabilities", flags.probabilities,
                  std::string("Out-of-fold class probabilities of your own model, in place of the "
                              "linear model's: npy, columns in the order of the sorted classes, or "
                              "csv, columns named like the classes") +
                      (data_is_optional ? "; DATA may then be left out" : ""))
      ->type_name("FILE")
      ->check(not_empty());
  if (data_is_optional) command.get_option("DATA")->required(false);
}

void check_data_is_there(const CLI::App& command, const DataFlags& flags) {
  if (!flags.path.empty()) return;
  if (flags.probabilities.empty()) throw Error(ErrorKind::usage, "DATA is required; name a file");
  if (flags.labels.empty()) {
    throw Error(ErrorKind::usage,
                "without DATA, --probabilities needs --labels: name the file of the labels");
  }
  for (const char* flag : {"--features", "--drop", "--scale", "--no-scale", "--format"}) {
    if (command.count(flag) == 0) continue;
    throw Error(ErrorKind::usage, std::string(flag) + " is about DATA, which is left out; name it");
  }
}

namespace {

Matrix select_rows(const Matrix& matrix, const std::vector<std::size_t>& rows) {
  Matrix selected(rows.size(), matrix.columns());
  for (std::size_t n = 0; n < rows.size(); ++n) {
    std::copy(matrix.row(rows[n]), matrix.row(rows[n]) + matrix.columns(), selected.row(n));
  }
  return selected;
}

}  // namespace

Matrix read_probabilities(const DataFlags& flags, const Dataset& dataset,
                          const Execution& execution, AuditOptions& options) {
  if (flags.probabilities.empty()) return {};
  // A row of the file per row of the data, also where that has no label.
  Labels of_file = dataset.labels;
  of_file.codes.resize(dataset.file_rows());
  Matrix probabilities =
      noiseplus::read_probabilities(Bytes::read(flags.probabilities, execution, flags.max_unpacked),
                                    flags.probabilities, of_file, Format::automatic, execution);
  if (!dataset.row_ids.empty()) probabilities = select_rows(probabilities, dataset.row_ids);
  options.probabilities = probabilities.view();
  options.probabilities_name = flags.probabilities;
  return probabilities;
}

void add_html(CLI::App& command, std::string& path) {
  command
      .add_option("--html", path,
                  "Write the result as a page to look at, all in one file; - is standard output")
      ->type_name("FILE")
      ->check(not_empty());
}

void add_escape_formulas(CLI::App& command, bool& escapes_formulas) {
  command.add_flag(
      "--escape-formulas", escapes_formulas,
      "Write ' before a label that a spreadsheet would take for a formula (=, +, -, @)");
}

std::string page_of(const std::string& name, const std::string& json, const std::string& data) {
  const PageDocument document{name, json};
  return to_html({&document, 1}, "", page_origin(data));
}

void add_audit_options(CLI::App& command, AuditOptions& options) {
  begin_group(command, "Estimation");
  command.add_option("--positive", options.positive, "Class that is 1")
      ->type_name("CLASS")
      ->default_str("the last");
  takes_one_of(command.add_option("--estimator", options.estimator,
                                  "How the rates are found; paper: the direction only"),
               option_values("estimator"))
      ->capture_default_str();
  takes_one_of(command.add_option("--assume", options.assume,
                                  "What auto would else find out: embedding, where neighbors "
                                  "share their clean label, or table, where classes overlap"),
               option_values("assume"));
  takes_one_of(command.add_option("--views", options.views, "How the moments pair neighbors"),
               option_values("views"))
      ->capture_default_str();
  command.add_option("--k", options.k, "Neighbors of a row, 2 to 255")
      ->capture_default_str()
      ->check(whole_number());
  add_anchors(command, options);
  takes_one_of(command.add_option("--metric", options.metric,
                                  "cosine: the direction of rows counts, not their length"),
               option_values("metric"))
      ->capture_default_str();
  command.add_option("--gamma", options.paper.gamma, "Agreement gap that the paper calls zero")
      ->capture_default_str()
      ->check(number_above_zero());
}

std::optional<std::uint64_t> parse_size(const std::string& text) {
  constexpr std::string_view units = "KMGT";
  const std::size_t unit = text.empty() ? text.npos : units.find(text.back());
  const bool has_unit = unit != text.npos;
  const std::optional<double> number = parse_number(text.substr(0, text.size() - has_unit));
  if (!number || !(*number >= 0)) return std::nullopt;
  double bytes = *number;
  for (std::size_t i = 0; has_unit && i <= unit; ++i) bytes *= 1000;
  constexpr double max_bytes = 1e18;
  if (!(bytes <= max_bytes)) return std::nullopt;
  return static_cast<std::uint64_t>(bytes);
}

CLI::Validator whole_number() {
  return {[](const std::string& text) {
            return is_whole_number(text) ? std::string()
                                         : text + " is not a whole number from 0 on";
          },
          ""};
}

CLI::Validator number_from_zero() {
  return {[](const std::string& text) {
            const std::optional<double> number = parse_number(text);
            return number && std::isfinite(*number) && *number >= 0
                       ? std::string()
                       : text + " is not a number from 0 on";
          },
          ""};
}

CLI::Validator number_above_zero() {
  return {[](const std::string& text) {
            const std::optional<double> number = parse_number(text);
            return number && std::isfinite(*number) && *number > 0
                       ? std::string()
                       : text + " is not a number above 0";
          },
          ""};
}

CLI::Validator not_empty() {
  return {[](const std::string& text) {
            return text.empty() ? std::string("is empty; name a file") : std::string();
          },
          ""};
}

void refuse_shared_input(const std::vector<std::string>& inputs) {
  if (std::count(inputs.begin(), inputs.end(), "-") < 2) return;
  throw Error(ErrorKind::usage, "only one input can be standard input; name a file for the others");
}

}  // namespace noiseplus::cli
