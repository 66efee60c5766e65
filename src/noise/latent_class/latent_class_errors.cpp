#include "noise/latent_class/latent_class_errors.h"

#include <algorithm>

namespace noiseplus {
namespace {

// Up to so many classes all parameters are uncertain: their information matrix has (K + K^2)^2
// entries.
constexpr std::size_t few_classes = 16;

// Of more classes, so many are done in one walk over the view sets that their influences take no
// more than 128 MB.
std::size_t classes_at_once(std::size_t patterns) {
  constexpr std::size_t numbers_at_once = std::size_t{1} << 24;
  return std::clamp<std::size_t>(numbers_at_once / patterns, 8, 64);
}

// Sums over view sets of products of influences: of a set with itself, and with all that share a
// row with it. Of few classes every two are multiplied, of more each with itself only.
struct Products {
  std::vector<double> alone, dependent;
  double sharing = 0, common_row_pairs = 0;

  Products& operator+=(const Products& other) {
    for (std::size_t i = 0; i < alone.size(); ++i) alone[i] += other.alone[i];
    for (std::size_t i = 0; i < alone.size(); ++i) dependent[i] += other.dependent[i];
    sharing += other.sharing;
    common_row_pairs += other.common_row_pairs;
    return *this;
  }
};

class ProductSums {
 public:
  ProductSums(const NeighborGraph& graph, const Occurrences& occurrences, const Hubs& hubs,
              const ViewPatterns& patterns)
      : graph_(graph), occurrences_(occurrences), hubs_(hubs), patterns_(patterns) {}

  Products of(const std::vector<double>& influences, bool every_two, ThreadPool& pool,
              ProgressMeter& meter) const {
    const std::size_t blocks = blocks_of(graph_.size(), graph_.size());
    std::vector<Products> partial(blocks);
    for_blocks(graph_.size(), blocks, pool,
               [&](std::size_t block, std::size_t begin, std::size_t end) {
                 partial[block] = of_block(influences, every_two, begin, end);
                 meter.step();
               });
    for (std::size_t block = 1; block < blocks; ++block) partial[0] += partial[block];
    std::vector<Products> of_hubs(hubs_.parts());
    pool.for_each(hubs_.parts(), [&](std::size_t part) {
      of_hubs[part] = of_hub_part(influences, every_two, part, meter);
      meter.step();
    });
    for (const Products& part : of_hubs) partial[0] += part;
    return partial[0];
  }

 private:
  Products empty_products(const std::vector<double>& influences, bool every_two) const {
    const std::size_t width = influences.size() / patterns_.size();
    const std::size_t size = every_two ? width * width : width;
    return {std::vector<double>(size), std::vector<double>(size)};
  }
  Products of_hub_part(const std::vector<double>& influences, bool every_two, std::size_t part,
                       ProgressMeter& meter) const;
  Products of_block(const std::vector<double>& influences, bool every_two, std::size_t begin,
                    std::size_t end) const;

  const NeighborGraph& graph_;
  const Occurrences& occurrences_;
  const Hubs& hubs_;
  const ViewPatterns& patterns_;
};

Products ProductSums::of_block(const std::vector<double>& influences, bool every_two,
                               std::size_t begin, std::size_t end) const {
  const std::size_t width = influences.size() / patterns_.size();
  Products products = empty_products(influences, every_two);
  const std::size_t size = products.alone.size();
  SharingSets sets(graph_, occurrences_, hubs_);
  std::vector<double> sum(width);
  for (std::size_t t = begin; t < end; ++t) {
    const std::span<const std::uint32_t> sharing = sets.of(t);
    products.sharing += static_cast<double>(sharing.size());
    products.common_row_pairs += static_cast<double>(sets.common_row_pairs());
    std::fill(sum.begin(), sum.end(), 0.0);
    for (const std::uint32_t other : sharing) {
      const double* theirs = influences.data() + patterns_.of_set[other] * width;
      for (std::size_t i = 0; i < width; ++i) sum[i] += theirs[i];
    }
    const double* own = influences.data() + patterns_.of_set[t] * width;
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t first = every_two ? i / width : i;
      const std::size_t second = every_two ? i % width : i;
      products.alone[i] += own[first] * own[second];
      products.dependent[i] += own[first] * sum[second];
    }
  }
  return products;
}

// Pairs that share a hub.
Products ProductSums::of_hub_part(const std::vector<double>& influences, bool every_two,
                                  std::size_t part, ProgressMeter& meter) const {
  const std::size_t width = influences.size() / patterns_.size();
  Products products = empty_products(influences, every_two);
  const auto sum_of = [&](SetList sets, std::vector<double>& sum) {
    std::fill(sum.begin(), sum.end(), 0.0);
    for (const std::uint32_t set : sets) {
      const double* own = influences.data() + patterns_.of_set[set] * width;
      for (std::size_t i = 0; i < width; ++i) sum[i] += own[i];
    }
  };
  std::vector<double> of_x(width), of_y(width);
  hubs_.sum_products(part, [&](int sign, SetList x, SetList y) {
    meter.step(0);  // a part may take long
    products.sharing += sign * static_cast<double>(x.size()) * static_cast<double>(y.size());
    sum_of(x, of_x);
    sum_of(y, of_y);
    for (std::size_t i = 0; i < products.dependent.size(); ++i) {
      const std::size_t first = every_two ? i / width : i;
      const std::size_t second = every_two ? i % width : i;
      products.dependent[i] += sign * of_x[first] * of_y[second];
    }
  });
  products.common_row_pairs = static_cast<double>(hubs_.common_pairs(part));
  return products;
}

double difference(const std::vector<double>& variance, const std::vector<double>& covariance,
                  std::size_t classes, std::size_t a, std::size_t b) {
  const double both = covariance.empty() ? 0 : covariance[a * classes + b];
  return variance[a] + variance[b] - 2 * both;
}

}  // namespace

