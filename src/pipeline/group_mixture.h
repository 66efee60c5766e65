// What noise that depends on the group means for the rates of classes in all rows. Internal.
#pragma once

#include "noiseplus/pipeline.h"

namespace noiseplus {

// The rates of classes assume one transition matrix for all rows. Where noise differs between
// groups within a class, so that no such matrix exists, each interval is widened to hold the mean
// of the groups' rates too, weighted by their clean rows of the class, and a difference between two
// classes is claimed only if these means prove it as well. The share of wrong labels is then that
// of the groups. Does nothing where a group is not known. REQUIRES: the groups are compared.
void account_for_groups(AuditReport& report);

}  // namespace noiseplus
