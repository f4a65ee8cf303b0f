// SPDX-License-Identifier: MIT
#include "capture/hsa/gpu_faults.h"

#include <gtest/gtest.h>
#include <hsa/hsa_ext_amd.h>
#include <string.h>

#include <vector>

#include "capture/hsa/hsa_slots.h"
#include "model/records.h"

namespace rtl::capture {
namespace {

hsa_amd_system_event_callback_t g_handler = nullptr;
hsa_status_t g_answer = HSA_STATUS_SUCCESS;

hsa_status_t Register(hsa_amd_system_event_callback_t handler, void*) {
  g_handler = handler;
  return g_answer;
}

// The tables of a runtime that has Register as its only function.
class FaultTables {
 public:
  FaultTables() {
    SetVersion(root_, 2, sizeof root_);
    SetVersion(core_, 2, sizeof core_);
    SetVersion(amd_, 2, sizeof amd_);
    void* const tables[] = {core_, amd_};
    memcpy(root_ + hsa_tables::kVersionBytes, tables, sizeof tables);
    void** const slot = HsaSlots(root_).Of(kIndexOf_hsa_amd_register_system_event_handler);
    *slot = reinterpret_cast<void*>(Register);
  }
  void* root() { return root_; }
  void Empty() { SetVersion(amd_, 2, hsa_tables::kVersionBytes); }

 private:
  static void SetVersion(char* table, uint32_t major, uint32_t bytes) {
    memcpy(table, &major, sizeof major);
    memcpy(table + 4, &bytes, sizeof bytes);
  }
  alignas(8) char root_[hsa_tables::kVersionBytes + 4 * 8] = {};
  alignas(8) char core_[hsa_tables::kVersionBytes] = {};
  alignas(8) char amd_[hsa_tables::kVersionBytes + 67 * 8] = {};
};

class FaultSink final : public RecordSink {
 public:
  bool Write(const void* record, size_t bytes, const char*, size_t) override {
    EXPECT_EQ(bytes, sizeof(FaultRecord));
    memcpy(&faults.emplace_back(), record, sizeof(FaultRecord));
    return true;
  }
  void CountSubmitted(EventKind, uint64_t) override {}
  void CountRecorded(EventKind, uint64_t) override {}
  void CountLoss(EventKind, Loss, uint64_t) override {}
  std::vector<FaultRecord> faults;
};

uint32_t NumberOf(const void*, hsa_agent_t agent) { return static_cast<uint32_t>(agent.handle); }

TEST(GpuFaults, RecordsAFaultAndLeavesItToTheProgramAndItsRuntime) {
  FaultTables tables;
  FaultSink sink;
  ASSERT_TRUE(GpuFaults::Watch(tables.root(), &sink, NumberOf, nullptr));
  hsa_amd_event_t event = {};
  event.event_type = HSA_AMD_GPU_MEMORY_FAULT_EVENT;
  event.memory_fault = {{3}, 0x123456000, 5};
  // Success would mean that the fault was handled.
  EXPECT_NE(g_handler(&event, nullptr), HSA_STATUS_SUCCESS);
  ASSERT_EQ(sink.faults.size(), 1u);
  EXPECT_EQ(sink.faults[0].head.type, RecordType::kFault);
  EXPECT_EQ(sink.faults[0].address, 0x123456000u);
  EXPECT_EQ(sink.faults[0].agent, 3u);
  EXPECT_EQ(sink.faults[0].reason, 5u);
  EXPECT_NE(sink.faults[0].time, 0u);
}

TEST(GpuFaults, IgnoresEventsOfAnotherKind) {
  FaultTables tables;
  FaultSink sink;
  ASSERT_TRUE(GpuFaults::Watch(tables.root(), &sink, NumberOf, nullptr));
  hsa_amd_event_t event = {};
  event.event_type = static_cast<hsa_amd_event_type_t>(1);
  EXPECT_NE(g_handler(&event, nullptr), HSA_STATUS_SUCCESS);
  EXPECT_TRUE(sink.faults.empty());
}

TEST(GpuFaults, AcceptsARuntimeWithoutTheFunctionOrThatRefuses) {
  FaultTables tables;
  FaultSink sink;
  g_answer = HSA_STATUS_ERROR;
  EXPECT_FALSE(GpuFaults::Watch(tables.root(), &sink, NumberOf, nullptr));
  g_answer = HSA_STATUS_SUCCESS;
  tables.Empty();
  EXPECT_FALSE(GpuFaults::Watch(tables.root(), &sink, NumberOf, nullptr));
}

}  // namespace
}  // namespace rtl::capture
