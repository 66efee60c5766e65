// Checks JSON against the published schemas (docs/*.schema.json), as far as these use the language
// of schemas. Internal.
#pragma once

#include <string>

#include "report/json.h"

namespace noiseplus {

// Names of the schemas: "audit.schema.json", "train.schema.json" and "evaluate.schema.json".
const Json& find_schema(const std::string& name);

// What is wrong with the value and where, "noise/3/rate: is no number"; empty when nothing is.
// Throws std::logic_error for a keyword of schemas that it does not know.
std::string schema_fault(const Json& value, const std::string& schema);

}  // namespace noiseplus
