// What an audit is asked for, checked and turned into the terms of the stages.
#pragma once

#include "noiseplus/pipeline.h"

namespace noiseplus {

// Throws usage, naming those there are, for a value that option_values does not list.
void check_value(const std::string& option, const std::string& value);

// Throw what audit() and balance() say, before any work is done.
void check_options(const Dataset& dataset, const AuditOptions& options);
void check_balance_options(const Dataset& dataset, const BalanceOptions& options);

// A warning for each set of classes, and of groups, that may be one spelled in several ways.
std::vector<std::string> similar_names_in(const Dataset& dataset);

// REQUIRES: checked options. With the paper's estimator the rates are those of auto.
EstimatorKind estimator_of(const AuditOptions& options);
NoiseEstimatorOptions evidence_options(const AuditOptions& options, std::size_t positive);

// As many folds as usual, but no more than the rarest class has rows; at least 2.
std::size_t folds_for(std::span<const std::int32_t> codes, std::size_t classes);
Metric metric_of(const AuditOptions& options);
Views views_of(const AuditOptions& options);

}  // namespace noiseplus
