// JSON with every key known and no other: what the header of a model file is written in. Internal
// to the learn stage.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "learn/model_header.h"

namespace noiseplus {

using Json = nlohmann::ordered_json;

// JSON is UTF-8, and a name from a csv file may be any bytes: such a text becomes {"hex": ...}.
Json text_json(const std::string& text);
Json texts_json(const std::vector<std::string>& texts);

// Refuses what the parser would take: nesting without end, a key that is there twice, and objects
// so large that looking for their keys takes for ever. Throws HeaderFault.
Json parse_strictly(std::string_view text);

// The members of a JSON object: all of those wanted and no others. All functions throw HeaderFault
// when a value is not of their kind. Does not own the object.
class Members {
 public:
  Members(const Json& object, std::string what, std::initializer_list<const char*> keys);

  const Json& operator[](const char* key) const { return object_.at(key); }
  const Json& array(const char* key) const { return typed(key, &Json::is_array, "a list"); }
  bool boolean(const char* key) const {
    return typed(key, &Json::is_boolean, "true or false").get<bool>();
  }
  double number(const char* key) const {
    return typed(key, &Json::is_number, "a number").get<double>();
  }
  std::vector<double> numbers(const char* key) const;
  std::size_t size(const char* key) const { return size_of(object_.at(key), key); }
  std::string text(const char* key) const { return text_of(object_.at(key), key); }
  std::vector<std::string> texts(const char* key) const;

  // Of a value inside that of the key.
  std::size_t size_of(const Json& json, const char* key) const;
  std::string text_of(const Json& json, const char* key) const;

 private:
  const Json& typed(const char* key, bool (Json::*is_right)() const noexcept,
                    const char* wanted) const;
  HeaderFault fault(const std::string& why) const { return {what_ + " " + why}; }

  const Json& object_;
  std::string what_;
};

}  // namespace noiseplus
