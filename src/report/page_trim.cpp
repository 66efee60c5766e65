#include "report/page_trim.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/format.h"

namespace noiseplus {
namespace {

constexpr std::size_t largest_matrix = 120;
constexpr std::size_t largest_matrix_of_group = 20;
constexpr std::size_t max_confusions = 200;
constexpr std::size_t max_claims = 500;
constexpr std::size_t max_plan_cells = 40'000;
constexpr std::size_t max_finding_text = 4000;  // names in it are cut already

// Neither throws for denormal numbers nor depends on the locale, as std::stod does.
double six_digits(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const std::string digits = fmt::format("{:.6g}", value);
  double rounded = value;
  std::from_chars(digits.data(), digits.data() + digits.size(), rounded);
  return rounded;
}

// Cuts the texts of one document. Different texts stay different, because the page finds classes
// and groups by their names.
class Shortening {
 public:
  Shortening(const Json& document, std::size_t max_text) : max_text_(max_text) {
    take_short_texts(document);
  }

  Json of(const Json& value) {
    if (value.is_number_float()) return six_digits(value.get<double>());
    if (value.is_string()) return text(value.get_ref<const std::string&>());
    if (value.is_object()) return object(value);
    if (!value.is_array()) return value;
    Json result = Json::array();
    for (const Json& entry : value) result.push_back(of(entry));
    return result;
  }

 private:
  void take_short_texts(const Json& value) {
    const auto take = [&](const std::string& text) {
      if (shorten_text(text, max_text_) == text) taken_.insert(text);
    };
    if (value.is_string()) take(value.get_ref<const std::string&>());
    if (!value.is_structured()) return;
    for (const auto& [key, member] : value.items()) {
      if (value.is_object()) take(key);
      take_short_texts(member);
    }
  }

  Json object(const Json& value) {
    Json result = Json::object();
    for (const auto& [key, member] : value.items()) {
      result[text(key)] = key == "pixels"     ? member
                          : key == "findings" ? findings(member)
                                              : of(member);
    }
    return result;
  }

  // A sentence without its middle says something else.
  Json findings(const Json& value) {
    const std::size_t max_text = std::exchange(max_text_, std::max(max_text_, max_finding_text));
    Json result = of(value);
    max_text_ = max_text;
    return result;
  }

  // A text that would be cut to what another is cut to has a number where it was cut.
  std::string text(const std::string& full) {
    std::string cut = shorten_text(full, max_text_);
    if (cut == full) return cut;
    const auto known = cut_.find(full);
    if (known != cut_.end()) return known->second;
    while (!taken_.insert(cut).second) {
      const std::string number = fmt::format("...#{}", ++numbered_);
      cut = shorten_text(full, max_text_ - number.size());
      auto place = std::mismatch(cut.begin(), cut.end(), full.begin(), full.end()).first;
      while (place != cut.begin() && (static_cast<unsigned char>(*place) & 0xC0U) == 0x80) --place;
      cut.insert(place, number.begin(), number.end());
    }
    cut_.emplace(full, cut);
    return cut;
  }

  std::size_t max_text_;
  std::size_t numbered_ = 1;
  std::unordered_map<std::string, std::string> cut_;  // by the text in full
  std::unordered_set<std::string> taken_;
};

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
  const std::size_t count = std::min(cells.size(), max_confusions);
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
  if (plan.size() * classes * classes <= max_plan_cells) return;
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
  if (!report.contains(key) || report[key].size() <= max_claims) return;
  const std::size_t total = report.value(key + "_total", report[key].size());
  report[key].erase(report[key].begin() + max_claims, report[key].end());
  report[key + "_total"] = total;
}

// Keeps the `count` groups of the highest ranks, in the order they had; says how many are gone.
void keep_groups(Json& report, std::size_t count, const std::function<double(const Json&)>& rank) {
  Json groups = std::move(report["groups"]);
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> ranks;
  for (const Json& group : groups) ranks.push_back(rank(group));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ranks[a] > ranks[b]; });
  order.resize(count);
  std::sort(order.begin(), order.end());
  Json kept = Json::array();
  for (const std::size_t g : order) kept.push_back(std::move(groups[g]));
  report["groups"] = std::move(kept);
  report["groups_left_out"] = groups.size() - count;
}

// The noisiest of those that are known stay. What refers to groups by position goes.
void trim_groups(Json& report, std::size_t max_groups) {
  if (report["groups"].size() <= max_groups) return;
  keep_groups(report, max_groups, [](const Json& group) {
    return group["identified"].get<bool>() ? group["rate"].get<double>() : -1;
  });
  for (const char* key : {"plan", "forced"}) {
    if (report.contains(key) && report[key].size() > 1) report.erase(key);
  }
  if (!report.contains("suspects")) return;
  for (Json& row : report["suspects"]["rows"]) row.erase("group");
}

void trim_audit(Json& report, std::size_t max_groups) {
  trim_groups(report, max_groups);
  trim_matrix(report, "transition");
  const bool many_rates = report["groups"].size() * report["classes"].size() > max_plan_cells;
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
void trim_evaluation(Json& report, std::size_t max_groups) {
  if (report["groups"].size() > max_groups) {
    keep_groups(report, max_groups, [](const Json& group) { return group["rows"].get<double>(); });
  }
  trim_matrix(report, "confusion");
  for (Json& group : report["groups"]) trim_matrix_of_group(group, "confusion");
}

}  // namespace

void trim_for_page(CheckedDocument& document, std::size_t max_groups, std::size_t max_text) {
  if (document.kind == "audit") trim_audit(document.report, max_groups);
  if (document.kind == "training") trim_matrix(document.report, "transition");
  // Each has a line in several tables.
  constexpr std::size_t max_evaluated = 100;
  if (document.kind == "evaluation") {
    trim_evaluation(document.report, std::min(max_groups, max_evaluated));
  }
  document.report = Shortening(document.report, max_text).of(document.report);
}

void drop_suspects(Json& suspects, std::size_t count) {
  Json& rows = suspects["rows"];
  count = std::min(count, rows.size());
  rows.erase(rows.end() - static_cast<std::ptrdiff_t>(count), rows.end());
  suspects["rows_left_out"] = suspects.value("rows_left_out", std::size_t{0}) + count;
}

}  // namespace noiseplus
