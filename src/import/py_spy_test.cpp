// SPDX-License-Identifier: MIT
#include "import/py_spy.h"

#include <gtest/gtest.h>

#include <fstream>
#include <vector>

#include "tests/support/temp_dir.h"

namespace rtl::import {
namespace {

TEST(PySpy, FramesHaveTheirThreadLineAndTimes) {
  const test::TempDir folder;
  const std::string path = folder.File("samples.json");
  std::ofstream(path) << R"json([
{"args":{"filename":"","line":0},"name":"process 572:\"python3 a.py\"","ph":"B","pid":572,"tid":140573424315264,"ts":10},
{"args":{"filename":"","line":0},"name":"thread (635): Thread-1","ph":"B","pid":572,"tid":140573424315264,"ts":10},
{"args":{"filename":"/w/a.py","line":10},"name":"main","ph":"B","pid":572,"tid":140573424315264,"ts":10},
{"args":{"filename":"/w/a.py","line":3},"name":"load","ph":"B","pid":572,"tid":140573424315264,"ts":20},
{"args":{"filename":"/w/a.py","line":3},"name":"load","ph":"E","pid":572,"tid":140573424315264,"ts":50},
{"args":{"filename":"/w/a.py","line":10},"name":"main","ph":"E","pid":572,"tid":140573424315264,"ts":70},
{"name":"thread (635): Thread-1","ph":"E","pid":572,"tid":140573424315264,"ts":70},
{"name":"load","ph":"E","pid":1,"tid":1,"ts":70}])json";
  std::vector<SampledFrame> frames;
  uint64_t lost = 0;
  const Status read = ReadPySpy(
      path, [&](const SampledFrame& frame) { frames.push_back(frame); }, &lost);
  ASSERT_TRUE(read.ok()) << read.message();
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(lost, 1u) << "an end without its begin";
  EXPECT_EQ(frames[0].function, "load");
  EXPECT_EQ(frames[0].file, "/w/a.py");
  EXPECT_EQ(frames[0].line, 3u);
  EXPECT_EQ(frames[0].pid, 572u);
  EXPECT_EQ(frames[0].tid, 635u);
  EXPECT_EQ(frames[0].command, "python3 a.py");
  EXPECT_EQ(frames[0].start, 20000);
  EXPECT_EQ(frames[0].end, 50000);
  EXPECT_FALSE(frames[0].is_main);
  EXPECT_EQ(frames[1].function, "main");
  EXPECT_EQ(frames[1].end, 70000);
}

// Of Python before 3.11 the kernel's ids are not known.
TEST(PySpy, ThreadsAreTheirHandlesWhereNoIdIsKnown) {
  const test::TempDir folder;
  const std::string path = folder.File("samples.json");
  std::ofstream file(path);
  file << "[";
  for (const char* thread : {"1c80): MainThread", "1c90): Thread-1", "1c80)"}) {
    const std::string tid = thread[2] == '9' ? "7312" : "7296";
    const std::string name = std::string("\"thread (0x") + thread + "\",";
    file << R"({"args":{"filename":"","line":0},"name":)" << name << R"("ph":"B","pid":5,"tid":)"
         << tid
         << R"(,"ts":1},{"args":{"filename":"/w/a.py","line":3},"name":"f","ph":"B","pid":5,)"
         << R"("tid":)" << tid << R"(,"ts":1},{"name":"f","ph":"E","pid":5,"tid":)" << tid
         << R"(,"ts":2},{"name":)" << name << R"("ph":"E","pid":5,"tid":)" << tid << R"(,"ts":2},)";
  }
  file << "]";
  file.close();
  std::vector<SampledFrame> frames;
  uint64_t lost = 0;
  const Status read = ReadPySpy(
      path, [&](const SampledFrame& frame) { frames.push_back(frame); }, &lost);
  ASSERT_TRUE(read.ok()) << read.message();
  ASSERT_EQ(frames.size(), 3u);
  EXPECT_EQ(lost, 0u);
  const bool is_main[] = {true, false, true};
  const uint64_t handles[] = {0x1c80, 0x1c90, 0x1c80};
  for (size_t i = 0; i < frames.size(); ++i) {
    EXPECT_EQ(frames[i].tid, 0u);
    EXPECT_EQ(frames[i].handle, handles[i]);
    EXPECT_EQ(frames[i].is_main, is_main[i]) << i;
  }
}

// Damaged files: no time of a frame may be outside the trace, and its neighbours keep their places.
TEST(PySpy, FramesWithoutTheirTimesAreLeftOutAndCounted) {
  const test::TempDir folder;
  const std::string path = folder.File("samples.json");
  std::ofstream file(path);
  file << "[";
  const auto add = [&](const char* name, const char* phase, const char* time) {
    file << R"({"args":{"filename":"/w/a.py","line":3},"name":")" << name << R"(","ph":")" << phase
         << R"(","pid":5,"tid":7,"ts":)" << time << "},";
  };
  add("whole", "B", "1");
  add("backwards", "B", "5");
  add("backwards", "E", "4");
  add("no duration", "B", "6");
  add("no duration", "E", "6");
  add("before the first sample", "B", "-3");
  add("before the first sample", "E", "7");
  add("far", "B", "7");
  add("far", "E", "9223372036854774");
  add("no time", "B", "null");
  add("no time", "E", "8");
  add("whole", "E", "9");
  add("no end", "B", "9");
  file << "]";
  file.close();
  std::vector<SampledFrame> frames;
  uint64_t lost = 0;
  const Status read = ReadPySpy(
      path, [&](const SampledFrame& frame) { frames.push_back(frame); }, &lost);
  ASSERT_TRUE(read.ok()) << read.message();
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].function, "whole");
  EXPECT_EQ(frames[0].start, 1000);
  EXPECT_EQ(frames[0].end, 9000);
  EXPECT_EQ(lost, 6u);
}

}  // namespace
}  // namespace rtl::import
