// SPDX-License-Identifier: MIT
#include "capture/rccl/rccl_tables.h"

#include <gtest/gtest.h>

namespace rtl::capture {
namespace {

int entered = 0;
int exited = 0;
RcclCallOperation last_operation = {};
RcclCallValues last_values;
uint64_t last_count = 0;  // as a tool gets it
uint64_t last_result = 0;

bool CountEnter(RcclCallOperation, RcclCallHooks::Open* open) {
  ++entered;
  open->listened = true;
  return true;
}
void KeepBegin(RcclCallHooks::Open*, RcclCallOperation, const void* const* arguments) {
  memcpy(&last_count, arguments[1], sizeof last_count);
}
void KeepExit(RcclCallHooks::Open*, RcclCallOperation operation, const RcclCallValues& values,
              uint64_t result) {
  ++exited;
  last_result = result;
  last_operation = operation;
  last_values = values;
}
constexpr RcclCallHooks kCountingHooks = {CountEnter, KeepBegin, KeepExit};

using Send = int (*)(void*, size_t, int, int, void*, void*);
int RealSend(void*, size_t count, int, int, void*, void*) { return static_cast<int>(count); }

struct RcclTable {
  size_t bytes = sizeof(RcclTable);
  void* entries[11] = {};  // up to ncclRecv
};

TEST(RcclTables, WrapsTheExistingEntries) {
  RcclTable table;
  table.entries[9] = reinterpret_cast<void*>(&RealSend);
  ASSERT_TRUE(RcclTables::Wrap(&table, &kCountingHooks).ok());
  EXPECT_EQ(table.entries[8], nullptr);
  void* const wrapped = table.entries[9];
  EXPECT_NE(wrapped, reinterpret_cast<void*>(&RealSend));
  EXPECT_EQ(reinterpret_cast<Send>(wrapped)(nullptr, 3, 7, 1, nullptr, &table), 3);
  EXPECT_EQ(entered, 1);
  EXPECT_EQ(exited, 1);
  EXPECT_EQ(last_operation, RcclCallOperation::ncclSend);
  EXPECT_EQ(last_values.result, 3u);
  EXPECT_EQ(last_values.count, 3u);
  EXPECT_EQ(last_count, 3u);
  EXPECT_EQ(last_result, 3u);
  EXPECT_EQ(last_values.datatype, 7u);
  EXPECT_EQ(last_values.peer, 1u);
  EXPECT_EQ(last_values.stream, reinterpret_cast<uintptr_t>(&table));

  EXPECT_TRUE(RcclTables::Wrap(&table, &kCountingHooks).ok());  // again: no change
  EXPECT_EQ(table.entries[9], wrapped);
  RcclTable other;
  EXPECT_FALSE(RcclTables::Wrap(&other, &kCountingHooks).ok());
  RcclTables::TEST_Forget();
}

TEST(RcclTables, LeavesTablesOfUnknownSizesUnchanged) {
  for (const size_t bytes : {size_t{0}, size_t{8}, size_t{21}, size_t{1} << 40}) {
    RcclTable table;
    table.bytes = bytes;
    table.entries[0] = &table;
    EXPECT_FALSE(RcclTables::Wrap(&table, &kCountingHooks).ok()) << bytes;
    EXPECT_EQ(table.entries[0], &table);
  }
}

}  // namespace
}  // namespace rtl::capture
