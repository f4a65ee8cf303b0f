// SPDX-License-Identifier: MIT
// Scratch memory as it is reported to tools.
#include "sdk/memory/scratch_memory.h"

#include <gtest/gtest.h>
#include <rocprofiler-sdk/buffer_tracing.h>
#include <sys/mman.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/thread_state.h"
#include "capture/hooks/hsa_call_hooks.h"
#include "capture/queue/traced_queue.h"
#include "sdk/contexts/callback_thread.h"
#include "sdk/hsa/hsa_tracing.h"
#include "tests/support/temp_dir.h"

namespace rtl::sdk {
namespace scratch_memory_test {
namespace {

using ScratchData = rocprofiler_callback_tracing_scratch_memory_data_t;
using ScratchRecord = rocprofiler_buffer_tracing_scratch_memory_record_t;
using RuntimeEvent = capture::ScratchRuntimeEvent;

constexpr uint32_t kScratch = ROCPROFILER_CALLBACK_TRACING_SCRATCH_MEMORY;
constexpr uint32_t kBuffered = ROCPROFILER_BUFFER_TRACING_SCRATCH_MEMORY;
constexpr uint32_t kKernels = ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH;
constexpr int32_t kAlloc = ROCPROFILER_SCRATCH_MEMORY_ALLOC;
constexpr int32_t kFree = ROCPROFILER_SCRATCH_MEMORY_FREE;
constexpr uint32_t kThread = 4711;
constexpr uint64_t kGpu = 2;  // agent handle of HSA; node 1

class Agents final : public AgentNumbers {
 public:
  rocprofiler_agent_id_t AgentOf(uint32_t number) const override { return {900 + number}; }
  rocprofiler_agent_id_t AgentAt(uint32_t node) const override { return {node}; }
};

struct HeardScratch {
  std::vector<rocprofiler_callback_tracing_record_t> records;
  std::vector<ScratchData> data;
};

void OnScratch(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user_data,
               void* tool) {
  auto* const heard = static_cast<HeardScratch*>(tool);
  EXPECT_TRUE(ReentryGuard::Active());
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER)
    user_data->value = 70 + static_cast<uint64_t>(record.operation);
  else
    EXPECT_EQ(user_data->value, 70 + static_cast<uint64_t>(record.operation));
  heard->records.push_back(record);
  heard->data.push_back(*static_cast<const ScratchData*>(record.payload));
}

void OnKernel(rocprofiler_callback_tracing_record_t, rocprofiler_user_data_t*, void*) {}

struct RecordedScratch {
  std::vector<ScratchRecord> records;
  uint64_t drops = 0;
};

void OnScratchRecords(rocprofiler_context_id_t, rocprofiler_buffer_id_t,
                      rocprofiler_record_header_t** headers, size_t count, void* tool,
                      uint64_t drops) {
  auto* const recorded = static_cast<RecordedScratch*>(tool);
  recorded->drops += drops;
  for (size_t i = 0; i < count; ++i)
    recorded->records.push_back(*static_cast<const ScratchRecord*>(headers[i]->payload));
}

// Functions of a runtime, and of a tool that was installed before.
hsa_queue_t made_queue;
hsa_status_t CreateQueue(hsa_agent_t, uint32_t, hsa_queue_type32_t,
                         void (*)(hsa_status_t, hsa_queue_t*, void*), void*, uint32_t, uint32_t,
                         hsa_queue_t** queue) {
  *queue = &made_queue;
  return HSA_STATUS_SUCCESS;
}
hsa_status_t SayNode(hsa_agent_t agent, hsa_agent_info_t attribute, void* value) {
  if (attribute != HSA_AGENT_INFO_NODE) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  *static_cast<uint32_t*>(value) = static_cast<uint32_t>(agent.handle - 1);
  return HSA_STATUS_SUCCESS;
}
std::atomic<int> earlier_calls;
hsa_status_t EarlierTool(const RuntimeEvent*) {
  ++earlier_calls;
  return HSA_STATUS_ERROR;
}

// As a runtime lays them out:  version | slot 0 | slot 1 | ...
struct FakeTable {
  uint32_t major, bytes, step, reserved;
  void* slots[128];
};
struct FakeRoot {
  uint32_t version[4];
  FakeTable* tables[5];
};

class ScratchMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    for (FakeTable* const table : {&core_, &amd_, &image_, &finalizer_})
      *table = {2, sizeof(FakeTable), 0, 0, {}};
    tools_ = {1, 64, 0, 0, {}};
    root_ = {{3, sizeof(FakeRoot), 0, 0}, {&core_, &amd_, &finalizer_, &image_, &tools_}};
    const LibraryFunctions functions = HsaFunctionsOf(ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API);
    for (int32_t i = 0; i < functions.count; ++i) {
      const std::string name = functions.first[i].name;
      if (name == "hsa_queue_create") create_ = &core_.slots[i];
      if (name == "hsa_agent_get_info") core_.slots[i] = reinterpret_cast<void*>(SayNode);
    }
    *create_ = reinterpret_cast<void*>(CreateQueue);
    earlier_calls = 0;
    WriteTopology();
  }
  void TearDown() override {
    hooks_.Remove();
    (void)buffer_.Destroy();  // it may not be open
  }

