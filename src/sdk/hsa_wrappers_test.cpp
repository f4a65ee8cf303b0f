// SPDX-License-Identifier: MIT
#include "sdk/hsa_wrappers.h"

#include <gtest/gtest.h>
#include <hsa/hsa_ext_finalize.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "sdk/hsa_functions.h"
#include "tests/support/temp_dir.h"

namespace rtl::sdk {
namespace {

constexpr auto kCore = ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API;
constexpr auto kAmd = ROCPROFILER_CALLBACK_TRACING_HSA_AMD_EXT_API;
constexpr auto kFinalizer = ROCPROFILER_CALLBACK_TRACING_HSA_FINALIZE_EXT_API;

// As a runtime lays them out:  version | slot 0 | slot 1 | ...
struct FakeTable {
  uint32_t major, bytes, step, reserved;
  void* slots[128];
};

template <typename F>
void* Pointer(F* function) {
  return reinterpret_cast<void*>(function);
}

std::atomic<int> real_calls;
hsa_status_t Init() {
  ++real_calls;
  return HSA_STATUS_ERROR;
}
uint64_t Add(const hsa_queue_t* queue, uint64_t value) { return queue == nullptr ? value + 1 : 0; }
void Store(hsa_signal_t, hsa_signal_value_t) {}
hsa_status_t Register(hsa_queue_t*, void*, void*) { return HSA_STATUS_ERROR_INVALID_QUEUE; }
hsa_status_t Finish(hsa_ext_program_t program, hsa_isa_t, int32_t convention,
                    hsa_ext_control_directives_t directives, const char*, hsa_code_object_type_t,
                    hsa_code_object_t*) {
  return static_cast<hsa_status_t>(program.handle + static_cast<uint64_t>(convention) +
                                   directives.control_directives_mask);
}

int32_t OperationOf(uint32_t kind, const std::string& name) {
  const HsaFunctions all = HsaFunctionsOf(kind);
  for (int32_t i = 0; i < all.count; ++i) {
    if (all.first[i].name == name) return i;
  }
  return -1;
}

struct HeardOfHsa {
  std::vector<rocprofiler_callback_tracing_record_t> records;
  std::vector<std::string> arguments;
  bool data_kept = false;
  void (*inside)() = nullptr;
};

void OnHsaCall(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user_data,
               void* data) {
  auto* const heard = static_cast<HeardOfHsa*>(data);
  heard->records.push_back(record);
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER) {
    user_data->value = record.correlation_id.internal + 7;
  } else {
    heard->data_kept = user_data->value == record.correlation_id.internal + 7;
    const auto note = [](rocprofiler_callback_tracing_kind_t, rocprofiler_tracing_operation_t,
                         uint32_t number, const void* const, int32_t stars, const char* type,
                         const char* name, const char* value, int32_t, void* list) {
      static_cast<HeardOfHsa*>(list)->arguments.push_back(std::to_string(number) + " " + type +
                                                          " " + name + " " + value + " " +
                                                          std::to_string(stars));
      return 0;
    };
    EXPECT_EQ(TellHsaArguments(record, note, 1, heard), ROCPROFILER_STATUS_SUCCESS);
  }
  if (heard->inside != nullptr) heard->inside();
}

class HsaWrappersTest : public testing::Test {
 protected:
  void SetUp() override {
    for (FakeTable* const table : {&core_, &amd_, &image_, &finalizer_})
      *table = {2, sizeof(FakeTable), 0, 0, {}};
    root_ = {{}, {&core_, &amd_, &finalizer_, &image_}};
    core_.slots[OperationOf(kCore, "hsa_init")] = Pointer(Init);
    core_.slots[OperationOf(kCore, "hsa_queue_add_write_index_relaxed")] = Pointer(Add);
    core_.slots[OperationOf(kCore, "hsa_signal_store_relaxed")] = Pointer(Store);
    finalizer_.slots[OperationOf(kFinalizer, "hsa_ext_program_finalize")] = Pointer(Finish);
  }

  // The next test has tables of its own.
  void TearDown() override { wrappers_.Remove(); }

