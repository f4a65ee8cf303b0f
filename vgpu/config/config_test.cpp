// SPDX-License-Identifier: MIT
#include "vgpu/config/config.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "vgpu/config/gpu_model.h"
#include "vgpu/config/options.h"

namespace vgpu {
namespace {

using Environment = std::map<std::string, std::string>;

struct Parsed {
  Config config;
  std::vector<std::string> complaints;
};

Parsed Parse(const Environment& environment) {
  Parsed parsed;
  parsed.config = ParseConfig(
      [&](const char* name) {
        const auto found = environment.find(name);
        return found == environment.end() ? nullptr : found->second.c_str();
      },
      [&](const std::string& line) { parsed.complaints.push_back(line); });
  return parsed;
}

TEST(ConfigTest, HasDefaults) {
  const Parsed parsed = Parse({});
  EXPECT_TRUE(parsed.complaints.empty());
  EXPECT_EQ(parsed.config.num_gpus, 1);
  EXPECT_EQ(parsed.config.gfx, 0x906);
  EXPECT_EQ(parsed.config.vram_bytes, uint64_t{16} << 30);
  EXPECT_TRUE(parsed.config.execute);
}

TEST(ConfigTest, ReadsEveryVariable) {
  const Parsed parsed = Parse({{"VGPU_NUM_GPUS", "3"},
                               {"VGPU_GFX", "900"},
                               {"VGPU_VRAM_MB", "512"},
                               {"VGPU_LARGE_BAR", "1"},
                               {"VGPU_DEBUGGER", "0"},
                               {"VGPU_SVM", "1"},
                               {"VGPU_CLOCK_HZ", "100000000"},
                               {"VGPU_CLOCK_PPM", "-12"},
                               {"VGPU_DISPATCH_NS", "5000"},
                               {"VGPU_EXECUTE", "0"},
                               {"VGPU_PC_SAMPLING", "1"},
                               {"VGPU_KFD_MINOR", "20"},
                               {"VGPU_DOORBELL_TRAP", "0"},
                               {"VGPU_LOG", "3"},
                               {"VGPU_WORKERS", "4"},
                               {"VGPU_JIT", "auto"},
                               {"VGPU_DIR", "/var/vgpu"},
                               {"VGPU_REPORT", "/var/report"},
                               {"VGPU_COMPLETIONS", "/var/completions"},
                               {"VGPU_FAULTS", "interrupt:us=5"}});
  EXPECT_TRUE(parsed.complaints.empty());
  const Config& config = parsed.config;
  EXPECT_EQ(config.num_gpus, 3);
  EXPECT_EQ(config.gfx, 0x900);
  EXPECT_EQ(config.vram_bytes, uint64_t{512} << 20);
  EXPECT_TRUE(config.large_bar);
  EXPECT_FALSE(config.debugger);
  EXPECT_TRUE(config.svm);
  EXPECT_EQ(config.clock_hz, 100'000'000u);
  EXPECT_EQ(config.clock_ppm, -12);
  EXPECT_EQ(config.dispatch_ns, 5000u);
  EXPECT_FALSE(config.execute);
  EXPECT_TRUE(config.pc_sampling);
  EXPECT_EQ(config.kfd_minor, 20);
  EXPECT_FALSE(config.doorbell_trap);
  EXPECT_EQ(config.log_level, 3);
  EXPECT_EQ(config.workers, 4);
  EXPECT_EQ(config.jit, "auto");
  EXPECT_EQ(config.dir, "/var/vgpu");
  EXPECT_EQ(config.report, "/var/report");
  EXPECT_EQ(config.completions, "/var/completions");
  EXPECT_EQ(config.faults, "interrupt:us=5");
}

TEST(ConfigTest, HasAsManyOptionsAsTheTestAboveReads) { EXPECT_EQ(Options().size(), 20u); }

TEST(ConfigTest, TreatsAnEmptyVariableAsNotSet) {
  EXPECT_TRUE(Parse({{"VGPU_NUM_GPUS", ""}}).complaints.empty());
}

TEST(ConfigTest, ExplainsABadValueAndKeepsTheDefault) {
  const Parsed parsed = Parse({{"VGPU_NUM_GPUS", "many"}});
  EXPECT_EQ(parsed.config.num_gpus, 1);
  ASSERT_EQ(parsed.complaints.size(), 1u);
  EXPECT_EQ(parsed.complaints[0], "VGPU_NUM_GPUS=many must be a whole number; using 1");
}

TEST(ConfigTest, RefusesNumbersOutOfRange) {
  EXPECT_EQ(Parse({{"VGPU_NUM_GPUS", "9"}}).complaints,
            std::vector<std::string>{"VGPU_NUM_GPUS=9 must be from 1 to 8; using 1"});
  EXPECT_EQ(Parse({{"VGPU_NUM_GPUS", "0"}}).complaints.size(), 1u);
  EXPECT_EQ(Parse({{"VGPU_CLOCK_PPM", "100001"}}).complaints.size(), 1u);
  EXPECT_EQ(Parse({{"VGPU_DISPATCH_NS", "-1"}}).complaints.size(), 1u);
  EXPECT_EQ(Parse({{"VGPU_VRAM_MB", "99999999999999999999"}}).complaints.size(), 1u);
}

TEST(ConfigTest, RefusesTrailingText) {
  EXPECT_EQ(Parse({{"VGPU_NUM_GPUS", "2x"}}).complaints.size(), 1u);
  EXPECT_EQ(Parse({{"VGPU_NUM_GPUS", " 2"}}).complaints.size(), 1u);
}

TEST(ConfigTest, RefusesAnArchitectureThatIsNotModelled) {
  const Parsed parsed = Parse({{"VGPU_GFX", "1030"}});
  EXPECT_EQ(parsed.config.gfx, 0x906);
  EXPECT_EQ(parsed.complaints,
            std::vector<std::string>{"VGPU_GFX=1030 must be 900, 906, 90a or 942; using 906"});
}

TEST(ConfigTest, AnArchitectureMayBeWrittenInFull) {
  EXPECT_EQ(Parse({{"VGPU_GFX", "gfx90a"}}).config.gfx, 0x90a);
  EXPECT_EQ(Parse({{"VGPU_GFX", "vega"}}).complaints,
            std::vector<std::string>{"VGPU_GFX=vega must be 900, 906, 90a or 942; using 906"});
}

TEST(ConfigTest, AnArchitectureMayHaveALetter) {
  const Config config = Parse({{"VGPU_GFX", "90a"}}).config;
  EXPECT_EQ(config.gfx, 0x90a);
  for (const Option& option : Options()) {
    if (std::string(option.variable) != "VGPU_GFX") continue;
    EXPECT_EQ(ShowOption(option, config), "90a");
  }
}

TEST(ConfigTest, RefusesASwitchThatIsNeitherOnNorOff) {
  EXPECT_EQ(Parse({{"VGPU_EXECUTE", "yes"}}).complaints,
            std::vector<std::string>{"VGPU_EXECUTE=yes must be 0 or 1; using 1"});
}

TEST(ConfigTest, RefusesOtherValuesOfJit) {
  EXPECT_EQ(Parse({{"VGPU_JIT", "often"}}).complaints,
            std::vector<std::string>{"VGPU_JIT=often must be off, on or auto; using off"});
}

TEST(ConfigTest, ShowsWhatItReads) {
  const Config config = Parse({{"VGPU_VRAM_MB", "512"}, {"VGPU_CLOCK_PPM", "-12"}}).config;
  for (const Option& option : Options()) {
    const std::string shown = ShowOption(option, config);
    if (shown.empty()) continue;  // a path that is not set
    Config again;
    std::string why;
    EXPECT_TRUE(SetOption(option, shown, &again, &why)) << option.variable << ": " << why;
    EXPECT_EQ(ShowOption(option, again), shown) << option.variable;
  }
}

TEST(GpuModelTest, KnowsTheModelledArchitectures) {
  ASSERT_NE(FindGpuModel(0x900), nullptr);
  EXPECT_EQ(FindGpuModel(0x900)->compute_units, 64u);
  EXPECT_EQ(FindGpuModel(0x906)->target_version, 90006u);
  EXPECT_EQ(FindGpuModel(0x90a)->target_version, 90010u);
  EXPECT_EQ(FindGpuModel(0x942)->AllComputeUnits(), 304u);
  EXPECT_EQ(FindGpuModel(0x942)->UnitsPerEngine(), 10u);
  EXPECT_EQ(FindGpuModel(0x1030), nullptr);
}

}  // namespace
}  // namespace vgpu
