#include "experiments/methods/cells.h"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/json_depth.h"

namespace noiseplus {
namespace {

// FNV-1a over 64-bit words.
class Fingerprint {
 public:
  explicit Fingerprint(std::uint64_t so_far = 0xcbf29ce484222325) : value_(so_far) {}

  void add(std::uint64_t word) {
    constexpr std::uint64_t prime = 0x100000001b3;
    value_ = (value_ ^ word) * prime;
    value_ ^= value_ >> 32U;
  }
  void add(std::string_view text) {
    add(text.size());
    for (const char c : text) add(static_cast<unsigned char>(c));
  }
  void add(std::span<const std::int32_t> codes) {
    add(codes.size());
    for (const std::int32_t code : codes) add(static_cast<std::uint64_t>(code));
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_;
};

std::string as_text(std::uint64_t fingerprint) {
  return std::to_string(fingerprint);
}

}  // namespace

std::string Cell::name() const {
  std::string name = table + '-' + dataset + '-' + setting + "-seed" + std::to_string(seed);
  std::replace(name.begin(), name.end(), ':', '-');
  return name;
}

std::uint64_t fingerprint(const KnownRows& set) {
  Fingerprint print;
  print.add(set.rows.rows());
  print.add(set.rows.columns());
  const std::size_t values = set.rows.rows() * set.rows.columns();
  for (std::size_t i = 0; i < values; ++i) {
    print.add(std::bit_cast<std::uint32_t>(set.rows.row(0)[i]));
  }
  print.add(set.clean);
  print.add(set.groups);
  for (const std::string& name : set.classes) print.add(name);
  for (const std::string& name : set.group_names) print.add(name);
  return print.value();
}

std::uint64_t fingerprint(std::uint64_t so_far, std::string_view text) {
  Fingerprint print(so_far);
  print.add(text);
  return print.value();
}

std::uint64_t fingerprint(std::uint64_t so_far, std::span<const std::int32_t> codes) {
  Fingerprint print(so_far);
  print.add(codes);
  return print.value();
}

std::string cell_text(const CellResult& result, std::uint64_t fingerprint) {
  nlohmann::ordered_json json;
  json["fingerprint"] = as_text(fingerprint);
  json["measured"] = nlohmann::ordered_json::array();
  for (const Measured& one : result.measured) {
    json["measured"].push_back(
        {{"method", one.method}, {"metric", one.metric}, {"value", one.value}});
  }
  json["facts"] = result.facts;
  return json.dump(1) + '\n';
}

std::optional<CellResult> parse_cell(std::string_view text, std::uint64_t fingerprint) try {
  if (is_nested_too_deeply(text)) return std::nullopt;
  const nlohmann::json json = nlohmann::json::parse(text);
  if (json.at("fingerprint").get<std::string>() != as_text(fingerprint)) return std::nullopt;
  CellResult result;
  for (const nlohmann::json& one : json.at("measured")) {
    result.add(one.at("method").get<std::string>(), one.at("metric").get<std::string>(),
               one.at("value").get<double>());
  }
  result.facts = json.at("facts").get<std::map<std::string, double>>();
  return result;
} catch (const nlohmann::json::exception&) {
  return std::nullopt;
}

CellStore::CellStore(std::string folder) : folder_(std::move(folder)) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw Error(ErrorKind::io, folder_ + ": cannot make the folder: " + error.message());
}

std::optional<CellResult> CellStore::find(const Cell& cell, std::uint64_t fingerprint) const try {
  const std::string path = folder_ + '/' + cell.name() + ".json";
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  return parse_cell(Bytes::read(path).view(), fingerprint);
} catch (const Error& fault) {
  if (fault.kind() != ErrorKind::data) throw;
  return std::nullopt;
}

void CellStore::keep(const Cell& cell, std::uint64_t fingerprint, const CellResult& result) const {
  OutputFile file(folder_ + '/' + cell.name() + ".json");
  file.write(cell_text(result, fingerprint));
  file.commit();
}

}  // namespace noiseplus
