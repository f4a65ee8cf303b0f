// SPDX-License-Identifier: MIT
// Runs a program that is linked to the fake HIP, with librtl_hip.so preloaded, and reads the spool
// that it leaves.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "model/api_calls.h"
#include "model/records.h"
#include "spool/directory.h"
#include "spool/reader.h"
#include "tests/support/temp_dir.h"

namespace rtl {
namespace {

constexpr char kOutput[] =
    "2 0x1003\n"
    "launch 0x10 1,2,3 4,5,6 0x20 7 0x30\n"
    "memset 0x40 8 9 10 -11 12 13 14\n"
    "clamp 0x50 1.5 -2.25\n"
    "module 0x60 1 2 3 4 5 6 7 0x70 0x80 0x90 0xa0 0xb0 4294967280\n"
    "5 two\n"
    "0 3\n";

struct Call {
  std::string name;
  ApiCallRecord record;
  std::vector<uint64_t> slots;
};

class HipPreloadTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mkdir(spool_.c_str(), 0700), 0); }

  // Returns the program's stdout; stderr must be `errors`.
  std::string Run(const std::string& variables, const std::string& errors,
                  const std::string& program = PROGRAM) {
    // Sanitizers must be preloaded first; they are in the program already.
    const std::string command = "ASAN_OPTIONS=verify_asan_link_order=0 " + variables + " exec " +
                                program + " > " + File("output") + " 2> " + File("errors");
    EXPECT_EQ(system(command.c_str()), 0) << command;
    EXPECT_EQ(Read("errors"), errors);
    return Read("output");
  }

  // The calls of the one process in the spool.
  std::vector<Call> Calls() {
    std::vector<std::string> stems;
    EXPECT_TRUE(spool::ListProcesses(spool_, &stems).ok());
    std::vector<Call> calls;
    for (const std::string& stem : stems) {
      std::unique_ptr<spool::ProcessReader> reader;
      const Status opened = spool::ProcessReader::Open(spool_, stem, true, &reader);
      EXPECT_TRUE(opened.ok()) << opened.message();
      if (!opened.ok()) continue;
      const size_t kind = static_cast<size_t>(EventKind::kHipCall);
      submitted_ += reader->control().submitted[kind].load();
      abandoned_ += reader->control().losses[kind][static_cast<size_t>(Loss::kAbandoned)].load();
      uint64_t count = 0;
      const auto keep = [&](const spool::RecordView& view) {
        if (view.head->type == RecordType::kApiCall) calls.push_back(Describe(view));
      };
      EXPECT_TRUE(reader->Poll(keep, &count).ok());
    }
    return calls;
  }

  static Call Describe(const spool::RecordView& view) {
    Call call;
    call.record = view.As<ApiCallRecord>();
    const ApiCall* const described = FindApiCall(call.record.api);
    if (described != nullptr) call.name = described->name;
    call.slots.resize(call.record.slots);
    memcpy(call.slots.data(), view.text.data(), call.slots.size() * 8);
    return call;
  }

  std::string File(const std::string& name) { return directory_.File(name); }
  std::string Read(const std::string& name) {
    std::stringstream text;
    text << std::ifstream(File(name)).rdbuf();
    return text.str();
  }

  test::TempDir directory_;
  const std::string spool_ = directory_.File("spool");
  uint64_t submitted_ = 0;
  uint64_t abandoned_ = 0;
};

constexpr char kPreload[] = "LD_PRELOAD=" PRELOADED " ";
constexpr char kAbsent[] = "0\n";  // hipFree, which the fake HIP lacks, is not found

TEST_F(HipPreloadTest, RecordsEveryCallOnceAndReturnsItsResult) {
  EXPECT_EQ(Run(kPreload + ("RTL_MODE=hip RTL_SPOOL=" + spool_), kAbsent), kOutput);
  std::vector<std::string> names;
  const std::vector<Call> calls = Calls();
  for (const Call& call : calls) names.push_back(call.name);
  // Each thread writes its call when the call ends. Calls that HIP or its callback make inside are
  // not recorded.
  EXPECT_EQ(names, (std::vector<std::string>{"hipMalloc", "hipLaunchKernel", "hipMemset3D",
                                             "hipTexRefSetMipmapLevelClamp",
                                             "hipExtModuleLaunchKernel", "hipGetErrorString",
                                             "hipLaunchHostFunc", "hipGetDevice", "hipGetDevice"}));
  EXPECT_EQ(submitted_, calls.size() + 1);
  EXPECT_EQ(abandoned_, 1u) << "the call that a longjmp left";
}

