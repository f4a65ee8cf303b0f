// SPDX-License-Identifier: MIT
// Kernels and copies as they are reported to tools.
#include "sdk/kernels/async_tracing.h"

#include <gtest/gtest.h>
#include <rocprofiler-sdk/buffer_tracing.h>

#include <memory>
#include <vector>

#include "base/thread_state.h"
#include "capture/hip/open_call.h"
#include "capture/queue/traced_queue.h"
#include "sdk/contexts/callback_thread.h"

namespace rtl::sdk {
namespace {

using KernelData = rocprofiler_callback_tracing_kernel_dispatch_data_t;
using CopyData = rocprofiler_callback_tracing_memory_copy_data_t;
using KernelRecord = rocprofiler_buffer_tracing_kernel_dispatch_record_t;
using CopyRecordOut = rocprofiler_buffer_tracing_memory_copy_record_t;

constexpr uint32_t kKernels = ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH;
constexpr uint32_t kCopies = ROCPROFILER_CALLBACK_TRACING_MEMORY_COPY;
constexpr int32_t kEnqueue = ROCPROFILER_KERNEL_DISPATCH_ENQUEUE;
constexpr int32_t kComplete = ROCPROFILER_KERNEL_DISPATCH_COMPLETE;
constexpr uint32_t kThread = 4711;

class Agents final : public AgentNumbers {
 public:
  rocprofiler_agent_id_t AgentOf(uint32_t number) const override { return {900 + number}; }
  rocprofiler_agent_id_t AgentAt(uint32_t node) const override { return {node}; }
};

// The callbacks of one context.
struct Heard {
  std::vector<rocprofiler_callback_tracing_record_t> records;
  std::vector<KernelData> kernels;
  std::vector<CopyData> copies;
  std::vector<uint64_t> data;  // as the callback found it
  Context* push_to = nullptr;  // where to push an external id at ENTER
  bool guarded = true;         // the reentry guard was held in every callback
};

void OnEvent(rocprofiler_callback_tracing_record_t record, rocprofiler_user_data_t* user_data,
             void* tool) {
  auto* const heard = static_cast<Heard*>(tool);
  heard->records.push_back(record);
  heard->data.push_back(user_data->value);
  heard->guarded &= ReentryGuard::Active();
  if (record.kind == kKernels)
    heard->kernels.push_back(*static_cast<const KernelData*>(record.payload));
  else
    heard->copies.push_back(*static_cast<const CopyData*>(record.payload));
  if (record.phase != ROCPROFILER_CALLBACK_PHASE_ENTER) return;
  user_data->value = 1000 + heard->records.size();
  if (heard->push_to != nullptr) (void)heard->push_to->external.Push(kThread, 88);
}

struct Recorded {
  std::vector<KernelRecord> kernels;
  std::vector<CopyRecordOut> copies;
  std::vector<uint64_t> retired;
  uint64_t drops = 0;
};

void OnRecords(rocprofiler_context_id_t, rocprofiler_buffer_id_t,
               rocprofiler_record_header_t** headers, size_t count, void* tool, uint64_t drops) {
  auto* const recorded = static_cast<Recorded*>(tool);
  recorded->drops += drops;
  for (size_t i = 0; i < count; ++i) {
    if (headers[i]->kind == ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH)
      recorded->kernels.push_back(*static_cast<const KernelRecord*>(headers[i]->payload));
    else if (headers[i]->kind == ROCPROFILER_BUFFER_TRACING_CORRELATION_ID_RETIREMENT)
      recorded->retired.push_back(
          static_cast<const rocprofiler_buffer_tracing_correlation_id_retirement_record_t*>(
              headers[i]->payload)
              ->internal_correlation_id);
    else
      recorded->copies.push_back(*static_cast<const CopyRecordOut*>(headers[i]->payload));
  }
}

class AsyncTracingTest : public testing::Test {
 protected:
  void TearDown() override { (void)buffer_.Destroy(); }  // it may not be open

