// SPDX-License-Identifier: MIT
#include "export/database.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "query/trace_reader.h"
#include "tests/support/temp_dir.h"
#include "tests/support/trace_builder.h"

namespace rtl::exporting {
namespace {

std::string BytesOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(WriteDatabase, LeavesTheNameToWhoeverTookItMeanwhileAndSaysWhereTheTraceIs) {
  test::TempDir directory;
  const std::string trace = directory.File("trace.db");
  test::TraceBuilder marks;
  for (uint64_t i = 0; i < 10'000; ++i) marks.Mark(7, 100 + i, "mark");
  ASSERT_TRUE(marks.WriteDatabase(trace).ok());
  const std::string output = directory.File("rows.db");
  const std::string beside = directory.File("rows.2.db");
  const auto somebody_else = [&](uint64_t) { std::ofstream(output) << "theirs"; };
  std::vector<std::string> notes;
  const Status written = WriteDatabase(trace, false, output, somebody_else, nullptr, &notes);
  ASSERT_TRUE(written.ok()) << written.message();
  EXPECT_EQ(notes, std::vector<std::string>{output +
                                            " was written by somebody else meanwhile; this one is "
                                            "in " +
                                            beside});
  EXPECT_EQ(BytesOf(output), "theirs");
  EXPECT_TRUE(BytesOf(beside) == BytesOf(trace));
  EXPECT_EQ(directory.Count(), 3u);

  notes.clear();
  const auto nobody = [](uint64_t) {};
  ASSERT_TRUE(WriteDatabase(trace, true, directory.File("other.db"), nobody, nullptr, &notes).ok());
  EXPECT_EQ(notes, std::vector<std::string>()) << "nobody took this one";
}

}  // namespace
}  // namespace rtl::exporting