  Context& Callbacks(std::initializer_list<int32_t> operations) {
    Context& context = *contexts_->Create(0);
    context.callbacks[kScratch].callback = OnScratch;
    context.callbacks[kScratch].data = &heard_;
    for (const int32_t operation : operations)
      context.callbacks[kScratch].operations.Add(operation);
    return context;
  }
  void Records(Context& context) {
    static CallbackThread* const thread = [] {
      auto* const made = new CallbackThread;  // its thread is never joined
      EXPECT_TRUE(made->Start().ok());
      return made;
    }();
    Buffer::Options options = {};
    options.context = context.id;
    options.size = options.watermark = 1 << 20;
    options.lossless = true;
    options.callback = OnScratchRecords;
    options.data = &recorded_;
    EXPECT_TRUE(buffer_.Open(options, thread));
    context.buffers[kBuffered].buffer = &buffer_;
    context.buffers[kBuffered].operations.AddAll();
  }
  static void AskForKernels(Context& context) {
    context.callbacks[kKernels].callback = OnKernel;
    context.callbacks[kKernels].operations.AddAll();
  }
  const RecordedScratch& Flushed() {
    EXPECT_EQ(buffer_.Flush(), ROCPROFILER_STATUS_SUCCESS);
    return recorded_;
  }
  void Install() {
    scratch_->Open();
    retirement_->Open();
    kernels_->Open();
    calls_->Open();
    Hook();
  }
  void Hook() {
    hooks_.Listen(&tracing_);
    hooks_.Install(&root_);
  }

