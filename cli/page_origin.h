// Where a page comes from: what was typed, when, and about which file.
#pragma once

#include <string>

#include "noiseplus/report.h"

namespace noiseplus::cli {

// Call it once, before page_origin.
void remember_command(int argc, const char* const* argv);

// The command as it was typed, without flags that change only speed or looks (--threads, --kernel,
// --quiet, --color) and without the folders of files; today's date in UTC, or the day of the
// environment's SOURCE_DATE_EPOCH, so that a page can be made again byte for byte. `data` is the
// file that was read, if it is one.
PageOrigin page_origin(const std::string& data = "");

}  // namespace noiseplus::cli
