// SPDX-License-Identifier: MIT
// Memory as it is reported to tools, and calls that both a trace and a tool get.
#include "sdk/memory/allocations.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/self_kept_clock.h"
#include "capture/hip/open_call.h"
#include "sdk/contexts/callback_thread.h"
#include "tests/support/memory_sink.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tool_hsa.h"

namespace rtl::sdk {
namespace allocations_test {
namespace {

using tool_hsa::kAmd;
using tool_hsa::kCore;
using tool_hsa::ToolHsaTest;

// One CPU with a region and a pool, one GPU with a pool. The size of an allocation gives its
// address.
constexpr uint64_t kCpuRegion = 70, kCpuPool = 71, kGpuPool = 72;
hsa_status_t TellAgents(hsa_status_t (*tell)(hsa_agent_t, void*), void* data) {
  (void)tell({1}, data);
  return tell({2}, data);
}
hsa_status_t TellNode(hsa_agent_t agent, hsa_agent_info_t attribute, void* value) {
  if (attribute != HSA_AGENT_INFO_NODE) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *static_cast<uint32_t*>(value) = static_cast<uint32_t>(agent.handle - 1);
  return HSA_STATUS_SUCCESS;
}
hsa_status_t TellRegions(hsa_agent_t agent, hsa_status_t (*tell)(hsa_region_t, void*), void* data) {
  return agent.handle == 1 ? tell({kCpuRegion}, data) : HSA_STATUS_SUCCESS;
}
hsa_status_t TellPools(hsa_agent_t agent, hsa_status_t (*tell)(hsa_amd_memory_pool_t, void*),
                       void* data) {
  return tell({agent.handle == 1 ? kCpuPool : kGpuPool}, data);
}
hsa_status_t AllocateFromRegion(hsa_region_t, size_t bytes, void** address) {
  *address = reinterpret_cast<void*>(bytes);
  return HSA_STATUS_SUCCESS;
}
hsa_status_t AllocateFromPool(hsa_amd_memory_pool_t, size_t bytes, uint32_t flags, void** address) {
  *address = reinterpret_cast<void*>(bytes + flags);
  return bytes == 0 ? HSA_STATUS_ERROR_OUT_OF_RESOURCES : HSA_STATUS_SUCCESS;
}
hsa_status_t CreateHandle(hsa_amd_memory_pool_t, size_t bytes, uint32_t, uint64_t flags,
                          uint64_t* handle) {
  *handle = bytes + flags;
  return HSA_STATUS_SUCCESS;
}
hsa_status_t FreeAddress(void*) { return HSA_STATUS_SUCCESS; }
hsa_status_t FreeHandle(uint64_t) { return HSA_STATUS_ERROR; }

struct HeardMemory {
  std::vector<std::string> events;
  std::vector<rocprofiler_correlation_id_t> ids;
};

void OnMemory(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user_data,
              void* data) {
  auto* const heard = static_cast<HeardMemory*>(data);
  const auto* const memory =
      static_cast<const rocprofiler_callback_tracing_memory_allocation_data_t*>(record.payload);
  EXPECT_EQ(memory->size, sizeof *memory);
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER) {
    EXPECT_EQ(memory->start_timestamp, 0u);
    user_data->value = record.correlation_id.internal;
    return;
  }
  EXPECT_EQ(user_data->value, record.correlation_id.internal);
  EXPECT_NE(memory->start_timestamp, 0u);
  EXPECT_LE(memory->start_timestamp, memory->end_timestamp);
  heard->ids.push_back(record.correlation_id);
  heard->events.push_back(std::to_string(record.operation) + " agent " +
                          std::to_string(memory->agent_id.handle & 0xff) + " bytes " +
                          std::to_string(memory->allocation_size) + " at " +
                          std::to_string(memory->address.value));
}

class HsaAllocationsTest : public ToolHsaTest {
 protected:
  static constexpr auto kMemory = ROCPROFILER_CALLBACK_TRACING_MEMORY_ALLOCATION;

