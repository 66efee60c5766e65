#include "call.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <regex>
#include <string>
#include <system_error>
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

// Python's False, or numpy's; nothing else that a callback may happen to return.
bool is_false(const py::object& answer) {
  const std::string type = py::str(py::type::of(answer).attr("__name__"));
  return (type == "bool" || type == "bool_") && PyObject_IsTrue(answer.ptr()) == 0;
}

// Whether the work may go on. Throws what Python raises.
bool ask_python(const Call& call, Conversation& conversation) {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (call.progress.is_none()) return true;
  const auto news = conversation.news();
  if (!news) return true;
  return !is_false(call.progress(news->first, news->second));
}

// The thread that works. Python ends a process while other threads wait for its lock by unwinding
// these; such a thread has the work stopped and then stays where it is, because no more of Python
// may be touched.
class Worker {
 public:
  // Throws bad_alloc, which Python knows as MemoryError, when the system has no room for a thread.
  Worker(Conversation& conversation, std::function<void()> work) try
      : conversation_(conversation), work_(std::move(work)), thread_([this] { run(); }) {
  } catch (const std::system_error&) {
    throw std::bad_alloc();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void join() { thread_.join(); }
  // Python's lock is held again, and the thread may leave.
  void leave() { leaves_ = true; }

  ~Worker() {
    if (leaves_) return;
    conversation_.stop();
    if (thread_.joinable()) thread_.join();
    for (;;) pause();
  }

 private:
  void run() {
    std::exception_ptr failure;
    try {
      work_();
    } catch (...) {
      failure = std::current_exception();
    }
    conversation_.finish(std::move(failure));
  }

  Conversation& conversation_;
  std::function<void()> work_;
  bool leaves_ = false;
  std::thread thread_;
};

// What Python raised while the work went on; nothing is thrown but by Python's end.
std::exception_ptr wait_for(Conversation& conversation, const Call& call) {
  std::exception_ptr raised;
  while (!conversation.finishes_soon()) {
    const py::gil_scoped_acquire locked;
    if (raised) continue;
    try {
      if (!ask_python(call, conversation)) conversation.stop();
    } catch (const std::exception&) {
      raised = std::current_exception();
      conversation.stop();
    }
  }
  return raised;
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
  // Longer ones first. What the user has written stands in quotes, and is left alone.
  static const std::pair<const char*, const char*> phrases[] = {
      {"give --transition FILE", "give transition as a matrix"},
      {"name their column with --group", "give groups to fit, or name group_columns"},
      {"give a file that has them all", "give a table that has them all"},
      {"give npy, npz, idx or libsvm", "give an array"},
      {"list the features by name to use such a column", "give X as an array to use such a column"},
      {"is used where it is listed among the features", "is used where X is an array"},
      {"; check the file", "; check the data"},
      {", or a file", ", or a matrix"},
      {"--group-rate", "group_rates"},
      {"--groups", "groups"},
      {"--group", "groups"},
      {"--labels", "y"},
      {"--label", "y"},
      {"--rows", "judge_rows"},
      {"--json has all", "to_dict() has all"},
      {"--fair", "constraint"}};
  std::string text = message;
  for (const auto& [old_words, new_words] : phrases) {
    for (std::size_t at = text.find(old_words); at != text.npos; at = text.find(old_words, at)) {
      const std::size_t end = at + std::string_view(old_words).size();
      const bool is_part = end < text.size() && (std::isalpha(text[end]) != 0 || text[end] == '-');
      if (is_part || (at > 0 && text[at - 1] == '\'')) {
        at = end;
        continue;
      }
      text.replace(at, end - at, new_words);
    }
  }
  static const std::regex flag("(^|[^'a-z-])--([a-z]+)((?:-[a-z]+)*)");
  std::string result;
  std::size_t end = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), flag), last; it != last; ++it) {
    const auto at = static_cast<std::size_t>(it->position());
    std::string rest = (*it)[3];
    std::replace(rest.begin(), rest.end(), '-', '_');
    result += text.substr(end, at - end) + (*it)[1].str() + (*it)[2].str() + rest;
    end = at + static_cast<std::size_t>(it->length());
  }
  return result + text.substr(end);
}

void run_apart(const Call& call, const std::function<void(const Execution&)>& work) {
  Conversation conversation;
  const Execution execution{call.threads,
                            [&](const Progress& p) { return conversation.report(p); }};
  std::exception_ptr raised;
  {
    Worker worker(conversation, [&] { work(execution); });
    // Not by a guard: where Python ends, the lock cannot be taken again.
    PyThreadState* const state = PyEval_SaveThread();
    raised = wait_for(conversation, call);
    worker.join();
    PyEval_RestoreThread(state);
    worker.leave();
  }
  if (raised) std::rethrow_exception(raised);
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
