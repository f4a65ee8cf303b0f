// SPDX-License-Identifier: MIT
#include "trace/collect/trace_summary.h"

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"
#include "tests/support/trace_builder.h"
#include "trace/schema/store_test_support.h"

namespace rtl::store {
namespace {

TEST(TraceSummaryTest, KeepsEachWarningOnce) {
  const CollectOptions options;
  TraceSummary summary(options);
  ProcessResult process;
  summary.Warn("the disk is slow");
  summary.Warn(&process, "the disk is slow");
  summary.Warn(&process, "the disk is slow");
  EXPECT_EQ(summary.warnings(), Rows{"the disk is slow"});
  EXPECT_EQ(process.warnings, Rows{"the disk is slow"});
}

TEST(TraceSummaryTest, ACopyLeavesTheTraceAlone) {
  const CollectOptions options;
  TraceSummary summary(options);
  summary.NoteEnd(7);
  TraceSummary window = summary;
  window.Warn("of the window");
  window.NoteEnd(9);
  EXPECT_EQ(window.started(), summary.started());
  EXPECT_EQ(window.ended(), 9u);
  EXPECT_EQ(summary.ended(), 7u);
  EXPECT_TRUE(summary.warnings().empty());
}

TEST(TraceSummaryTest, LeavesAnEarlierTraceIfNothingWasRecorded) {
  const test::TempDir dir;
  const std::string output = dir.File("trace.db");
  ASSERT_TRUE(test::TraceBuilder::ThreeKernelsOnTwoQueues().WriteDatabase(output).ok());
  const CollectOptions options;
  TraceSummary summary(options);
  TraceWriter writer;
  ASSERT_TRUE(writer.Create(output).ok());
  CollectResult result;
  ASSERT_TRUE(summary.Complete(&writer, nullptr, output, {}, &result).ok());
  EXPECT_TRUE(result.left_earlier);
  EXPECT_EQ(summary.warnings(),
            Rows{"nothing was recorded; the earlier trace in " + output + " stays"});
  EXPECT_EQ(Ask(output, "SELECT count(*) FROM rocpd_op"), Rows{"4"});
}

}  // namespace
}  // namespace rtl::store
