// What of a report a page carries: what people look at, in as many digits as they read. Internal.
#pragma once

#include "report/json.h"
#include "report/page_document.h"

namespace noiseplus {

// Rounds numbers to six digits, shortens texts of more than `max_text` bytes so that different ones
// stay different, and leaves out what does not fit a page:
//   * matrices of more than 120 classes, for which "confusions" has the 200 largest cells off the
//     diagonal ({"clean", "given", "share"}); of groups, matrices of more than 20 classes;
//   * flips of many classes and groups: then "epsilon", the share flipped by class, is in their
//     place;
//   * claims beyond the first 500 ("claims_total" says how many there are);
//   * groups beyond the `max_groups` that are known and noisiest, of an evaluation that are
//     largest ("groups_left_out").
void trim_for_page(CheckedDocument& document, std::size_t max_groups, std::size_t max_text);

// Takes the last `count` suspects out, and says so in "rows_left_out".
void drop_suspects(Json& suspects, std::size_t count);

}  // namespace noiseplus
