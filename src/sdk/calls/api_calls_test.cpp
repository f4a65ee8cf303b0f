// SPDX-License-Identifier: MIT
// Events with ids and records of their own. The tests of HSA, HIP and ROCTx calls are beside their
// wrappers.
#include "sdk/calls/api_calls.h"

#include <gtest/gtest.h>
#include <string.h>

#include <memory>
#include <vector>

#include "base/thread_state.h"
#include "sdk/contexts/callback_thread.h"

namespace rtl::sdk {
namespace api_calls_test {
namespace {

constexpr uint16_t kCallbacks = ROCPROFILER_CALLBACK_TRACING_MEMORY_ALLOCATION;
constexpr uint16_t kRecords = ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION;
constexpr uint16_t kRequests = ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_MEMORY_ALLOCATION;
constexpr int32_t kAsked = 1, kOther = 2;
constexpr ApiFunction kFunction = {kCallbacks, kRecords, kAsked, 0, kRequests};

struct HeardEvents {
  std::vector<rocprofiler_callback_tracing_record_t> records;
  std::vector<uint64_t> data;  // as the callback found it
  ExternalIds* pushes = nullptr;
};

void OnEvent(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user_data,
             void* tool) {
  auto* const heard = static_cast<HeardEvents*>(tool);
  EXPECT_TRUE(ReentryGuard::Active());
  heard->records.push_back(record);
  heard->data.push_back(user_data->value);
  user_data->value = 500 + record.context_id.handle;
  if (heard->pushes != nullptr) (void)heard->pushes->Push(ThreadId::Current(), 8);
}

struct AskedFor {
  std::vector<uint32_t> kinds;
};

int OnEventRequest(rocprofiler_thread_id_t, rocprofiler_context_id_t,
                   rocprofiler_external_correlation_id_request_kind_t kind,
                   rocprofiler_tracing_operation_t, uint64_t, rocprofiler_user_data_t* value,
                   void* tool) {
  static_cast<AskedFor*>(tool)->kinds.push_back(kind);
  value->value = 9;
  return 0;
}

using EventRecord = rocprofiler_buffer_tracing_memory_allocation_record_t;

struct RecordedEvents {
  std::vector<EventRecord> records;
  uint64_t drops = 0;
};

void OnEventRecords(rocprofiler_context_id_t, rocprofiler_buffer_id_t,
                    rocprofiler_record_header_t** headers, size_t count, void* tool,
                    uint64_t drops) {
  auto* const recorded = static_cast<RecordedEvents*>(tool);
  recorded->drops += drops;
  for (size_t i = 0; i < count; ++i)
    recorded->records.push_back(*static_cast<const EventRecord*>(headers[i]->payload));
}

class ApiCallsTest : public testing::Test {
 protected:
  ApiCallsTest() {
    call_->correlation = 70;
    call_->ancestor = 60;
  }
  void TearDown() override {
    for (Buffer& buffer : buffers_) (void)buffer.Destroy();  // it may not be open
  }

  Context& Callbacks(int32_t operation, uint64_t external) {
    Context& context = *contexts_->Create(0);
    context.callbacks[kCallbacks].callback = OnEvent;
    context.callbacks[kCallbacks].data = &heard_;
    context.callbacks[kCallbacks].operations.Add(operation);
    EXPECT_TRUE(context.external.Push(ThreadId::Current(), external));
    (void)context.Start();
    return context;
  }
  Context& Records(int32_t operation, uint64_t external) {
    static CallbackThread* const thread = [] {
      auto* const made = new CallbackThread;  // its thread is never joined
      EXPECT_TRUE(made->Start().ok());
      return made;
    }();
    const uint32_t place = contexts_->count();
    Context& context = *contexts_->Create(0);
    Buffer::Options options = {};
    options.context = context.id;
    options.size = options.watermark = 1 << 16;
    options.lossless = true;
    options.callback = OnEventRecords;
    options.data = &recorded_[place];
    EXPECT_TRUE(buffers_[place].Open(options, thread));
    context.buffers[kRecords].buffer = &buffers_[place];
    context.buffers[kRecords].operations.Add(operation);
    EXPECT_TRUE(context.external.Push(ThreadId::Current(), external));
    (void)context.Start();
    return context;
  }
  const RecordedEvents& Flushed(uint32_t context) {
    EXPECT_EQ(buffers_[context].Flush(), ROCPROFILER_STATUS_SUCCESS);
    return recorded_[context];
  }

