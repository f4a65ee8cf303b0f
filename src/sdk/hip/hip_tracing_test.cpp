// SPDX-License-Identifier: MIT
#include "sdk/hip/hip_tracing.h"

#include <gtest/gtest.h>
#include <string.h>

#include <string>
#include <utility>
#include <vector>

#include "capture/hip/hip_layout.h"
#include "capture/hip/open_call.h"

namespace rtl::sdk {
namespace {

using capture::CallLayout;
using capture::HipLayout;
using capture::OpenCall;
using capture::ThreadCalls;

constexpr auto kRuntime = ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API;

const LibraryFunction& FunctionNamed(const char* name) {
  const LibraryFunction* const function = FindHipFunction(name);
  EXPECT_NE(function, nullptr) << name;
  return *function;
}

struct HeardOfHip {
  std::vector<rocprofiler_callback_tracing_record_t> records;
  std::vector<std::string> enter, exit;  // arguments
  uint64_t correlation_inside = 0;
};

int Note(rocprofiler_callback_tracing_kind_t, rocprofiler_tracing_operation_t, uint32_t,
         const void* const, int32_t, const char* type, const char* name, const char* value,
         int32_t dereferences, void* list) {
  static_cast<std::vector<std::string>*>(list)->push_back(
      std::string(type) + " " + name + "=" + value + (dereferences != 0 ? " behind" : ""));
  return 0;
}

void OnCall(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t*, void* data) {
  auto* const heard = static_cast<HeardOfHip*>(data);
  heard->records.push_back(record);
  const bool enter = record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER;
  EXPECT_EQ(rocprofiler_iterate_callback_tracing_kind_operation_args(
                record, Note, record.phase, enter ? &heard->enter : &heard->exit),
            ROCPROFILER_STATUS_SUCCESS);
}

// A HIP call as interception methods report it: HIP's own structure of arguments, of one version.
class HipTracingTest : public testing::Test {
 protected:
  void Ask(std::initializer_list<const char*> names) {
    context_ = contexts_.Create(0);
    CallbackService& service = context_->callbacks[kRuntime];
    service.callback = OnCall;
    service.data = &heard_;
    for (const char* const name : names) service.operations.Add(FunctionNamed(name).api.operation);
    (void)context_->Start();
    calls_.Open();
    tracing_.Open();
  }

  // The argument with this index is at `offset` in HIP's data.
  template <typename T>
  void Put(const HipLayout& hip, const CallLayout& call, uint32_t place, const T& value) {
    memcpy(data_ + hip.steps[call.first_step + place].offset, &value, sizeof value);
  }

  void Run(const HipLayout& hip, const CallLayout& call, int32_t result) {
    ASSERT_TRUE(tracing_.Wants(call));
    ThreadCalls* const calls = OpenCall::MakeCalls();
    ASSERT_NE(calls, nullptr);
    calls->layout = &call;
    calls->recorded = 0;
    tracing_.Begin(calls, {hip.steps, data_});
    heard_.correlation_inside = OpenCall::Correlation();
    tracing_.End(calls, result, true, 0);
  }

