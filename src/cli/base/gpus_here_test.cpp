// SPDX-License-Identifier: MIT
#include "cli/base/gpus_here.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace rtl::cli {
namespace {

TEST(GpusHereTest, ReadsTheTopologyAndLeavesOutCpus) {
  const std::filesystem::path root = testing::TempDir() + "gpus_here_test";
  std::filesystem::remove_all(root);
  const auto write = [&](const char* node, const char* text) {
    std::filesystem::create_directories(root / node);
    std::ofstream(root / node / "properties") << text;
  };
  write("0", "cpu_cores_count 8\nsimd_count 0\ngfx_target_version 0\n");
  write("1",
        "simd_count 440\nsimd_per_cu 4\narray_count 8\nsimd_arrays_per_engine 1\n"
        "gfx_target_version 90010\nnum_xcc 2\n");
  const std::vector<GpuHere> gpus = GpusHere(root.c_str());
  ASSERT_EQ(gpus.size(), 1u);
  EXPECT_EQ(gpus[0].node, 1u);
  EXPECT_EQ(gpus[0].name, "gfx90a");
  EXPECT_EQ(gpus[0].xcc, 2u);
  EXPECT_EQ(gpus[0].engines, 8u);
  EXPECT_EQ(gpus[0].compute_units, 110u);
  EXPECT_TRUE(GpusHere("/nowhere").empty());
}

}  // namespace
}  // namespace rtl::cli