  // The program creates a queue, and the runtime reports an event.
  const hsa_queue_t* MakeQueue(uint64_t id) {
    made_queue.id = id;
    hsa_queue_t* queue = nullptr;
    EXPECT_EQ(reinterpret_cast<decltype(&CreateQueue)>(*create_)({kGpu}, 64, 0, nullptr, nullptr, 0,
                                                                 0, &queue),
              HSA_STATUS_SUCCESS);
    return queue;
  }
  hsa_status_t Say(uint32_t kind, const hsa_queue_t* queue, uint32_t flags = 0, uint64_t packet = 0,
                   uint64_t bytes = 0) {
    void* const function = tools_.slots[kind - 1];
    if (function == nullptr) return HSA_STATUS_SUCCESS;
    const RuntimeEvent event = {kind, queue, flags, packet, bytes, 8};
    return reinterpret_cast<capture::ScratchFunction>(function)(&event);
  }
  void Allocate(const hsa_queue_t* queue, uint64_t packet, uint32_t flags = 0) {
    (void)Say(HSA_AMD_TOOL_EVENT_SCRATCH_ALLOC_START, queue, 0, packet);
    (void)Say(HSA_AMD_TOOL_EVENT_SCRATCH_ALLOC_END, queue, flags, packet, 4096);
  }
  void Free(const hsa_queue_t* queue) {
    (void)Say(HSA_AMD_TOOL_EVENT_SCRATCH_FREE_START, queue, 1);
    (void)Say(HSA_AMD_TOOL_EVENT_SCRATCH_FREE_END, queue, 1);
  }
  uint32_t Submit(uint64_t queue, uint64_t packet, uint32_t bytes, uint64_t correlation) {
    DispatchRecord kernel;
    kernel.head.thread = kThread;
    kernel.packet = packet;
    kernel.private_segment = bytes;
    kernel.correlation = correlation;
    return kernels_->KernelSubmitted(kernel, {3, 2, queue, {}});
  }
  void EndKernel(uint32_t ticket) { kernels_->KernelEnded(ticket, {}, {3, 2, 0, {}}); }
  // The ids in the callbacks, without those of phase EXIT.
  std::vector<uint64_t> ToldIds() const {
    std::vector<uint64_t> ids;
    for (const auto& record : heard_.records) {
      if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER)
        ids.push_back(record.correlation_id.internal);
    }
    return ids;
  }

  FakeTable core_, amd_, image_, finalizer_, tools_;
  FakeRoot root_;
  void** create_ = nullptr;
  HeardScratch heard_;
  RecordedScratch recorded_;
  Buffer buffer_;
  Agents agents_;
  Topology* const topology_ = new Topology;
  std::unique_ptr<Contexts> contexts_ = std::make_unique<Contexts>();
  std::unique_ptr<Retirement> retirement_ = std::make_unique<Retirement>(contexts_.get());
  std::unique_ptr<AsyncTracing> kernels_ =
      std::make_unique<AsyncTracing>(contexts_.get(), &agents_, retirement_.get());
  std::unique_ptr<ApiCalls> calls_ = std::make_unique<ApiCalls>(contexts_.get(), retirement_.get());
  std::unique_ptr<ScratchMemory> scratch_ = std::make_unique<ScratchMemory>(
      contexts_.get(), calls_.get(), kernels_.get(), retirement_.get(), topology_);
  HsaTracing tracing_{calls_.get(), nullptr, scratch_.get()};
  static capture::HsaCallHooks hooks_;

 private:
  // Two nodes, as the driver lists them: a CPU and a GPU.
  void WriteTopology() {
    const std::string nodes = folder_.File("nodes");
    for (int node = 0; node < 2; ++node) {
      const std::string folder = nodes + "/" + std::to_string(node);
      std::filesystem::create_directories(folder);
      std::ofstream(folder + "/properties") << (node == 0 ? "cpu_cores_count 4\nsimd_count 0\n"
                                                          : "cpu_cores_count 0\nsimd_count 240\n");
      std::ofstream(folder + "/gpu_id") << (node == 0 ? 0 : 77) << "\n";
    }
    topology_->Load(nodes.c_str());
    static auto* const kept = new std::vector<Topology*>;  // never freed: tools keep pointers
    kept->push_back(topology_);
  }
  test::TempDir folder_;
};

capture::HsaCallHooks ScratchMemoryTest::hooks_;

TEST_F(ScratchMemoryTest, ReportsAndRecordsMemoryForAKernel) {
  Context& context = Callbacks({kAlloc, kFree});
  Records(context);
  tools_.slots[1] = reinterpret_cast<void*>(EarlierTool);
  Install();
  (void)context.Start();
  const hsa_queue_t* const queue = MakeQueue(5);
  EXPECT_EQ(Say(HSA_AMD_TOOL_EVENT_SCRATCH_ALLOC_START, queue, 0, 9), HSA_STATUS_SUCCESS);
  EXPECT_EQ(Say(HSA_AMD_TOOL_EVENT_SCRATCH_ALLOC_END, queue, 2, 9, 4096), HSA_STATUS_ERROR)
      << "the previous function decides the result";
  EXPECT_EQ(earlier_calls, 1);
  Free(queue);
  ASSERT_EQ(heard_.records.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(heard_.records[i].operation, i < 2 ? kAlloc : kFree);
    EXPECT_EQ(heard_.records[i].phase,
              i % 2 == 0 ? ROCPROFILER_CALLBACK_PHASE_ENTER : ROCPROFILER_CALLBACK_PHASE_EXIT);
    EXPECT_EQ(heard_.records[i].thread_id, ThreadId::Current());
    EXPECT_EQ(heard_.records[i].correlation_id.internal, 0u);
    EXPECT_EQ(heard_.data[i].size, sizeof(ScratchData));
    EXPECT_EQ(heard_.data[i].agent_id.handle, topology_->IdOf(1).handle);
    EXPECT_EQ(heard_.data[i].queue_id.handle, 5u);
    EXPECT_EQ(static_cast<size_t>(heard_.data[i].args_kind), i + 1);
  }
  EXPECT_EQ(heard_.data[0].args.alloc_start.dispatch_id, 9u);
  EXPECT_EQ(heard_.data[0].flags, ROCPROFILER_SCRATCH_ALLOC_FLAG_NONE);
  EXPECT_EQ(heard_.data[1].args.alloc_end.dispatch_id, 9u);
  EXPECT_EQ(heard_.data[1].args.alloc_end.size, 4096u);
  EXPECT_EQ(heard_.data[1].args.alloc_end.num_slots, 8u);
  EXPECT_EQ(heard_.data[1].flags, ROCPROFILER_SCRATCH_ALLOC_FLAG_ALT);
  const std::vector<ScratchRecord>& records = Flushed().records;
  ASSERT_EQ(records.size(), 2u);
  for (const ScratchRecord& record : records) {
    EXPECT_EQ(record.size, sizeof(ScratchRecord));
    EXPECT_EQ(record.agent_id.handle, topology_->IdOf(1).handle);
    EXPECT_EQ(record.queue_id.handle, 5u);
    EXPECT_EQ(record.thread_id, ThreadId::Current());
    EXPECT_NE(record.start_timestamp, 0u);
    EXPECT_LE(record.start_timestamp, record.end_timestamp);
  }
  EXPECT_EQ(records[0].operation, kAlloc);
  EXPECT_EQ(records[0].flags, ROCPROFILER_SCRATCH_ALLOC_FLAG_ALT);
  EXPECT_EQ(records[0].allocation_size, 4096u);
  EXPECT_EQ(records[1].operation, kFree);
  EXPECT_EQ(records[1].flags, ROCPROFILER_SCRATCH_ALLOC_FLAG_USE_ONCE);
  EXPECT_EQ(records[1].allocation_size, 0u);
}

