// What a training report says of balancing and fairness. Internal.
#pragma once

#include <string>

#include "noiseplus/report.h"
#include "report/json.h"

namespace noiseplus {

std::string fair_text(const FairReport& fair, TextStyle style);
Json fair_json(const FairReport& fair);

// Of labels balanced before training.
std::string balanced_text(const AuditReport& balanced, TextStyle style);
Json balanced_json(const AuditReport& balanced);

// Of a model judged by labels of known noise.
std::string clean_text(const CleanFairness& clean, TextStyle style);
Json clean_json(const CleanFairness& clean);

}  // namespace noiseplus
