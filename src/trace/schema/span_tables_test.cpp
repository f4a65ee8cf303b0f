// SPDX-License-Identifier: MIT
#include "trace/schema/span_tables.h"

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"
#include "tests/support/trace_builder.h"
#include "trace/schema/store_test_support.h"

namespace rtl::store {
namespace {

using test::TraceBuilder;

constexpr auto kAllocate = static_cast<uint16_t>(AllocationOperation::kAllocate);

class SpanTablesTest : public testing::Test {
 protected:
  Rows Written(const std::string& sql) {
    const Status status = trace_.WriteDatabase(path_, &result_);
    EXPECT_TRUE(status.ok()) << status.message();
    return Ask(path_, sql);
  }

  test::TempDir directory_;
  std::string path_ = directory_.File("trace.db");
  TraceBuilder trace_;
  CollectResult result_;
};

TEST_F(SpanTablesTest, HasTheArgumentsAndTheResultOfAnHsaCall) {
  trace_.Event(EventKind::kHsaCall, TraceBuilder::HsaOperation("hsa_queue_create"),
               HsaCallValues{.result = 0},
               {.start = 100,
                .end = 250,
                .correlation = 3,
                .slots = {0x1, 1024, 2, 0, 0, 0, 0, 0xa0, 0x7f00}});
  trace_.Event(EventKind::kHsaCall, TraceBuilder::HsaOperation("hsa_signal_store_relaxed"),
               HsaCallValues{}, {.start = 300, .end = 310, .slots = {0x70, uint64_t(-1)}});
  EXPECT_EQ(Written("SELECT name, start, end, tid, correlation_id, result, args FROM hsa_call"
                    " ORDER BY start"),
            (Rows{"hsa_queue_create|100|250|101|3|0|agent=0x1, size=1024, type=2, callback=0x0,"
                  " data=0x0, private_segment_size=0, group_segment_size=0, queue=0xa0 -> 0x7f00",
                  "hsa_signal_store_relaxed|300|310|101|NULL|NULL|signal=0x70, value=-1"}));
  EXPECT_EQ(result_.kind(EventKind::kHsaCall).recorded, 2u);
  EXPECT_EQ(result_.kind(EventKind::kHsaCall).lost(), 0u);
}

TEST_F(SpanTablesTest, HasTheTextsOfACall) {
  trace_.Event(EventKind::kHsaCall, TraceBuilder::HsaOperation("hsa_isa_from_name"),
               HsaCallValues{},
               {.start = 1, .end = 2, .slots = {6, 0xb0, 0x17}, .texts = "gfx906"});
  EXPECT_EQ(Written("SELECT args FROM hsa_call"), Rows{"name=\"gfx906\", isa=0xb0 -> 0x17"});
}

TEST_F(SpanTablesTest, NamesTheGpuOfAnAllocation) {
  trace_.Gpu("gfx906");
  trace_.Event(EventKind::kAllocation, kAllocate,
               AllocationValues{.agent = 1, .bytes = 64, .address = 0x7000},
               {.start = 10, .end = 20});
  trace_.Event(EventKind::kAllocation, static_cast<uint16_t>(AllocationOperation::kFree),
               AllocationValues{.address = 0x7000}, {.start = 30, .end = 40});
  EXPECT_EQ(Written("SELECT name, agent, gpuId, bytes, address, status FROM memory_allocation"),
            (Rows{"allocate|1|0|64|28672|0", "free|NULL|NULL|0|28672|0"}));
}

TEST_F(SpanTablesTest, NamesTheQueueOfScratchMemory) {
  trace_.Queue(trace_.Gpu("gfx906"));  // HSA's own number of it is 17
  trace_.Event(EventKind::kScratch, static_cast<uint16_t>(ScratchOperation::kAllocate),
               ScratchValues{.queue = 18, .bytes = 4096, .slots = 4, .flags = 1, .packet = 7},
               {.start = 10, .end = 20});
  EXPECT_EQ(Written("SELECT name, hsa_queue, queueId, gpuId, bytes, slots, flags, packet"
                    " FROM scratch_memory"),
            Rows{"scratch_allocate|17|1|0|4096|4|1|7"});
}

TEST_F(SpanTablesTest, StoresTheCommonPartOfEventsOnce) {
  for (uint64_t i = 0; i < 5; ++i) {
    trace_.Event(EventKind::kAllocation, kAllocate, AllocationValues{.bytes = i},
                 {.start = 10 + i, .end = 20 + i});
  }
  trace_.Event(EventKind::kAllocation, kAllocate, AllocationValues{},
               {.start = 10, .end = 20, .thread = 102});
  trace_.NextProcess();
  trace_.Event(EventKind::kAllocation, kAllocate, AllocationValues{}, {.start = 10, .end = 20});
  EXPECT_EQ(Written("SELECT process_id, tid, count(*) FROM memory_allocation GROUP BY 1, 2"),
            (Rows{"1|101|5", "1|102|1", "2|101|1"}));
  EXPECT_EQ(Ask(path_, "SELECT count(*) FROM rtl_place"), Rows{"3"});
}

TEST_F(SpanTablesTest, CountsARecordThatDoesNotFitItsKind) {
  EventRecord record;
  record.head = {RecordType::kEvent, 0, 101};
  record.start = 1;
  record.end = 2;
  record.kind = EventKind::kAllocation;
  const std::string values(4 * 8, '\0');
  record.values = 3;
  trace_.RawEvent(record, values);
  record.values = 4;
  trace_.RawEvent(record, values.substr(1));
  record.operation = 99;
  trace_.RawEvent(record, values);
  record.operation = 0;
  record.kind = EventKind::kKernel;
  trace_.RawEvent(record, values);
  record.kind = EventKind::kAllocation;
  record.start = 3;  // it ends before it begins
  trace_.RawEvent(record, values);
  EXPECT_EQ(Written("SELECT count(*) FROM memory_allocation"), Rows{"0"});
  EXPECT_EQ(result_.kind(EventKind::kAllocation).loss(Loss::kTorn), 4u);
  EXPECT_EQ(result_.kind(EventKind::kKernel).loss(Loss::kTorn), 1u);
}

TEST_F(SpanTablesTest, LeavesOutArgumentsThatDoNotFitTheirCall) {
  trace_.Event(EventKind::kHsaCall, TraceBuilder::HsaOperation("hsa_queue_destroy"),
               HsaCallValues{}, {.start = 1, .end = 2, .slots = {1, 2, 3}});
  EXPECT_EQ(Written("SELECT name, args FROM hsa_call"), Rows{"hsa_queue_destroy|"});
}

}  // namespace
}  // namespace rtl::store