  Context* Callbacks(uint32_t kind, std::initializer_list<int32_t> operations, Heard* heard) {
    Context* const context = contexts_->Create(0);
    CallbackService& service = context->callbacks[kind];
    service.callback = OnEvent;
    service.data = heard;
    for (const int32_t operation : operations) service.operations.Add(operation);
    return context;
  }
  void Records(Context* context, uint32_t kind) {
    static CallbackThread* const thread = [] {
      auto* const made = new CallbackThread;  // its thread is never joined
      EXPECT_TRUE(made->Start().ok());
      return made;
    }();
    Buffer::Options options = {};
    options.context = context->id;
    options.size = 4096;
    options.watermark = 4096;
    options.lossless = true;
    options.callback = OnRecords;
    options.data = &recorded_;
    EXPECT_TRUE(buffer_.open() || buffer_.Open(options, thread));
    context->buffers[kind].buffer = &buffer_;
    context->buffers[kind].operations.AddAll();
  }
  const Recorded& Flushed() {
    EXPECT_EQ(buffer_.Flush(), ROCPROFILER_STATUS_SUCCESS);
    return recorded_;
  }

  static DispatchRecord Submitted(uint64_t correlation = 0) {
    DispatchRecord kernel;
    kernel.head.thread = kThread;
    kernel.correlation = correlation;
    kernel.kernel = 5;
    kernel.grid[0] = 640;
    kernel.grid[1] = kernel.grid[2] = 1;
    kernel.workgroup[0] = 64;
    kernel.workgroup[1] = kernel.workgroup[2] = 1;
    kernel.group_segment = 256;
    kernel.private_segment = 16;
    return kernel;
  }
  static DispatchRecord Ended(uint64_t correlation = 0) {
    DispatchRecord kernel = Submitted(correlation);
    kernel.dispatch = 99;  // the engine's own count
    kernel.start = 1000;
    kernel.end = 1500;
    return kernel;
  }
  static CopyRecord Copy(uint64_t end = 0) {
    CopyRecord copy;
    copy.head.thread = kThread;
    copy.correlation = 21;
    copy.start = end == 0 ? 0 : end - 10;
    copy.end = end;
    copy.bytes = 4096;
    copy.dst = 0xd000;
    copy.src = 0x5000;
    copy.dst_agent = 2;
    copy.src_agent = 1;
    copy.kind = CopyKind::kHostToDevice;
    return copy;
  }

