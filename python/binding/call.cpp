#include "call.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <regex>
#include <string>
#include <thread>

namespace noiseplus::python {
namespace {

// What the thread that works and the thread that waits tell each other.
class Conversation {
 public:
  // Of the worker.
  bool report(const Progress& progress) {
    const std::lock_guard lock(mutex_);
    if (stage_ != progress.stage) stage_ = progress.stage;
    done_ = progress.done;
    is_news_ = true;
    return !stopping_;
  }

  void finish(std::exception_ptr failure) {
    {
      const std::lock_guard lock(mutex_);
      failure_ = std::move(failure);
      finished_ = true;
    }
    changed_.notify_all();
  }

  // Of who waits.
  bool finishes_soon() {
    constexpr auto patience = std::chrono::milliseconds(50);
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, patience, [this] { return finished_; });
  }

  std::optional<std::pair<std::string, double>> news() {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(is_news_, false)) return std::nullopt;
    return std::pair(stage_, done_);
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }

  void rethrow_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string stage_;
  double done_ = 0;
  bool is_news_ = false, stopping_ = false, finished_ = false;
  std::exception_ptr failure_;
};

// Whether the work may go on. Throws what Python raises.
bool ask_python(const Call& call, Conversation& conversation) {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (call.progress.is_none()) return true;
  const auto news = conversation.news();
  return !news || !call.progress(news->first, news->second).is(py::bool_(false));
}

void wait_for(Conversation& conversation, const Call& call,
              std::optional<py::error_already_set>& raised) {
  while (!conversation.finishes_soon()) {
    const py::gil_scoped_acquire locked;
    if (raised) continue;
    try {
      if (!ask_python(call, conversation)) conversation.stop();
    } catch (py::error_already_set& error) {
      raised.emplace(std::move(error));
      conversation.stop();
    }
  }
}

PyObject* exception_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
    case ErrorKind::data:
      return PyExc_ValueError;
    case ErrorKind::io:
      return PyExc_OSError;
    case ErrorKind::impossible:
    case ErrorKind::cancelled:
      break;
  }
  return PyExc_RuntimeError;
}

}  // namespace

std::string in_python_terms(const std::string& message) {
  static const std::pair<const char*, const char*> renamed[] = {
      {"--rows", "judge_rows"}, {"--group-rate", "group_rates"},
      {"--groups", "groups"},   {"--group", "groups"},
      {"--labels", "y"},        {"--label", "y"},
      {"--fair", "constraint"}};
  static const std::regex flag("--[a-z][a-z-]*");
  std::string text;
  std::size_t end = 0;
  for (std::sregex_iterator it(message.begin(), message.end(), flag), last; it != last; ++it) {
    const auto at = static_cast<std::size_t>(it->position());
    text += message.substr(end, at - end);
    end = at + static_cast<std::size_t>(it->length());
    std::string name = it->str();
    for (const auto& [old_name, new_name] : renamed) {
      if (name == old_name) name = new_name;
    }
    if (name.starts_with("--")) name = name.substr(2);
    for (char& c : name) c = c == '-' ? '_' : c;
    text += name;
  }
  return text + message.substr(end);
}

void run_apart(const Call& call, const std::function<void(const Execution&)>& work) {
  Conversation conversation;
  const Execution execution{call.threads,
                            [&](const Progress& p) { return conversation.report(p); }};
  std::optional<py::error_already_set> raised;
  {
    const py::gil_scoped_release unlocked;
    std::thread worker([&] {
      std::exception_ptr failure;
      try {
        work(execution);
      } catch (...) {
        failure = std::current_exception();
      }
      conversation.finish(std::move(failure));
    });
    wait_for(conversation, call, raised);
    worker.join();
  }
  if (raised) throw std::move(*raised);
  conversation.rethrow_failure();
}

void register_errors() {
  py::register_exception_translator(
      [](std::exception_ptr thrown) {  // NOLINT(performance-unnecessary-value-param)
        try {
          if (thrown) std::rethrow_exception(thrown);
        } catch (const Error& error) {
          PyErr_SetString(exception_of(error.kind()), in_python_terms(error.what()).c_str());
        }
      });
}

}  // namespace noiseplus::python
