#include "pipeline/suspects.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/columns.h"

namespace noiseplus {
namespace {

// More columns are not read; of an embedding, whose columns have no meaning, fewer do.
constexpr std::size_t max_table_columns = 40;
constexpr std::size_t max_nameless_columns = 8;
constexpr std::size_t max_pixels_a_side = 32;

// The least likely labels first, rows of equal ones in their order.
std::vector<std::size_t> min_likely(const std::vector<double>& right, std::size_t most) {
  std::vector<std::size_t> order(right.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto count = static_cast<std::ptrdiff_t>(std::min(most, order.size()));
  std::partial_sort(order.begin(), order.begin() + count, order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return right[a] != right[b] ? right[a] < right[b] : a < b;
                    });
  order.resize(static_cast<std::size_t>(count));
  return order;
}

std::string cell_text(const Column& column, std::size_t row) {
  if (!column.is_text) {
    return std::isnan(column.numbers[row]) ? "" : number_text(column, column.numbers[row]);
  }
  const std::int32_t code = column.codes[row];
  return code < 0 ? "" : column.categories[static_cast<std::size_t>(code)];
}

void add_cells(const Table& table, const std::string& label, Suspects& suspects) {
  for (const Column& column : table.columns) {
    if (column.name == label) continue;
    if (suspects.columns.size() == max_table_columns) {
      ++suspects.columns_left_out;
      continue;
    }
    suspects.columns.push_back(column.name);
    for (Suspect& suspect : suspects.rows) suspect.values.push_back(cell_text(column, suspect.row));
  }
}

// A number as the file has it, from the columns that an encoder made of it.
std::string decoded(const Encoder::Part& part, const float* columns) {
  if (part.indicates_missing && columns[1] != 0) return "";
  return fmt::format("{:.4g}", columns[0] / part.scale + part.offset);
}

// An array with gaps, or one that was scaled. REQUIRES: no part is a text.
void add_decoded(const Encoder& encoder, RowsView view, Suspects& suspects) {
  const std::size_t shown = std::min(encoder.parts.size(), max_table_columns);
  suspects.columns_left_out = encoder.parts.size() - shown;
  for (std::size_t p = 0; p < shown; ++p) suspects.columns.push_back(encoder.parts[p].column);
  std::vector<float> buffer(view.columns);
  for (Suspect& suspect : suspects.rows) {
    const float* columns = view.row(suspect.row, buffer.data());
    for (std::size_t p = 0; p < shown; ++p) {
      suspect.values.push_back(decoded(encoder.parts[p], columns));
      columns += encoder.parts[p].indicates_missing ? 2 : 1;
    }
  }
}

// Of many columns of an embedding, which mean nothing to a person, the first few.
void add_numbers(RowsView view, Suspects& suspects) {
  const std::size_t shown = view.columns <= max_table_columns ? view.columns : max_nameless_columns;
  suspects.columns_left_out = view.columns - shown;
  for (std::size_t j = 0; j < shown; ++j) suspects.columns.push_back(std::to_string(j + 1));
  std::vector<float> buffer(view.columns);
  for (Suspect& suspect : suspects.rows) {
    const float* row = view.row(suspect.row, buffer.data());
    for (std::size_t j = 0; j < shown; ++j) suspect.values.push_back(fmt::format("{:.4g}", row[j]));
  }
}

// A picture as its rows hold it, every `step` x `step` pixels averaged into one.
struct Picture {
  std::size_t height = 0, width = 0, step = 1;

  std::size_t shown_height() const { return (height + step - 1) / step; }
  std::size_t shown_width() const { return (width + step - 1) / step; }

  double mean(const float* row, std::size_t shown_y, std::size_t shown_x) const {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t y = shown_y * step; y < std::min((shown_y + 1) * step, height); ++y) {
      for (std::size_t x = shown_x * step; x < std::min((shown_x + 1) * step, width);
           ++x, ++count) {
        sum += row[y * width + x];
      }
    }
    return sum / static_cast<double>(count);
  }
};

// Rows of two dimensions, each of a size at which there is something to see.
std::optional<Picture> picture_of(std::vector<std::size_t> shape) {
  constexpr std::size_t min_pixels_a_side = 4;
  if (shape.size() == 3 && shape.back() == 1) shape.pop_back();
  if (shape.size() == 3 && shape.front() == 1) shape.erase(shape.begin());
  if (shape.size() != 2 || std::min(shape[0], shape[1]) < min_pixels_a_side) return std::nullopt;
  const std::size_t longest = std::max(shape[0], shape[1]);
  return Picture{shape[0], shape[1], (longest + max_pixels_a_side - 1) / max_pixels_a_side};
}

void add_pictures(const Picture& picture, RowsView view, Suspects& suspects) {
  suspects.height = picture.shown_height();
  suspects.width = picture.shown_width();
  std::vector<float> buffer(view.columns);
  std::vector<double> means;
  means.reserve(suspects.rows.size() * suspects.height * suspects.width);
  for (const Suspect& suspect : suspects.rows) {
    const float* row = view.row(suspect.row, buffer.data());
    for (std::size_t y = 0; y < suspects.height; ++y) {
      for (std::size_t x = 0; x < suspects.width; ++x) means.push_back(picture.mean(row, y, x));
    }
  }
  if (means.empty()) return;
  const auto [lowest, highest] = std::minmax_element(means.begin(), means.end());
  const double darkest = *lowest;
  const double range = std::max(*highest - darkest, 1e-30);
  auto mean = means.begin();
  for (Suspect& suspect : suspects.rows) {
    for (std::size_t i = 0; i < suspects.height * suspects.width; ++i, ++mean) {
      suspect.pixels.push_back(
          static_cast<std::uint8_t>(std::lround(255 * (*mean - darkest) / range)));
    }
  }
}

}  // namespace

Suspects find_suspects(const Dataset& dataset, const LabelQuality& quality,
                       const NeighborGraph& graph, std::size_t most) {
  Suspects suspects;
  const std::vector<std::int32_t>& codes = dataset.labels.codes;
  for (std::size_t n = 0; n < codes.size(); ++n) {
    if (quality.suggested[n] != codes[n]) ++suspects.unlikely;
  }
  for (const std::size_t row : min_likely(quality.right, most)) {
    Suspect suspect{row, codes[row], quality.suggested[row], quality.right[row], {}, {}, {}, {}};
    if (!dataset.groups.codes.empty()) suspect.group = dataset.groups.codes[row];
    for (const std::uint32_t neighbor : graph.neighbors(row)) {
      suspect.neighbors.push_back(codes[neighbor]);
    }
    suspects.rows.push_back(std::move(suspect));
  }
  const std::optional<Picture> picture = picture_of(dataset.row_shape);
  if (picture) {
    add_pictures(*picture, dataset.features.view(), suspects);
  } else if (!dataset.table && dataset.recipe.encoder) {
    add_decoded(*dataset.recipe.encoder, dataset.features.view(), suspects);
  } else if (!dataset.table && dataset.features.view().rows != 0) {
    add_numbers(dataset.features.view(), suspects);
  }
  for (Suspect& suspect : suspects.rows) suspect.row = dataset.row_id(suspect.row);
  if (!picture && dataset.table) add_cells(*dataset.table, dataset.label_name, suspects);
  return suspects;
}

}  // namespace noiseplus
