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
  EXPECT_EQ(frames[1].function, "main");
  EXPECT_EQ(frames[1].end, 70000);
}

}  // namespace
}  // namespace rtl::import
