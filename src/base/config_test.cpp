// SPDX-License-Identifier: MIT
#include "base/config.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace rtl {
namespace {

std::map<std::string, std::string> variables;

const char* Lookup(const char* name) {
  const auto found = variables.find(name);
  return found == variables.end() ? nullptr : found->second.c_str();
}

// The message of Parse for an environment with these variables; empty without a problem.
std::string Parse(std::map<std::string, std::string> set, Config* config) {
  variables = std::move(set);
  const Status status = Config::Parse(Lookup, config);
  return status.message();
}

TEST(Config, HasDefaultsWhenNothingIsSet) {
  Config config;
  EXPECT_EQ(Parse({}, &config), "");
  EXPECT_FALSE(config.disabled);
  EXPECT_FALSE(config.strict);
  EXPECT_FALSE(config.force_full);
  EXPECT_EQ(config.room_wait_ns, 0u);
  EXPECT_EQ(config.mode, Mode::kAuto);
  EXPECT_EQ(config.queue_method, QueueMethod::kAuto);
  EXPECT_EQ(config.app_signals, AppSignals::kDefault);
  EXPECT_EQ(config.spool_limit_bytes, uint64_t{1} << 30);
  EXPECT_EQ(config.exit_budget_ns, 100'000'000u);
  EXPECT_EQ(config.exit_wait_ns, 10'000'000'000u);
  EXPECT_STREQ(config.spool, "");
  EXPECT_STREQ(config.output, "trace-%p.db");
  EXPECT_STREQ(config.tool, "");
}

TEST(Config, ReadsEveryVariable) {
  Config config;
  EXPECT_EQ(Parse({{"RTL_SPOOL", "/s"},
                   {"RTL_OUTPUT", "o.db"},
                   {"RTL_TOOL", "/bin/rtl"},
                   {"RTL_MODE", "lite"},
                   {"RTL_QUEUE_METHOD", "doorbell"},
                   {"RTL_HIP_METHOD", "activity"},
                   {"RTL_APP_SIGNALS", "forward"},
                   {"RTL_LOSSLESS", "1"},
                   {"RTL_FORCE_FULL", "1"},
                   {"RTL_BARRIERS", "1"},
                   {"RTL_PAUSED", "1"},
                   {"RTL_RECORD_FROM", "1000"},
                   {"RTL_RECORD_UNTIL", "2000"},
                   {"RTL_WHILE_RANGE", "step"},
                   {"RTL_SPOOL_LIMIT_MB", "64"},
                   {"RTL_EXIT_BUDGET_MS", "0"},
                   {"RTL_EXIT_WAIT_MS", "5"},
                   {"RTL_DISABLE", "yes"},
                   {"RTL_STRICT", "1"}},
                  &config),
            "");
  EXPECT_TRUE(config.disabled);
  EXPECT_TRUE(config.strict);
  EXPECT_TRUE(config.barriers);
  EXPECT_TRUE(config.paused);
  EXPECT_EQ(config.record_from, 1000u);
  EXPECT_EQ(config.record_until, 2000u);
  EXPECT_STREQ(config.while_range, "step");
  EXPECT_TRUE(config.force_full);
  EXPECT_EQ(config.room_wait_ns, 10'000'000'000u);
  EXPECT_EQ(config.mode, Mode::kLite);
  EXPECT_EQ(config.queue_method, QueueMethod::kDoorbell);
  EXPECT_EQ(config.hip_method, HipMethod::kActivity);
  EXPECT_EQ(config.app_signals, AppSignals::kForward);
  EXPECT_EQ(config.spool_limit_bytes, uint64_t{64} << 20);
  EXPECT_EQ(config.exit_budget_ns, 0u);
  EXPECT_EQ(config.exit_wait_ns, 5'000'000u);
  EXPECT_STREQ(config.spool, "/s");
  EXPECT_STREQ(config.output, "o.db");
  EXPECT_STREQ(config.tool, "/bin/rtl");
}

TEST(Config, EmptyMeansUnset) {
  Config config;
  EXPECT_EQ(Parse({{"RTL_OUTPUT", ""}, {"RTL_MODE", ""}, {"RTL_SPOOL_LIMIT_MB", ""}}, &config), "");
  EXPECT_STREQ(config.output, "trace-%p.db");
  EXPECT_EQ(config.spool_limit_bytes, uint64_t{1} << 30);
}

TEST(Config, KnowsEveryModeByItsName) {
  const std::pair<const char*, Mode> modes[] = {{"auto", Mode::kAuto},
                                                {"full", Mode::kFull},
                                                {"standard", Mode::kStandard},
                                                {"lite", Mode::kLite},
                                                {"hip", Mode::kHip}};
  for (const auto& [word, mode] : modes) {
    Config config;
    EXPECT_EQ(Parse({{"RTL_MODE", word}}, &config), "");
    EXPECT_EQ(config.mode, mode);
    EXPECT_STREQ(ModeName(config.mode), word);
  }
}

TEST(Config, DefaultIsAnotherNameOfStandard) {
  Config config;
  EXPECT_EQ(Parse({{"RTL_MODE", "default"}}, &config), "");
  EXPECT_EQ(config.mode, Mode::kStandard);
}

TEST(Config, ModeClrFallsBackOnlyWhenAllowed) {
  Config config;
  EXPECT_EQ(Parse({{"RTL_MODE", "clr"}}, &config), "");
  EXPECT_EQ(config.mode, Mode::kClr);
  EXPECT_FALSE(config.allow_fallback);
  EXPECT_EQ(Parse({{"RTL_MODE", "clr"}, {"RTL_ALLOW_FALLBACK", "1"}}, &config), "");
  EXPECT_TRUE(config.allow_fallback);
}

TEST(Config, RefusesAnUnknownModeAndListsTheModes) {
  Config config;
  EXPECT_EQ(Parse({{"RTL_MODE", "ful"}}, &config),
            "RTL_MODE=ful is not understood (auto, full, standard, default, lite, hip, clr); "
            "tracing is off");
  EXPECT_TRUE(config.disabled);
}

TEST(Config, IgnoresAnUnknownQueueInterceptionMethodAndListsTheMethods) {
  Config config;
  EXPECT_EQ(Parse({{"RTL_QUEUE_METHOD", "window"}}, &config),
            "RTL_QUEUE_METHOD=window is not understood (auto, intercept, doorbell); ignored");
  EXPECT_EQ(config.queue_method, QueueMethod::kAuto);
}

TEST(Config, ReadsOldNamesUnlessTheNewOneIsSet) {
  Config config;
  EXPECT_EQ(Parse({{"RTL_QUEUE_DOOR", "doorbell"}, {"RTL_HIP_DOOR", "tracer"}}, &config), "");
  EXPECT_EQ(config.queue_method, QueueMethod::kDoorbell);
  EXPECT_EQ(config.hip_method, HipMethod::kTracer);
  EXPECT_EQ(Parse({{"RTL_HIP_METHOD", "none"}, {"RTL_HIP_DOOR", "tracer"}}, &config), "");
  EXPECT_EQ(config.hip_method, HipMethod::kNone);
}

TEST(Config, KeepsTheDefaultForABadNumberAndNamesTheRange) {
  Config config;
  EXPECT_EQ(Parse({{"RTL_EXIT_BUDGET_MS", "1s"}}, &config),
            "RTL_EXIT_BUDGET_MS=1s is not a number from 0 to 600000; using 100");
  EXPECT_EQ(config.exit_budget_ns, 100'000'000u);
}

TEST(Config, ReportsTheFirstProblemAndStillReadsTheRest) {
  Config config;
  const std::string problem = Parse(
      {{"RTL_PAUSED", "maybe"}, {"RTL_STRICT", "perhaps"}, {"RTL_EXIT_WAIT_MS", "7"}}, &config);
  EXPECT_EQ(problem, "RTL_PAUSED=maybe is not understood (use 1 or 0); ignored");
  EXPECT_EQ(config.exit_wait_ns, 7'000'000u);
}

TEST(Config, RefusesAPathThatIsTooLong) {
  Config config;
  EXPECT_EQ(Parse({{"RTL_OUTPUT", std::string(5000, 'x')}}, &config),
            "RTL_OUTPUT is longer than 4095 bytes; ignored");
  EXPECT_STREQ(config.output, "trace-%p.db");
}

TEST(Config, KeepsTheMessageOnOneLineForALongValue) {
  Config config;
  const std::string problem = Parse({{"RTL_MODE", std::string(3000, 'm')}}, &config);
  EXPECT_EQ(problem.substr(0, 51), "RTL_MODE=" + std::string(40, 'm') + " i");
}

TEST(Config, SpoolOutputAndToolEachRequestATrace) {
  const std::map<std::string, std::string> requests[] = {
      {{"RTL_SPOOL", "/s"}},
      {{"RTL_OUTPUT", "o.db"}},
      {{"HSA_TOOLS_LIB", "/opt/other.so:/opt/rtl/lib/librtl.so"}}};
  for (const auto& set : requests) {
    variables = set;
    EXPECT_TRUE(TraceRequested(Lookup));
  }
  variables = {{"RTL_MODE", "lite"}, {"RTL_OUTPUT", ""}, {"HSA_TOOLS_LIB", "libother.so"}};
  EXPECT_FALSE(TraceRequested(Lookup));
}

}  // namespace
}  // namespace rtl
