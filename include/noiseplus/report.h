// Stage 8, report: what an audit, a training or an evaluation found, as JSON, as text and as a
// page.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "noiseplus/fair.h"
#include "noiseplus/learn.h"
#include "noiseplus/pipeline.h"

namespace noiseplus {

// Validates against docs/audit.schema.json. Bytes that are not UTF-8 become U+FFFD. All to_json and
// to_text throw usage for a report whose parts do not fit together, as one that nobody filled.
std::string to_json(const AuditReport& report);

// How a text looks: as it is, or with the escapes of ANSI that make a terminal show it bold, dim
// and in color. Without these the words are the same.
enum class TextStyle { plain, ansi };

// For a terminal of 80 columns: the verdict, tables, the warnings; names made printable.
std::string to_text(const AuditReport& report, TextStyle style = TextStyle::plain);

// How good a model is: "accuracy", "tpr", "fpr" and "positive_rate" of all rows and, under
// "groups", of each group; null where no row can tell. Beside each number its 95 % interval,
// "accuracy_interval": [low, high]. "confusion" has a row a class and a column a prediction, in the
// order of "classes": whole numbers, or expected ones to three digits where the model answers by
// lot. Names become valid UTF-8 as above.
// With `clean`, under "clean" what known noise makes of the rates.
std::string to_json(const Evaluation& evaluation, const std::optional<CleanFairness>& clean = {});

// For a terminal of 80 columns. More than 12 classes do not fit: then the classes that are missed
// most often, and what they are taken for.
std::string to_text(const Evaluation& evaluation, const std::optional<CleanFairness>& clean = {},
                    TextStyle style = TextStyle::plain);

std::string to_json(const TrainReport& report);
std::string to_text(const TrainReport& report, TextStyle style = TextStyle::plain);

// -------------------------------------------------------------------------------------------- page

// What to_json wrote, of an audit, a balancing, a training or an evaluation.
struct PageDocument {
  std::string name;  // for messages: the file it was read from
  std::string json;
};

// What a page says of where it comes from, as it is to be shown; what is empty is left out.
struct PageOrigin {
  std::string file;     // that was read; shown without its folder
  std::string date;     // "2026-03-04 05:06 UTC"
  std::string command;  // that made it
};

// One HTML page for people to look at, with everything in it: no network, no other file, less than
// 2 MB. What does not fit is left out from the end of the list of suspects on, and the page says
// so. Documents are one audit or balancing, one training, and one or two evaluations: those before
// and after; any of these, but one at least. An empty title is made from the documents.
//
// Throws data, naming the document and the place in it, for what is no such JSON (the schemas are
// in docs/), and usage for documents that make no page.
std::string to_html(std::span<const PageDocument> documents, const std::string& title = "",
                    const PageOrigin& origin = {});

}  // namespace noiseplus