  const capture::QueueIdentity queue_ = {3, 2, 70, {}};
  Agents agents_;
  std::unique_ptr<Contexts> contexts_ = std::make_unique<Contexts>();
  Recorded recorded_;
  Buffer buffer_;
  std::unique_ptr<Retirement> retirement_ = std::make_unique<Retirement>(contexts_.get());
  std::unique_ptr<AsyncTracing> async_ =
      std::make_unique<AsyncTracing>(contexts_.get(), &agents_, retirement_.get());
};

TEST_F(AsyncTracingTest, ReportsAKernelsEnqueueAndCompletion) {
  Heard heard;
  Context* const context = Callbacks(kKernels, {kEnqueue, kComplete}, &heard);
  async_->Open();
  EXPECT_TRUE(async_->asked());
  (void)context->Start();
  const uint32_t ticket = async_->KernelSubmitted(Submitted(21), queue_);
  ASSERT_NE(ticket, 0u);
  ASSERT_EQ(heard.records.size(), 2u);
  async_->KernelEnded(ticket, Ended(21), queue_);
  ASSERT_EQ(heard.records.size(), 3u);
  const int32_t operations[] = {kEnqueue, kEnqueue, kComplete};
  const uint32_t phases[] = {ROCPROFILER_CALLBACK_PHASE_ENTER, ROCPROFILER_CALLBACK_PHASE_EXIT,
                             ROCPROFILER_CALLBACK_PHASE_NONE};
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(heard.records[i].context_id.handle, context->id.handle);
    EXPECT_EQ(heard.records[i].kind, kKernels);
    EXPECT_EQ(heard.records[i].operation, operations[i]);
    EXPECT_EQ(static_cast<uint32_t>(heard.records[i].phase), phases[i]);
    EXPECT_EQ(heard.records[i].thread_id, kThread);
    EXPECT_EQ(heard.records[i].correlation_id.internal, 21u);
    const KernelData& data = heard.kernels[i];
    EXPECT_EQ(data.size, sizeof(KernelData));
    EXPECT_EQ(data.start_timestamp, i == 2 ? 1000u : 0u);
    EXPECT_EQ(data.end_timestamp, i == 2 ? 1500u : 0u);
    const rocprofiler_kernel_dispatch_info_t& info = data.dispatch_info;
    EXPECT_EQ(info.agent_id.handle, 902u);
    EXPECT_EQ(info.queue_id.handle, 70u);
    EXPECT_EQ(info.kernel_id, 5u);
    EXPECT_EQ(info.dispatch_id, 1u);
    EXPECT_EQ(info.grid_size.x, 640u);
    EXPECT_EQ(info.workgroup_size.x, 64u);
    EXPECT_EQ(info.group_segment_size, 256u);
    EXPECT_EQ(info.private_segment_size, 16u);
  }
  EXPECT_EQ(heard.data, (std::vector<uint64_t>{0, 1001, 1001}));
  EXPECT_TRUE(heard.guarded);
}

TEST_F(AsyncTracingTest, KeepsUserDataForEachKernelAndContext) {
  Heard heard[2];
  for (Heard& one : heard) (void)Callbacks(kKernels, {kEnqueue, kComplete}, &one)->Start();
  async_->Open();
  const uint32_t first = async_->KernelSubmitted(Submitted(), queue_);
  const uint32_t second = async_->KernelSubmitted(Submitted(), queue_);
  async_->KernelEnded(second, Ended(), queue_);
  async_->KernelEnded(first, Ended(), queue_);
  for (const Heard& one : heard) {
    EXPECT_EQ(one.data, (std::vector<uint64_t>{0, 1001, 0, 1003, 1003, 1001}));
    EXPECT_EQ(one.kernels[4].dispatch_info.dispatch_id, 2u);
    EXPECT_EQ(one.kernels[5].dispatch_info.dispatch_id, 1u);
  }
}

TEST_F(AsyncTracingTest, ReportsOnlyTheSubscribedOperation) {
  Heard enqueued, completed;
  (void)Callbacks(kKernels, {kEnqueue}, &enqueued)->Start();
  (void)Callbacks(kKernels, {kComplete}, &completed)->Start();
  async_->Open();
  async_->KernelEnded(async_->KernelSubmitted(Submitted(), queue_), Ended(), queue_);
  ASSERT_EQ(enqueued.records.size(), 2u);
  EXPECT_EQ(enqueued.records[1].operation, kEnqueue);
  ASSERT_EQ(completed.records.size(), 1u);
  EXPECT_EQ(completed.records[0].operation, kComplete);
  EXPECT_EQ(completed.data[0], 0u);
}

TEST_F(AsyncTracingTest, ReportsACopysEnterAndExit) {
  Heard heard;
  (void)Callbacks(kCopies, {ROCPROFILER_MEMORY_COPY_HOST_TO_DEVICE}, &heard)->Start();
  async_->Open();
  EXPECT_EQ(async_->KernelSubmitted(Submitted(), queue_), 0u) << "no context subscribes to kernels";
  const uint32_t ticket = async_->CopySubmitted(Copy());
  ASSERT_EQ(heard.records.size(), 1u);
  async_->CopyEnded(ticket, Copy(2000));
  ASSERT_EQ(heard.records.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(heard.records[i].operation, ROCPROFILER_MEMORY_COPY_HOST_TO_DEVICE);
    EXPECT_EQ(heard.records[i].phase,
              i == 0 ? ROCPROFILER_CALLBACK_PHASE_ENTER : ROCPROFILER_CALLBACK_PHASE_EXIT);
    const CopyData& data = heard.copies[i];
    EXPECT_EQ(data.size, sizeof(CopyData));
    EXPECT_EQ(data.start_timestamp, i == 0 ? 0u : 1990u);
    EXPECT_EQ(data.end_timestamp, i == 0 ? 0u : 2000u);
    EXPECT_EQ(data.dst_agent_id.handle, 902u);
    EXPECT_EQ(data.src_agent_id.handle, 901u);
    EXPECT_EQ(data.bytes, 4096u);
    EXPECT_EQ(data.dst_address.value, 0xd000u);
    EXPECT_EQ(data.src_address.value, 0x5000u);
  }
  EXPECT_EQ(heard.data, (std::vector<uint64_t>{0, 1001}));
}

TEST_F(AsyncTracingTest, ReportsNoCopyOfAnotherDirection) {
  Heard heard;
  (void)Callbacks(kCopies, {ROCPROFILER_MEMORY_COPY_DEVICE_TO_HOST}, &heard)->Start();
  async_->Open();
  EXPECT_EQ(async_->CopySubmitted(Copy()), 0u);
  EXPECT_TRUE(heard.records.empty());
}

TEST_F(AsyncTracingTest, ReportsTheEndToContextsThatWereActiveAtSubmission) {
  Heard heard;
  Context* const context = Callbacks(kKernels, {kEnqueue, kComplete}, &heard);
  Records(context, ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH);
  async_->Open();
  EXPECT_EQ(async_->KernelSubmitted(Submitted(), queue_), 0u) << "it is not started";
  (void)context->Start();
  const uint32_t ticket = async_->KernelSubmitted(Submitted(), queue_);
  (void)context->Stop();
  EXPECT_EQ(async_->KernelSubmitted(Submitted(), queue_), 0u);
  async_->KernelEnded(ticket, Ended(), queue_);
  EXPECT_EQ(heard.records.size(), 3u);
  EXPECT_EQ(Flushed().kernels.size(), 1u);
}

TEST_F(AsyncTracingTest, DoesNotCallAFinalizedTool) {
  Heard heard;
  Context* const context = Callbacks(kKernels, {kEnqueue, kComplete}, &heard);
  async_->Open();
  (void)context->Start();
  const uint32_t ticket = async_->KernelSubmitted(Submitted(), queue_);
  context->Close();
  async_->KernelEnded(ticket, Ended(), queue_);
  EXPECT_EQ(heard.records.size(), 2u);
}

TEST_F(AsyncTracingTest, GivesCallbacksAndRecordsTheSameIds) {
  Heard heard;
  Context* const context = Callbacks(kKernels, {kEnqueue, kComplete}, &heard);
  Records(context, ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH);
  Records(context, ROCPROFILER_BUFFER_TRACING_MEMORY_COPY);
  async_->Open();
  (void)context->Start();
  (void)context->external.Push(kThread, 6);
  async_->KernelEnded(async_->KernelSubmitted(Submitted(21), queue_), Ended(21), queue_);
  async_->CopyEnded(async_->CopySubmitted(Copy()), Copy(2000));
  const Recorded& recorded = Flushed();
  ASSERT_EQ(recorded.kernels.size(), 1u);
  const KernelRecord& kernel = recorded.kernels[0];
  EXPECT_EQ(kernel.size, sizeof(KernelRecord));
  EXPECT_EQ(kernel.operation, ROCPROFILER_KERNEL_DISPATCH_COMPLETE);
  EXPECT_EQ(kernel.dispatch_info.dispatch_id, heard.kernels[2].dispatch_info.dispatch_id);
  EXPECT_EQ(kernel.start_timestamp, heard.kernels[2].start_timestamp);
  EXPECT_EQ(kernel.end_timestamp, heard.kernels[2].end_timestamp);
  EXPECT_EQ(kernel.correlation_id.internal, 21u);
  EXPECT_EQ(kernel.thread_id, kThread);
  ASSERT_EQ(recorded.copies.size(), 1u);
  EXPECT_EQ(recorded.copies[0].operation, ROCPROFILER_MEMORY_COPY_HOST_TO_DEVICE);
  EXPECT_EQ(recorded.copies[0].end_timestamp, 2000u);
  EXPECT_EQ(recorded.copies[0].bytes, 4096u);
  EXPECT_EQ(recorded.copies[0].dst_agent_id.handle, 902u);
  // The thread's value is in callbacks and records alike.
  for (const auto& record : heard.records) EXPECT_EQ(record.correlation_id.external.value, 6u);
  EXPECT_EQ(kernel.correlation_id.external.value, 6u);
  EXPECT_EQ(recorded.copies[0].correlation_id.external.value, 6u);
}

TEST_F(AsyncTracingTest, UsesTheExternalIdThatAToolPushesAtEnter) {
  Heard heard;
  Context* const context = Callbacks(kKernels, {kEnqueue, kComplete}, &heard);
  Records(context, ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH);
  async_->Open();
  (void)context->Start();
  heard.push_to = context;
  const uint32_t ticket = async_->KernelSubmitted(Submitted(), queue_);
  // Popped before the end: the event already has the value.
  EXPECT_EQ(context->external.Pop(kThread), 88u);
  async_->KernelEnded(ticket, Ended(), queue_);
  ASSERT_EQ(heard.records.size(), 3u);
  EXPECT_EQ(heard.records[0].correlation_id.external.value, 0u);
  EXPECT_EQ(heard.records[1].correlation_id.external.value, 88u);
  EXPECT_EQ(heard.records[2].correlation_id.external.value, 88u);
  EXPECT_EQ(Flushed().kernels[0].correlation_id.external.value, 88u);
}

int Answer(rocprofiler_thread_id_t thread, rocprofiler_context_id_t,
           rocprofiler_external_correlation_id_request_kind_t kind,
           rocprofiler_tracing_operation_t operation, uint64_t correlation,
           rocprofiler_user_data_t* value, void*) {
  value->value = thread * 1'000'000 + kind * 10'000 + operation * 1000 + correlation;
  return 0;
}

TEST_F(AsyncTracingTest, RequestsTheExternalIdFromTheTool) {
  Heard heard;
  Context* const context = Callbacks(kKernels, {kEnqueue, kComplete}, &heard);
  Records(context, ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH);
  Records(context, ROCPROFILER_BUFFER_TRACING_MEMORY_COPY);
  context->request = {Answer, nullptr, UINT32_MAX};
  async_->Open();
  (void)context->Start();
  heard.push_to = context;  // the tool's answer has priority
  async_->KernelEnded(async_->KernelSubmitted(Submitted(21), queue_), Ended(21), queue_);
  async_->CopyEnded(async_->CopySubmitted(Copy()), Copy(2000));
  for (const auto& record : heard.records)
    EXPECT_EQ(record.correlation_id.external.value, 4711'000'000u + 11'0'000 + 1'000 + 21);
  EXPECT_EQ(Flushed().kernels[0].correlation_id.external.value, 4711'111'021u);
  EXPECT_EQ(recorded_.copies[0].correlation_id.external.value, 4711'102'021u);
}

TEST_F(AsyncTracingTest, UsesTheCallAroundTheSubmittingCallAsAncestor) {
  Heard heard;
  (void)Callbacks(kKernels, {kEnqueue, kComplete}, &heard)->Start();
  async_->Open();
  capture::ThreadCalls* const calls = capture::OpenCall::MakeCalls();
  calls->correlation = 21;
  calls->ancestor = 20;
  async_->KernelEnded(async_->KernelSubmitted(Submitted(21), queue_), Ended(21), queue_);
  async_->KernelEnded(async_->KernelSubmitted(Submitted(5), queue_), Ended(5), queue_);
  calls->correlation = calls->ancestor = 0;
  EXPECT_EQ(heard.records[0].correlation_id.ancestor, 20u);
  EXPECT_EQ(heard.records[2].correlation_id.ancestor, 20u);
  EXPECT_EQ(heard.records[3].correlation_id.ancestor, 0u) << "another thread's packet";
}

TEST_F(AsyncTracingTest, KernelsCopiesAndReservedPacketsDelayTheirCallsRetirement) {
  Context* const context = contexts_->Create(0);
  Records(context, ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH);
  Records(context, ROCPROFILER_BUFFER_TRACING_MEMORY_COPY);
  Records(context, ROCPROFILER_BUFFER_TRACING_CORRELATION_ID_RETIREMENT);
  async_->Open();
  retirement_->Open();
  (void)context->Start();
  retirement_->Begin(21);
  async_->PacketsReserved(21, 2);
  const uint32_t kernel = async_->KernelSubmitted(Submitted(21), queue_);
  async_->PacketShown(21);
  const uint32_t lost = async_->KernelSubmitted(Submitted(21), queue_);
  const uint32_t copy = async_->CopySubmitted(Copy());
  retirement_->Release(21, 1);  // the call has returned
  async_->KernelEnded(kernel, Ended(21), queue_);
  async_->CopyEnded(copy, Copy(2000));
  async_->Lost(lost);
  EXPECT_EQ(Flushed().retired, std::vector<uint64_t>{}) << "one packet is still to be submitted";
  async_->PacketShown(21);
  EXPECT_EQ(Flushed().retired, std::vector<uint64_t>{21});
}

TEST_F(AsyncTracingTest, ReportsNoEndForALostEventAndReusesItsTicket) {
  Heard heard;
  (void)Callbacks(kKernels, {kEnqueue, kComplete}, &heard)->Start();
  async_->Open();
  for (uint32_t i = 0; i < 3 * TicketTable::kPerBlock; ++i) {
    const uint32_t ticket = async_->KernelSubmitted(Submitted(), queue_);
    ASSERT_NE(ticket, 0u);
    async_->Lost(ticket);
  }
  EXPECT_EQ(heard.records.size(), 2u * 3 * TicketTable::kPerBlock);
  EXPECT_EQ(heard.records.back().operation, kEnqueue);
  EXPECT_EQ(async_->tickets().mapped(), TicketTable::kPerBlock);
}

TEST_F(AsyncTracingTest, CountsLossesAsDropsInBuffersAndForCallbacks) {
  Heard heard;
  Context* const context = Callbacks(kKernels, {kEnqueue, kComplete}, &heard);
  Records(context, ROCPROFILER_BUFFER_TRACING_MEMORY_COPY);
  async_->Open();
  async_->CountLoss(EventKind::kKernel, 5);
  EXPECT_EQ(async_->untold(EventKind::kKernel), 0u) << "it is not started";
  (void)context->Start();
  async_->CountLoss(EventKind::kKernel, 2);
  async_->CountLoss(EventKind::kCopy, 3);
  async_->CountLoss(EventKind::kBarrier, 1);
  EXPECT_EQ(async_->untold(EventKind::kKernel), 2u);
  EXPECT_EQ(async_->untold(EventKind::kCopy), 0u);
  EXPECT_EQ(Flushed().drops, 3u);
}

TEST_F(AsyncTracingTest, RecordsAKernelThatAToolSubmitsInItsCallbackWithoutCallingBack) {
  Heard heard;
  Context* const context = Callbacks(kKernels, {kEnqueue, kComplete}, &heard);
  Records(context, ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH);
  async_->Open();
  (void)context->Start();
  uint32_t ticket;
  {
    const ReentryGuard guard;
    ticket = async_->KernelSubmitted(Submitted(), queue_);
  }
  async_->KernelEnded(ticket, Ended(), queue_);
  EXPECT_TRUE(heard.records.empty());
  EXPECT_EQ(Flushed().kernels.size(), 1u);
}

}  // namespace
}  // namespace rtl::sdk
