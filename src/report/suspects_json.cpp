#include <algorithm>

#include "report/json.h"

namespace noiseplus {
namespace {

// RFC 4648, with padding.
std::string base64(const std::vector<std::uint8_t>& bytes) {
  constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j) three = three << 8 | (j < count ? bytes[i + j] : 0U);
    for (std::size_t j = 0; j < 4; ++j) {
      text += j <= count ? digits[three >> (18 - 6 * j) & 63U] : '=';
    }
  }
  return text;
}

}  // namespace

Json suspects_json(const Suspects& suspects, std::size_t judged) {
  const bool are_pictures = suspects.width > 0;
  Json json = {{"judged", judged},
               {"unlikely", suspects.unlikely},
               {"columns", suspects.columns},
               {"columns_left_out", suspects.columns_left_out}};
  if (are_pictures) json["image"] = {{"width", suspects.width}, {"height", suspects.height}};
  json["rows"] = Json::array();
  for (const Suspect& suspect : suspects.rows) {
    Json row = {{"row", suspect.row + 1},
                {"given", suspect.given},
                {"suggested", suspect.suggested},
                {"probability", suspect.right}};
    if (suspect.group) row["group"] = *suspect.group;
    row["neighbours"] = suspect.neighbors;
    row["values"] = suspect.values;
    if (are_pictures) row["pixels"] = base64(suspect.pixels);
    json["rows"].push_back(std::move(row));
  }
  return json;
}

}  // namespace noiseplus
