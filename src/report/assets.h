// Files that the library carries with it: the report's page and the schemas. Internal.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace noiseplus {

// web/dist/page.html, with places for the title and the data.
std::string page_template();

// docs/*.schema.json, by name.
const std::map<std::string_view, std::string>& schema_files();

}  // namespace noiseplus
