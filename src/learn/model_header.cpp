#include "learn/model_header.h"

#include <algorithm>
#include <array>

#include "learn/header_json.h"
#include "learn/mixture.h"

namespace noiseplus {
namespace {

// In the order of DateOrder.
constexpr std::array<std::string_view, 3> order_names = {"year-month-day", "day-month-year",
                                                         "month-day-year"};

Json part_json(const Encoder::Part& part) {
  Json json;
  json["column"] = text_json(part.column);
  json["kind"] = part.is_text ? "text" : part.date ? "date" : "number";
  if (part.date) json["order"] = std::string(order_names[static_cast<std::size_t>(*part.date)]);
  if (part.is_text) {
    json["categories"] = texts_json(part.categories);
    json["pools_rare"] = part.pools_rare;
  } else {
    json["offset"] = part.offset;
    json["scale"] = part.scale;
    json["fill"] = part.fill;
  }
  json["indicates_missing"] = part.indicates_missing;
  return json;
}

Json recipe_json(const FeatureRecipe& recipe) {
  Json json;
  json["columns"] = recipe.columns;
  json["missing"] = texts_json(recipe.missing);
  json["first_index"] = recipe.first_index ? Json(*recipe.first_index) : Json(nullptr);
  json["encoder"] = nullptr;
  if (recipe.encoder) {
    json["encoder"] = Json::array();
    for (const Encoder::Part& part : recipe.encoder->parts) {
      json["encoder"].push_back(part_json(part));
    }
  }
  return json;
}

// Layers have their shapes in a list; trees are an object.
Json shapes_json(const Model& model) {
  if (model.has_trees()) return Json{{"inputs", model.boosted.inputs}};
  Json shapes = Json::array();
  for (const Layer& layer : model.layers) {
    shapes.push_back(Json::array({layer.inputs, layer.outputs}));
  }
  return shapes;
}

void add_mixture(const SavedModel& model, Json& json) {
  json["shares"] = model.mixture.shares;
  json["models"] = Json::array();
  for (const Model& member : models_of(model)) json["models"].push_back(shapes_json(member));
}

Json fair_json(const FairnessMetadata& fair) {
  Json json;
  json["constraint"] = text_json(fair.constraint);
  json["tolerance"] = fair.tolerance;
  json["group"] = text_json(fair.group_name);
  json["groups"] = texts_json(fair.groups);
  json["negative_noise"] = fair.negative_noise;
  json["positive_noise"] = fair.positive_noise;
  return json;
}

DateOrder parse_order(const std::string& name) {
  const auto* const found = std::find(order_names.begin(), order_names.end(), name);
  if (found == order_names.end()) throw HeaderFault{"dates are in no order"};
  return static_cast<DateOrder>(found - order_names.begin());
}

Encoder::Part parse_part(const Json& json) {
  Encoder::Part part;
  const Json kind = json.is_object() ? json.value("kind", Json()) : Json();
  part.is_text = kind == "text";
  const bool is_date = kind == "date";
  if (!part.is_text && !is_date && kind != "number") {
    throw HeaderFault{"a part of the encoder is of no kind"};
  }
  const std::string what = "a part of the encoder";
  const Members members =
      part.is_text
          ? Members(json, what, {"column", "kind", "categories", "pools_rare", "indicates_missing"})
      : is_date
          ? Members(json, what,
                    {"column", "kind", "order", "offset", "scale", "fill", "indicates_missing"})
          : Members(json, what, {"column", "kind", "offset", "scale", "fill", "indicates_missing"});
  if (is_date) part.date = parse_order(members.text("order"));
  part.column = members.text("column");
  part.indicates_missing = members.boolean("indicates_missing");
  if (part.is_text) {
    part.categories = members.texts("categories");
    part.pools_rare = members.boolean("pools_rare");
  } else {
    part.offset = members.number("offset");
    part.scale = members.number("scale");
    part.fill = members.number("fill");
  }
  return part;
}

FeatureRecipe parse_recipe(const Json& json) {
  const Members members(json, "the recipe", {"columns", "missing", "first_index", "encoder"});
  FeatureRecipe recipe;
  recipe.columns = members.size("columns");
  recipe.missing = members.texts("missing");
  if (!members["first_index"].is_null()) recipe.first_index = members.size("first_index");
  if (members["encoder"].is_null()) return recipe;
  recipe.encoder.emplace();
  for (const Json& part : members.array("encoder")) {
    recipe.encoder->parts.push_back(parse_part(part));
  }
  return recipe;
}

Model parse_shapes(const Json& json, const Members& header, std::size_t classes) {
  Model model;
  model.classes = classes;
  if (json.is_object()) {
    model.boosted.inputs = Members(json, "a model of trees", {"inputs"}).size("inputs");
    return model;
  }
  if (!json.is_array()) throw HeaderFault{"a model has no list of layers"};
  for (const Json& shape : json) {
    if (!shape.is_array() || shape.size() != 2) throw HeaderFault{"a layer has no shape"};
    Layer layer;
    layer.inputs = header.size_of(shape[0], "layers");
    layer.outputs = header.size_of(shape[1], "layers");
    model.layers.push_back(std::move(layer));
  }
  return model;
}

// No shares: one model, which answers by itself.
void parse_mixture(const Members& header, SavedModel& model) {
  std::vector<Model> models;
  for (const Json& shapes : header.array("models")) {
    models.push_back(parse_shapes(shapes, header, model.classes.size()));
  }
  std::vector<double> shares = header.numbers("shares");
  if (!shares.empty()) {
    model.mixture = {std::move(shares), std::move(models)};
    return;
  }
  if (models.size() != 1) throw HeaderFault{"there is not one share a model"};
  model.model = std::move(models.front());
}

FairnessMetadata parse_fair(const Json& json) {
  const Members members(
      json, "the promise",
      {"constraint", "tolerance", "group", "groups", "negative_noise", "positive_noise"});
  FairnessMetadata fair;
  fair.constraint = members.text("constraint");
  fair.tolerance = members.number("tolerance");
  fair.group_name = members.text("group");
  fair.groups = members.texts("groups");
  fair.negative_noise = members.numbers("negative_noise");
  fair.positive_noise = members.numbers("positive_noise");
  return fair;
}

}  // namespace

std::uint32_t format_version(const SavedModel& model) {
  const std::span<const Model> models = models_of(model);
  const auto has_trees = [](const Model& member) { return member.has_trees(); };
  if (std::any_of(models.begin(), models.end(), has_trees)) return 3;
  return model.mixture.is_one() || model.fair ? 2 : 1;
}

std::string write_header(const SavedModel& model) {
  Json json;
  json["label"] = text_json(model.label);
  json["classes"] = texts_json(model.classes);
  json["spellings"] = texts_json(model.spellings);
  json["positive"] = model.positive;
  if (format_version(model) == 1) {
    json["layers"] = shapes_json(model.model);
  } else {
    add_mixture(model, json);
    json["fair"] = model.fair ? fair_json(*model.fair) : Json(nullptr);
  }
  json["recipe"] = recipe_json(model.recipe);
  json["notes"] = Json::array();
  for (const auto& [name, text] : model.notes) {
    json["notes"].push_back(Json::array({text_json(name), text_json(text)}));
  }
  return json.dump();
}

SavedModel parse_header(std::string_view text, std::uint32_t version) {
  const Json json = parse_strictly(text);
  const std::string what = "the header";
  const Members members =
      version == 1
          ? Members(json, what,
                    {"label", "classes", "spellings", "positive", "layers", "recipe", "notes"})
          : Members(json, what,
                    {"label", "classes", "spellings", "positive", "shares", "models", "fair",
                     "recipe", "notes"});
  SavedModel model;
  model.label = members.text("label");
  model.classes = members.texts("classes");
  model.spellings = members.texts("spellings");
  model.positive = members.size("positive");
  if (version == 1) {
    model.model = parse_shapes(members["layers"], members, model.classes.size());
  } else {
    parse_mixture(members, model);
    if (!members["fair"].is_null()) model.fair = parse_fair(members["fair"]);
  }
  if (format_version(model) != version) {
    throw HeaderFault{"it is of format " + std::to_string(format_version(model)) +
                      " by its content"};
  }
  model.recipe = parse_recipe(members["recipe"]);
  for (const Json& note : members.array("notes")) {
    if (!note.is_array() || note.size() != 2) throw HeaderFault{"a note is not a pair"};
    model.notes.emplace_back(members.text_of(note[0], "notes"), members.text_of(note[1], "notes"));
  }
  return model;
}

}  // namespace noiseplus
