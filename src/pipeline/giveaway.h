// What an audit says where columns give the labels away. Internal.
#pragma once

#include <string>

#include "noiseplus/pipeline.h"

namespace noiseplus {

// "cannot be judged from these features: column 'x' alone reproduces ...": begins with a small
// letter and has no full stop at its end, as warnings do. The rule is not part of it.
std::string giveaway_text(const Giveaway& giveaway);

// Takes back all that the report claims: its rates and those of groups are not identified, from 0
// to 1, and nothing is noisier. Adds the warning. REQUIRES: report.giveaway.
void withdraw_claims(AuditReport& report);

}  // namespace noiseplus
