// The end of a program that has no memory left: one line and exit code 3, without allocating.
#pragma once

namespace noiseplus::cli {

// Writes the line and returns the exit code.
int fail_out_of_memory() noexcept;

// From now on the same line and code where an allocation fails in a place that cannot throw, such
// as a destructor: C++ ends the program there, by default with a core dump.
void end_without_memory_in_one_line() noexcept;

}  // namespace noiseplus::cli
