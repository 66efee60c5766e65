// What several tests of the fair stage need.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "noiseplus/core.h"

namespace noiseplus::testing_support {

// The call throws an error of this kind, with `part` in its message.
template <typename Call>
void expect_error(ErrorKind kind, const std::string& part, Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    return;
  }
  ADD_FAILURE() << "no error of '" << part << "'";
}

}  // namespace noiseplus::testing_support
