// How far a run of many pieces has come.
#pragma once

#include <string>

#include "noiseplus/core.h"

namespace noiseplus {

// Work is measured in seconds it would take on some machine.
class Pace {
 public:
  void expect(double cost) { expected_ += cost; }
  void skip(double cost) { expected_ -= cost; }  // found, not computed
  void finish(double cost) { finished_ += cost; }

  // An execution for one piece of work that tells `outer` how far the whole has come, with the name
  // of the piece as its stage. Valid as long as the pace and `outer` are.
  Execution watched(const Execution& outer, std::string name, double cost);

  // Share of the work that is done, with `more` of it finished since; 1 when there is none.
  double done(double more = 0) const;

 private:
  double expected_ = 0, finished_ = 0;
};

}  // namespace noiseplus
