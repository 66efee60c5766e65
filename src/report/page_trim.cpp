#include "report/page_trim.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>
#include <tuple>

#include "report/format.h"

namespace noiseplus {
namespace {

constexpr std::size_t largest_matrix = 120;
constexpr std::size_t largest_matrix_of_group = 20;
constexpr std::size_t most_confusions = 200;
constexpr std::size_t most_claims = 500;
constexpr std::size_t most_plan_cells = 40'000;

// Neither throws for denormal numbers nor depends on the locale, as std::stod does.
double six_digits(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const std::string digits = fmt::format("{:.6g}", value);
  double rounded = value;
  std::from_chars(digits.data(), digits.data() + digits.size(), rounded);
  return rounded;
}

Json shortened(const Json& value, std::size_t max_text);

Json shortened_object(const Json& object, std::size_t max_text) {
  Json result = Json::object();
  for (const auto& [key, member] : object.items()) {
    result[shorten_text(key, max_text)] = key == "pixels" ? member : shortened(member, max_text);
  }
  return result;
}

Json shortened(const Json& value, std::size_t max_text) {
  if (value.is_number_float()) return six_digits(value.get<double>());
  if (value.is_string()) return shorten_text(value.get_ref<const std::string&>(), max_text);
  if (value.is_object()) return shortened_object(value, max_text);
  if (!value.is_array()) return value;
  Json result = Json::array();
  for (const Json& entry : value) result.push_back(shortened(entry, max_text));
  return result;
}

// The largest cells of a matrix that are not on its diagonal.
Json largest_cells(const Json& matrix) {
  struct Cell {
    double share;
    std::size_t i, j;
  };
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < matrix.size(); ++j) {
      const double share = matrix[i][j].get<double>();
      if (i != j && share > 0) cells.push_back({share, i, j});
    }
  }
  const std::size_t count = std::min(cells.size(), most_confusions);
  std::partial_sort(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(count), cells.end(),
                    [](const Cell& a, const Cell& b) {
                      return std::tie(b.share, a.i, a.j) < std::tie(a.share, b.i, b.j);
                    });
  Json json = Json::array();
  for (std::size_t c = 0; c < count; ++c) {
    json.push_back(
        {{"clean", cells[c].i}, {"given", cells[c].j}, {"share", six_digits(cells[c].share)}});
  }
  return json;
}

void trim_matrix(Json& report, const std::string& key) {
  if (!report.contains(key) || report[key].size() <= largest_matrix) return;
  report["confusions"] = largest_cells(report[key]);
  report.erase(key);
}

void trim_matrix_of_group(Json& group, const std::string& key) {
  if (group.contains(key) && group[key].size() > largest_matrix_of_group) group.erase(key);
}

void trim_plan(Json& plan) {
  const std::size_t classes = plan[0]["flip"].size();
  if (plan.size() * classes * classes <= most_plan_cells) return;
  for (Json& part : plan) {
    Json epsilon = Json::array();
    for (std::size_t c = 0; c < classes; ++c) {
      epsilon.push_back(1 - part["flip"][c][c].get<double>());
    }
    part.erase("flip");
    part["epsilon"] = std::move(epsilon);
  }
}

void trim_claims(Json& report, const std::string& key) {
  if (!report.contains(key) || report[key].size() <= most_claims) return;
  const std::size_t total = report[key].size();
  report[key].erase(report[key].begin() + most_claims, report[key].end());
  report[key + "_total"] = total;
}

// Keeps the `most` groups of the highest ranks, in the order they had; says how many are gone.
void keep_groups(Json& report, std::size_t most, const std::function<double(const Json&)>& rank) {
  Json groups = std::move(report["groups"]);
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> ranks;
  for (const Json& group : groups) ranks.push_back(rank(group));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ranks[a] > ranks[b]; });
  order.resize(most);
  std::sort(order.begin(), order.end());
  Json kept = Json::array();
  for (const std::size_t g : order) kept.push_back(std::move(groups[g]));
  report["groups"] = std::move(kept);
  report["groups_left_out"] = groups.size() - most;
}

// The noisiest of those that are known stay. What refers to groups by position goes.
void trim_groups(Json& report, std::size_t most) {
  if (report["groups"].size() <= most) return;
  keep_groups(report, most, [](const Json& group) {
    return group["identified"].get<bool>() ? group["rate"].get<double>() : -1;
  });
  for (const char* key : {"plan", "forced"}) {
    if (report.contains(key) && report[key].size() > 1) report.erase(key);
  }
  if (!report.contains("suspects")) return;
  for (Json& row : report["suspects"]["rows"]) row.erase("group");
}

void trim_audit(Json& report, std::size_t most_groups) {
  trim_groups(report, most_groups);
  trim_matrix(report, "transition");
  const bool many_rates = report["groups"].size() * report["classes"].size() > most_plan_cells;
  for (Json& group : report["groups"]) {
    trim_matrix_of_group(group, "transition");
    if (many_rates) group.erase("noise");
  }
  for (const char* key : {"plan", "forced"}) {
    if (report.contains(key)) trim_plan(report[key]);
  }
  trim_claims(report, "claims");
  trim_claims(report, "group_claims");
}

// The largest groups stay.
void trim_evaluation(Json& report, std::size_t most_groups) {
  if (report["groups"].size() > most_groups) {
    keep_groups(report, most_groups, [](const Json& group) { return group["rows"].get<double>(); });
  }
  trim_matrix(report, "confusion");
  for (Json& group : report["groups"]) trim_matrix_of_group(group, "confusion");
}

}  // namespace

void trim_for_page(CheckedDocument& document, std::size_t most_groups, std::size_t max_text) {
  if (document.kind == "audit") trim_audit(document.report, most_groups);
  if (document.kind == "training") trim_matrix(document.report, "transition");
  // Each has a line in several tables.
  constexpr std::size_t most_evaluated = 100;
  if (document.kind == "evaluation") {
    trim_evaluation(document.report, std::min(most_groups, most_evaluated));
  }
  document.report = shortened(document.report, max_text);
}

void drop_suspects(Json& suspects, std::size_t count) {
  Json& rows = suspects["rows"];
  count = std::min(count, rows.size());
  rows.erase(rows.end() - static_cast<std::ptrdiff_t>(count), rows.end());
  suspects["rows_left_out"] = suspects.value("rows_left_out", std::size_t{0}) + count;
}

}  // namespace noiseplus
