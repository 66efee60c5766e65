// How far a run has come, and how long the rest will take.
#pragma once

#include <chrono>
#include <string>

#include "noiseplus/util.h"

namespace noiseplus {

// Work is measured in seconds it would take on some machine; this one's speed is found out on the
// way.
class Pace {
 public:
  void expect(double cost) { expected_ += cost; }
  void skip(double cost) { expected_ -= cost; }  // found, not computed
  void finish(double cost) { finished_ += cost; }

  // An execution for one piece of work that tells `outer` how far the whole has come, with the name
  // of the piece and the time left as its stage. Valid as long as the pace and `outer` are.
  Execution watched(const Execution& outer, std::string name, double cost);

  // Share of the work that is done, with `more` of it finished since; 1 when there is none.
  double done(double more = 0) const;
  // Less than 0: too early to say.
  double seconds_left(double more = 0) const;

 private:
  double seconds() const;

  double expected_ = 0, finished_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// "40 s left", "12 min left", "2 h 5 min left"; empty when it is less than 0.
std::string time_left(double seconds);

}  // namespace noiseplus
