#include "data/dates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/checks.h"
#include "data/csv.h"

namespace noiseplus {
namespace {

constexpr double seconds_a_day = 86400;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Takes one thing after the other from the front of a text. What is not there leaves it as it is.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }

  // `min_digits` to `max_digits` digits, all that there are in a row.
  std::optional<int> number(std::size_t min_digits, std::size_t max_digits) {
    std::size_t digits = 0;
    while (digits < rest_.size() && is_digit(rest_[digits])) ++digits;
    if (digits < min_digits || digits > max_digits) return std::nullopt;
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) value = 10 * value + (rest_[i] - '0');
    rest_.remove_prefix(digits);
    return value;
  }

  // One of these characters; NUL where none is there.
  char one_of(std::string_view characters) {
    if (rest_.empty() || characters.find(rest_.front()) == characters.npos) return '\0';
    const char found = rest_.front();
    rest_.remove_prefix(1);
    return found;
  }

  // The digits after a decimal point, as a fraction of 1.
  std::optional<double> fraction() {
    std::size_t digits = 0;
    double value = 0, unit = .1;
    for (; digits < rest_.size() && is_digit(rest_[digits]); ++digits, unit /= 10) {
      value += unit * (rest_[digits] - '0');
    }
    rest_.remove_prefix(digits);
    return digits == 0 ? std::nullopt : std::optional(value);
  }

 private:
  std::string_view rest_;
};

bool is_leap_year(int year) {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int days_of_month(int year, int month) {
  constexpr std::array<int, 12> days = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return days[static_cast<std::size_t>(month - 1)] + (month == 2 && is_leap_year(year) ? 1 : 0);
}

// Days since 1970-01-01 in the Gregorian calendar, counted from a 1st of March so that the leap day
// is the last of its year (Hinnant, "chrono-compatible low-level date algorithms", 2013). REQUIRES:
// year > 0.
int days_since_epoch(int year, int month, int day) {
  const int y = month <= 2 ? year - 1 : year;
  const int era = y / 400, year_of_era = y % 400;
  const int day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  const int day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

std::optional<int> parse_days(Scanner& scanner, DateOrder order) {
  const bool year_first = order == DateOrder::year_month_day;
  const auto part = [&](bool is_year) {
    return is_year ? scanner.number(4, 4) : scanner.number(1, 2);
  };
  const std::optional<int> first = part(year_first);
  const char separator = first ? scanner.one_of("-/.") : '\0';
  if (separator == '\0') return std::nullopt;
  const std::optional<int> second = part(false);
  if (!second || scanner.one_of({&separator, 1}) == '\0') return std::nullopt;
  const std::optional<int> third = part(!year_first);
  if (!third) return std::nullopt;
  const int year = year_first ? *first : *third;
  const int month = order == DateOrder::month_day_year ? *first : *second;
  const int day = year_first ? *third : order == DateOrder::month_day_year ? *second : *first;
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > days_of_month(year, month)) {
    return std::nullopt;
  }
  return days_since_epoch(year, month, day);
}

// "05:06", "05:06:07", "05:06:07.25", in seconds.
std::optional<double> parse_time(Scanner& scanner) {
  const std::optional<int> hour = scanner.number(1, 2);
  if (!hour || *hour > 23 || scanner.one_of(":") == '\0') return std::nullopt;
  const std::optional<int> minute = scanner.number(2, 2);
  if (!minute || *minute > 59) return std::nullopt;
  double seconds = *hour * 3600 + *minute * 60;
  if (scanner.one_of(":") == '\0') return seconds;
  const std::optional<int> second = scanner.number(2, 2);
  if (!second || *second > 60) return std::nullopt;
  seconds += *second;
  if (scanner.one_of(".,") == '\0') return seconds;
  const std::optional<double> fraction = scanner.fraction();
  if (!fraction) return std::nullopt;
  return seconds + *fraction;
}

// "Z", "+01", "+0100" or "+01:00", in seconds; 0 where there is none.
std::optional<double> parse_offset(Scanner& scanner) {
  if (scanner.at_end() || scanner.one_of("Zz") != '\0') return 0.0;
  const char sign = scanner.one_of("+-");
  if (sign == '\0') return std::nullopt;
  std::optional<int> hours = scanner.number(2, 4);
  if (!hours) return std::nullopt;
  int minutes = 0;
  if (*hours >= 100) {
    minutes = *hours % 100;
    hours = *hours / 100;
  } else if (scanner.one_of(":") != '\0') {
    const std::optional<int> after = scanner.number(2, 2);
    if (!after) return std::nullopt;
    minutes = *after;
  }
  if (*hours > 15 || minutes > 59) return std::nullopt;
  return (sign == '-' ? -1 : 1) * (*hours * 3600.0 + minutes * 60.0);
}

bool are_all_dates(const std::vector<std::string>& texts, DateOrder order) {
  return std::all_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return parse_date(text, order).has_value(); });
}

}  // namespace

