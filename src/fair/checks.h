// What train_fair asks of what it is given. Internal to the fair stage.
#pragma once

#include "noiseplus/fair.h"

namespace noiseplus {

// Throws usage when what train_fair is given does not fit together.
void check_fair_options(RowsView rows, const GivenLabels& labels,
                        std::span<const std::int32_t> groups, const TrainOptions& train,
                        const FairOptions& fair);

}  // namespace noiseplus