  void SetUp() override {
    ToolHsaTest::SetUp();
    WriteTopology();
    topology_->Load(nodes_.c_str());
    static auto* const kept = new std::vector<Topology*>;  // never freed: tools keep pointers
    kept->push_back(topology_);
    Put(core_, kCore, "hsa_iterate_agents", TellAgents);
    Put(core_, kCore, "hsa_agent_get_info", TellNode);
    Put(core_, kCore, "hsa_agent_iterate_regions", TellRegions);
    Put(core_, kCore, "hsa_memory_allocate", AllocateFromRegion);
    Put(core_, kCore, "hsa_memory_free", FreeAddress);
    Put(amd_, kAmd, "hsa_amd_agent_iterate_memory_pools", TellPools);
    Put(amd_, kAmd, "hsa_amd_memory_pool_allocate", AllocateFromPool);
    Put(amd_, kAmd, "hsa_amd_memory_pool_free", FreeAddress);
    Put(amd_, kAmd, "hsa_amd_vmem_handle_create", CreateHandle);
    Put(amd_, kAmd, "hsa_amd_vmem_handle_release", FreeHandle);
  }
  Context& AskForMemory(std::initializer_list<int32_t> operations) {
    Context& context = *contexts_.Create(0);
    context.callbacks[kMemory].callback = OnMemory;
    context.callbacks[kMemory].data = &memory_;
    for (const int32_t operation : operations) context.callbacks[kMemory].operations.Add(operation);
    return context;
  }
  void InstallAll() {
    calls_.Open();
    hooks_.Listen(&all_);
    hooks_.Install(&root_);
  }
  void UseEach() {
    void* address = nullptr;
    uint64_t handle = 0;
    EXPECT_EQ(Slot<decltype(AllocateFromRegion)>(core_, kCore, "hsa_memory_allocate")(
                  {kCpuRegion}, 100, &address),
              HSA_STATUS_SUCCESS);
    auto* const pool = Slot<decltype(AllocateFromPool)>(amd_, kAmd, "hsa_amd_memory_pool_allocate");
    EXPECT_EQ(pool({kGpuPool}, 200, 1, &address), HSA_STATUS_SUCCESS);
    EXPECT_EQ(address, reinterpret_cast<void*>(201));
    EXPECT_EQ(pool({kCpuPool}, 0, 5, &address), HSA_STATUS_ERROR_OUT_OF_RESOURCES);
    EXPECT_EQ(pool({999}, 300, 0, &address), HSA_STATUS_SUCCESS);
    EXPECT_EQ(Slot<decltype(CreateHandle)>(amd_, kAmd, "hsa_amd_vmem_handle_create")(
                  {kGpuPool}, 400, 1, 2, &handle),
              HSA_STATUS_SUCCESS);
    EXPECT_EQ(handle, 402u);
    EXPECT_EQ(Slot<decltype(FreeAddress)>(core_, kCore, "hsa_memory_free")(address),
              HSA_STATUS_SUCCESS);
    EXPECT_EQ(Slot<decltype(FreeAddress)>(amd_, kAmd, "hsa_amd_memory_pool_free")(nullptr),
              HSA_STATUS_SUCCESS);
    EXPECT_EQ(Slot<decltype(FreeHandle)>(amd_, kAmd, "hsa_amd_vmem_handle_release")(handle),
              HSA_STATUS_ERROR);
  }

  HeardMemory memory_;
  Topology* const topology_ = new Topology;
  Allocations allocations_{&contexts_, &calls_, topology_};
  HsaTracing all_{&calls_, &allocations_};

