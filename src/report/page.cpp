#include <algorithm>
#include <stdexcept>

#include "core/format.h"
#include "noiseplus/version.h"
#include "report/assets.h"
#include "report/markup.h"
#include "report/page_document.h"
#include "report/page_trim.h"

namespace noiseplus {
namespace {

constexpr std::size_t largest_page = 2'000'000;  // bytes
constexpr std::size_t longest_text = 300;        // bytes of a name, where there is room
constexpr std::size_t longest_command = 1000;

// What a browser would take for the end of a script, or for markup, is spelled by its number.
std::string escaped_json(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '<':
        safe += "\\u003c";
        break;
      case '>':
        safe += "\\u003e";
        break;
      case '&':
        safe += "\\u0026";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

void put(std::string& page, std::string_view place, const std::string& text) {
  const std::size_t found = page.find(place);
  if (found == std::string::npos) throw std::logic_error("the page has no place for its data");
  page.replace(found, place.size(), text);
}

void check_kinds(const std::vector<CheckedDocument>& documents) {
  const auto count = [&](const std::string& kind) {
    return std::count_if(documents.begin(), documents.end(),
                         [&](const CheckedDocument& document) { return document.kind == kind; });
  };
  if (documents.empty()) throw Error(ErrorKind::usage, "a page needs a report to show");
  if (count("audit") > 1) {
    throw Error(ErrorKind::usage, "a page shows one audit or balancing, not two; make two pages");
  }
  if (count("training") > 1) {
    throw Error(ErrorKind::usage, "a page shows one training, not two; make two pages");
  }
  if (count("evaluation") > 2) {
    throw Error(ErrorKind::usage,
                "a page shows two evaluations, before and after, and not more; make two pages");
  }
  const CheckedDocument* before = nullptr;
  for (const CheckedDocument& after : documents) {
    if (after.kind != "evaluation") continue;
    if (before != nullptr && (before->report["classes"] != after.report["classes"] ||
                              before->report["positive"] != after.report["positive"])) {
      throw Error(ErrorKind::usage, before->name + " and " + after.name +
                                        ": evaluations of different classes, or of another "
                                        "positive one, cannot be compared; make two pages");
    }
    before = &after;
  }
}

// The audit says it best.
std::string title_of(const std::vector<CheckedDocument>& documents) {
  for (const CheckedDocument& document : documents) {
    if (document.kind == "audit") {
      return "Label noise of " + document.report["label"].get<std::string>();
    }
  }
  for (const CheckedDocument& document : documents) {
    if (document.kind == "training") {
      return "Training on " + document.report["label"].get<std::string>();
    }
  }
  return "Evaluation";
}

// Where it lay is nobody's business.
std::string file_name(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

Json origin_json(const PageOrigin& origin) {
  Json json = Json::object();
  const auto add = [&](const char* key, const std::string& text, std::size_t max_size) {
    if (!text.empty()) json[key] = shorten_text(valid_utf8(text), max_size);
  };
  add("file", file_name(origin.file), longest_text);
  add("date", origin.date, longest_text);
  add("command", origin.command, longest_command);
  return json;
}

Json page_json(const std::vector<CheckedDocument>& documents, const std::string& title,
               const PageOrigin& origin) {
  Json json = {{"version", version()},
               {"title", title},
               {"origin", origin_json(origin)},
               {"documents", Json::array()}};
  for (const CheckedDocument& document : documents) {
    json["documents"].push_back({{"kind", document.kind},
                                 {"name", shorten_text(file_name(document.name), longest_text)},
                                 {"report", document.report}});
  }
  return json;
}

Json* suspects_in(Json& page) {
  for (Json& document : page["documents"]) {
    if (document["report"].contains("suspects")) return &document["report"]["suspects"];
  }
  return nullptr;
}

std::vector<CheckedDocument> trimmed(std::vector<CheckedDocument> documents, std::size_t max_groups,
                                     std::size_t max_text) {
  for (CheckedDocument& document : documents) trim_for_page(document, max_groups, max_text);
  return documents;
}

// The page's data with as many suspects as there is room for; empty where there is too little even
// without.
std::string with_suspects_that_fit(Json page, std::size_t room) {
  for (;;) {
    std::string text = escaped_json(page);
    if (text.size() <= room) return text;
    Json* suspects = suspects_in(page);
    if (suspects == nullptr || (*suspects)["rows"].empty()) return "";
    constexpr std::size_t share_dropped = 8;
    drop_suspects(*suspects, (*suspects)["rows"].size() / share_dropped + 1);
  }
}

// As much as fits: fewer suspects go first, then groups, then the middles of long names.
std::string fitted_json(const std::vector<CheckedDocument>& documents, const std::string& title,
                        const PageOrigin& origin, std::size_t room) {
  struct Limits {
    std::size_t max_groups, max_text;
  };
  for (const Limits limits :
       {Limits{1000, longest_text}, Limits{300, longest_text}, Limits{100, longest_text},
        Limits{20, longest_text}, Limits{20, 100}, Limits{20, 40}}) {
    std::string text = with_suspects_that_fit(
        page_json(trimmed(documents, limits.max_groups, limits.max_text), title, origin), room);
    if (!text.empty()) return text;
  }
  throw Error(ErrorKind::impossible, "the report is too large for a page; look at its JSON");
}

}  // namespace

std::string to_html(std::span<const PageDocument> documents, const std::string& title,
                    const PageOrigin& origin) {
  std::vector<CheckedDocument> checked;
  for (const PageDocument& document : documents) checked.push_back(check_document(document));
  check_kinds(checked);
  const std::string shown =
      shorten_text(title.empty() ? title_of(checked) : valid_utf8(title), longest_text);
  std::string page = page_template();
  // The data last: the title has no markup, and neither place may be looked for inside the data.
  put(page, "<!--noiseplus:title-->", escaped_markup(shown));
  put(page, "<!--noiseplus:data-->",
      fitted_json(checked, shown, origin, largest_page - page.size()));
  return page;
}

}  // namespace noiseplus
