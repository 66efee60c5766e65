#include "report/schema.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "data/raw_array.h"
#include "report/assets.h"

namespace noiseplus {
namespace {

class SchemaCheck {
 public:
  explicit SchemaCheck(const Json& schema) : schema_(schema) {}

  // The first fault, with the place it was found at.
  std::string fault(const Json& value) const { return check(value, schema_, ""); }

 private:
  using Keyword = std::string (SchemaCheck::*)(const Json& value, const Json& rule,
                                               const Json& schema, const std::string& place) const;

  std::string check(const Json& value, const Json& schema, const std::string& place) const {
    static const std::map<std::string, Keyword> keywords = {
        {"$ref", &SchemaCheck::reference},
        {"allOf", &SchemaCheck::all_of},
        {"unevaluatedProperties", &SchemaCheck::other_properties},
        {"type", &SchemaCheck::type},
        {"enum", &SchemaCheck::one_of},
        {"required", &SchemaCheck::required},
        {"properties", &SchemaCheck::properties},
        {"additionalProperties", &SchemaCheck::other_properties},
        {"items", &SchemaCheck::items},
        {"minItems", &SchemaCheck::min_items},
        {"maxItems", &SchemaCheck::max_items},
        {"minimum", &SchemaCheck::minimum},
        {"maximum", &SchemaCheck::maximum},
        {"exclusiveMinimum", &SchemaCheck::above}};
    for (const auto& [keyword, rule] : schema.items()) {
      const bool says_nothing = keyword == "description" || keyword == "title" ||
                                keyword == "$schema" || keyword == "$defs";
      if (says_nothing) continue;
      const auto known = keywords.find(keyword);
      if (known == keywords.end()) throw std::logic_error("schema keyword " + keyword);
      std::string found = (this->*known->second)(value, rule, schema, place);
      if (!found.empty()) return found;
    }
    return "";
  }

  // "#/$defs/rate"
  const Json& target_of(const Json& reference) const {
    return schema_.at(Json::json_pointer(reference.get<std::string>().substr(1)));
  }

  std::string reference(const Json& value, const Json& rule, const Json&,
                        const std::string& place) const {
    return check(value, target_of(rule), place);
  }

  std::string all_of(const Json& value, const Json& rule, const Json&,
                     const std::string& place) const {
    for (const Json& schema : rule) {
      std::string found = check(value, schema, place);
      if (!found.empty()) return found;
    }
    return "";
  }

  // Whether a schema, or one that it builds on, has a rule for the key.
  bool names(const Json& schema, const std::string& key) const {
    if (schema.contains("properties") && schema["properties"].contains(key)) return true;
    if (schema.contains("$ref")) return names(target_of(schema["$ref"]), key);
    const Json parts = schema.value("allOf", Json::array());
    return std::any_of(parts.begin(), parts.end(),
                       [&](const Json& part) { return names(part, key); });
  }

  static bool is_of_type(const Json& value, const std::string& type) {
    if (type == "integer") {
      return value.is_number_integer() ||
             (value.is_number_float() && value.get<double>() == std::trunc(value.get<double>()));
    }
    if (type == "number") return value.is_number();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "array") return value.is_array();
    if (type == "object") return value.is_object();
    return value.is_null();
  }

  std::string type(const Json& value, const Json& rule, const Json&,
                   const std::string& place) const {
    const Json types = rule.is_array() ? rule : Json::array({rule});
    std::string names;
    for (const Json& type : types) {
      if (is_of_type(value, type)) return "";
      names += (names.empty() ? "" : " or ") + type.get<std::string>();
    }
    return at(place) + "is of type " + value.type_name() + ", not " + names;
  }

  std::string one_of(const Json& value, const Json& rule, const Json&,
                     const std::string& place) const {
    if (std::find(rule.begin(), rule.end(), value) != rule.end()) return "";
    return at(place) + "is none of the values it may have";
  }

  std::string required(const Json& value, const Json& rule, const Json&,
                       const std::string& place) const {
    for (const Json& key : rule) {
      if (value.is_object() && !value.contains(key.get<std::string>())) {
        return at(place) + "has no \"" + key.get<std::string>() + '"';
      }
    }
    return "";
  }

  std::string properties(const Json& value, const Json& rule, const Json&,
                         const std::string& place) const {
    for (const auto& [key, schema] : rule.items()) {
      if (!value.is_object() || !value.contains(key)) continue;
      std::string found = check(value[key], schema, place + '/' + key);
      if (!found.empty()) return found;
    }
    return "";
  }

  std::string other_properties(const Json& value, const Json& rule, const Json& schema,
                               const std::string& place) const {
    if (!value.is_object()) return "";
    for (const auto& [key, member] : value.items()) {
      if (names(schema, key)) continue;
      if (rule == false) {
        return at(place) + "has an unknown key " + noiseplus::quoted(key) +
               "; was it written by another version?";
      }
      std::string found = check(member, rule, place + '/' + noiseplus::quoted(key));
      if (!found.empty()) return found;
    }
    return "";
  }

  std::string items(const Json& value, const Json& rule, const Json&,
                    const std::string& place) const {
    if (!value.is_array()) return "";
    for (std::size_t i = 0; i < value.size(); ++i) {
      std::string found = check(value[i], rule, place + '/' + std::to_string(i));
      if (!found.empty()) return found;
    }
    return "";
  }

  std::string min_items(const Json& value, const Json& rule, const Json&,
                        const std::string& place) const {
    if (!value.is_array() || value.size() >= rule.get<std::size_t>()) return "";
    return at(place) + "has fewer than " + rule.dump() + " entries";
  }

  std::string max_items(const Json& value, const Json& rule, const Json&,
                        const std::string& place) const {
    if (!value.is_array() || value.size() <= rule.get<std::size_t>()) return "";
    return at(place) + "has more than " + rule.dump() + " entries";
  }

  std::string minimum(const Json& value, const Json& rule, const Json&,
                      const std::string& place) const {
    if (!value.is_number() || value >= rule) return "";
    return at(place) + "is " + value.dump() + ", below " + rule.dump();
  }

  std::string maximum(const Json& value, const Json& rule, const Json&,
                      const std::string& place) const {
    if (!value.is_number() || value <= rule) return "";
    return at(place) + "is " + value.dump() + ", above " + rule.dump();
  }

  std::string above(const Json& value, const Json& rule, const Json&,
                    const std::string& place) const {
    if (!value.is_number() || value > rule) return "";
    return at(place) + "is " + value.dump() + ", not above " + rule.dump();
  }

  static std::string at(const std::string& place) {
    return place.empty() ? std::string() : place.substr(1) + ": ";
  }

  const Json& schema_;
};

}  // namespace

const Json& find_schema(const std::string& name) {
  static const std::map<std::string, Json> schemas = [] {
    std::map<std::string, Json> all;
    for (const auto& [file, text] : schema_files()) all[std::string(file)] = Json::parse(text);
    return all;
  }();
  return schemas.at(name);
}

std::string schema_fault(const Json& value, const std::string& schema) {
  return SchemaCheck(find_schema(schema)).fault(value);
}

}  // namespace noiseplus
