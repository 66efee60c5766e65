#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "learn/layers.h"
#include "learn/mixture.h"
#include "learn/model_header.h"

namespace noiseplus {
namespace {

bool are_distinct(const std::vector<std::string>& names) {
  return std::unordered_set<std::string_view>(names.begin(), names.end()).size() == names.size();
}

bool has_empty(const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), "") != names.end();
}

std::string why_classes_are_unfit(const SavedModel& model) {
  const std::size_t classes = model.classes.size();
  if (classes < 2) return "there are fewer than two classes";
  for (const Model& member : models_of(model)) {
    if (member.classes != classes) return "the model has another number of classes";
  }
  if (model.spellings.size() != classes) return "there is not one spelling for each class";
  if (has_empty(model.classes) || has_empty(model.spellings)) return "a class has no name";
  if (!are_distinct(model.classes)) return "two classes have one name";
  if (model.positive >= classes) return "the positive class is none of the classes";
  return "";
}

std::string why_layers_are_unfit(const SavedModel& model) {
  for (const Model& member : models_of(model)) {
    std::string why = why_shapes_are_unfit(member);
    if (!why.empty()) return why;
  }
  return "";
}

std::string why_mixture_is_unfit(const SavedModel& model) {
  if (!model.mixture.is_one()) {
    return model.mixture.shares.empty() ? "" : "there are shares without a mixture";
  }
  if (!model.model.layers.empty()) return "there is a model beside the mixture";
  return why_unfit(model.mixture);
}

bool are_noise_of(const FairnessMetadata& fair, const std::vector<double>& rates) {
  const auto is_rate = [](double rate) { return rate >= 0 && rate < 1; };
  return rates.size() == fair.groups.size() && std::all_of(rates.begin(), rates.end(), is_rate);
}

std::string why_promise_is_unfit(const SavedModel& model) {
  if (!model.fair) return "";
  const FairnessMetadata& fair = *model.fair;
  if (fair.constraint.empty()) return "the promise has no constraint";
  if (!(fair.tolerance >= 0 && fair.tolerance <= 1)) return "the tolerance is not within 0 to 1";
  if (fair.group_name.empty() || fair.groups.empty()) return "the promise is to no groups";
  if (has_empty(fair.groups)) return "a group has no name";
  if (!are_distinct(fair.groups)) return "two groups have one name";
  const bool ignores_noise = fair.negative_noise.empty() && fair.positive_noise.empty();
  const bool is_noise_fit =
      are_noise_of(fair, fair.negative_noise) && are_noise_of(fair, fair.positive_noise);
  if (!ignores_noise && !is_noise_fit) return "there are not two rates of noise for each group";
  return "";
}

// Encoding relies on the categories being sorted.
bool is_fit(const Encoder::Part& part) {
  if (part.column.empty()) return false;
  if (!part.is_text) {
    return std::isfinite(part.offset) && std::isfinite(part.scale) && std::isfinite(part.fill);
  }
  const auto not_increasing = [](const std::string& a, const std::string& b) { return a >= b; };
  return std::adjacent_find(part.categories.begin(), part.categories.end(), not_increasing) ==
         part.categories.end();
}

std::string why_recipe_is_unfit(const SavedModel& model) {
  const FeatureRecipe& recipe = model.recipe;
  if (recipe.columns != models_of(model).front().inputs())
    return "the inputs do not fit the columns";
  if (recipe.first_index.value_or(0) > 1) return "the first index is neither 0 nor 1";
  if (!recipe.encoder) return "";
  const std::vector<Encoder::Part>& parts = recipe.encoder->parts;
  if (!std::all_of(parts.begin(), parts.end(), is_fit))
    return "a part of the encoder is not usable";
  std::vector<std::string> columns(parts.size());
  std::transform(parts.begin(), parts.end(), columns.begin(),
                 [](const Encoder::Part& part) { return part.column; });
  if (!are_distinct(columns)) return "two parts of the encoder take one column";
  if (recipe.encoder->columns() != recipe.columns) return "the encoder does not fit the columns";
  return "";
}

}  // namespace

std::string why_unfit(const SavedModel& model) {
  for (const auto check : {why_classes_are_unfit, why_layers_are_unfit, why_mixture_is_unfit,
                           why_promise_is_unfit, why_recipe_is_unfit}) {
    std::string why = check(model);
    if (!why.empty()) return why;
  }
  return "";
}

}  // namespace noiseplus
