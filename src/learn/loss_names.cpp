#include <array>
#include <utility>

#include "noiseplus/learn.h"

namespace noiseplus {
namespace {

constexpr std::array<std::pair<LossKind, std::string_view>, 6> loss_names = {{
    {LossKind::ce, "ce"},
    {LossKind::backward, "backward"},
    {LossKind::forward, "forward"},
    {LossKind::peer, "peer"},
    {LossKind::group_peer, "group-peer"},
    {LossKind::co_teaching, "co-teaching"},
}};

constexpr std::array<std::pair<ModelKind, std::string_view>, 3> model_names = {{
    {ModelKind::linear, "linear"},
    {ModelKind::mlp, "mlp"},
    {ModelKind::trees, "trees"},
}};

}  // namespace

std::string_view to_string(LossKind loss) {
  for (const auto& [kind, name] : loss_names) {
    if (kind == loss) return name;
  }
  return "";
}

LossKind parse_loss(std::string_view name) {
  for (const auto& [kind, known] : loss_names) {
    if (known == name) return kind;
  }
  throw Error(ErrorKind::usage,
              "--loss " + std::string(name) +
                  ": there are ce, backward, forward, peer, group-peer and co-teaching");
}

std::string_view to_string(ModelKind model) {
  for (const auto& [kind, name] : model_names) {
    if (kind == model) return name;
  }
  return "";
}

ModelKind parse_model_kind(std::string_view name) {
  for (const auto& [kind, known] : model_names) {
    if (known == name) return kind;
  }
  throw Error(ErrorKind::usage,
              "--model " + std::string(name) + ": there are linear, mlp and trees");
}

}  // namespace noiseplus
