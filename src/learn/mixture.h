// Models that answer by lot. Internal to the learn stage.
#pragma once

#include <span>
#include <string>

#include "noiseplus/learn.h"

namespace noiseplus {

// Why shares and models do not make a mixture, weights aside; empty when they do. Says nothing of
// the shapes of each model.
std::string why_unfit(const Mixture& mixture);

// Those of the mixture, or the one model.
std::span<const Model> models_of(const SavedModel& saved);
std::span<Model> models_of(SavedModel& saved);

}  // namespace noiseplus
