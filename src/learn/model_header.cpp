#include "learn/model_header.h"

#include <nlohmann/json.hpp>
#include <set>

namespace noiseplus {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* hex_digits = "0123456789abcdef";

// JSON is UTF-8, and a name from a csv file may be any bytes. The library is the judge of UTF-8, so
// that what is written plain can always be dumped.
Json text_json(const std::string& text) {
  try {
    static_cast<void>(Json(text).dump());
    return text;
  } catch (const Json::type_error&) {
    std::string digits;
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      digits += {hex_digits[byte >> 4], hex_digits[byte & 15]};
    }
    return {{"hex", digits}};
  }
}

Json texts_json(const std::vector<std::string>& texts) {
  Json json = Json::array();
  for (const std::string& text : texts) json.push_back(text_json(text));
  return json;
}

Json part_json(const Encoder::Part& part) {
  Json json;
  json["column"] = text_json(part.column);
  json["kind"] = part.is_text ? "text" : "number";
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

// Refuses what the parser would take: nesting without end, a key that is there twice, and objects
// so large that looking for their keys takes for ever.
class StrictParser {
 public:
  static Json parse(std::string_view text) {
    StrictParser strict;
    const auto watch = [&](int depth, Json::parse_event_t event, const Json& parsed) {
      strict.watch(depth, event, parsed);
      return true;
    };
    try {
      return Json::parse(text.begin(), text.end(), watch);
    } catch (const Json::exception&) {
      throw HeaderFault{"the header is not JSON"};
    }
  }

 private:
  void watch(int depth, Json::parse_event_t event, const Json& parsed) {
    constexpr int deepest = 8;
    constexpr std::size_t most_keys = 16;
    if (depth > deepest) throw HeaderFault{"the header is nested too deeply"};
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event != Json::parse_event_t::key) return;
    const bool is_new = keys_.back().insert(parsed.get<std::string>()).second;
    if (!is_new) throw HeaderFault{"the header has a key twice"};
    if (keys_.back().size() > most_keys)
      throw HeaderFault{"the header has a key that is not known"};
  }

  std::vector<std::set<std::string>> keys_;
};

// The members of a JSON object: all of those wanted and no others.
class Members {
 public:
  Members(const Json& object, std::string what, std::initializer_list<const char*> keys)
      : object_(object), what_(std::move(what)) {
    if (!object.is_object()) throw fault("is not an object");
    for (const char* key : keys) {
      if (!object.contains(key)) throw fault(std::string("lacks '") + key + "'");
    }
    if (object.size() != keys.size()) throw fault("has a key that is not known");
  }

  const Json& operator[](const char* key) const { return object_.at(key); }
  const Json& array(const char* key) const { return typed(key, &Json::is_array, "a list"); }
  bool boolean(const char* key) const {
    return typed(key, &Json::is_boolean, "true or false").get<bool>();
  }
  double number(const char* key) const {
    return typed(key, &Json::is_number, "a number").get<double>();
  }
  std::size_t size(const char* key) const { return size_of(object_.at(key), key); }
  std::string text(const char* key) const { return text_of(object_.at(key), key); }
  std::vector<std::string> texts(const char* key) const {
    std::vector<std::string> texts;
    for (const Json& json : array(key)) texts.push_back(text_of(json, key));
    return texts;
  }

  std::size_t size_of(const Json& json, const char* key) const {
    if (!json.is_number_unsigned()) throw fault(std::string("has no size as '") + key + "'");
    return json.get<std::size_t>();
  }

  std::string text_of(const Json& json, const char* key) const {
    if (json.is_string()) return json.get<std::string>();
    const HeaderFault wrong = fault(std::string("has no text as '") + key + "'");
    if (!json.is_object() || json.size() != 1 || !json.contains("hex")) throw wrong;
    const Json& hex = json.at("hex");
    if (!hex.is_string()) throw wrong;
    const std::string digits = hex.get<std::string>();
    std::string text;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
      const std::size_t high = std::string_view(hex_digits).find(digits[i]);
      const std::size_t low = std::string_view(hex_digits).find(digits[i + 1]);
      if (high > 15 || low > 15) throw wrong;
      text += static_cast<char>(high << 4 | low);
    }
    // One spelling only: text that can be written plain is.
    if (digits.size() % 2 != 0 || text_json(text).is_string()) throw wrong;
    return text;
  }

 private:
  const Json& typed(const char* key, bool (Json::*is_right)() const noexcept,
                    const char* wanted) const {
    const Json& json = object_.at(key);
    if (!(json.*is_right)())
      throw fault(std::string("does not have ") + wanted + " as '" + key + "'");
    return json;
  }

  HeaderFault fault(const std::string& why) const { return {what_ + " " + why}; }

  const Json& object_;
  std::string what_;
};

Encoder::Part parse_part(const Json& json) {
  Encoder::Part part;
  const Json kind = json.is_object() ? json.value("kind", Json()) : Json();
  part.is_text = kind == "text";
  if (!part.is_text && kind != "number") throw HeaderFault{"a part of the encoder is of no kind"};
  const std::string what = "a part of the encoder";
  const Members members =
      part.is_text
          ? Members(json, what, {"column", "kind", "categories", "pools_rare", "indicates_missing"})
          : Members(json, what, {"column", "kind", "offset", "scale", "fill", "indicates_missing"});
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

}  // namespace

std::string write_header(const SavedModel& model) {
  Json json;
  json["label"] = text_json(model.label);
  json["classes"] = texts_json(model.classes);
  json["spellings"] = texts_json(model.spellings);
  json["positive"] = model.positive;
  json["layers"] = Json::array();
  for (const Layer& layer : model.model.layers) {
    json["layers"].push_back(Json::array({layer.inputs, layer.outputs}));
  }
  json["recipe"] = recipe_json(model.recipe);
  json["notes"] = Json::array();
  for (const auto& [name, text] : model.notes) {
    json["notes"].push_back(Json::array({text_json(name), text_json(text)}));
  }
  return json.dump();
}

SavedModel parse_header(std::string_view text) {
  const Json json = StrictParser::parse(text);
  const Members members(json, "the header",
                        {"label", "classes", "spellings", "positive", "layers", "recipe", "notes"});
  SavedModel model;
  model.label = members.text("label");
  model.classes = members.texts("classes");
  model.spellings = members.texts("spellings");
  model.positive = members.size("positive");
  model.model.classes = model.classes.size();
  for (const Json& shape : members.array("layers")) {
    if (!shape.is_array() || shape.size() != 2) throw HeaderFault{"a layer has no shape"};
    Layer layer;
    layer.inputs = members.size_of(shape[0], "layers");
    layer.outputs = members.size_of(shape[1], "layers");
    model.model.layers.push_back(std::move(layer));
  }
  model.recipe = parse_recipe(members["recipe"]);
  for (const Json& note : members.array("notes")) {
    if (!note.is_array() || note.size() != 2) throw HeaderFault{"a note is not a pair"};
    model.notes.emplace_back(members.text_of(note[0], "notes"), members.text_of(note[1], "notes"));
  }
  return model;
}

}  // namespace noiseplus
