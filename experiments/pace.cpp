#include "experiments/pace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace noiseplus {
namespace {

constexpr double too_early = 0.5;  // seconds of work before a guess

}  // namespace

double Pace::seconds() const {
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start_;
  return since.count();
}

double Pace::done(double more) const {
  return expected_ <= 0 ? 1 : std::clamp((finished_ + more) / expected_, 0.0, 1.0);
}

double Pace::seconds_left(double more) const {
  const double share = done(more);
  if (share <= 0 || seconds() < too_early) return -1;
  return seconds() * (1 - share) / share;
}

Execution Pace::watched(const Execution& outer, std::string name, double cost) {
  if (!outer.progress) return outer;
  // A cell has many steps, each of which counts its own progress from 0 to 1: how far the cell is,
  // nobody knows.
  return {outer.threads, [this, &outer, name = std::move(name), cost](const Progress&) {
            constexpr double halfway = 0.5;
            const std::string left = time_left(seconds_left(halfway * cost));
            const std::string stage = left.empty() ? name : name + ", " + left;
            return outer.progress({stage, done(halfway * cost)});
          }};
}

std::string time_left(double seconds) {
  if (seconds < 0) return "";
  constexpr double minute = 60, hour = 3600;
  if (seconds < 1.5 * minute) return fmt::format("{:.0f} s left", std::ceil(seconds));
  if (seconds < 1.5 * hour) return fmt::format("{:.0f} min left", std::ceil(seconds / minute));
  const double minutes = std::ceil(seconds / minute);
  return fmt::format("{:.0f} h {:.0f} min left", std::floor(minutes / 60), std::fmod(minutes, 60));
}

}  // namespace noiseplus
