// SPDX-License-Identifier: MIT
#include "export/kernel_names.h"

#include <gtest/gtest.h>

namespace rtl::exporting {
namespace {

TEST(ShortKernelName, LeavesTheNameWithItsNamespaces) {
  const char* const kNames[][2] = {
      {"gemm(float*)", "gemm"},
      {"void at::native::reduce<4, float>(int, std::pair<int, int>)", "at::native::reduce"},
      {"void (anonymous namespace)::copy<(anonymous namespace)::A>(int)",
       "(anonymous namespace)::copy"},
      {"std::enable_if<(4 > 3), int>::type rocprim::scan<float>(float*) [clone .kd]", ""},
      {"A<B>::run(int)", "A::run"},
      {"Cijk_Ailk_Bljk_SB_MT64x64.kd", "Cijk_Ailk_Bljk_SB_MT64x64.kd"},
      {"bool operator<(A, B)", "bool operator<(A, B)"},
      {"a < b", "a < b"},
      {"a > b", "a > b"},
      {"", ""},
  };
  for (const auto& [name, expected] : kNames) {
    // A name with another character than brackets among its template arguments stays whole.
    const std::string whole = *expected == '\0' ? name : expected;
    EXPECT_EQ(ShortKernelName(name), whole);
  }
}

}  // namespace
}  // namespace rtl::exporting
