// SPDX-License-Identifier: MIT
#include "vgpu/wave/census.h"

#include "vgpu/wave/isa.h"
#include "vgpu/wave/wave_test_support.h"

namespace vgpu::census_test {
namespace {

Census CountAt(const char* label, size_t bytes) {
  Census census;
  CountInstructions(SnippetCode(label), bytes, &census);
  return census;
}

constexpr size_t kTwoDwordsAndEnd = 12;

TEST(Census, CountsInstructionsOfOneAndTwoDwords) {
  const Census census = CountAt("global_load_dword", kTwoDwordsAndEnd);
  EXPECT_EQ(census.instructions, 2u);
  EXPECT_TRUE(census.not_executed.empty());
}

TEST(Census, NamesWhatCannotBeExecuted) {
  const Census census = CountAt("unknown_src2", kTwoDwordsAndEnd);
  const std::map<std::string, uint64_t> expected = {{"ds_add_src2_u32: not implemented", 1}};
  EXPECT_EQ(census.not_executed, expected);
  const Census lds = CountAt("unknown_lds", kTwoDwordsAndEnd);
  EXPECT_EQ(lds.not_executed.count("buffer_load_dwordx2: GDS, TFE, or a load into LDS"), 1u);
}

TEST(Census, ReadsTheCodeOfTheTarget) {
  EXPECT_EQ(CountAt("gfx906_global_add", kTwoDwordsAndEnd).not_executed.size(), 1u);
  const ScopedIsa isa(0x90a);
  EXPECT_TRUE(CountAt("gfx906_global_add", kTwoDwordsAndEnd).not_executed.empty());
}

TEST(Census, StopsBeforeAnInstructionThatIsCutOff) {
  EXPECT_EQ(CountAt("global_load_dword", 7).instructions, 0u);
  EXPECT_EQ(CountAt("global_load_dword", 10).instructions, 1u);
  EXPECT_EQ(CountAt("global_load_dword", 0).instructions, 0u);
}

}  // namespace
}  // namespace vgpu::census_test
