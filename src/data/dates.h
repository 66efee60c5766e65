// Columns of dates. Internal to the data stage.
#pragma once

#include <string>
#include <vector>

#include "noiseplus/data.h"

namespace noiseplus {

// The order in which every text is a date; nothing where there is none, or no text.
struct DateColumn {
  DateOrder order = DateOrder::year_month_day;
  bool is_ambiguous = false;  // days and months could be swapped in all of them
};
std::optional<DateColumn> find_dates(const std::vector<std::string>& texts);

// The column as numbers of days; a text that is no date becomes NaN. REQUIRES: column.is_text.
Column as_days(const Column& column, DateOrder order);

}  // namespace noiseplus