 private:
  // Two nodes, as the driver lists them: a CPU and a GPU.
  void WriteTopology() {
    nodes_ = folder_.File("nodes");
    for (int node = 0; node < 2; ++node) {
      const std::string folder = nodes_ + "/" + std::to_string(node);
      std::filesystem::create_directories(folder);
      std::ofstream(folder + "/properties") << (node == 0 ? "cpu_cores_count 4\nsimd_count 0\n"
                                                          : "cpu_cores_count 0\nsimd_count 240\n");
      std::ofstream(folder + "/gpu_id") << (node == 0 ? 0 : 77) << "\n";
    }
  }
  test::TempDir folder_;
  std::string nodes_;
};

TEST_F(HsaAllocationsTest, ReportsAgentSizeAndAddressForEachFunction) {
  AskForMemory({1, 2, 3, 4}).Start();
  InstallAll();
  UseEach();
  EXPECT_EQ(memory_.events,
            (std::vector<std::string>{"1 agent 1 bytes 100 at 100", "1 agent 2 bytes 200 at 201",
                                      "1 agent 1 bytes 0 at 0", "1 agent 0 bytes 300 at 300",
                                      "2 agent 2 bytes 400 at 402", "3 agent 0 bytes 0 at 300",
                                      "3 agent 0 bytes 0 at 0", "4 agent 0 bytes 0 at 402"}));
  for (const rocprofiler_correlation_id_t& id : memory_.ids) {
    EXPECT_NE(id.internal, 0u);
    EXPECT_EQ(id.ancestor, 0u);
  }
}

TEST_F(HsaAllocationsTest, ReplacesOnlySubscribedFunctions) {
  Context& context = AskForMemory({ROCPROFILER_MEMORY_ALLOCATION_FREE});
  InstallAll();
  EXPECT_EQ(Slot<decltype(AllocateFromPool)>(amd_, kAmd, "hsa_amd_memory_pool_allocate"),
            AllocateFromPool);
  EXPECT_EQ(Slot<decltype(FreeHandle)>(amd_, kAmd, "hsa_amd_vmem_handle_release"), FreeHandle);
  EXPECT_EQ(Slot<decltype(TellAgents)>(core_, kCore, "hsa_iterate_agents"), TellAgents);
  UseEach();
  EXPECT_TRUE(memory_.events.empty()) << "not started";
  context.Start();
  UseEach();
  EXPECT_EQ(memory_.events,
            (std::vector<std::string>{"3 agent 0 bytes 0 at 300", "3 agent 0 bytes 0 at 0"}));
}

TEST_F(HsaAllocationsTest, GivesTheEventTheIdOfTheAllocatingCall) {
  AskForMemory({ROCPROFILER_MEMORY_ALLOCATION_ALLOCATE}).Start();
  Ask(kAmd, {"hsa_amd_memory_pool_allocate"}).Start();
  InstallAll();
  UseEach();
  ASSERT_EQ(heard_.records.size(), 6u);
  ASSERT_EQ(memory_.ids.size(), 4u);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(memory_.ids[i + 1].internal, heard_.records[2 * i].correlation_id.internal);
  EXPECT_NE(memory_.ids[0].internal, memory_.ids[1].internal) << "its function is not traced";
}

struct TimesOfRecord {
  uint32_t kind;
  uint64_t internal, ancestor, start, end;
};

void OnTimes(rocprofiler_context_id_t, rocprofiler_buffer_id_t,
             rocprofiler_record_header_t** headers, size_t count, void* tool, uint64_t) {
  const auto note = [tool](const auto& record) {
    static_cast<std::vector<TimesOfRecord>*>(tool)->push_back(
        {static_cast<uint32_t>(record.kind), record.correlation_id.internal,
         record.correlation_id.ancestor, record.start_timestamp, record.end_timestamp});
  };
  for (size_t i = 0; i < count; ++i) {
    const void* const payload = headers[i]->payload;
    if (headers[i]->kind == ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION)
      note(*static_cast<const rocprofiler_buffer_tracing_memory_allocation_record_t*>(payload));
    else
      note(*static_cast<const rocprofiler_buffer_tracing_hsa_api_record_t*>(payload));
  }
}

// A trace and a tool at once.
class HsaTraceAndToolTest : public HsaAllocationsTest {
 protected:
  void TearDown() override {
    HsaAllocationsTest::TearDown();
    EXPECT_EQ(buffer_.Destroy(), ROCPROFILER_STATUS_SUCCESS);
  }
  // The tool gets callbacks and records of one function, and of memory.
  void Open() {
    static CallbackThread* const thread = [] {
      auto* const made = new CallbackThread;  // its thread is never joined
      EXPECT_TRUE(made->Start().ok());
      return made;
    }();
    Context& context = Ask(kAmd, {"hsa_amd_memory_pool_allocate"});
    Context& memory = AskForMemory({ROCPROFILER_MEMORY_ALLOCATION_ALLOCATE});
    Buffer::Options options = {};
    options.context = context.id;
    options.size = options.watermark = 1 << 20;
    options.callback = OnTimes;
    options.data = &records_;
    ASSERT_TRUE(buffer_.Open(options, thread));
    for (const uint32_t kind : {ROCPROFILER_BUFFER_TRACING_HSA_AMD_EXT_API,
                                ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION}) {
      context.buffers[kind].buffer = &buffer_;
      context.buffers[kind].operations = kind == ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION
                                             ? memory.callbacks[kMemory].operations
                                             : context.callbacks[kAmd].operations;
    }
    context.Start();
    memory.Start();
    calls_.Open();
  }
  void Trace(bool calls, bool allocations) {
    capture::HsaCallHooks::Services services;
    services.sink = &sink_;
    services.clock = &process_clock.line();
    services.calls = calls;
    services.allocations = allocations;
    services.agent_number = [](const void*, hsa_agent_t agent) {
      return static_cast<uint32_t>(agent.handle);
    };
    hooks_.Record(services);
    hooks_.Install(&root_);
  }
  // Allocates inside a HIP call that both the trace and the tool get.
  void AllocateInHip() {
    capture::ThreadCalls* const calls = capture::OpenCall::MakeCalls();
    ASSERT_NE(calls, nullptr);
    calls->recorded = calls->correlation = kHipCall;
    void* address = nullptr;
    EXPECT_EQ(Slot<decltype(AllocateFromPool)>(amd_, kAmd, "hsa_amd_memory_pool_allocate")(
                  {kGpuPool}, 200, 0, &address),
              HSA_STATUS_SUCCESS);
    EXPECT_EQ(calls->correlation, kHipCall);
    calls->recorded = calls->correlation = 0;
    EXPECT_EQ(buffer_.Flush(), ROCPROFILER_STATUS_SUCCESS);
  }
  // Expects one record of each, in the order of their ends.
  void ExpectOneOfEach() {
    EXPECT_EQ(heard_.records.size(), 2u);
    EXPECT_EQ(memory_.events, (std::vector<std::string>{"1 agent 2 bytes 200 at 200"}));
    ASSERT_EQ(records_.size(), 2u);
    EXPECT_EQ(records_[0].kind, uint32_t{ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION});
    EXPECT_EQ(records_[1].kind, uint32_t{ROCPROFILER_BUFFER_TRACING_HSA_AMD_EXT_API});
    for (const TimesOfRecord& record : records_) {
      EXPECT_EQ(record.internal, heard_.records[0].correlation_id.internal);
      EXPECT_EQ(record.ancestor, kHipCall);
    }
  }