// The runtime frees a queue's memory while it destroys the queue.
TEST_F(ScratchMemoryTest, ReadsNoQueueInAFree) {
  Context& context = Callbacks({kFree});
  Install();
  (void)context.Start();
  void* const page = mmap(nullptr, sizeof(hsa_queue_t), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  auto* const queue = new (page) hsa_queue_t(*MakeQueue(5));
  Allocate(queue, 9);
  ASSERT_EQ(munmap(page, sizeof(hsa_queue_t)), 0);
  Free(queue);
  ASSERT_EQ(heard_.data.size(), 2u);
  EXPECT_EQ(heard_.data[1].queue_id.handle, 5u);
}

// The runtime restarts the queue before it reports the end. The end event has the queue's later
// position.
TEST_F(ScratchMemoryTest, NamesThePacketOfTheStartAtTheEndOfAnAllocation) {
  Context& context = Callbacks({kAlloc});
  Install();
  (void)context.Start();
  const hsa_queue_t* const queue = MakeQueue(5);
  (void)Say(HSA_AMD_TOOL_EVENT_SCRATCH_ALLOC_START, queue, 0, 9);
  (void)Say(HSA_AMD_TOOL_EVENT_SCRATCH_ALLOC_END, queue, 0, 10, 4096);
  ASSERT_EQ(heard_.data.size(), 2u);
  EXPECT_EQ(heard_.data[0].args.alloc_start.dispatch_id, 9u);
  EXPECT_EQ(heard_.data[1].args.alloc_end.dispatch_id, 9u);
}

TEST_F(ScratchMemoryTest, ReportsMemoryReclaimedInsideAnAllocationAsItsOwnEvent) {
  Context& context = Callbacks({});
  Records(context);
  Install();
  (void)context.Start();
  const hsa_queue_t* const queue = MakeQueue(5);
  (void)Say(HSA_AMD_TOOL_EVENT_SCRATCH_ALLOC_START, queue, 0, 9);
  (void)Say(HSA_AMD_TOOL_EVENT_SCRATCH_ASYNC_RECLAIM_START, queue, 2);
  (void)Say(HSA_AMD_TOOL_EVENT_SCRATCH_ASYNC_RECLAIM_END, queue, 2);
  (void)Say(HSA_AMD_TOOL_EVENT_SCRATCH_ALLOC_END, queue, 0, 9, 4096);
  const std::vector<ScratchRecord>& records = Flushed().records;
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].operation, ROCPROFILER_SCRATCH_MEMORY_ASYNC_RECLAIM);
  EXPECT_EQ(records[1].operation, kAlloc);
  EXPECT_LE(records[1].start_timestamp, records[0].start_timestamp);
  EXPECT_LE(records[0].end_timestamp, records[1].end_timestamp);
}