  HeardEvents heard_;
  Buffer buffers_[3];
  RecordedEvents recorded_[3];
  int payload_ = 0;
  std::unique_ptr<Contexts> contexts_ = std::make_unique<Contexts>();
  std::unique_ptr<ApiCalls> calls_ = std::make_unique<ApiCalls>(contexts_.get());
  std::unique_ptr<ApiCalls::Call> call_ = std::make_unique<ApiCalls::Call>();
};

TEST_F(ApiCallsTest, ReportsAnEventToStartedContextsThatSubscribe) {
  const Context& first = Callbacks(kAsked, 3);
  (void)Callbacks(kOther, 4);
  (void)Callbacks(kAsked, 5).Stop();
  const Context& last = Callbacks(kAsked, 6);
  calls_->Open();
  EXPECT_TRUE(calls_->Listening(kFunction));
  calls_->TellBegin(call_.get(), kFunction, &payload_);
  EXPECT_EQ(call_->told, 0b1001u);
  EXPECT_EQ(call_->recorded, 0u);
  calls_->TellEnd(call_.get());
  ASSERT_EQ(heard_.records.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    const rocprofiler_callback_tracing_record_t& record = heard_.records[i];
    const Context& context = i % 2 == 0 ? first : last;
    EXPECT_EQ(record.context_id.handle, context.id.handle);
    EXPECT_EQ(record.thread_id, ThreadId::Current());
    EXPECT_EQ(record.correlation_id.internal, 70u);
    EXPECT_EQ(record.correlation_id.external.value, i % 2 == 0 ? 3u : 6u);
    EXPECT_EQ(record.correlation_id.ancestor, 60u);
    EXPECT_EQ(record.kind, ROCPROFILER_CALLBACK_TRACING_MEMORY_ALLOCATION);
    EXPECT_EQ(record.operation, kAsked);
    EXPECT_EQ(record.phase,
              i < 2 ? ROCPROFILER_CALLBACK_PHASE_ENTER : ROCPROFILER_CALLBACK_PHASE_EXIT);
    EXPECT_EQ(record.payload, &payload_);
    EXPECT_EQ(heard_.data[i], i < 2 ? 0 : 500 + context.id.handle);
  }
}

TEST_F(ApiCallsTest, SendsAnExitForEachEnterUntilTheContextIsClosed) {
  Context& stopped = Callbacks(kAsked, 3);
  Context& closed = Callbacks(kAsked, 4);
  calls_->Open();
  calls_->TellBegin(call_.get(), kFunction, &payload_);
  (void)stopped.Stop();
  closed.Close();
  EXPECT_FALSE(calls_->Listening(kFunction));
  calls_->TellEnd(call_.get());
  ASSERT_EQ(heard_.records.size(), 3u);
  EXPECT_EQ(heard_.records[2].context_id.handle, stopped.id.handle);
}

TEST_F(ApiCallsTest, UsesTheExternalIdThatAToolPushesAtEnter) {
  heard_.pushes = &Callbacks(kAsked, 3).external;
  calls_->Open();
  calls_->TellBegin(call_.get(), kFunction, &payload_);
  calls_->TellEnd(call_.get());
  ASSERT_EQ(heard_.records.size(), 2u);
  EXPECT_EQ(heard_.records[0].correlation_id.external.value, 3u);
  EXPECT_EQ(heard_.records[1].correlation_id.external.value, 8u);
}

TEST_F(ApiCallsTest, AcceptsExternalIdsThatNoThreadHasPushed) {
  heard_.pushes = &Callbacks(kAsked, 3).external;
  calls_->Open();
  uint32_t chosen = 0;
  calls_->Choose(call_.get(), kFunction, &payload_, [&](const Context&, uint32_t i) {
    ++chosen;
    call_->external[i].value = 44;
  });
  EXPECT_EQ(chosen, 1u);
  calls_->TellAll(call_.get(), ROCPROFILER_CALLBACK_PHASE_ENTER);
  calls_->TellEnd(call_.get());
  ASSERT_EQ(heard_.records.size(), 2u);
  for (const auto& record : heard_.records) EXPECT_EQ(record.correlation_id.external.value, 44u);
}

TEST_F(ApiCallsTest, RequestsTheExternalIdOfTheFunctionsKind) {
  AskedFor asked;
  Callbacks(kAsked, 3).request = {OnEventRequest, &asked, 1u << kRequests | 1u << kCallbacks};
  calls_->Open();
  calls_->TellBegin(call_.get(), kFunction, &payload_);
  EXPECT_EQ(heard_.records.back().correlation_id.external.value, 9u);
  constexpr ApiFunction kOfAnApi = {kCallbacks, kRecords, kAsked};
  calls_->TellBegin(call_.get(), kOfAnApi, &payload_);
  EXPECT_EQ(asked.kinds, (std::vector<uint32_t>{kRequests, kCallbacks}));
}

TEST_F(ApiCallsTest, WritesEachContextsExternalIdIntoItsRecord) {
  (void)Records(kAsked, 3);
  (void)Records(kOther, 4);
  (void)Records(kAsked, 5);
  calls_->Open();
  calls_->TellBegin(call_.get(), kFunction, &payload_);
  EXPECT_EQ(call_->told, 0u);
  EXPECT_EQ(call_->recorded, 0b101u);
  EventRecord record = {};
  record.size = sizeof record;
  record.kind = ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION;
  record.allocation_size = 4096;
  calls_->Append(*call_, call_->recorded, &record);
  EXPECT_TRUE(Flushed(1).records.empty());
  for (const uint32_t i : {0u, 2u}) {
    ASSERT_EQ(Flushed(i).records.size(), 1u);
    EXPECT_EQ(recorded_[i].records[0].correlation_id.external.value, 3u + i);
    EXPECT_EQ(recorded_[i].records[0].allocation_size, 4096u);
  }
}

TEST_F(ApiCallsTest, RecordsTheIdAndTheTimesOfACallThatTheTraceRecordsToo) {
  (void)Records(kAsked, 3);
  calls_->Open();
  calls_->Begin(call_.get(), kFunction, &payload_, {7, true});
  calls_->End(call_.get(), {.start = 1000, .end = 2000});
  ASSERT_EQ(Flushed(0).records.size(), 1u);
  rocprofiler_buffer_tracing_hsa_api_record_t record;
  static_assert(sizeof record <= sizeof(EventRecord));
  memcpy(&record, &recorded_[0].records[0], sizeof record);
  EXPECT_EQ(record.correlation_id.internal, 7u);
  EXPECT_EQ(record.start_timestamp, 1000u);
  EXPECT_EQ(record.end_timestamp, 2000u);
}

TEST_F(ApiCallsTest, CountsADropForSubscribersWhenThereIsNoRoom) {
  (void)Records(kAsked, 3);
  (void)Records(kOther, 4);
  (void)Records(kAsked, 5).Stop();
  calls_->Open();
  calls_->CountDropped(kFunction);
  EventRecord record = {};
  record.size = sizeof record;
  record.kind = ROCPROFILER_BUFFER_TRACING_MEMORY_ALLOCATION;
  calls_->Append(*call_, 0b111, &record);  // drops are reported with the next record
  for (const uint32_t i : {0u, 1u, 2u}) EXPECT_EQ(Flushed(i).drops, i == 0 ? 1u : 0u);
}

}  // namespace
}  // namespace api_calls_test
}  // namespace rtl::sdk
