#include "core/checks.h"
#include "neighbors/graph_check.h"
#include "noise/scores.h"

namespace noiseplus {

Matrix count_votes(const NeighborGraph& graph, std::span<const std::int32_t> codes,
                   std::size_t classes) {
  check_class_count(classes);
  check_codes(codes, classes);
  check_graph(graph, codes.size());
  Matrix votes(graph.size(), classes);
  for (std::size_t a = 0; a < graph.size(); ++a) {
    float* row = votes.row(a);
    for (const std::uint32_t id : graph.neighbors(a)) {
      row[codes[id]] += 1;
    }
  }
  return votes;
}

// Two classes add half a vote to either, as is usual for a logit of counts. More classes add a
// tenth of a vote each, dealt out by how common they are, so that a rare class without votes is not
// taken for likelier than a common one without.
Matrix vote_scores(const NeighborGraph& graph, std::span<const std::int32_t> codes,
                   std::size_t classes) {
  constexpr double added_votes = .1;  // a class, on average
  constexpr double min_votes = .001;
  if (classes < 2) throw Error(ErrorKind::usage, "votes: two or more classes are needed");
  Matrix scores = count_votes(graph, codes, classes);
  const auto k = static_cast<double>(graph.k);
  const auto many = static_cast<double>(classes);
  const std::vector<double> shares = label_shares(codes, classes);
  for (std::size_t a = 0; a < scores.rows(); ++a) {
    float* row = scores.row(a);
    for (std::size_t c = 0; c < classes; ++c) {
      const double votes = row[c];
      row[c] =
          static_cast<float>(classes == 2 ? (votes + .5) / (k + 1)
                                          : (votes + added_votes * many * shares[c] + min_votes) /
                                                (k + added_votes * many));
    }
  }
  return scores;
}

}  // namespace noiseplus