std::optional<double> parse_date(std::string_view text, DateOrder order) {
  check_that(is_among(order, DateOrder::month_day_year),
             "the order of a date is none of DateOrder");
  Scanner scanner(trim_blanks(text));
  const std::optional<int> days = parse_days(scanner, order);
  if (!days) return std::nullopt;
  if (scanner.at_end()) return *days;
  if (scanner.one_of("Tt ") == '\0') return std::nullopt;
  const std::optional<double> seconds = parse_time(scanner);
  if (!seconds) return std::nullopt;
  const std::optional<double> offset = parse_offset(scanner);
  if (!offset || !scanner.at_end()) return std::nullopt;
  return *days + (*seconds - *offset) / seconds_a_day;
}

std::string format_date(double days) {
  constexpr int first = -719162, last = 2932896;  // 0001-01-01 and 9999-12-31
  check_number(days, first, last + .999999, "the days of a date");
  const double whole = std::floor(days);
  // The inverse of days_since_epoch, by the same author.
  const auto z = static_cast<long long>(whole) + 719468;
  const long long era = (z >= 0 ? z : z - 146096) / 146097;
  const long long day_of_era = z - era * 146097;
  const long long year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const long long day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const long long shifted_month = (5 * day_of_year + 2) / 153;
  const long long day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
  const long long month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  const long long year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  const auto seconds = std::min(std::llround((days - whole) * seconds_a_day), 86399LL);
  std::string date = fmt::format("{:04}-{:02}-{:02}", year, month, day);
  if (seconds == 0) return date;
  return date + fmt::format(" {:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::optional<DateColumn> find_dates(const std::vector<std::string>& texts) {
  if (texts.empty()) return std::nullopt;
  if (are_all_dates(texts, DateOrder::year_month_day)) return DateColumn{};
  const bool day_first = are_all_dates(texts, DateOrder::day_month_year);
  const bool month_first = are_all_dates(texts, DateOrder::month_day_year);
  if (!day_first && !month_first) return std::nullopt;
  const bool has_dots = texts.front().find('.') < texts.front().find(' ');
  const bool takes_day_first = day_first && (!month_first || has_dots);
  // Where each date reads the same both ways there is no doubt.
  const bool differ = std::any_of(texts.begin(), texts.end(), [](const std::string& text) {
    return parse_date(text, DateOrder::day_month_year) !=
           parse_date(text, DateOrder::month_day_year);
  });
  return DateColumn{takes_day_first ? DateOrder::day_month_year : DateOrder::month_day_year,
                    day_first && month_first && differ};
}

Column as_days(const Column& column, DateOrder order) {
  Column days;
  days.name = column.name;
  std::vector<double> of_code;
  of_code.reserve(column.categories.size());
  constexpr double missing = std::numeric_limits<double>::quiet_NaN();
  for (const std::string& text : column.categories) {
    of_code.push_back(parse_date(text, order).value_or(missing));
  }
  days.numbers.reserve(column.codes.size());
  for (const std::int32_t code : column.codes) {
    days.numbers.push_back(code < 0 ? missing : of_code[static_cast<std::size_t>(code)]);
  }
  return days;
}

}  // namespace noiseplus
