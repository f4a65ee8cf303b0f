// SPDX-License-Identifier: MIT
#include "sdk/marker/marker_tracing.h"

#include <gtest/gtest.h>
#include <rocprofiler-sdk-roctx/api_trace.h>

#include <string>
#include <vector>

#include "sdk/marker/marker_functions.h"

namespace rtl::sdk {
namespace {

constexpr auto kMarkerCore = ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_API;
constexpr auto kControl = ROCPROFILER_CALLBACK_TRACING_MARKER_CONTROL_API;
constexpr auto kName = ROCPROFILER_CALLBACK_TRACING_MARKER_NAME_API;

// The tables of a ROCTx library. Its functions return values that a test can recognise.
void Mark(const char*) {}
int Push(const char*) { return 3; }
int Pop() { return -1; }
roctx_range_id_t Start(const char*) { return uint64_t{7} << 40; }
void Stop(roctx_range_id_t) {}
int Thread(roctx_thread_id_t* tid) {
  *tid = 99;
  return 0;
}
int Pause(roctx_thread_id_t tid) { return static_cast<int>(tid); }
int NameThread(const char*) { return 1; }
int NameAgent(const char*, const hsa_agent_s*) { return 2; }
int NameDevice(const char*, int device) { return device; }
int NameStream(const char*, const ihipStream_t*) { return 4; }

struct Roctx {
  roctxCoreApiTable_t core = {sizeof core, Mark, Push, Pop, Start, Stop, Thread};
  roctxControlApiTable_t control = {sizeof control, Pause, Pause};
  roctxNameApiTable_t names = {sizeof names, NameThread, NameAgent, NameDevice, NameStream};
  void* tables[3] = {&core, &control, &names};
};

struct HeardOfMarker {
  std::vector<std::string> calls;  // at EXIT, with arguments and result
  std::vector<std::string> entered;
  bool data_kept = true;
};

std::string NameOf(const rocprofiler_callback_tracing_record_t& record) {
  const LibraryFunctions all = MarkerFunctionsOf(record.kind);
  return all.first[record.operation].name;
}

void OnMarkerCall(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user_data,
                  void* data) {
  auto* const heard = static_cast<HeardOfMarker*>(data);
  if (record.phase == ROCPROFILER_CALLBACK_PHASE_ENTER) {
    heard->entered.push_back(NameOf(record));
    user_data->value = record.correlation_id.internal + 7;
    return;
  }
  if (user_data->value != record.correlation_id.internal + 7) heard->data_kept = false;
  std::string text = NameOf(record) + "(";
  const auto add = [](rocprofiler_callback_tracing_kind_t, rocprofiler_tracing_operation_t,
                      uint32_t number, const void* const, int32_t, const char*, const char* name,
                      const char* value, int32_t, void* to) {
    *static_cast<std::string*>(to) += std::string(number == 0 ? "" : ", ") + name + "=" + value;
    return 0;
  };
  EXPECT_EQ(rocprofiler_iterate_callback_tracing_kind_operation_args(record, add, 1, &text),
            ROCPROFILER_STATUS_SUCCESS);
  const auto* const payload =
      static_cast<const rocprofiler_callback_tracing_marker_api_data_t*>(record.payload);
  const bool range = NameOf(record) == "roctxRangeStartA";
  heard->calls.push_back(
      text + ") = " +
      std::to_string(range ? static_cast<int64_t>(payload->retval.roctx_range_id_t_retval)
                           : payload->retval.int32_t_retval));
}

class MarkerTracingTest : public testing::Test {
 protected:
  Context& Ask(uint32_t kind) {
    Context& context = *contexts_.Create(0);
    context.callbacks[kind].callback = OnMarkerCall;
    context.callbacks[kind].data = &heard_;
    return context;
  }
  Context& AskForAll(uint32_t kind) {
    Context& context = Ask(kind);
    context.callbacks[kind].operations.AddAll();
    return context;
  }

