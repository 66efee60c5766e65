#include "train_flags.h"

namespace noiseplus::cli {
namespace {

class IdleFlags {
 public:
  IdleFlags(const CLI::App& command, std::string chosen)
      : command_(command), chosen_(std::move(chosen)) {}

  void refuse(bool are_used, const std::vector<std::string>& flags, const std::string& use) const {
    if (are_used) return;
    for (const std::string& flag : flags) {
      if (command_.count(flag) == 0) continue;
      throw Error(ErrorKind::usage, flag + " does nothing " + chosen_ + "; it is for " + use);
    }
  }

 private:
  const CLI::App& command_;
  std::string chosen_;
};

}  // namespace

void refuse_idle_flags(const CLI::App& command, const TrainFlags& flags,
                       const TrainModelOptions& options) {
  const LossKind loss = options.train.loss;
  const bool is_corrected = loss == LossKind::backward || loss == LossKind::forward;
  const bool is_peer = loss == LossKind::peer || loss == LossKind::group_peer;
  const bool has_noise =
      is_corrected || loss == LossKind::co_teaching || loss == LossKind::group_peer;
  const IdleFlags of_loss(command, "for --loss " + flags.loss);
  of_loss.refuse(is_corrected, {"--misspecify"}, "backward and forward");
  of_loss.refuse(is_peer, {"--alpha", "--alpha-folds"}, "peer and group-peer");
  of_loss.refuse(loss == LossKind::group_peer, {"--peers-from-all-rows"}, "group-peer");
  of_loss.refuse(loss == LossKind::peer, {"--sampled-peers"}, "peer");
  of_loss.refuse(loss == LossKind::co_teaching, {"--forget"}, "co-teaching");

  const bool may_be_aware = options.noise_aware || options.route == "auto";
  const bool wants_rates = has_noise || may_be_aware || options.balance;
  const bool wants_group_rates = loss == LossKind::group_peer || may_be_aware;
  const IdleFlags here(command, "here");
  here.refuse(wants_rates, {"--transition"},
              "backward, forward, co-teaching and group-peer, and for --balance, --noise-aware and "
              "--route auto");
  here.refuse(wants_group_rates, {"--group-rate"}, "group-peer, --noise-aware and --route auto");
  here.refuse(options.fair.has_value(), {"--tolerance", "--noise-aware", "--route", "--fair-folds"},
              "--fair");
  here.refuse(options.balance, {"--scope", "--force"}, "--balance");
  const std::string& from = flags.transition;
  const std::optional<EstimatorKind> estimator =
      wants_rates ? parse_estimator(from.empty() ? "auto" : from) : std::nullopt;
  const bool asks_neighbors =
      estimator && *estimator != EstimatorKind::edges && *estimator != EstimatorKind::confident;
  const bool asks_model =
      estimator && !needs_views_only(*estimator) && *estimator != EstimatorKind::overlap;
  here.refuse(wants_rates && estimator, {"--probabilities"},
              "losses, --balance and --noise-aware that estimate the noise");
  here.refuse(asks_neighbors, {"--k"}, "a --transition that looks at neighbors");
  here.refuse(asks_model, {"--folds"}, "a --transition that looks at a linear model");
  here.refuse(flags.alpha == "cv", {"--alpha-folds"}, "--alpha cv");
  here.refuse(options.train.held_out > 0, {"--patience"}, "--hold-out");

  const ModelKind model = options.train.model;
  const IdleFlags of_model(command, "for --model " + std::string(to_string(model)));
  of_model.refuse(model == ModelKind::linear, {"--ridge", "--steps", "--tolerance-gradient"},
                  "--model linear");
  of_model.refuse(model == ModelKind::trees,
                  {"--trees", "--learning-rate", "--leaves", "--depth", "--min-leaf-rows",
                   "--leaf-ridge", "--bins", "--row-share", "--column-share"},
                  "--model trees");
  of_model.refuse(model == ModelKind::mlp,
                  {"--hidden", "--epochs", "--batch", "--rate", "--dropout", "--weight-decay"},
                  "--model mlp");
}

}  // namespace noiseplus::cli
