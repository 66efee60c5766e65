#include <algorithm>

#include "data/labels.h"
#include "experiments/sets/official_files.h"
#include "experiments/sets/prepare.h"

namespace noiseplus {
namespace {

// As adult.names has them.
constexpr const char* adult_header =
    "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,"
    "capital-gain,capital-loss,hours-per-week,native-country,income\n";
constexpr std::size_t sex = 9, income = 14, adult_columns = 15;
const std::vector<std::string> incomes = {"<=50K", ">50K"};

// Line by line, so that lines keep their numbers: a comment becomes a blank line, and the dot at
// the end of a label goes.
std::string without_comments_and_dots(std::string_view text) {
  std::string plain;
  plain.reserve(text.size() + 1);
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    while (line.ends_with('\r') || line.ends_with(' ')) line.remove_suffix(1);
    if (line.starts_with('|')) line = {};
    if (line.ends_with('.')) line.remove_suffix(1);
    plain += line;
    plain += '\n';
  }
  return plain;
}

void check_adult(const Table& table, const std::string& path) {
  if (table.columns.size() != adult_columns) {
    throw Error(ErrorKind::data, table.where(0, table.columns[0]) + ": " +
                                     std::to_string(table.columns.size()) + " cells, not the " +
                                     std::to_string(adult_columns) +
                                     " of UCI Adult; get the file again");
  }
  name_rows(table.columns[sex], table, "group");
  in_classes(name_rows(table.columns[income], table, "label"), incomes, path);
}

// Looked at alone and by its own name, so that a fault is told with the line where it is.
std::string adult_text(const std::string& folder, const std::string& name,
                       const Execution& execution) {
  const std::string path =
      find_file(folder, {name}, "get it from the UCI Machine Learning Repository (Adult)");
  std::string text = without_comments_and_dots(Bytes::read(path).view());
  TableOptions options;
  options.header = false;
  options.text_columns = {std::to_string(sex + 1), std::to_string(income + 1)};
  check_adult(read_table(Bytes(text), path, options, execution), path);
  return text;
}

}  // namespace

KnownRows read_adult(const std::string& folder, const Execution& execution) {
  std::string text = adult_header;
  for (const char* name : {"adult.data", "adult.test"}) text += adult_text(folder, name, execution);
  TableOptions options;
  options.text_columns = {"sex", "income"};
  const Table table = read_table(Bytes(std::move(text)), folder, options, execution);

  std::vector<std::string> features, warnings;
  for (std::size_t c = 0; c < income; ++c) features.push_back(table.columns[c].name);
  const Encoder encoder = Encoder::learn(table, features, {}, warnings);
  KnownRows set;
  set.name = "Adult";
  set.rows = encoder.encode(table, execution);
  set.clean = in_classes(make_labels(table.columns[income], table), incomes, folder).codes;
  set.classes = incomes;
  const Labels groups = name_rows(table.columns[sex], table, "group");
  set.groups = groups.codes;
  set.group_names = groups.classes;
  return set;
}

KnownRows read_compas(const std::string& folder, const Execution& execution) {
  DataRequest request;
  request.path = find_file(folder, {"compas-scores-two-years.csv"},
                           "get it from github.com/propublica/compas-analysis");
  request.label = "two_year_recid";
  request.features = {"sex",
                      "age",
                      "age_cat",
                      "race",
                      "juv_fel_count",
                      "juv_misd_count",
                      "juv_other_count",
                      "priors_count",
                      "c_charge_degree"};
  request.groups = {"race"};
  Dataset dataset = load_file(request, execution);
  dataset.labels = in_classes(std::move(dataset.labels), {"0", "1"}, request.path);
  return known_rows("COMPAS", dataset);
}

}  // namespace noiseplus
