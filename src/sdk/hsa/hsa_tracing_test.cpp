// SPDX-License-Identifier: MIT
#include "sdk/hsa/hsa_tracing.h"

#include <gtest/gtest.h>
#include <hsa/hsa_ext_finalize.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/tool_hsa.h"

namespace rtl::sdk {
namespace hsa_tracing_test {
namespace {

using tool_hsa::kAmd;
using tool_hsa::kCore;
using tool_hsa::kFinalizer;
using tool_hsa::OperationOf;
using tool_hsa::Pointer;
using tool_hsa::ToolHsaTest;

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

class HsaTracingTest : public ToolHsaTest {
 protected:
  void SetUp() override {
    ToolHsaTest::SetUp();
    Put(core_, kCore, "hsa_init", Init);
    Put(core_, kCore, "hsa_queue_add_write_index_relaxed", Add);
    Put(core_, kCore, "hsa_signal_store_relaxed", Store);
    Put(finalizer_, kFinalizer, "hsa_ext_program_finalize", Finish);
  }
};

TEST_F(HsaTracingTest, ReplacesOnlySubscribedFunctions) {
  Ask(kCore, {"hsa_queue_add_write_index_relaxed"});
  Install();
  EXPECT_EQ(Slot<decltype(Init)>(core_, kCore, "hsa_init"), Init);
  EXPECT_NE(Slot<decltype(Add)>(core_, kCore, "hsa_queue_add_write_index_relaxed"), Add);
  EXPECT_EQ(core_.slots[OperationOf(kCore, "hsa_queue_create")], nullptr);
  hooks_.Remove();
  EXPECT_EQ(Slot<decltype(Add)>(core_, kCore, "hsa_queue_add_write_index_relaxed"), Add);
}

TEST_F(HsaTracingTest, ReportsACallBeforeAndAfter) {
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

TEST_F(HsaTracingTest, PassesLargeArgumentsAndResultsThrough) {
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

TEST_F(HsaTracingTest, LaysOutArgumentsAsTheHeadersDo) {
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

TEST_F(HsaTracingTest, DoesNotReportCallsThatAToolMakesInItsCallback) {
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

TEST_F(HsaTracingTest, SetsTheOuterCallAsAncestorOfANestedCall) {
  Ask(kCore, {"hsa_init", "hsa_signal_store_relaxed"}).Start();
  static hsa_status_t (*init)();
  // The runtime's hsa_signal_store_relaxed calls hsa_init through the table.
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

TEST_F(HsaTracingTest, SendsExitEvenIfTheContextIsStoppedMeanwhile) {
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

TEST_F(HsaTracingTest, UsesTheExternalIdPushedForTheThread) {
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

TEST_F(HsaTracingTest, PrefersAThreadsOwnValueToTheInheritedOne) {
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

TEST_F(HsaTracingTest, RequestsTheExternalIdFromTheTool) {
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
TEST_F(HsaTracingTest, FindsFunctionsInAnOldTable) {
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

TEST_F(HsaTracingTest, KeepsAnotherToolsFunctionInItsSlot) {
  Ask(kCore, {"hsa_init"});
  Install();
  core_.slots[OperationOf(kCore, "hsa_init")] = Pointer(Store);
  hooks_.Remove();
  EXPECT_EQ(core_.slots[OperationOf(kCore, "hsa_init")], Pointer(Store));
}

// Two threads call while a third starts and stops the context: each call is reported completely or
// not at all.
TEST_F(HsaTracingTest, CanStartAndStopDuringCalls) {
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

TEST_F(HsaTracingTest, UsesTheNamesOfTheInterface) {
  EXPECT_EQ(HsaFunctionsOf(kCore).count, 125);
  EXPECT_EQ(HsaFunctionsOf(kAmd).count, 74);
  EXPECT_EQ(HsaFunctionsOf(ROCPROFILER_CALLBACK_TRACING_HSA_IMAGE_EXT_API).count, 13);
  EXPECT_EQ(HsaFunctionsOf(kFinalizer).count, 6);
  EXPECT_EQ(HsaFunctionsOf(ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API).count, 0);
  EXPECT_EQ(OperationOf(kAmd, "hsa_amd_memory_async_copy"),
            ROCPROFILER_HSA_AMD_EXT_API_ID_hsa_amd_memory_async_copy);
}

}  // namespace
}  // namespace hsa_tracing_test
}  // namespace rtl::sdk
