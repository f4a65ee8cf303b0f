// SPDX-License-Identifier: MIT
#include "analysis/host_lines.h"

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"
#include "tests/support/trace_builder.h"
#include "trace/read/query_test_support.h"
#include "trace/write/host_frames.h"

namespace rtl::analysis {
namespace {

constexpr uint32_t kPid = 1000, kTid = 101, kWorker = 4000;

// The GPU waits for host code from 2000 to 6000 and from 7000 to 8000.
//
//   kernel  ████                        ████          ████
//       1000    2000                6000    7000  8000    9000
class HostLinesTest : public testing::Test {
 protected:
  HostLinesTest() {
    test::TraceBuilder trace;
    const uint32_t queue = trace.Queue(trace.Gpu("gfx906"));
    const uint32_t kernel = trace.Kernel("step");
    trace.Dispatch(queue, kernel, {.start = 1000, .end = 2000, .submitted = 900});
    trace.Dispatch(queue, kernel, {.start = 6000, .end = 7000, .submitted = 6000});
    trace.Dispatch(queue, kernel, {.start = 8000, .end = 9000, .submitted = 8000});
    query::ExpectOk(trace.WriteDatabase(path_));
    query::ExpectOk(writer_.Open(path_, "100 Hz, test"));
  }
  // Frames of a thread that end together: the innermost first, as py-spy's reader has them.
  void Frame(uint32_t pid, const char* name, const char* file, uint64_t start, uint64_t end,
             uint32_t tid = 0) {
    if (tid == 0) tid = pid == kPid ? kTid : pid;
    query::ExpectOk(writer_.Add({pid, tid, "python3", name, file, start, end}));
  }
  HostLines Find() {
    query::ExpectOk(writer_.Commit());
    auto trace = query::OpenTrace(path_);
    std::map<int32_t, HostLines> lines;
    query::ExpectOk(FindHostLines(*trace, &lines));
    return lines.empty() ? HostLines() : lines.at(0);
  }

  test::TempDir dir_;
  std::string path_ = dir_.File("trace.db");
  store::HostFrameWriter writer_;
};

TEST_F(HostLinesTest, ALineHasTheTimeInWhichItsFrameWasInnermost) {
  Frame(kPid, "data.py(88): load", "/w/data.py", 2500, 5000);
  Frame(kPid, "train.py(7): main", "/w/train.py", 1500, 7500);
  const HostLines found = Find();
  EXPECT_EQ(found.idle, 5000u);
  EXPECT_EQ(found.sampled, 4500u);
  ASSERT_EQ(found.lines.size(), 2u);
  EXPECT_EQ(found.lines[0].Text(), "load, data.py:88");
  EXPECT_EQ(found.lines[0].total, 2500u);
  EXPECT_EQ(found.lines[1].Text(), "main, train.py:7");
  EXPECT_EQ(found.lines[1].total, 2000u);
  EXPECT_EQ(found.Sentence(), "Lines: load, data.py:88 (50.0 %); main, train.py:7 (40.0 %).");
}

TEST_F(HostLinesTest, AFrameOfALibraryFollowsTheProgramsLine) {
  Frame(kPid, "json/decoder.py(353): raw_decode", "/usr/lib/python3.11/json/decoder.py", 2000,
        6000);
  Frame(kPid, "data.py(9): parse", "/w/data.py", 2000, 6000);
  const HostLines found = Find();
  ASSERT_EQ(found.lines.size(), 1u);
  EXPECT_EQ(found.lines[0].Text(), "parse, data.py:9");
  EXPECT_EQ(found.lines[0].inside, "raw_decode, decoder.py:353");
  EXPECT_FALSE(found.lines[0].waits);
}

TEST_F(HostLinesTest, AComprehensionIsPartOfItsLine) {
  Frame(kPid, "data.py(9): parse.<locals>.<genexpr>", "/w/data.py", 2000, 4000);
  Frame(kPid, "data.py(9): parse", "/w/data.py", 2000, 6000);
  Frame(kPid, "train.py(9): main", "/w/train.py", 2000, 6000);
  const HostLines found = Find();
  ASSERT_EQ(found.lines.size(), 1u);
  EXPECT_EQ(found.lines[0].Text(), "parse, data.py:9");
  EXPECT_EQ(found.lines[0].total, 4000u);
  EXPECT_EQ(found.lines[0].inside, "");
}

TEST_F(HostLinesTest, AWaitNamesWhatTheOtherProcessDid) {
  Frame(kPid, "multiprocessing/connection.py(395): recv",
        "/usr/lib/python3.11/multiprocessing/connection.py", 2000, 6000);
  Frame(kPid, "train.py(7): take", "/w/train.py", 2000, 6000);
  Frame(kWorker, "data.py(20): decode", "/w/data.py", 2100, 5900);
  Frame(kWorker, "data.py(30): work", "/w/data.py", 100, 9000);
  const HostLines found = Find();
  ASSERT_EQ(found.lines.size(), 1u);
  EXPECT_TRUE(found.lines[0].waits);
  EXPECT_EQ(found.lines[0].other_pid, kWorker);
  EXPECT_EQ(found.lines[0].other, "decode, data.py:20");
  EXPECT_EQ(found.lines[0].other_total, 3800u);
}

TEST_F(HostLinesTest, AWaitNamesWhatTheOtherThreadDid) {
  Frame(kPid, "threading.py(327): wait", "/usr/lib/python3.11/threading.py", 2000, 6000);
  Frame(kPid, "train.py(7): take", "/w/train.py", 2000, 6000);
  constexpr uint32_t kBusy = 102, kAlso = 103, kIdle = 104;
  Frame(kPid, "data.py(20): decode", "/w/data.py", 2100, 5900, kBusy);
  Frame(kPid, "data.py(20): decode", "/w/data.py", 2100, 5800, kAlso);
  Frame(kPid, "queue.py(171): get", "/usr/lib/python3.11/queue.py", 2000, 6000, kIdle);
  const HostLines found = Find();
  ASSERT_EQ(found.lines.size(), 1u);
  EXPECT_EQ(found.lines[0].Other(), "thread 102: decode, data.py:20");
  EXPECT_EQ(found.lines[0].other_total, 3800u);
}

TEST_F(HostLinesTest, OtherThreadsAreNotTheSubmittingOne) {
  Frame(kWorker, "data.py(20): decode", "/w/data.py", 2100, 5900);
  const HostLines found = Find();
  EXPECT_EQ(found.idle, 5000u);
  EXPECT_EQ(found.sampled, 0u);
  EXPECT_TRUE(found.lines.empty());
}

}  // namespace
}  // namespace rtl::analysis
