// SPDX-License-Identifier: MIT
#include "cli/trace/live_counts.h"

#include <gtest/gtest.h>

#include "spool/writer.h"
#include "tests/support/temp_dir.h"

namespace rtl::cli {
namespace {

TEST(LiveCounts, FollowAProcessToItsEnd) {
  const test::TempDir directory;
  LiveCounts live(directory.path());
  EXPECT_EQ(live.Read().events, 0u) << "nobody is there";
  spool::Writer writer;
  const std::string path = directory.path();
  spool::WriterOptions options;
  options.directory = path.c_str();
  ASSERT_TRUE(writer.Open(options).ok());
  writer.CountSubmitted(EventKind::kMarker, 100);
  writer.CountSubmitted(EventKind::kKernel, 7);
  writer.control()->queue_submitted[0].submitted.store(5);
  writer.CountSubmitted(EventKind::kCounter, 12);  // the same kernels
  writer.CountLoss(EventKind::kKernel, Loss::kNoMemory, 2);
  writer.CountLoss(EventKind::kKernel, Loss::kBatch, 5);  // on purpose
  Counts counts = live.Read();
  EXPECT_EQ(counts.kernels, 12u);
  EXPECT_EQ(counts.events, 112u);
  EXPECT_EQ(counts.lost, 2u);
  writer.CountSubmitted(EventKind::kMarker, 1);
  writer.Finish();
  for (int look = 0; look < 2; ++look) {
    counts = live.Read();
    EXPECT_EQ(counts.events, 113u) << "once, though it has ended";
    EXPECT_EQ(counts.lost, 2u);
  }
}

TEST(LiveCounts, AreZeroForAMissingFolder) {
  LiveCounts live("/nowhere/at/all");
  EXPECT_EQ(live.Read().kernels, 0u);
}

}  // namespace
}  // namespace rtl::cli
