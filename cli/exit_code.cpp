#include "exit_code.h"

#include <algorithm>
#include <cstdio>
#include <new>
#include <stdexcept>

#include "core/messages.h"
#include "flags.h"
#include "out_of_memory.h"

namespace noiseplus::cli {
namespace {

ExitCode code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return wrong_usage;
    case ErrorKind::data:
      return bad_data;
    case ErrorKind::impossible:
      return not_possible;
    case ErrorKind::io:
      return no_access;
    case ErrorKind::cancelled:
      return interrupted;
  }
  return internal_error;
}

}  // namespace

std::vector<std::pair<ExitCode, std::string>> exit_meanings() {
  return {{done, "done"},
          {internal_error, "internal error"},
          {wrong_usage, "wrong usage"},
          {bad_data, "bad input data"},
          {not_possible, "not possible"},
          {no_access, "cannot read or write"},
          {interrupted, "interrupted"}};
}

int fail(std::string message, ExitCode code) {
  clear_progress();
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  std::replace_if(message.begin(), message.end(), is_control, ' ');
  const bool is_plain = style_of_errors() == TextStyle::plain;
  std::fprintf(stderr, "%s %s\n", is_plain ? "noiseplus:" : "\x1b[1;31mnoiseplus:\x1b[0m",
               shorten_message(printable(message)).c_str());
  return code;
}

namespace {

// What is left to the caller is that memory ran out: in the body, or while its message was made.
int code_of_body(const std::function<int()>& body) {
  try {
    try {
      return body();
    } catch (const std::exception&) {
      throw_if_mapped_file_was_cut();
      throw;
    }
  } catch (const Error& error) {
    return fail(error.what(), code_of(error.kind()));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::length_error&) {
    // What a container throws instead of bad_alloc for a size that no memory could hold. Sizes are
    // counts in the input and in flags, so the advice is the same: use fewer.
    throw std::bad_alloc();
  } catch (const std::exception& error) {
    return fail(std::string("internal error: ") + error.what() + "; please report it",
                internal_error);
  }
}

}  // namespace

int guarded(const std::function<int()>& body) {
  try {
    return code_of_body(body);
  } catch (const std::bad_alloc&) {
    clear_progress();
    return fail_out_of_memory();
  }
}

}  // namespace noiseplus::cli
