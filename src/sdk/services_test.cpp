// SPDX-License-Identifier: MIT
#include "sdk/services.h"

#include <gtest/gtest.h>

#include <vector>

namespace rtl::sdk {
namespace {

void OnBuffer(rocprofiler_context_id_t, rocprofiler_buffer_id_t, rocprofiler_record_header_t**,
              size_t, void*, uint64_t) {}
void OnRecord(rocprofiler_callback_tracing_record_t, rocprofiler_user_data_t*, void*) {}

constexpr rocprofiler_buffer_id_t kNoBuffer = {0};

struct Process {
  Process() { phase.init.store(-1); }

  Phase phase;
  Services services{&phase, &tracer};
  Topology topology;
  Retirement retirement{&services.contexts()};
  Tracer tracer{&services.contexts(), &topology, &retirement};
};

// A process that is never deleted: the thread that delivers its buffers does not end.
Process* NewProcess() {
  static auto* const processes = new std::vector<Process*>;
  processes->push_back(new Process);
  return processes->back();
}

class ServicesTest : public ::testing::Test {
 protected:
  rocprofiler_context_id_t NewContext() {
    rocprofiler_context_id_t id = {0};
    EXPECT_EQ(services_.CreateContext(&id), ROCPROFILER_STATUS_SUCCESS);
    return id;
  }
  rocprofiler_status_t NewBuffer(rocprofiler_context_id_t context, size_t size,
                                 rocprofiler_buffer_id_t* id) {
    return services_.CreateBuffer(context, size, size / 2, ROCPROFILER_BUFFER_POLICY_LOSSLESS,
                                  OnBuffer, nullptr, id);
  }
  rocprofiler_status_t Buffered(rocprofiler_context_id_t context, rocprofiler_buffer_id_t buffer) {
    return services_.ConfigureBuffered(context, ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH, nullptr,
                                       0, buffer);
  }
  rocprofiler_status_t Callback(rocprofiler_context_id_t context) {
    return services_.ConfigureCallback(context, ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH,
                                       nullptr, 0, OnRecord, nullptr);
  }

