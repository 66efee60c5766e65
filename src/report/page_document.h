// JSON that somebody has saved, checked so that a page can be made of it. Internal.
#pragma once

#include "noiseplus/report.h"
#include "report/json.h"

namespace noiseplus {

struct CheckedDocument {
  std::string kind;  // "audit", "training" or "evaluation"
  std::string name;
  Json report;
};

// Throws data, naming the document and the place, unless it is what to_json writes and its parts
// fit each other.
CheckedDocument check_document(const PageDocument& document);

}  // namespace noiseplus
