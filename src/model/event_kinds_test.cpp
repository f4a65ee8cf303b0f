// SPDX-License-Identifier: MIT
#include "model/event_kinds.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "model/hsa_calls.h"

namespace rtl {
namespace {

TEST(EventKinds, HaveDistinctWords) {
  std::set<std::string> words, plurals;
  for (size_t i = 0; i < kEventKindCount; ++i) {
    words.insert(EventWord(static_cast<EventKind>(i)));
    plurals.insert(EventKindName(static_cast<EventKind>(i)));
  }
  EXPECT_EQ(words.size(), kEventKindCount);
  EXPECT_EQ(plurals.size(), kEventKindCount);
  EXPECT_STREQ(EventWord(EventKind::kCompilerCall), "hip-compiler");
  EXPECT_STREQ(EventKindName(EventKind::kAllocation), "allocations");
}

TEST(EventKinds, AreDescribedWithTheirValuesInOrder) {
  const SpanKind* const kind = FindSpanKind(EventKind::kAllocation);
  ASSERT_NE(kind, nullptr);
  EXPECT_STREQ(kind->view, "memory_allocation");
  EXPECT_EQ(kind->field_count * sizeof(uint64_t), sizeof(AllocationValues));
  EXPECT_STREQ(kind->fields[1].name, "bytes");
  EXPECT_EQ(offsetof(AllocationValues, bytes), 1 * sizeof(uint64_t));
  EXPECT_EQ(FindSpanKind(EventKind::kKernel), nullptr);
}

TEST(EventKinds, NameTheirOperations) {
  EXPECT_STREQ(OperationName(EventKind::kHsaCall, 0), "hsa_init");
  EXPECT_STREQ(OperationName(EventKind::kRcclCall, 1), "ncclAllReduce");
  EXPECT_STREQ(
      OperationName(EventKind::kAllocation, static_cast<uint32_t>(AllocationOperation::kVmemFree)),
      "vmem_free");
  EXPECT_EQ(OperationName(EventKind::kAllocation, 4), nullptr);
  EXPECT_EQ(OperationName(EventKind::kHsaCall, 100'000), nullptr);
  EXPECT_EQ(OperationName(EventKind::kKernel, 0), nullptr);
}

TEST(EventSets, HoldTheKindsThatWereAdded) {
  EventSet set(EventKind::kKernel, EventKind::kInit);
  EXPECT_TRUE(set.Has(EventKind::kKernel));
  EXPECT_TRUE(set.Has(EventKind::kInit));
  EXPECT_FALSE(set.Has(EventKind::kHsaCall));
  set.Add(EventKind::kHsaCall);
  EXPECT_TRUE(set.Has(EventKind::kHsaCall));
  EXPECT_TRUE(EventSet().empty());
}

TEST(EventSets, AreReadFromWords) {
  EventSet set;
  EXPECT_TRUE(ParseEvents("kernels,hip-compiler,hsa", &set).ok());
  EXPECT_EQ(set, EventSet(EventKind::kKernel, EventKind::kCompilerCall, EventKind::kHsaCall));
  const std::string known =
      " is not a kind of event (kernels, markers, hip, copies, barriers, hsa, memory, scratch, "
      "init, hip-compiler, counters, rccl, pc-samples)";
  EXPECT_EQ(ParseEvents("kernels,kernel", &set).message(), "\"kernel\"" + known);
  EXPECT_EQ(ParseEvents("kernels,", &set).message(), "\"\"" + known);
  EXPECT_EQ(ParseEvents("", &set).message(), "\"\"" + known);
  EXPECT_EQ(ParseEvents("barriers,hip", &set).message(),
            std::string("barriers are recorded only with kernels: select kernels as well"));
  EXPECT_TRUE(ParseEvents("barriers,kernels", &set).ok());
}

TEST(HsaCalls, HaveArgumentsAndResults) {
  uint32_t count = 0;
  while (FindHsaCall(count) != nullptr) {
    uint32_t slots = 0;
    for (uint32_t i = 0; i < FindHsaCall(count)->args; ++i) {
      slots += SlotsOf(HsaArgs(*FindHsaCall(count))[i].form);
    }
    EXPECT_EQ(slots, FindHsaCall(count)->slots) << FindHsaCall(count)->name;
    ++count;
  }
  EXPECT_EQ(count, 218u);
  EXPECT_EQ(HsaResultOf(0), HsaResult::kStatus);
  EXPECT_EQ(HsaResultOf(count), HsaResult::kNone);
  EXPECT_FALSE(IsHsaError(0));
  EXPECT_FALSE(IsHsaError(1));  // HSA_STATUS_INFO_BREAK
  EXPECT_TRUE(IsHsaError(0x1000));
}

}  // namespace
}  // namespace rtl