TEST_F(HipPreloadTest, RecordsArgumentsAndResultsOfTheCall) {
  EXPECT_EQ(Run(kPreload + ("RTL_MODE=hip RTL_SPOOL=" + spool_), kAbsent), kOutput);
  const std::vector<Call> calls = Calls();
  ASSERT_EQ(calls.size(), 9u);
  using Slots = std::vector<uint64_t>;
  const auto pair = [](uint64_t low, uint64_t high) { return high << 32 | low; };
  EXPECT_EQ(calls[0].record.result, 2);
  EXPECT_EQ(calls[0].slots[2], 4096u);
  EXPECT_EQ(calls[1].slots, (Slots{0x10, pair(1, 2), 3, pair(4, 5), 6, 0x20, 7, 0x30}));
  EXPECT_EQ(static_cast<int64_t>(calls[2].slots.at(0)), -11) << "structures are not recorded";
  EXPECT_EQ(calls[4].record.result, 5);
  EXPECT_EQ(calls[4].slots,
            (Slots{0x60, 1, 2, 3, 4, 5, 6, 7, 0x70, 0x80, 0x90, 0xa0, 0xb0, 0xfffffff0}));
  EXPECT_EQ(calls[5].record.flags & kApiFlagNoResult, kApiFlagNoResult) << "it returns a text";
  EXPECT_EQ(calls[7].slots.at(1), 3u) << "the call's output";
  EXPECT_NE(calls[8].record.head.thread, calls[7].record.head.thread);
}

TEST_F(HipPreloadTest, OpensNothingWithoutATraceOfCalls) {
  EXPECT_EQ(Run(kPreload, kAbsent), kOutput);
  EXPECT_EQ(Run(kPreload + ("RTL_SPOOL=" + spool_), kAbsent), kOutput);
  EXPECT_EQ(Run(kPreload + ("RTL_MODE=hip RTL_HIP_METHOD=none RTL_SPOOL=" + spool_), kAbsent),
            kOutput);
  EXPECT_EQ(Run(kPreload + ("RTL_MODE=hip RTL_DISABLE=1 RTL_SPOOL=" + spool_), kAbsent), kOutput);
  EXPECT_TRUE(Calls().empty());
  EXPECT_EQ(submitted_, 0u);
}

TEST_F(HipPreloadTest, PrintsTheSameWithoutTheLibrary) { EXPECT_EQ(Run("", kAbsent), kOutput); }

// The lookups of a program that loads HIP with global symbols, with local ones, or not at all.
TEST_F(HipPreloadTest, FindsWhatAnUntracedProgramFindsByLookingItUp) {
  for (const char* scope : {"global", "local", "none"}) {
    const std::string program = std::string(LOOKUPS " " FAKE_HIP " ") + scope + " " LOOKUP_PART;
    const std::string untraced = Run("", "", program);
    EXPECT_EQ(Run(kPreload, "", program), untraced) << scope;
    EXPECT_EQ(Run(kPreload + ("RTL_MODE=hip RTL_SPOOL=" + spool_), "", program), untraced) << scope;
  }
}

TEST_F(HipPreloadTest, RecordsCallsOfFunctionsThatAreLookedUp) {
  const std::string program = LOOKUPS " " FAKE_HIP " global " LOOKUP_PART;
  const std::string output = Run(kPreload + ("RTL_MODE=hip RTL_SPOOL=" + spool_), "", program);
  const auto found = [&](const std::string& how) {
    return output.find(how + ": 3\n") != std::string::npos;
  };
  uint64_t expected = 0;
  for (const char* how : {"looked up by a part", "\nthe library", "\nby its version", "\ndefault",
                          "\nnext", "default by its version", "next by its version", "the program",
                          "default of a part", "next of a part"})
    expected += found(how) ? 1 : 0;
  EXPECT_GE(expected, 7u) << output;
  std::vector<std::string> names;
  for (const Call& call : Calls()) names.push_back(call.name);
  EXPECT_EQ(names, std::vector<std::string>(expected, "hipGetDevice")) << output;
}

}  // namespace
}  // namespace rtl