  HeardOfHip heard_;
  Contexts contexts_;
  Context* context_ = nullptr;
  ApiCalls calls_{&contexts_};
  HipTracing tracing_{&contexts_, &calls_};
  alignas(8) uint8_t data_[ThreadCalls::kDataBytes] = {};
};

TEST_F(HipTracingTest, ReportsACallWithItsArgumentsAndResult) {
  Ask({"hipMalloc", "hipLaunchKernel"});
  const HipLayout& hip = *capture::FindHipLayout(7, 2);
  const CallLayout& malloc = *capture::FindCall(hip, "hipMalloc");
  void* memory = reinterpret_cast<void*>(0x1000);
  Put(hip, malloc, 0, &memory);
  Put(hip, malloc, 1, uint64_t{64});
  Run(hip, malloc, 0);
  ASSERT_EQ(heard_.records.size(), 2u);
  EXPECT_EQ(heard_.records[0].operation, ROCPROFILER_HIP_RUNTIME_API_ID_hipMalloc);
  EXPECT_EQ(heard_.records[0].correlation_id.internal, 1u);
  EXPECT_EQ(heard_.records[0].correlation_id.ancestor, 0u);
  EXPECT_EQ(heard_.correlation_inside, 1u) << "a kernel would belong to this call";
  EXPECT_EQ(heard_.enter[1], "size_t size=64");
  EXPECT_EQ(heard_.enter[0].rfind("void** ptr=0x7", 0), 0u) << heard_.enter[0];
  EXPECT_EQ(heard_.exit[0], "void** ptr=0x1000 behind");
  heard_.exit.clear();
  Run(hip, malloc, 2);
  EXPECT_EQ(heard_.exit[0], heard_.enter[0]) << "nothing was filled in";
}

// A call that the trace records has one id for the trace and for tools.
TEST_F(HipTracingTest, UsesTheTracesIdForACallThatTheTraceRecords) {
  Ask({"hipMalloc"});
  const HipLayout& hip = *capture::FindHipLayout(7, 2);
  const CallLayout& malloc = *capture::FindCall(hip, "hipMalloc");
  tracing_.SkipIds(40);
  ThreadCalls* const calls = OpenCall::MakeCalls();
  ASSERT_NE(calls, nullptr);
  calls->layout = &malloc;
  calls->recorded = tracing_.NewId();
  EXPECT_EQ(calls->recorded, 41u);
  tracing_.Begin(calls, {hip.steps, data_});
  EXPECT_EQ(OpenCall::Correlation(), 41u);
  tracing_.End(calls, 0, true, 0);
  calls->recorded = 0;
  EXPECT_EQ(OpenCall::Correlation(), 0u);
  ASSERT_EQ(heard_.records.size(), 2u);
  EXPECT_EQ(heard_.records[0].correlation_id.internal, 41u);
}

// Only the stream of the launch is reported: kernels have the ids of the HSA calls inside.
TEST_F(HipTracingTest, TakesNoIdForACallWithoutSubscribers) {
  Context* const streams = contexts_.Create(0);
  CallbackService& service = streams->callbacks[ROCPROFILER_CALLBACK_TRACING_HIP_STREAM];
  service.callback = [](rocprofiler_callback_tracing_record_t, rocprofiler_user_data_t*, void*) {};
  service.operations.AddAll();
  CallbackService& hsa = streams->callbacks[ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API];
  hsa.callback = service.callback;
  hsa.operations.AddAll();
  (void)streams->Start();
  Ask({"hipMalloc"});
  const HipLayout& hip = *capture::FindHipLayout(7, 2);
  const CallLayout& launch = *capture::FindCall(hip, "hipLaunchKernel");
  ASSERT_TRUE(tracing_.Wants(launch));
  ThreadCalls* const calls = OpenCall::MakeCalls();
  ASSERT_NE(calls, nullptr);
  calls->layout = &launch;
  tracing_.Begin(calls, {hip.steps, data_});
  EXPECT_EQ(OpenCall::Correlation(), 0u);
  const ApiFunction inside = {ROCPROFILER_CALLBACK_TRACING_HSA_CORE_API,
                              ROCPROFILER_BUFFER_TRACING_HSA_CORE_API, 0};
  for (uint64_t id : {1, 2}) {
    ApiCalls::Call call;
    calls_.Begin(&call, inside, nullptr);
    EXPECT_EQ(call.correlation, id) << "the launch has taken none";
    EXPECT_EQ(call.ancestor, 0u);
    EXPECT_EQ(OpenCall::Correlation(), id);
    calls_.End(&call);
  }
  tracing_.End(calls, 0, true, 0);
  const CallLayout& malloc = *capture::FindCall(hip, "hipMalloc");
  Run(hip, malloc, 0);
  EXPECT_EQ(heard_.records[0].correlation_id.internal, 3u);
}

struct Streams {
  std::vector<std::string> told;
  rocprofiler_callback_tracing_cb_t callback = [](rocprofiler_callback_tracing_record_t record,
                                                  rocprofiler_user_data_t* user, void* data) {
    const auto* const stream =
        static_cast<const rocprofiler_callback_tracing_hip_stream_data_t*>(record.payload);
    const char* const phases[] = {"", " enter", " exit"};
    EXPECT_EQ(stream->size, sizeof *stream);
    EXPECT_EQ(record.correlation_id.internal, 0u);
    EXPECT_EQ(user->value, record.phase == ROCPROFILER_CALLBACK_PHASE_EXIT ? 77u : 0u);
    user->value = 77;
    static_cast<Streams*>(data)->told.push_back(std::to_string(record.operation) +
                                                phases[record.phase] + " " +
                                                std::to_string(stream->stream_id.handle) + " " +
                                                std::to_string(stream->stream_value.value));
  };
  std::vector<std::string> Take() { return std::exchange(told, {}); }
};
using Texts = std::vector<std::string>;

TEST_F(HipTracingTest, ReportsStreamsWithoutTheirCalls) {
  Streams streams;
  Context* const context = contexts_.Create(0);
  CallbackService& service = context->callbacks[ROCPROFILER_CALLBACK_TRACING_HIP_STREAM];
  service.callback = streams.callback;
  service.data = &streams;
  service.operations.AddAll();
  (void)context->Start();
  Ask({"hipMalloc"});
  const HipLayout& hip = *capture::FindHipLayout(7, 2);
  const CallLayout& create = *capture::FindCall(hip, "hipStreamCreateWithFlags");
  const CallLayout& destroy = *capture::FindCall(hip, "hipStreamDestroy");
  const CallLayout& launch = *capture::FindCall(hip, "hipLaunchKernel");
  EXPECT_FALSE(tracing_.Asks(*capture::FindCall(hip, "hipFree")));
  EXPECT_FALSE(tracing_.Asks(*capture::FindCall(hip, "__hipPushCallConfiguration")));
  const auto launch_on = [&](uint64_t stream) {
    Put(hip, launch, 5, stream);
    Run(hip, launch, 0);
    return streams.Take();
  };
  uint64_t made = 4096;
  const auto create_it = [&](int32_t result) {
    Put(hip, create, 0, reinterpret_cast<uintptr_t>(&made));
    Run(hip, create, result);
    return streams.Take();
  };
  const auto destroy_it = [&](int32_t result) {
    Put(hip, destroy, 0, made);
    Run(hip, destroy, result);
    return streams.Take();
  };
  EXPECT_EQ(create_it(0), Texts{"1 1 4096"});
  EXPECT_EQ(launch_on(4096), (Texts{"3 enter 1 4096", "3 exit 1 4096"}));
  EXPECT_EQ(launch_on(0), (Texts{"3 enter 0 0", "3 exit 0 0"}));
  EXPECT_EQ(launch_on(8192), (Texts{"3 enter 2 8192", "3 exit 2 8192"})) << "made before";
  EXPECT_EQ(create_it(1), Texts{}) << "it has failed";
  EXPECT_EQ(destroy_it(1), Texts{});
  EXPECT_EQ(launch_on(4096), (Texts{"3 enter 1 4096", "3 exit 1 4096"})) << "it is still there";
  EXPECT_EQ(destroy_it(0), Texts{"2 1 4096"});
  EXPECT_EQ(create_it(0), Texts{"1 3 4096"}) << "a reused handle is another stream";
  (void)context->Stop();
  EXPECT_FALSE(tracing_.Wants(launch));
  EXPECT_EQ(destroy_it(0), Texts{});
  (void)context->Start();
  EXPECT_EQ(launch_on(4096), (Texts{"3 enter 4 4096", "3 exit 4 4096"})) << "destroyed meanwhile";
  EXPECT_TRUE(heard_.records.empty()) << "no context subscribes to these calls";
}

TEST_F(HipTracingTest, LaysOutStructuresAndVectorsAsC) {
  Ask({"hipLaunchKernel", "hipMemset3D"});
  const HipLayout& hip = *capture::FindHipLayout(7, 2);
  const CallLayout& launch = *capture::FindCall(hip, "hipLaunchKernel");
  const uint32_t blocks[] = {1, 2, 3}, threads[] = {4, 5, 6};
  Put(hip, launch, 1, blocks);
  Put(hip, launch, 2, threads);
  Put(hip, launch, 4, uint64_t{77});
  Run(hip, launch, 0);
  EXPECT_EQ(heard_.exit[1], "dim3 numBlocks={x=1, y=2, z=3}");
  EXPECT_EQ(heard_.exit[2], "dim3 dimBlocks={x=4, y=5, z=6}");
  EXPECT_EQ(heard_.exit[4], "size_t sharedMemBytes=77");

  const CallLayout& memset3d = *capture::FindCall(hip, "hipMemset3D");
  const uint64_t pitched[] = {10, 11, 12, 13}, extent[] = {20, 21, 22};
  Put(hip, memset3d, 0, pitched);
  Put(hip, memset3d, 1, int32_t{-7});
  Put(hip, memset3d, 2, extent);
  context_->callbacks[kRuntime].callback = [](rocprofiler_callback_tracing_record_t record,
                                              rocprofiler_user_data_t*, void* data) {
    const auto* const payload =
        static_cast<const rocprofiler_callback_tracing_hip_api_data_t*>(record.payload);
    static_cast<HeardOfHip*>(data)->records.push_back(record);
    EXPECT_EQ(payload->args.words[3], 13u);
    EXPECT_EQ(static_cast<int32_t>(payload->args.words[4]), -7);
    EXPECT_EQ(payload->args.words[7], 22u);
  };
  Run(hip, memset3d, 0);
  EXPECT_EQ(heard_.records.size(), 4u);
}

TEST_F(HipTracingTest, MapsNamesOfOlderHipVersionsToOperations) {
  EXPECT_STREQ(FunctionNamed("hipGetDeviceProperties").name, "hipGetDevicePropertiesR0000");
  EXPECT_STREQ(FunctionNamed("hipChooseDeviceR0600").name, "hipChooseDevice");
  EXPECT_EQ(FindHipFunction("RESERVED_50"), nullptr);
  Ask({"hipGetDevicePropertiesR0000"});
  const HipLayout& hip = *capture::FindHipLayout(5, 2);
  EXPECT_TRUE(tracing_.Asks(*capture::FindCall(hip, "hipGetDeviceProperties")));
  EXPECT_FALSE(tracing_.Asks(*capture::FindCall(hip, "hipMalloc")));
}

TEST_F(HipTracingTest, ReportsOnlySubscribedCallsOfStartedContexts) {
  Ask({"hipMalloc"});
  const HipLayout& hip = *capture::FindHipLayout(6, 4);
  const CallLayout& malloc = *capture::FindCall(hip, "hipMalloc");
  EXPECT_TRUE(tracing_.Wants(malloc));
  EXPECT_FALSE(tracing_.Wants(*capture::FindCall(hip, "hipFree")));
  (void)context_->Stop();
  EXPECT_FALSE(tracing_.Wants(malloc));
  EXPECT_TRUE(tracing_.Asks(malloc)) << "it may be started again";
}

TEST_F(HipTracingTest, IsNotUsedWithoutASubscribedContext) {
  tracing_.Open();
  EXPECT_FALSE(tracing_.asked());
}

TEST(HipFunctions, RejectsArgumentsOfForeignRecords) {
  rocprofiler_callback_tracing_record_t record = {};
  record.kind = kRuntime;
  EXPECT_EQ(rocprofiler_iterate_callback_tracing_kind_operation_args(record, Note, 0, nullptr),
            ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
  rocprofiler_callback_tracing_hip_api_data_t payload = {};
  record.payload = &payload;
  record.operation = HipFunctionsOf(ROCPROFILER_CALLBACK_TRACING_HIP_RUNTIME_API).count;
  EXPECT_EQ(rocprofiler_iterate_callback_tracing_kind_operation_args(record, Note, 0, nullptr),
            ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND);
  const auto never = [](rocprofiler_buffer_tracing_kind_t, rocprofiler_tracing_operation_t,
                        uint32_t, const void* const, int32_t, const char*, const char*, const char*,
                        void*) {
    ADD_FAILURE();
    return 0;
  };
  rocprofiler_record_header_t header = {};
  header.category = ROCPROFILER_BUFFER_CATEGORY_TRACING;
  header.kind = ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API;
  EXPECT_EQ(rocprofiler_iterate_buffer_tracing_record_args(header, never, nullptr),
            ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED)
      << "has no arguments";
  header.kind = ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API_EXT;
  EXPECT_EQ(rocprofiler_iterate_buffer_tracing_record_args(header, never, nullptr),
            ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace rtl::sdk