  Context& Ask(uint32_t kind, std::initializer_list<const char*> names) {
    Context& context = *contexts_.Create(0);
    CallbackService& service = context.callbacks[kind];
    service.callback = OnHsaCall;
    service.data = &heard_;
    for (const char* const name : names) service.operations.Add(OperationOf(kind, name));
    return context;
  }
  void Install() {
    calls_.Open();
    wrappers_.Install(&root_);
  }
  template <typename F>
  F* Slot(FakeTable& table, uint32_t kind, const char* name) {
    return reinterpret_cast<F*>(table.slots[OperationOf(kind, name)]);
  }

  struct Root {
    uint32_t version[4];
    FakeTable* tables[4];
  };
  FakeTable core_, amd_, image_, finalizer_;
  Root root_;
  HeardOfHsa heard_;
  Contexts contexts_;
  ApiCalls calls_{&contexts_};
  HsaWrappers wrappers_{&calls_};
};

TEST_F(HsaWrappersTest, ReplacesOnlySubscribedFunctions) {
  Ask(kCore, {"hsa_queue_add_write_index_relaxed"});
  Install();
  EXPECT_EQ(Slot<decltype(Init)>(core_, kCore, "hsa_init"), Init);
  EXPECT_NE(Slot<decltype(Add)>(core_, kCore, "hsa_queue_add_write_index_relaxed"), Add);
  EXPECT_EQ(core_.slots[OperationOf(kCore, "hsa_queue_create")], nullptr);
  wrappers_.Remove();
  EXPECT_EQ(Slot<decltype(Add)>(core_, kCore, "hsa_queue_add_write_index_relaxed"), Add);
}

TEST_F(HsaWrappersTest, ReportsACallBeforeAndAfter) {
  Context& context = Ask(kCore, {"hsa_queue_add_write_index_relaxed"});
  Install();
  auto* const add = Slot<decltype(Add)>(core_, kCore, "hsa_queue_add_write_index_relaxed");
  EXPECT_EQ(add(nullptr, 41), 42u) << "not started";
  EXPECT_TRUE(heard_.records.empty());
  context.Start();
  EXPECT_EQ(add(nullptr, 41), 42u);
  ASSERT_EQ(heard_.records.size(), 2u);
  const auto& enter = heard_.records[0];
  const auto& exit = heard_.records[1];
  EXPECT_EQ(enter.phase, ROCPROFILER_CALLBACK_PHASE_ENTER);
  EXPECT_EQ(exit.phase, ROCPROFILER_CALLBACK_PHASE_EXIT);
  EXPECT_EQ(enter.context_id.handle, context.id.handle);
  EXPECT_EQ(enter.kind, kCore);
  EXPECT_EQ(enter.operation, OperationOf(kCore, "hsa_queue_add_write_index_relaxed"));
  EXPECT_GT(enter.correlation_id.internal, 0u);
  EXPECT_EQ(enter.correlation_id.internal, exit.correlation_id.internal);
  EXPECT_TRUE(heard_.data_kept);
  EXPECT_EQ(heard_.arguments, (std::vector<std::string>{"0 const hsa_queue_t* queue (null) 1",
                                                        "1 uint64_t value 41 0"}));
}

TEST_F(HsaWrappersTest, PassesLargeArgumentsAndResultsThrough) {
  Ask(kFinalizer, {"hsa_ext_program_finalize"}).Start();
  Install();
  hsa_ext_control_directives_t directives = {};
  directives.control_directives_mask = 100;
  EXPECT_EQ(Slot<decltype(Finish)>(finalizer_, kFinalizer, "hsa_ext_program_finalize")(
                {1000}, {2}, 10, directives, "text", HSA_CODE_OBJECT_TYPE_PROGRAM, nullptr),
            1110);
  EXPECT_EQ(heard_.arguments,
            (std::vector<std::string>{
                "0 hsa_ext_program_t program {handle=1000} 0", "1 hsa_isa_t isa {handle=2} 0",
                "2 int32_t call_convention 10 0",
                "3 hsa_ext_control_directives_t control_directives {...} 0",
                "4 const char* options text 1", "5 hsa_code_object_type_t code_object_type 0 0",
                "6 hsa_code_object_t* code_object (null) 1"}));
}

TEST_F(HsaWrappersTest, LaysOutArgumentsAsTheHeadersDo) {
  const auto offset = [](uint32_t kind, const char* name, uint32_t argument) {
    return OffsetOfArgument(HsaFunctionsOf(kind).first[OperationOf(kind, name)].arguments,
                            argument);
  };
  using Args = rocprofiler_hsa_api_args_t;
  EXPECT_EQ(offset(kCore, "hsa_queue_create", 7), offsetof(Args, hsa_queue_create.queue));
  EXPECT_EQ(offset(kCore, "hsa_system_extension_supported", 3),
            offsetof(Args, hsa_system_extension_supported.result));
  EXPECT_EQ(offset(kAmd, "hsa_amd_memory_async_copy", 7),
            offsetof(Args, hsa_amd_memory_async_copy.completion_signal));
  EXPECT_EQ(offset(kFinalizer, "hsa_ext_program_finalize", 6),
            offsetof(Args, hsa_ext_program_finalize.code_object));
  EXPECT_EQ(sizeof(rocprofiler_callback_tracing_hsa_api_data_t), 208u);
}

TEST_F(HsaWrappersTest, DoesNotReportCallsThatAToolMakesInItsCallback) {
  Ask(kCore, {"hsa_init"}).Start();
  Install();
  static hsa_status_t (*init)();
  init = Slot<decltype(Init)>(core_, kCore, "hsa_init");
  heard_.inside = [] { (void)init(); };
  real_calls = 0;
  EXPECT_EQ(init(), HSA_STATUS_ERROR);
  EXPECT_EQ(real_calls, 3);
  EXPECT_EQ(heard_.records.size(), 2u);
}

TEST_F(HsaWrappersTest, SetsTheOuterCallAsAncestorOfANestedCall) {
  Ask(kCore, {"hsa_init", "hsa_signal_store_relaxed"}).Start();
  static hsa_status_t (*init)();
  // The runtime's store calls init through the table.
  core_.slots[OperationOf(kCore, "hsa_signal_store_relaxed")] =
      Pointer(+[](hsa_signal_t, hsa_signal_value_t) { (void)init(); });
  Install();
  init = Slot<decltype(Init)>(core_, kCore, "hsa_init");
  Slot<decltype(Store)>(core_, kCore, "hsa_signal_store_relaxed")({1}, 2);
  ASSERT_EQ(heard_.records.size(), 4u);
  EXPECT_EQ(heard_.records[0].correlation_id.ancestor, 0u);
  EXPECT_EQ(heard_.records[1].correlation_id.ancestor, heard_.records[0].correlation_id.internal);
  EXPECT_GT(heard_.records[1].correlation_id.internal, heard_.records[0].correlation_id.internal);
  EXPECT_EQ(heard_.records[3].correlation_id.internal, heard_.records[0].correlation_id.internal);
}

TEST_F(HsaWrappersTest, SendsExitEvenIfTheContextIsStoppedMeanwhile) {
  static Context* context;
  context = &Ask(kCore, {"hsa_init"});
  context->Start();
  core_.slots[OperationOf(kCore, "hsa_init")] = Pointer(+[] {
    (void)context->Stop();
    return HSA_STATUS_SUCCESS;
  });
  Install();
  auto* const init = Slot<decltype(Init)>(core_, kCore, "hsa_init");
  (void)init();
  (void)init();
  EXPECT_EQ(heard_.records.size(), 2u);
}

TEST_F(HsaWrappersTest, UsesTheExternalIdPushedForTheThread) {
  Context& context = Ask(kCore, {"hsa_init"});
  context.Start();
  Install();
  static hsa_status_t (*init)();
  init = Slot<decltype(Init)>(core_, kCore, "hsa_init");
  const auto external = [this](bool elsewhere) {
    heard_.records.clear();
    elsewhere ? std::thread([] { (void)init(); }).join() : (void)init();
    EXPECT_EQ(heard_.records[0].correlation_id.external.value,
              heard_.records[1].correlation_id.external.value);
    return heard_.records[0].correlation_id.external.value;
  };
  const auto self = static_cast<uint64_t>(getpid());
  EXPECT_EQ(external(false), 0u);
  EXPECT_TRUE(context.external.Push(self, 5));
  EXPECT_TRUE(context.external.Push(self, 6));
  EXPECT_EQ(external(false), 6u);
  EXPECT_EQ(external(true), 6u) << "inherited from the first thread";
  EXPECT_EQ(context.external.Pop(self), 6u);
  EXPECT_EQ(external(false), 5u);
  EXPECT_EQ(context.external.Pop(self), 5u);
  EXPECT_EQ(context.external.Pop(self), 0u);
  EXPECT_EQ(external(false), 0u);
}

TEST_F(HsaWrappersTest, PrefersAThreadsOwnValueToTheInheritedOne) {
  ExternalIds ids;
  const auto self = static_cast<uint64_t>(getpid());
  for (uint64_t i = 1; i <= 100; ++i) EXPECT_TRUE(ids.Push(self + 1, i));
  EXPECT_EQ(ids.Current(self + 1), 100u);
  EXPECT_EQ(ids.Current(self + 65), 0u) << "in the same bucket";
  EXPECT_TRUE(ids.Push(self, 7));
  EXPECT_EQ(ids.Current(self + 65), 7u);
  for (uint64_t i = 100; i >= 1; --i) EXPECT_EQ(ids.Pop(self + 1), i);
  EXPECT_EQ(ids.Current(self + 1), 7u);
}

TEST_F(HsaWrappersTest, RequestsTheExternalIdFromTheTool) {
  Context& context = Ask(kCore, {"hsa_init"});
  static int answer;
  context.request.kinds = 1u << kCore;
  context.request.callback = [](rocprofiler_thread_id_t thread, rocprofiler_context_id_t,
                                rocprofiler_external_correlation_id_request_kind_t kind,
                                rocprofiler_tracing_operation_t operation, uint64_t internal,
                                rocprofiler_user_data_t* value, void*) {
    EXPECT_EQ(thread, static_cast<uint64_t>(getpid()));
    EXPECT_EQ(kind, ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_HSA_CORE_API);
    EXPECT_EQ(operation, 0);
    value->value = internal + 1000;
    return answer;
  };
  EXPECT_TRUE(context.external.Push(static_cast<uint64_t>(getpid()), 5));
  context.Start();
  Install();
  auto* const init = Slot<decltype(Init)>(core_, kCore, "hsa_init");
  answer = 0;
  (void)init();
  EXPECT_EQ(heard_.records[1].correlation_id.external.value,
            heard_.records[1].correlation_id.internal + 1000);
  answer = 1;
  (void)init();
  EXPECT_EQ(heard_.records[3].correlation_id.external.value, 5u) << "the pushed value";
}

// Without the two copy engine functions the later functions are two slots lower.
TEST_F(HsaWrappersTest, FindsFunctionsInAnOldTable) {
  amd_.major = 1;
  amd_.bytes = 16 + 48 * 8;
  const int32_t old_place = OperationOf(kAmd, "hsa_amd_queue_intercept_register") - 2;
  amd_.slots[old_place] = Pointer(Register);
  Ask(kAmd,
      {"hsa_amd_queue_intercept_register", "hsa_amd_memory_copy_engine_status", "hsa_amd_vmem_map"})
      .Start();
  Install();
  auto* const wrapped = reinterpret_cast<decltype(Register)*>(amd_.slots[old_place]);
  EXPECT_NE(wrapped, Register);
  EXPECT_EQ(wrapped(nullptr, nullptr, nullptr), HSA_STATUS_ERROR_INVALID_QUEUE);
  ASSERT_EQ(heard_.records.size(), 2u);
  EXPECT_EQ(heard_.records[0].operation, OperationOf(kAmd, "hsa_amd_queue_intercept_register"));
}

TEST_F(HsaWrappersTest, KeepsAnotherToolsFunctionInItsSlot) {
  Ask(kCore, {"hsa_init"});
  Install();
  core_.slots[OperationOf(kCore, "hsa_init")] = Pointer(Store);
  wrappers_.Remove();
  EXPECT_EQ(core_.slots[OperationOf(kCore, "hsa_init")], Pointer(Store));
}

// Two threads call while a third starts and stops the context: each call is reported completely or
// not at all.
TEST_F(HsaWrappersTest, CanStartAndStopDuringCalls) {
  static std::atomic<int> enters, exits;
  enters = exits = 0;
  Context& context = Ask(kCore, {"hsa_init"});
  context.callbacks[kCore].callback = [](rocprofiler_callback_tracing_record_t record,
                                         rocprofiler_user_data_t*, void*) {
    ++(record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER ? enters : exits);
  };
  Install();
  auto* const init = Slot<decltype(Init)>(core_, kCore, "hsa_init");
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([init] {
      for (int call = 0; call < 20'000; ++call) (void)init();
    });
  }
  for (uint64_t time = 1; time < 1000; ++time) {
    (void)context.Start();
    (void)context.Stop();
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(enters, exits);
  (void)context.Start();
  const int before = enters;
  (void)init();
  EXPECT_EQ(enters, before + 1);
}

TEST_F(HsaWrappersTest, UsesTheNamesOfTheInterface) {
  EXPECT_EQ(HsaFunctionsOf(kCore).count, 125);
  EXPECT_EQ(HsaFunctionsOf(kAmd).count, 74);
  EXPECT_EQ(HsaFunctionsOf(ROCPROFILER_CALLBACK_TRACING_HSA_IMAGE_EXT_API).count, 13);
  EXPECT_EQ(HsaFunctionsOf(kFinalizer).count, 6);
  EXPECT_EQ(HsaFunctionsOf(ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API).count, 0);
  EXPECT_EQ(OperationOf(kAmd, "hsa_amd_memory_async_copy"),
            ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_async_copy);
}

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

class HsaAllocationsTest : public HsaWrappersTest {
 protected:
  static constexpr auto kMemory = ROCPROFILER_CALLBACK_TRACING_MEMORY_ALLOCATION;

  void SetUp() override {
    HsaWrappersTest::SetUp();
    WriteTopology();
    topology_->Load(nodes_.c_str());
    static auto* const kept = new std::vector<Topology*>;  // never freed: tools keep pointers
    kept->push_back(topology_);
    const auto put = [](FakeTable& table, uint32_t kind, const char* name, auto* function) {
      table.slots[OperationOf(kind, name)] = Pointer(function);
    };
    put(core_, kCore, "hsa_iterate_agents", TellAgents);
    put(core_, kCore, "hsa_agent_get_info", TellNode);
    put(core_, kCore, "hsa_agent_iterate_regions", TellRegions);
    put(core_, kCore, "hsa_memory_allocate", AllocateFromRegion);
    put(core_, kCore, "hsa_memory_free", FreeAddress);
    put(amd_, kAmd, "hsa_amd_agent_iterate_memory_pools", TellPools);
    put(amd_, kAmd, "hsa_amd_memory_pool_allocate", AllocateFromPool);
    put(amd_, kAmd, "hsa_amd_memory_pool_free", FreeAddress);
    put(amd_, kAmd, "hsa_amd_vmem_handle_create", CreateHandle);
    put(amd_, kAmd, "hsa_amd_vmem_handle_release", FreeHandle);
  }
  void TearDown() override { all_.Remove(); }

  Context& AskForMemory(std::initializer_list<int32_t> operations) {
    Context& context = *contexts_.Create(0);
    context.callbacks[kMemory].callback = OnMemory;
    context.callbacks[kMemory].data = &memory_;
    for (const int32_t operation : operations) context.callbacks[kMemory].operations.Add(operation);
    return context;
  }
  void InstallAll() {
    calls_.Open();
    all_.Install(&root_);
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
  HsaWrappers all_{&calls_, nullptr, &allocations_};

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

}  // namespace
}  // namespace rtl::sdk
