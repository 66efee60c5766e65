#include "exit_code.h"

#include <algorithm>
#include <cstdio>
#include <new>

#include "flags.h"

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

int fail(std::string message, ExitCode code) {
  clear_progress();
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  std::replace_if(message.begin(), message.end(), is_control, ' ');
  std::fprintf(stderr, "noiseplus: %s\n", message.c_str());
  return code;
}

int guarded(const std::function<int()>& body) {
  try {
    return body();
  } catch (const Error& error) {
    return fail(error.what(), code_of(error.kind()));
  } catch (const std::bad_alloc&) {
    return fail("out of memory; use fewer rows or columns", bad_data);
  } catch (const std::exception& error) {
    return fail(std::string("internal error: ") + error.what() + "; please report it",
                internal_error);
  }
}

}  // namespace noiseplus::cli