double RateErrors::variance_of(std::size_t a, std::size_t b) const {
  const double found = difference(variance, covariance, classes, a, b);
  // The sum over pairs is no square and may come out negative on a handful of rows.
  return found > 0 ? found : variance_alone_of(a, b);
}

double RateErrors::variance_alone_of(std::size_t a, std::size_t b) const {
  return std::max(difference(alone, covariance_alone, classes, a, b), 0.0);
}

RateErrors errors_of(const LatentClassFit& fit, const ViewPatterns& patterns,
                     const NeighborGraph& graph, std::size_t rows, ThreadPool& pool,
                     const Execution& execution) {
  RateErrors errors;
  errors.classes = fit.classes;
  const Occurrences occurrences = Occurrences::find(graph, rows);
  errors.rows = static_cast<double>(occurrences.distinct_rows());
  const Hubs hubs(graph, occurrences);
  const bool is_few = fit.classes <= few_classes;
  if (!is_few) {
    ProgressMeter meter(execution, "intervals",
                        blocks_of(graph.size(), fit.classes * fit.classes) + hubs.parts());
    const std::optional<RateSums> found =
        sums_of_many_classes(fit, patterns, graph, occurrences, hubs, pool, meter);
    if (found) {
      meter.finish();
      errors.alone = found->alone;
      errors.variance = found->dependent;
      for (std::size_t i = 0; i < fit.classes; ++i) {
        if (!(errors.variance[i] > 0)) errors.variance[i] = errors.alone[i];
      }
      errors.sharing = found->sharing;
      errors.common_row_pairs = found->common_row_pairs;
      return errors;
    }
  }
  const ProductSums sums(graph, occurrences, hubs, patterns);
  const std::size_t at_once = is_few ? fit.classes : classes_at_once(patterns.size());
  const std::size_t rounds = (fit.classes + at_once - 1) / at_once;
  ProgressMeter meter(execution, "intervals",
                      rounds * (blocks_of(graph.size(), graph.size()) + hubs.parts()));
  for (std::size_t begin = 0; begin < fit.classes; begin += at_once) {
    const std::size_t end = std::min(begin + at_once, fit.classes);
    const std::vector<double> influences =
        is_few ? influences_of_all(fit, patterns, pool)
               : influences_of_three(fit, patterns, begin, end, pool);
    Products products = sums.of(influences, is_few, pool, meter);
    const std::size_t stride = is_few ? fit.classes + 1 : 1;
    for (std::size_t i = 0; i < end - begin; ++i) {
      const double alone = products.alone[i * stride];
      const double dependent = products.dependent[i * stride];
      errors.alone.push_back(alone);
      errors.variance.push_back(dependent > 0 ? dependent : alone);
    }
    errors.sharing = products.sharing;
    errors.common_row_pairs = products.common_row_pairs;
    if (is_few) {
      errors.covariance = std::move(products.dependent);
      errors.covariance_alone = std::move(products.alone);
    }
  }
  meter.finish();
  return errors;
}

}  // namespace noiseplus