TEST_F(ScratchMemoryTest, ReportsOnlySubscribedOperationsOfStartedContexts) {
  Context& context = Callbacks({kFree});
  Install();
  const hsa_queue_t* const queue = MakeQueue(5);
  Free(queue);
  EXPECT_TRUE(heard_.records.empty()) << "not started";
  (void)context.Start();
  Allocate(queue, 1);
  EXPECT_TRUE(heard_.records.empty());
  (void)Say(HSA_AMD_TOOL_EVENT_SCRATCH_FREE_START, queue);
  (void)context.Stop();
  (void)Say(HSA_AMD_TOOL_EVENT_SCRATCH_FREE_END, queue);
  EXPECT_EQ(heard_.records.size(), 2u) << "each ENTER has its EXIT";
}

TEST_F(ScratchMemoryTest, ReplacesNothingWithoutASubscription) {
  Install();
  EXPECT_EQ(tools_.slots[0], nullptr);
  EXPECT_EQ(*create_, reinterpret_cast<void*>(CreateQueue));
}

TEST_F(ScratchMemoryTest, RestoresTheTableAndCanInstallAgain) {
  (void)Callbacks({kAlloc}).Start();
  tools_.slots[0] = reinterpret_cast<void*>(EarlierTool);
  Install();
  Hook();  // the same runtime, by its other registration
  Allocate(MakeQueue(5), 1);
  EXPECT_EQ(earlier_calls, 1);
  hooks_.Remove();
  EXPECT_EQ(tools_.slots[0], reinterpret_cast<void*>(EarlierTool));
  EXPECT_EQ(tools_.slots[1], nullptr);
  Hook();
  Allocate(MakeQueue(5), 1);
  EXPECT_EQ(heard_.records.size(), 4u);
}

TEST_F(ScratchMemoryTest, PrintsOneLineForARuntimeWithoutTheTable) {
  (void)Callbacks({kAlloc}).Start();
  root_.version[1] = sizeof(FakeRoot) - sizeof(void*);
  testing::internal::CaptureStderr();
  Install();
  Hook();
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("scratch memory is not reported to tools"), std::string::npos);
  EXPECT_EQ(said.find('\n'), said.size() - 1);
  EXPECT_FALSE(scratch_->installed());
  EXPECT_EQ(*create_, reinterpret_cast<void*>(CreateQueue));
}

TEST_F(ScratchMemoryTest, ReportsNoAgentForAnUnknownQueue) {
  (void)Callbacks({kAlloc}).Start();
  Install();
  hsa_queue_t queue = {};
  queue.id = 77;
  Allocate(&queue, 1);
  ASSERT_EQ(heard_.data.size(), 2u);
  EXPECT_EQ(heard_.data[0].agent_id.handle, 0u);
  EXPECT_EQ(heard_.data[0].queue_id.handle, 77u);
}

TEST_F(ScratchMemoryTest, CountsDropsBeyondTheLimitOfOpenEvents) {
  Context& context = Callbacks({kAlloc});
  Records(context);
  Install();
  (void)context.Start();
  constexpr uint32_t kQueues = ScratchMemory::kMostOpen + 1;
  hsa_queue_t queues[kQueues] = {};
  for (hsa_queue_t& queue : queues) (void)Say(HSA_AMD_TOOL_EVENT_SCRATCH_ALLOC_START, &queue);
  for (hsa_queue_t& queue : queues) (void)Say(HSA_AMD_TOOL_EVENT_SCRATCH_ALLOC_END, &queue);
  EXPECT_EQ(Flushed().records.size(), kQueues - 1);
  EXPECT_EQ(recorded_.drops, 1u);
  EXPECT_EQ(heard_.records.size(), 2 * (kQueues - 1));
}

TEST_F(ScratchMemoryTest, GivesTheEventTheIdOfTheKernelThatStoppedTheQueue) {
  Context& context = Callbacks({kAlloc});
  AskForKernels(context);
  Install();
  (void)context.Start();
  const hsa_queue_t* const queue = MakeQueue(5);
  (void)Submit(6, 3, 100, 60);  // another queue's
  const uint32_t first = Submit(5, 4, 100, 61);
  (void)Submit(5, 7, 300, 62);
  Allocate(queue, 5);
  Allocate(queue, 7);
  EXPECT_EQ(ToldIds(), (std::vector<uint64_t>{0, 0})) << "an older kernel is possible";
  Allocate(queue, 4);
  Allocate(queue, 7);
  EXPECT_EQ(ToldIds(), (std::vector<uint64_t>{0, 0, 61, 62})) << "the queue has room for the older";
  Free(queue);
  Allocate(queue, 7);
  EndKernel(first);
  Allocate(queue, 7, ROCPROFILER_SCRATCH_ALLOC_FLAG_USE_ONCE);
  EXPECT_EQ(ToldIds(), (std::vector<uint64_t>{0, 0, 61, 62, 0, 62}));
}

