// SPDX-License-Identifier: MIT
#include "sdk/hip_tracing.h"

#include <gtest/gtest.h>
#include <string.h>

#include <string>
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

const HipFunction& FunctionNamed(const char* name) {
  const HipFunction* const function = FindHipFunction(name);
  EXPECT_NE(function, nullptr) << name;
  return *function;
}

struct Heard {
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
  auto* const heard = static_cast<Heard*>(data);
  heard->records.push_back(record);
  const bool enter = record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER;
  EXPECT_EQ(TellHipArguments(record, Note, record.phase, enter ? &heard->enter : &heard->exit),
            ROCPROFILER_STATUS_SUCCESS);
}

// A call of HIP as its doors tell of it: HIP's own structure of arguments, of one version.
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

  // The argument of this place lies at `offset` of HIP's data.
  template <typename T>
  void Put(const HipLayout& hip, const CallLayout& call, uint32_t place, const T& value) {
    memcpy(data_ + hip.steps[call.first_step + place].offset, &value, sizeof value);
  }

  void Run(const HipLayout& hip, const CallLayout& call, int32_t result) {
    ASSERT_TRUE(tracing_.Wants(call));
    ThreadCalls* const calls = OpenCall::MakeCalls();
    ASSERT_NE(calls, nullptr);
    calls->layout = &call;
    calls->correlation = 99;  // the door's own
    tracing_.Begin(calls, {hip.steps, data_});
    heard_.correlation_inside = OpenCall::Correlation();
    tracing_.End(calls, result, true);
    calls->correlation = 0;
  }

  Heard heard_;
  Contexts contexts_;
  Context* context_ = nullptr;
  ApiCalls calls_{&contexts_};
  HipTracing tracing_{&calls_, nullptr};
  alignas(8) uint8_t data_[ThreadCalls::kDataBytes] = {};
};

TEST_F(HipTracingTest, D52_D56_D59_TellsOfACallWithItsArgumentsAndResult) {
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
  EXPECT_EQ(heard_.records[0].correlation_id.ancestor, 0u) << "not the door's";
  EXPECT_EQ(heard_.correlation_inside, 1u) << "a kernel would be of this call";
  EXPECT_EQ(heard_.enter[1], "size_t size=64");
  EXPECT_EQ(heard_.enter[0].rfind("void** ptr=0x7", 0), 0u) << heard_.enter[0];
  EXPECT_EQ(heard_.exit[0], "void** ptr=0x1000 behind");
  heard_.exit.clear();
  Run(hip, malloc, 2);
  EXPECT_EQ(heard_.exit[0], heard_.enter[0]) << "nothing was filled in";
}

TEST_F(HipTracingTest, D59_StructuresAndVectorsLieAsInC) {
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
    static_cast<Heard*>(data)->records.push_back(record);
    EXPECT_EQ(payload->args.words[3], 13u);
    EXPECT_EQ(static_cast<int32_t>(payload->args.words[4]), -7);
    EXPECT_EQ(payload->args.words[7], 22u);
  };
  Run(hip, memset3d, 0);
  EXPECT_EQ(heard_.records.size(), 4u);
}

TEST_F(HipTracingTest, NamesOfOlderHipsAreOperationsToo) {
  EXPECT_STREQ(FunctionNamed("hipGetDeviceProperties").name, "hipGetDevicePropertiesR0000");
  EXPECT_STREQ(FunctionNamed("hipChooseDeviceR0600").name, "hipChooseDevice");
  EXPECT_EQ(FindHipFunction("RESERVED_50"), nullptr);
  Ask({"hipGetDevicePropertiesR0000"});
  const HipLayout& hip = *capture::FindHipLayout(5, 2);
  EXPECT_TRUE(tracing_.Asks(*capture::FindCall(hip, "hipGetDeviceProperties")));
  EXPECT_FALSE(tracing_.Asks(*capture::FindCall(hip, "hipMalloc")));
}

TEST_F(HipTracingTest, D50_OnlyWhatIsAskedForByAContextThatIsStarted) {
  Ask({"hipMalloc"});
  const HipLayout& hip = *capture::FindHipLayout(6, 4);
  const CallLayout& malloc = *capture::FindCall(hip, "hipMalloc");
  EXPECT_TRUE(tracing_.Wants(malloc));
  EXPECT_FALSE(tracing_.Wants(*capture::FindCall(hip, "hipFree")));
  (void)context_->Stop();
  EXPECT_FALSE(tracing_.Wants(malloc));
  EXPECT_TRUE(tracing_.Asks(malloc)) << "it may be started again";
}

TEST_F(HipTracingTest, WithoutAContextThatAsksThereIsNoDoor) {
  tracing_.Open();
  EXPECT_FALSE(tracing_.asked());
  EXPECT_EQ(tracing_.OnPreload({}), nullptr);
  size_t table = 8;
  EXPECT_FALSE(tracing_.OnTable("hip", &table));
  EXPECT_EQ(table, 8u);
}

TEST(HipFunctions, ArgumentsOfForeignRecordsAreRefused) {
  rocprofiler_callback_tracing_record_t record = {};
  record.kind = kRuntime;
  EXPECT_EQ(TellHipArguments(record, Note, 0, nullptr), ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
  rocprofiler_callback_tracing_hip_api_data_t payload = {};
  record.payload = &payload;
  record.operation = ROCPROFILER_HIP_RUNTIME_API_ID_LAST;
  EXPECT_EQ(TellHipArguments(record, Note, 0, nullptr),
            ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND);
  rocprofiler_record_header_t header = {};
  header.category = ROCPROFILER_BUFFER_CATEGORY_TRACING;
  header.kind = ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API;
  EXPECT_EQ(TellHipRecord(header, nullptr, nullptr), ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED)
      << "has no arguments";
  header.kind = ROCPROFILER_BUFFER_TRACING_HIP_COMPILER_API_EXT;
  EXPECT_EQ(TellHipRecord(header, nullptr, nullptr), ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace rtl::sdk
