#include "learn/header_json.h"

#include <set>

namespace noiseplus {
namespace {

constexpr const char* hex_digits = "0123456789abcdef";

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
    constexpr std::size_t max_keys = 16;
    if (depth > deepest) throw HeaderFault{"the header is nested too deeply"};
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event != Json::parse_event_t::key) return;
    const bool is_new = keys_.back().insert(parsed.get<std::string>()).second;
    if (!is_new) throw HeaderFault{"the header has a key twice"};
    if (keys_.back().size() > max_keys) throw HeaderFault{"the header has a key that is not known"};
  }

  std::vector<std::set<std::string>> keys_;
};

}  // namespace

// The library is the judge of UTF-8, so that what is written plain can always be dumped.
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

Json parse_strictly(std::string_view text) {
  return StrictParser::parse(text);
}

Members::Members(const Json& object, std::string what, std::initializer_list<const char*> keys)
    : object_(object), what_(std::move(what)) {
  if (!object.is_object()) throw fault("is not an object");
  for (const char* key : keys) {
    if (!object.contains(key)) throw fault(std::string("lacks '") + key + "'");
  }
  if (object.size() != keys.size()) throw fault("has a key that is not known");
}

std::vector<double> Members::numbers(const char* key) const {
  std::vector<double> numbers;
  for (const Json& json : array(key)) {
    if (!json.is_number()) throw fault(std::string("has no number in '") + key + "'");
    numbers.push_back(json.get<double>());
  }
  return numbers;
}

std::vector<std::string> Members::texts(const char* key) const {
  std::vector<std::string> texts;
  for (const Json& json : array(key)) texts.push_back(text_of(json, key));
  return texts;
}

std::size_t Members::size_of(const Json& json, const char* key) const {
  if (!json.is_number_unsigned()) throw fault(std::string("has no size as '") + key + "'");
  return json.get<std::size_t>();
}

std::string Members::text_of(const Json& json, const char* key) const {
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

const Json& Members::typed(const char* key, bool (Json::*is_right)() const noexcept,
                           const char* wanted) const {
  const Json& json = object_.at(key);
  if (!(json.*is_right)())
    throw fault(std::string("does not have ") + wanted + " as '" + key + "'");
  return json;
}

}  // namespace noiseplus