TEST_F(ScratchMemoryTest, FollowsKernelsWithoutSubscribers) {
  Context& context = Callbacks({kAlloc});
  Context& other = *contexts_->Create(0);  // never started
  AskForKernels(other);
  Install();
  (void)context.Start();
  EXPECT_EQ(Submit(5, 1, 0, 61), 0u) << "it uses no scratch memory";
  const uint32_t ticket = Submit(5, 2, 100, 62);
  EXPECT_NE(ticket, 0u);
  Allocate(MakeQueue(5), 2);
  EndKernel(ticket);
  Allocate(MakeQueue(5), 2);
  EXPECT_EQ(ToldIds(), (std::vector<uint64_t>{62, 0}));
}

TEST_F(ScratchMemoryTest, UsesTheExternalIdOfTheKernelOrThread) {
  Context& context = Callbacks({kAlloc});
  AskForKernels(context);
  Install();
  (void)context.Start();
  (void)context.external.Push(kThread, 88);
  (void)context.external.Push(ThreadId::Current(), 99);
  (void)Submit(5, 2, 100, 61);
  (void)context.external.Push(kThread, 77);  // after the kernel was submitted
  Allocate(MakeQueue(5), 2);
  Allocate(MakeQueue(6), 2);
  ASSERT_EQ(heard_.records.size(), 4u);
  EXPECT_EQ(heard_.records[0].correlation_id.external.value, 88u);
  EXPECT_EQ(heard_.records[1].correlation_id.external.value, 88u);
  EXPECT_EQ(heard_.records[2].correlation_id.external.value, 99u);
}

TEST_F(ScratchMemoryTest, RequestsTheExternalIdFromTheTool) {
  Context& context = Callbacks({kAlloc});
  context.request = {[](rocprofiler_thread_id_t, rocprofiler_context_id_t,
                        rocprofiler_external_correlation_id_request_kind_t kind,
                        rocprofiler_tracing_operation_t operation, uint64_t,
                        rocprofiler_user_data_t* value, void*) {
                       EXPECT_EQ(kind, ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_SCRATCH_MEMORY);
                       EXPECT_EQ(operation, kAlloc);
                       value->value = 55;
                       return 0;
                     },
                     nullptr, 1u << ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_SCRATCH_MEMORY};
  Install();
  (void)context.Start();
  Allocate(MakeQueue(5), 2);
  ASSERT_EQ(heard_.records.size(), 2u);
  EXPECT_EQ(heard_.records[1].correlation_id.external.value, 55u);
}

TEST_F(ScratchMemoryTest, KeepsAllRecordsOfManyThreads) {
  Context& context = *contexts_->Create(0);
  Records(context);
  AskForKernels(context);
  Install();
  (void)context.Start();
  constexpr int kThreads = 4, kTimes = 300;
  hsa_queue_t queues[kThreads] = {};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    queues[i].id = static_cast<uint64_t>(i);
    threads.emplace_back([&, i] {
      for (uint64_t packet = 0; packet < kTimes; ++packet) {
        const uint32_t ticket = Submit(queues[i].id, packet, 100, 1 + packet);
        Allocate(&queues[i], packet);
        EndKernel(ticket);
        Free(&queues[i]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::vector<ScratchRecord>& records = Flushed().records;
  EXPECT_EQ(records.size(), 2u * kThreads * kTimes);
  uint64_t sums[kThreads] = {};
  for (const ScratchRecord& record : records)
    sums[record.queue_id.handle] += record.correlation_id.internal;
  for (const uint64_t sum : sums) EXPECT_EQ(sum, uint64_t{kTimes} * (kTimes + 1) / 2);
  EXPECT_EQ(recorded_.drops, 0u);
}

}  // namespace
}  // namespace scratch_memory_test
}  // namespace rtl::sdk
