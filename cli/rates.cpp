#include "rates.h"

#include <optional>

#include "data/memory_limit.h"

namespace noiseplus::cli {
namespace {

// The class may itself hold an equals sign, so the last one counts.
std::pair<std::string, double> parse_rate(const std::string& flag, const std::string& text) {
  const std::size_t equals = text.rfind('=');
  const auto rate = equals == text.npos ? std::nullopt : parse_number(text.substr(equals + 1));
  if (!rate || !(*rate >= 0 && *rate <= 1)) {
    throw Error(ErrorKind::usage, flag + " " + text + ": write NAME=RATE with a rate from 0 to 1");
  }
  return {text.substr(0, equals), *rate};
}

// Which group "GROUP=RATE" means, and its rate.
std::pair<std::size_t, double> rate_of_group(const std::string& text, const Labels& groups) {
  const auto [name, rate] = parse_rate("--group-rate", text);
  const auto group = groups.find(name);
  if (!group) {
    throw Error(ErrorKind::usage, "--group-rate " + text + ": there is no group '" + name +
                                      "'; the first is '" + groups.classes.front() +
                                      "', the last '" + groups.classes.back() + "'");
  }
  return {*group, rate};
}

// "GROUP=E", or "GROUP=E-:E+" of two classes.
struct GroupRate {
  std::size_t group = 0;
  LabelNoise noise;
};

GroupRate group_rate(const std::string& text, const Labels& groups) {
  const std::size_t equals = text.rfind('=');
  const std::size_t colon = text.find(':', equals == text.npos ? 0 : equals);
  if (equals == text.npos || colon == text.npos) {
    const auto [group, rate] = rate_of_group(text, groups);
    return {group, {rate, rate}};
  }
  const auto [group, negative] = rate_of_group(text.substr(0, colon), groups);
  const auto [same, positive] =
      rate_of_group(text.substr(0, equals + 1) + text.substr(colon + 1), groups);
  return {same, {negative, positive}};
}

void require_groups(const Labels& groups) {
  if (!groups.classes.empty()) return;
  throw Error(ErrorKind::usage, "--group-rate needs groups; name their column with --group");
}

Error missing_rate(const std::string& group) {
  return {ErrorKind::usage, "--group-rate: the group '" + group + "' has none; give one to each"};
}

}  // namespace

void check_noise_classes(const Labels& labels) {
  const std::size_t classes = labels.classes.size();
  if (classes < 2) {
    throw Error(ErrorKind::impossible, "one class only; there is no other to turn it into");
  }
  check_class_memory("the label", 0, classes);
}

std::vector<double> transition_of_rates(const std::vector<std::string>& rates,
                                        const Labels& labels) {
  check_noise_classes(labels);
  const std::size_t classes = labels.classes.size();
  std::vector<double> transition(classes * classes);
  for (std::size_t c = 0; c < classes; ++c) transition[c * classes + c] = 1;
  std::vector<char> is_set(classes);
  for (const std::string& text : rates) {
    const auto [name, rate] = parse_rate("--rate", text);
    const auto found = labels.find(name);
    if (!found) {
      throw Error(ErrorKind::usage, "--rate " + text + ": there is no class '" + name +
                                        "'; the first is '" + labels.classes.front() +
                                        "', the last '" + labels.classes.back() + "'");
    }
    if (is_set[*found]++ != 0) throw Error(ErrorKind::usage, "--rate " + text + ": given twice");
    for (std::size_t to = 0; to < classes; ++to) {
      transition[*found * classes + to] =
          to == *found ? 1 - rate : rate / static_cast<double>(classes - 1);
    }
  }
  return transition;
}

std::vector<double> transitions_of_groups(const std::vector<std::string>& rates,
                                          const Labels& groups, const Labels& labels) {
  require_groups(groups);
  check_noise_classes(labels);
  const std::size_t classes = labels.classes.size();
  std::vector<double> of_groups(groups.classes.size());
  std::vector<char> is_set(groups.classes.size());
  for (const std::string& text : rates) {
    const auto [group, rate] = rate_of_group(text, groups);
    if (is_set[group]++ != 0) {
      throw Error(ErrorKind::usage, "--group-rate " + text + ": given twice");
    }
    of_groups[group] = rate;
  }
  std::vector<double> transitions;
  for (const double rate : of_groups) {
    const std::vector<double> matrix = symmetric_transition(classes, rate);
    transitions.insert(transitions.end(), matrix.begin(), matrix.end());
  }
  return transitions;
}

std::vector<LabelNoise> noise_of_groups(const std::vector<std::string>& rates,
                                        const Labels& groups) {
  require_groups(groups);
  std::vector<std::optional<LabelNoise>> found(groups.classes.size());
  for (const std::string& text : rates) {
    const GroupRate rate = group_rate(text, groups);
    const std::string where = "--group-rate " + text + ": ";
    if (found[rate.group]) throw Error(ErrorKind::usage, where + "given twice");
    if (rate.noise.negative + rate.noise.positive >= 1) {
      throw Error(ErrorKind::usage,
                  where +
                      "labels would be no better than chance; e- and e+ must add up to less "
                      "than 1");
    }
    found[rate.group] = rate.noise;
  }
  std::vector<LabelNoise> noise;
  for (std::size_t g = 0; g < found.size(); ++g) {
    if (!found[g]) throw missing_rate(groups.classes[g]);
    noise.push_back(*found[g]);
  }
  return noise;
}

std::vector<double> deltas_of_groups(const std::vector<std::string>& rates, const Labels& groups,
                                     std::size_t classes) {
  require_groups(groups);
  if (classes < 2) return std::vector<double>(groups.classes.size(), 1.0);  // train will refuse it
  std::vector<double> deltas;
  if (classes == 2) {
    for (const LabelNoise& noise : noise_of_groups(rates, groups)) {
      deltas.push_back(1 - noise.negative - noise.positive);
    }
    return deltas;
  }
  const double scale = static_cast<double>(classes) / static_cast<double>(classes - 1);
  std::vector<std::optional<double>> found(groups.classes.size());
  for (const std::string& text : rates) {
    const auto [group, rate] = rate_of_group(text, groups);
    const std::string where = "--group-rate " + text + ": ";
    if (found[group]) throw Error(ErrorKind::usage, where + "given twice");
    if (scale * rate >= 1) {
      throw Error(ErrorKind::usage,
                  where + "labels would be no better than chance; with " + std::to_string(classes) +
                      " classes the rate must be below " + format_number(1 / scale));
    }
    found[group] = 1 - scale * rate;
  }
  for (std::size_t g = 0; g < found.size(); ++g) {
    if (!found[g]) throw missing_rate(groups.classes[g]);
    deltas.push_back(*found[g]);
  }
  return deltas;
}

}  // namespace noiseplus::cli
