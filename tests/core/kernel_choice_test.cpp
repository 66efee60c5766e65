// set_kernel: every stage then runs the kernel that was asked for.
#include "core/kernel_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "learn/elementwise.h"
#include "learn/products.h"
#include "learn/row_losses.h"
#include "neighbors/search.h"
#include "noiseplus/core.h"
#include "noiseplus/kernels.h"

namespace noiseplus {
namespace {

class KernelChoice : public ::testing::Test {
 protected:
  ~KernelChoice() override { set_kernel("auto"); }
};

// What Highway calls the instruction set of a kernel.
std::string target_of(const std::string& name) {
  if (name == "avx512") return "AVX3";
  std::string target = name;
  for (char& c : target) c = static_cast<char>(std::toupper(c));
  return target;
}

TEST_F(KernelChoice, ForcesEveryStage) {
  for (const std::string& name : kernel_names()) {
    SCOPED_TRACE(name);
    set_kernel(name);
    EXPECT_EQ(kernel_in_use(), name);
    const std::string target = target_of(name);
    EXPECT_TRUE(std::string(chosen_product_kernel().name).starts_with(target));
    EXPECT_TRUE(std::string(chosen_loss_kernel().name).starts_with(target));
    EXPECT_TRUE(std::string(chosen_element_kernel().name).starts_with(target));
    EXPECT_TRUE(std::string(SearchChoices().kernel.name).starts_with(target));
    const bool is_scalar = name == "scalar";
    EXPECT_EQ(chosen_product_kernel().multiply == scalar_product_kernel().multiply, is_scalar);
    EXPECT_EQ(chosen_loss_kernel().logistic == scalar_loss_kernel().logistic, is_scalar);
    EXPECT_EQ(chosen_element_kernel().adam == scalar_element_kernel().adam, is_scalar);
    EXPECT_EQ(SearchChoices().kernel.score_tile == score_tile_scalar, is_scalar);
  }
}

TEST_F(KernelChoice, EveryListHasEveryName) {
  const std::size_t count = kernel_names().size();
  EXPECT_EQ(product_kernels().size(), count);
  EXPECT_EQ(loss_kernels().size(), count);
  EXPECT_EQ(element_kernels().size(), count);
  EXPECT_EQ(available_kernels().size(), count);
  EXPECT_EQ(kernel_names().back(), "scalar");
}

TEST_F(KernelChoice, AutoIsTheFastest) {
  set_kernel("scalar");
  set_kernel("auto");
  EXPECT_EQ(kernel_in_use(), kernel_names().front());
  EXPECT_EQ(chosen_product_kernel().multiply, product_kernels().front().multiply);
}

TEST_F(KernelChoice, RefusesWhatTheProcessorHasNot) {
  set_kernel("scalar");
  for (const std::string name : {"", "AVX2", "mmx", "neon", "avx512"}) {
    const std::vector<std::string> names = kernel_names();
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    try {
      set_kernel(name);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_NE(std::string(error.what()).find("'" + name + "'"), std::string::npos);
    }
    EXPECT_EQ(kernel_in_use(), "scalar");  // as it was
  }
}

}  // namespace
}  // namespace noiseplus