  Process* const process_ = NewProcess();
  Services& services_ = process_->services;
};

TEST_F(ServicesTest, ContextsBelongToTheToolThatIsBeingConfigured) {
  process_->phase.tool.store(3);
  const rocprofiler_context_id_t id = NewContext();
  ASSERT_NE(services_.contexts().Find(id), nullptr);
  EXPECT_EQ(services_.contexts().Find(id)->client, 3u);
  rocprofiler_context_id_t used = id;
  EXPECT_EQ(services_.CreateContext(&used), ROCPROFILER_STATUS_ERROR_CONTEXT_ID_NOT_ZERO);
}

TEST_F(ServicesTest, AreLockedWhenNoToolIsBeingConfigured) {
  const rocprofiler_context_id_t context = NewContext();
  rocprofiler_buffer_id_t buffer = kNoBuffer;
  ASSERT_EQ(NewBuffer(context, 4096, &buffer), ROCPROFILER_STATUS_SUCCESS);
  for (const int state : {0, 1}) {
    process_->phase.init.store(state);
    rocprofiler_context_id_t none = {0};
    rocprofiler_callback_thread_t thread = {0};
    rocprofiler_buffer_id_t more = kNoBuffer;
    constexpr rocprofiler_status_t kLocked = ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
    EXPECT_EQ(services_.CreateContext(&none), kLocked);
    EXPECT_EQ(NewBuffer(context, 4096, &more), kLocked);
    EXPECT_EQ(services_.CreateThread(&thread), kLocked);
    EXPECT_EQ(services_.Assign(buffer, thread), kLocked);
    EXPECT_EQ(Buffered(context, buffer), kLocked);
    EXPECT_EQ(Callback(context), kLocked);
    EXPECT_EQ(services_.ConfigureRequest(context, nullptr, 0, nullptr, nullptr), kLocked);
    EXPECT_EQ(services_.ConfigureDeviceCounting(context, buffer, nullptr, nullptr, nullptr),
              kLocked);
  }
}

TEST_F(ServicesTest, EachKindIsConfiguredOnceInAContext) {
  const rocprofiler_context_id_t one = NewContext();
  const rocprofiler_context_id_t other = NewContext();
  rocprofiler_buffer_id_t of_one = kNoBuffer;
  rocprofiler_buffer_id_t of_other = kNoBuffer;
  ASSERT_EQ(NewBuffer(one, 4096, &of_one), ROCPROFILER_STATUS_SUCCESS);
  ASSERT_EQ(NewBuffer(other, 4096, &of_other), ROCPROFILER_STATUS_SUCCESS);
  EXPECT_EQ(Buffered(one, of_other), ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND);
  EXPECT_EQ(Buffered(one, of_one), ROCPROFILER_STATUS_SUCCESS);
  EXPECT_EQ(Buffered(one, of_one), ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED);
  EXPECT_EQ(Buffered(other, of_other), ROCPROFILER_STATUS_SUCCESS);
  EXPECT_EQ(Callback(one), ROCPROFILER_STATUS_SUCCESS);
  EXPECT_EQ(Callback(one), ROCPROFILER_STATUS_ERROR_SERVICE_ALREADY_CONFIGURED);
}

TEST_F(ServicesTest, AnUnknownOperationIsRefusedAndTheServiceIsFree) {
  const rocprofiler_context_id_t context = NewContext();
  rocprofiler_buffer_id_t buffer = kNoBuffer;
  ASSERT_EQ(NewBuffer(context, 4096, &buffer), ROCPROFILER_STATUS_SUCCESS);
  const rocprofiler_tracing_operation_t unknown[] = {9999};
  EXPECT_EQ(services_.ConfigureBuffered(context, ROCPROFILER_BUFFER_TRACING_MEMORY_COPY, unknown, 1,
                                        buffer),
            ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND);
  EXPECT_EQ(services_.ConfigureBuffered(context, ROCPROFILER_BUFFER_TRACING_MEMORY_COPY, nullptr, 0,
                                        buffer),
            ROCPROFILER_STATUS_SUCCESS);
}

TEST_F(ServicesTest, ServicesOfAnAgentNeedTheAgent) {
  const rocprofiler_context_id_t context = NewContext();
  rocprofiler_buffer_id_t buffer = kNoBuffer;
  ASSERT_EQ(NewBuffer(context, 4096, &buffer), ROCPROFILER_STATUS_SUCCESS);
  EXPECT_EQ(services_.ConfigureSampling(context, nullptr, ROCPROFILER_PC_SAMPLING_METHOD_HOST_TRAP,
                                        ROCPROFILER_PC_SAMPLING_UNIT_TIME, 100, buffer),
            ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND);
  const auto choose = [](rocprofiler_context_id_t, rocprofiler_agent_id_t,
                         rocprofiler_device_counting_agent_cb_t, void*) {};
  EXPECT_EQ(services_.ConfigureDeviceCounting(context, buffer, nullptr, choose, nullptr),
            ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND);
}

TEST_F(ServicesTest, ValuesAreSampledInAContextThatIsStarted) {
  rocprofiler_counter_record_t record;
  size_t count = 1;
  const auto sample = [&](rocprofiler_context_id_t id, rocprofiler_counter_flag_t flags) {
    return services_.SampleDevices(id, {}, flags, &record, &count);
  };
  const rocprofiler_context_id_t context = NewContext();
  EXPECT_EQ(sample({77}, ROCPROFILER_COUNTER_FLAG_NONE),
            ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND);
  EXPECT_EQ(sample(context, ROCPROFILER_COUNTER_FLAG_ASYNC),
            ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sample(context, ROCPROFILER_COUNTER_FLAG_NONE),
            ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_STARTED);
  process_->phase.fini.store(1);
  EXPECT_EQ(sample(context, ROCPROFILER_COUNTER_FLAG_NONE), ROCPROFILER_STATUS_ERROR_FINALIZED);
}

}  // namespace
}  // namespace rtl::sdk
