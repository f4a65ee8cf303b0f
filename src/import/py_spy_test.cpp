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
  const Status read = ReadPySpy(path, [&](const SampledFrame& frame) { frames.push_back(frame); });
  ASSERT_TRUE(read.ok()) << read.message();
  ASSERT_EQ(frames.size(), 2u);
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
  const Status read = ReadPySpy(path, [&](const SampledFrame& frame) { frames.push_back(frame); });
  ASSERT_TRUE(read.ok()) << read.message();
  ASSERT_EQ(frames.size(), 3u);
  const bool is_main[] = {true, false, true};
  const uint64_t handles[] = {0x1c80, 0x1c90, 0x1c80};
  for (size_t i = 0; i < frames.size(); ++i) {
    EXPECT_EQ(frames[i].tid, 0u);
    EXPECT_EQ(frames[i].handle, handles[i]);
    EXPECT_EQ(frames[i].is_main, is_main[i]) << i;
  }
}

}  // namespace
}  // namespace rtl::import