  // Expects the allocation in the trace, and after it the call.
  void ExpectTheSameInTheTrace(size_t count) {
    const auto events = sink_.events();
    ASSERT_EQ(events.size(), count);
    for (size_t i = 0; i < count; ++i) {
      EXPECT_EQ(events[i].record.correlation, kHipCall);
      EXPECT_NE(events[i].record.start, 0u);
      EXPECT_EQ(events[i].record.start, records_[i].start);
      EXPECT_EQ(events[i].record.end, records_[i].end);
    }
  }

  static constexpr uint64_t kHipCall = 12;
  support::MemorySink sink_;
  std::vector<TimesOfRecord> records_;
  Buffer buffer_;
};

TEST_F(HsaTraceAndToolTest, GetACallOnceWithTheSameTimesAndTheSameCallAround) {
  Open();
  Trace(true, true);
  InstallAll();
  AllocateInHip();
  ExpectOneOfEach();
  ExpectTheSameInTheTrace(2);
}

TEST_F(HsaTraceAndToolTest, GetACallOnceWhenTheTraceJoinsLater) {
  Open();
  InstallAll();
  Trace(true, true);
  AllocateInHip();
  ExpectOneOfEach();
  ExpectTheSameInTheTrace(2);
}

TEST_F(HsaTraceAndToolTest, ShareTheTimesOfAnAllocationWhoseCallTheTraceLeavesOut) {
  Open();
  Trace(false, true);
  InstallAll();
  AllocateInHip();
  ExpectOneOfEach();
  ExpectTheSameInTheTrace(1);
}

TEST_F(HsaTraceAndToolTest, MeasuresCallsItselfWithoutATrace) {
  Open();
  InstallAll();
  AllocateInHip();
  ExpectOneOfEach();
  EXPECT_NE(records_[1].start, 0u);
  EXPECT_LE(records_[1].start, records_[0].start);
  EXPECT_LE(records_[0].start, records_[0].end);
  EXPECT_LE(records_[0].end, records_[1].end);
}

}  // namespace
}  // namespace allocations_test
}  // namespace rtl::sdk