  HeardOfMarker heard_;
  Contexts contexts_;
  ApiCalls calls_{&contexts_};
  MarkerTracing markers_{&calls_};
  Roctx roctx_;
};

TEST_F(MarkerTracingTest, ReportsARangeWhenItBeginsAndWhenItEnds) {
  AskForAll(ROCPROFILER_CALLBACK_TRACING_MARKER_CORE_RANGE_API);
  Context& context = contexts_.at(0);
  (void)context.Start();
  calls_.Open();
  markers_.Open();
  ASSERT_TRUE(markers_.OnTables(roctx_.tables, 3));
  char text[] = "outer";
  roctx_.core.roctxRangePushA_fn(text);
  text[0] = 'x';  // the program may reuse its memory
  const roctx_range_id_t id = roctx_.core.roctxRangeStartA_fn("process");
  (void)context.Stop();
  roctx_.core.roctxRangePushA_fn("unheard");
  (void)roctx_.core.roctxRangePop_fn();
  (void)context.Start();
  roctx_.core.roctxMarkA_fn("mark");
  EXPECT_EQ(heard_.entered,
            (std::vector<std::string>{"roctxThreadRangeA", "roctxProcessRangeA", "roctxMarkA"}));
  EXPECT_EQ(heard_.calls, std::vector<std::string>{"roctxMarkA(message=mark) = 0"});
  (void)roctx_.core.roctxRangePop_fn();
  (void)roctx_.core.roctxRangePop_fn();  // one pop too many
  roctx_.core.roctxRangeStop_fn(id);
  roctx_.core.roctxRangeStop_fn(id);  // one stop too many
  ASSERT_EQ(heard_.calls.size(), 3u);
  EXPECT_EQ(heard_.calls[1], "roctxThreadRangeA(message=outer) = 0");
  EXPECT_EQ(heard_.calls[2].rfind("roctxProcessRangeA(message=process)", 0), 0u);
  EXPECT_TRUE(heard_.data_kept);
}

TEST_F(MarkerTracingTest, ReportsEveryFunctionWithArgumentsAndResult) {
  for (uint32_t kind : {kMarkerCore, kControl, kName}) AskForAll(kind).Start();
  calls_.Open();
  EXPECT_TRUE(markers_.OnTables(roctx_.tables, 3));
  roctx_.core.roctxMarkA_fn("now");
  EXPECT_EQ(roctx_.core.roctxRangePushA_fn("outer"), 3);
  EXPECT_EQ(roctx_.core.roctxRangePop_fn(), -1);
  const roctx_range_id_t range = roctx_.core.roctxRangeStartA_fn(nullptr);
  EXPECT_EQ(range, uint64_t{7} << 40);
  roctx_.core.roctxRangeStop_fn(range);
  roctx_thread_id_t thread = 0;
  EXPECT_EQ(roctx_.core.roctxGetThreadId_fn(&thread), 0);
  EXPECT_EQ(thread, 99u);
  EXPECT_EQ(roctx_.control.roctxProfilerPause_fn(5), 5);
  EXPECT_EQ(roctx_.control.roctxProfilerResume_fn(6), 6);
  EXPECT_EQ(roctx_.names.roctxNameOsThread_fn("thread"), 1);
  const uint64_t agent = 17;
  EXPECT_EQ(
      roctx_.names.roctxNameHsaAgent_fn("agent", reinterpret_cast<const hsa_agent_s*>(&agent)), 2);
  EXPECT_EQ(roctx_.names.roctxNameHipDevice_fn("device", -3), -3);
  EXPECT_EQ(roctx_.names.roctxNameHipStream_fn("stream", nullptr), 4);
  EXPECT_EQ(heard_.calls, (std::vector<std::string>{
                              "roctxMarkA(message=now) = 0",
                              "roctxRangePushA(message=outer) = 3",
                              "roctxRangePop() = -1",
                              "roctxRangeStartA(message=(null)) = 7696581394432",
                              "roctxRangeStop(id=7696581394432) = 0",
                              "roctxGetThreadId(tid=99) = 0",
                              "roctxProfilerPause(tid=5) = 5",
                              "roctxProfilerResume(tid=6) = 6",
                              "roctxNameOsThread(name=thread) = 1",
                              "roctxNameHsaAgent(name=agent, agent={handle=17}) = 2",
                              "roctxNameHipDevice(name=device, device_id=-3) = -3",
                              "roctxNameHipStream(name=stream, stream=(null)) = 4",
                          }));
  EXPECT_EQ(heard_.entered.size(), heard_.calls.size());
  EXPECT_TRUE(heard_.data_kept);
}

TEST_F(MarkerTracingTest, ReplacesOnlySubscribedFunctionsAndReportsOnlyWhileStarted) {
  Context& context = Ask(kMarkerCore);
  context.callbacks[kMarkerCore].operations.Add(ROCPROFILER_MARKER_CORE_API_ID_roctxMarkA);
  calls_.Open();
  EXPECT_TRUE(markers_.OnTables(roctx_.tables, 3));
  const Roctx untouched;
  EXPECT_NE(roctx_.core.roctxMarkA_fn, untouched.core.roctxMarkA_fn);
  EXPECT_EQ(roctx_.core.roctxRangePushA_fn, untouched.core.roctxRangePushA_fn);
  EXPECT_EQ(roctx_.control.roctxProfilerPause_fn, untouched.control.roctxProfilerPause_fn);
  EXPECT_EQ(roctx_.names.roctxNameOsThread_fn, untouched.names.roctxNameOsThread_fn);
  roctx_.core.roctxMarkA_fn("before");
  context.Start();
  roctx_.core.roctxMarkA_fn("inside");
  context.Stop();
  roctx_.core.roctxMarkA_fn("after");
  EXPECT_EQ(heard_.calls, std::vector<std::string>{"roctxMarkA(message=inside) = 0"});
}

TEST_F(MarkerTracingTest, KeepsEachLibrarysFunctionsAndWrapsALibraryOnce) {
  AskForAll(kMarkerCore).Start();
  calls_.Open();
  Roctx other;
  other.core.roctxRangePushA_fn = [](const char*) { return 8; };
  EXPECT_TRUE(markers_.OnTables(roctx_.tables, 3));
  EXPECT_TRUE(markers_.OnTables(other.tables, 3));
  EXPECT_FALSE(markers_.OnTables(roctx_.tables, 3)) << "registered a second time";
  EXPECT_EQ(roctx_.core.roctxRangePushA_fn("a"), 3);
  EXPECT_EQ(other.core.roctxRangePushA_fn("b"), 8);
  EXPECT_EQ(heard_.calls, (std::vector<std::string>{"roctxRangePushA(message=a) = 3",
                                                    "roctxRangePushA(message=b) = 8"}));
}

TEST_F(MarkerTracingTest, LeavesShortOrMissingTablesUnchanged) {
  for (uint32_t kind : {kMarkerCore, kControl, kName}) AskForAll(kind).Start();
  calls_.Open();
  const Roctx untouched;
  roctx_.core.size = offsetof(roctxCoreApiTable_t, roctxRangePop_fn);
  roctx_.core.roctxMarkA_fn = nullptr;
  roctx_.tables[2] = nullptr;
  EXPECT_TRUE(markers_.OnTables(roctx_.tables, 3));
  EXPECT_EQ(roctx_.core.roctxMarkA_fn, nullptr);
  EXPECT_NE(roctx_.core.roctxRangePushA_fn, untouched.core.roctxRangePushA_fn);
  EXPECT_EQ(roctx_.core.roctxRangePop_fn, untouched.core.roctxRangePop_fn);
  EXPECT_NE(roctx_.control.roctxProfilerPause_fn, untouched.control.roctxProfilerPause_fn);
  EXPECT_EQ(roctx_.names.roctxNameOsThread_fn, untouched.names.roctxNameOsThread_fn);
}

TEST_F(MarkerTracingTest, PrintsOneLineForALibraryTooManyAndLeavesItUnchanged) {
  AskForAll(kMarkerCore).Start();
  calls_.Open();
  std::vector<Roctx> libraries(MarkerTracing::kMostLibraries);
  for (Roctx& library : libraries) {
    library.tables[0] = &library.core;
    EXPECT_TRUE(markers_.OnTables(library.tables, 1));
  }
  testing::internal::CaptureStderr();
  EXPECT_TRUE(markers_.OnTables(roctx_.tables, 3));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("there are more than 4"),
            std::string::npos);
  EXPECT_EQ(roctx_.core.roctxMarkA_fn, &Mark);
}

TEST_F(MarkerTracingTest, ReturnsAStatusForWrongRecords) {
  rocprofiler_callback_tracing_record_t record = {};
  record.kind = kMarkerCore;
  const auto never = [](rocprofiler_callback_tracing_kind_t, rocprofiler_tracing_operation_t,
                        uint32_t, const void* const, int32_t, const char*, const char*, const char*,
                        int32_t, void*) {
    ADD_FAILURE();
    return 0;
  };
  EXPECT_EQ(rocprofiler_iterate_callback_tracing_kind_operation_args(record, never, 1, nullptr),
            ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
  rocprofiler_callback_tracing_marker_api_data_t payload = {};
  record.payload = &payload;
  for (int32_t operation : {-1, 6}) {
    record.operation = operation;
    EXPECT_EQ(rocprofiler_iterate_callback_tracing_kind_operation_args(record, never, 1, nullptr),
              ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND);
  }
}

}  // namespace
}  // namespace rtl::sdk
