// Public calls with arguments that are wrong: each must throw Error, with one line that says what,
// and never touch memory that is not its own. tests/misuse_coverage_test.cpp finds the functions of
// the public headers that no such test names.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "noiseplus/core.h"

// Each case sets the one field that is wrong and leaves the rest of an options struct as it is.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

namespace noiseplus::testing_support {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinite = std::numeric_limits<double>::infinity();
inline constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();
inline constexpr std::int32_t wrong_codes[] = {-1, 2, 2000000000};

inline const char* kind_text(ErrorKind kind) {
  constexpr const char* texts[] = {"usage", "data", "impossible", "io", "cancelled"};
  return texts[static_cast<std::size_t>(kind)];
}

// `call` is the function as the header declares it ("FlipPlan::of_two"), `how` what is wrong,
// `kind` the error that the header promises: usage unless it says otherwise.
inline void refused(const std::string& call, const std::string& how,
                    const std::function<void()>& act, ErrorKind kind = ErrorKind::usage) {
  SCOPED_TRACE(call + ": " + how);
  try {
    act();
    ADD_FAILURE() << "was accepted";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_STREQ(kind_text(error.kind()), kind_text(kind)) << message;
    EXPECT_GT(message.size(), 10U);
    EXPECT_LT(message.size(), 300U) << message;
    EXPECT_EQ(message.find('\n'), message.npos) << message;
  } catch (const std::exception& other) {
    ADD_FAILURE() << "threw another exception: " << other.what();
  }
}

// For odd arguments that have an answer: nothing is thrown. `act` checks the answer.
inline void answered(const std::string& call, const std::string& how,
                     const std::function<void()>& act) {
  SCOPED_TRACE(call + ": " + how);
  EXPECT_NO_THROW(act());
}

}  // namespace noiseplus::testing_support
