#include "data/arrow_column.h"

namespace noiseplus {

ArrowColumn::ArrowColumn(std::string name, std::size_t child, ArrowColumnType type,
                         const TableOptions& options)
    : child_(child), type_(std::move(type)), codes_(options.missing) {
  column_.name = std::move(name);
  column_.is_text = type_.values.is_text();
  column_.is_date = type_.values.is_date;
}

void ArrowColumn::append(const ArrowArray& batch, const BatchRows& rows) {
  const ArrowArray* array = batch.children[child_];
  if (array == nullptr) throw ArrowFault{"is not there"};
  if (!type_.index) {
    const ArrowValues values(type_.values, *array);
    append_values(values, find_places(values, rows));
    return;
  }
  if (array->dictionary == nullptr) throw ArrowFault{"lacks its dictionary"};
  const ArrowValues indices(*type_.index, *array);
  const ArrowValues dictionary(type_.values, *array->dictionary);
  Places places = find_places(indices, rows);
  follow_indices(indices, dictionary, places);
  append_values(dictionary, places);
}

ArrowColumn::Places ArrowColumn::find_places(const ArrowValues& array, const BatchRows& rows) {
  if (array.size() < rows.first + rows.values.size()) {
    throw ArrowFault{"has fewer values than the table has rows"};
  }
  Places places(rows.values.size(), missing_place);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::size_t at = rows.first + i;
    if (rows.values.is_valid(i) && array.is_valid(at)) places[i] = static_cast<std::int64_t>(at);
  }
  return places;
}

void ArrowColumn::follow_indices(const ArrowValues& indices, const ArrowValues& dictionary,
                                 Places& places) {
  const auto size = static_cast<double>(dictionary.size());
  indices.visit_numbers([&](auto number_at) {
    for (std::int64_t& place : places) {
      if (place == missing_place) continue;
      const double index = number_at(static_cast<std::size_t>(place));  // exact when it is inside
      if (index < 0 || index >= size) throw ArrowFault{"has an index outside its dictionary"};
      const bool is_valid = dictionary.is_valid(static_cast<std::size_t>(index));
      place = is_valid ? static_cast<std::int64_t>(index) : missing_place;
    }
  });
}

void ArrowColumn::append_values(const ArrowValues& values, const Places& places) {
  if (column_.is_text) {
    append_texts(values, places);
  } else {
    append_numbers(values, places);
  }
}

void ArrowColumn::append_numbers(const ArrowValues& values, const Places& places) {
  const std::size_t before = column_.numbers.size();
  column_.numbers.resize(before + places.size(), std::numeric_limits<double>::quiet_NaN());
  double* numbers = column_.numbers.data() + before;
  values.visit_numbers([&](auto number_at) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i] == missing_place) continue;
      numbers[i] = number_at(static_cast<std::size_t>(places[i]));
    }
  });
}

void ArrowColumn::append_texts(const ArrowValues& values, const Places& places) {
  constexpr std::int32_t not_asked = -2;
  // A text of a dictionary is looked up once, unless the dictionary is longer than the batch.
  const bool is_repeated = type_.index && values.size() <= places.size();
  std::vector<std::int32_t> code_of(is_repeated ? values.size() : 0, not_asked);
  const auto code_at = [&](std::size_t at) {
    if (!is_repeated) return codes_.code(values.text(at));
    if (code_of[at] == not_asked) code_of[at] = codes_.code(values.text(at));
    return code_of[at];
  };
  for (const std::int64_t place : places) {
    const bool is_missing = place == missing_place;
    column_.codes.push_back(is_missing ? -1 : code_at(static_cast<std::size_t>(place)));
  }
}

Column ArrowColumn::finish(bool in_text) {
  column_.categories = codes_.take_categories();
  if (column_.is_text) settle_texts(column_);
  const bool has_numbers = !column_.is_text && column_.missing() < column_.numbers.size();
  return in_text && has_numbers ? spell_numbers(column_) : std::move(column_);
}

}  // namespace noiseplus
