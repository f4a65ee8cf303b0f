// SPDX-License-Identifier: MIT
#include "capture/hsa/hsa_api.h"

#include <gtest/gtest.h>
#include <string.h>

#include <map>
#include <string>

// The installed headers' own structures, to verify our slot numbers.
#define AMD_INTERNAL_BUILD
#include <hsa/hsa_api_trace.h>

#include "tests/support/fake_hsa.h"

namespace rtl::capture {
namespace {

using support::FakeHsa;

void* FakeHsaFunction(int number) { return reinterpret_cast<void*>(uintptr_t{0x1000} + number); }

TEST(HsaTables, UsesTheSlotNumbersOfTheInstalledHeaders) {
#define X(name, slot) \
  EXPECT_EQ(offsetof(::CoreApiTable, hsa_##name##_fn), 16u + 8u * (slot)) << #name;
  RTL_HSA_CORE_SLOTS(X)
#undef X
  const bool engines = sizeof(::AmdExtTable) >= hsa_tables::kAmdWithEnginesBytes;
#define X(name, old_slot, new_slot)                                                               \
  EXPECT_EQ(offsetof(::AmdExtTable, hsa_##name##_fn), 16u + 8u * (engines ? new_slot : old_slot)) \
      << #name;
  RTL_HSA_AMD_SLOTS(X)
  X(amd_queue_intercept_create, 35, 37)
  X(amd_queue_intercept_register, 36, 38)
#undef X
}

TEST(HsaTables, UsesTheSlotNumbersOfTheNewerTablesList) {
  std::map<std::string, uint32_t> slots;
  for (const char* name : {
#include "spec/api/hsa_amd_ext_2.inc"
       }) {
    const uint32_t slot = static_cast<uint32_t>(slots.size());
    slots[name] = slot;
  }
  ASSERT_EQ(slots.size(), 87u);
  EXPECT_EQ(slots.at("hsa_amd_agent_set_async_scratch_limit"), 67u);
#define X(name, old_slot, new_slot) EXPECT_EQ(slots.at("hsa_" #name), uint32_t{new_slot});
  RTL_HSA_AMD_SLOTS(X)
  RTL_HSA_AMD_TOOL_SLOTS(X)
#undef X
}

TEST(HsaTables, TakesTheLayoutFromTheRuntimesOwnVersionAndSize) {
  for (const auto& layout :
       {support::kRocm52, support::kRocm57, support::kRocm61, support::kRocm72}) {
    FakeHsa hsa(layout);
    HsaTables tables;
    ASSERT_TRUE(tables.Open(hsa.root_table()).ok());
    EXPECT_EQ(reinterpret_cast<void*>(tables.api().amd_queue_intercept_create),
              hsa.Slot(HsaSlot::amd_queue_intercept_create));
    EXPECT_EQ(reinterpret_cast<void*>(tables.api().amd_memory_async_copy_on_engine),
              hsa.Slot(HsaSlot::amd_memory_async_copy_on_engine));
    EXPECT_EQ(tables.api().amd_memory_async_copy_on_engine == nullptr, layout.amd_slots < 55);
  }
}

TEST(HsaTables, RejectsAnUnknownMajorVersionByName) {
  FakeHsa hsa({4, 0, 2, 125, 2, 1, 68, false});
  HsaTables tables;
  const Status status = tables.Open(hsa.root_table());
  EXPECT_STREQ(status.message(), "the HSA root table has major version 4; known are 1 to 3");
  FakeHsa newer({3, 0, 2, 125, 3, 0, 80, false});
  EXPECT_STREQ(tables.Open(newer.root_table()).message(),
               "the HSA AMD extension table has major version 3; known are 1 to 2");
}

TEST(HsaTables, RejectsATableThatIsTooShortAndNamesTheMissingFunction) {
  FakeHsa hsa({1, 0, 1, 125, 1, 0, 37, false});
  HsaTables tables;
  const Status status = tables.Open(hsa.root_table());
  EXPECT_STREQ(status.message(),
               "this HSA runtime (AMD extension table of 312 bytes) has no "
               "hsa_amd_memory_async_copy_rect");
}

TEST(HsaTables, RestoresOnlySlotsThatStillHaveItsOwnFunction) {
  FakeHsa hsa;
  HsaTables tables;
  ASSERT_TRUE(tables.Open(hsa.root_table()).ok());
  void* const create = hsa.Slot(HsaSlot::queue_create);
  ASSERT_TRUE(tables.Replace(HsaSlot::queue_create, FakeHsaFunction(1)).ok());
  ASSERT_TRUE(tables.Replace(HsaSlot::queue_destroy, FakeHsaFunction(2)).ok());
  EXPECT_EQ(hsa.Slot(HsaSlot::queue_create), FakeHsaFunction(1));
  EXPECT_FALSE(tables.Replace(HsaSlot::queue_create, FakeHsaFunction(3)).ok());

  HsaTables later;  // another tool, loaded after us
  ASSERT_TRUE(later.Open(hsa.root_table()).ok());
  ASSERT_TRUE(later.Replace(HsaSlot::queue_destroy, FakeHsaFunction(4)).ok());
  tables.Restore();
  EXPECT_EQ(hsa.Slot(HsaSlot::queue_create), create);
  EXPECT_EQ(hsa.Slot(HsaSlot::queue_destroy), FakeHsaFunction(4));
}

TEST(HsaTables, DescribesTheVersionsItFound) {
  FakeHsa hsa(support::kRocm72);
  HsaTables tables;
  ASSERT_TRUE(tables.Open(hsa.root_table()).ok());
  char text[64];
  tables.Describe(text, sizeof(text));
  EXPECT_STREQ(text, "tables 3.1, core 2.0 (1016 bytes), amd 2.8 (624 bytes)");
}

}  // namespace
}  // namespace rtl::capture
