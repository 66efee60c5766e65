// How a long call goes on while Python waits.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "noiseplus/core.h"

namespace noiseplus::python {

namespace py = pybind11;

// What every long function takes last.
struct Call {
  unsigned threads = 0;  // 0: one for each core
  py::object progress;   // None, or called with (stage, share done); False stops the work
};

// Runs `work` on a thread of its own, without Python's lock. The caller's thread alone talks to
// Python meanwhile: twenty times a second it obeys Ctrl-C, where it is Python's main thread, and
// passes the latest progress on. Throws what `work` throws, or the exception that Python raised,
// once the work has stopped. REQUIRES: Python's lock is held.
void run_apart(const Call& call, const std::function<void(const Execution&)>& work);

// The same for work that has a result.
template <typename Work>
auto run(const Call& call, Work&& work) {
  std::optional<decltype(work(std::declval<const Execution&>()))> result;
  run_apart(call, [&](const Execution& execution) { result.emplace(work(execution)); });
  return std::move(*result);
}

// The library's words with options as Python spells them: "--hold-out" is hold_out.
std::string in_python_terms(const std::string& message);

// Error becomes ValueError (usage, data), RuntimeError (impossible, cancelled) or OSError (io).
// Options are named in the message as Python spells them.
void register_errors();

}  // namespace noiseplus::python
