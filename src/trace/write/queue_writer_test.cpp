// SPDX-License-Identifier: MIT
#include "trace/write/trace_writer_test_support.h"

namespace rtl::store {
namespace {

using test::TraceBuilder;
using QueueWriterTest = TraceWriterTest;

TEST_F(QueueWriterTest, AccountsForEveryQueue) {
  TraceBuilder trace;
  const uint32_t gpu = trace.Gpu("gfx906");
  const uint32_t first = trace.Queue(gpu);
  const uint32_t second = trace.Queue(gpu);
  const uint32_t kernel = trace.Kernel("k");
  trace.Dispatch(first, kernel, {.start = 100, .end = 200});
  trace.Dispatch(first, kernel, {.start = 200, .end = 300});
  trace.Dispatch(second, kernel, {.start = 100, .end = 200});
  trace.QueueEnd(first, 700, 9, {{Loss::kBatch, 5}, {Loss::kShutdown, 2}});
  Write(trace);
  EXPECT_EQ(Ask("SELECT id, submitted, recorded FROM rtl_queue ORDER BY id"),
            (Rows{"1|9|2", "2|NULL|1"}));
  EXPECT_EQ(Ask("SELECT * FROM rtl_queue_loss ORDER BY loss"),
            (Rows{"1|1|kBatch|5", "1|1|kShutdown|2"}));
}

TEST_F(QueueWriterTest, ChargesToTheEndWhatAQueueCountedAndNothingExplains) {
  TraceBuilder trace;
  const uint32_t gpu = trace.Gpu("gfx906");
  const uint32_t queue = trace.Queue(gpu);
  trace.Dispatch(queue, trace.Kernel("k"), {.start = 100, .end = 200});
  trace.QueueEnd(queue, 0, 9, {{Loss::kBatch, 5}, {Loss::kShutdown, 2}});
  Write(trace);
  EXPECT_EQ(Ask("SELECT submitted, recorded FROM rtl_queue"), Rows{"9|1"});
  EXPECT_EQ(Ask("SELECT loss, events FROM rtl_queue_loss ORDER BY loss"),
            (Rows{"kBatch|5", "kShutdown|3"}));
}

// As when the thread that makes a queue is new to the collector, and the worker's records are read
// first.
TEST_F(QueueWriterTest, KnowsTheEndOfAQueueThatIsReadBeforeTheQueue) {
  TraceBuilder trace;
  const uint32_t gpu = trace.Gpu("gfx906");
  constexpr uint32_t kFirst = 1;
  trace.Dispatch(kFirst, trace.Kernel("k"), {.start = 100, .end = 200});
  trace.QueueEnd(kFirst, 700, 9, {{Loss::kBatch, 8}});
  ASSERT_EQ(trace.Queue(gpu), kFirst);
  Write(trace);
  EXPECT_EQ(Ask("SELECT submitted, recorded, destroyed FROM rtl_queue"), Rows{"9|1|700"});
  EXPECT_EQ(Ask("SELECT loss, events FROM rtl_queue_loss"), Rows{"kBatch|8"});
}

}  // namespace
}  // namespace rtl::store
