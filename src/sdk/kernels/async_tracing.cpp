// SPDX-License-Identifier: MIT
#include "sdk/kernels/async_tracing.h"

#include <rocprofiler-sdk/buffer_tracing.h>

#include "base/thread_state.h"
#include "capture/hip/open_call.h"
#include "capture/queue/traced_queue.h"
#include "sdk/pc_sampling/pc_samples.h"

namespace rtl::sdk {
namespace {

constexpr int32_t kEnqueue = ROCPROFILER_KERNEL_DISPATCH_ENQUEUE;
constexpr int32_t kComplete = ROCPROFILER_KERNEL_DISPATCH_COMPLETE;

// The ancestor of the call that submits; zero if another thread submits.
uint64_t AncestorOf(uint64_t correlation) {
  const capture::ThreadCalls* const calls = capture::OpenCall::Calls();
  return calls != nullptr && calls->correlation == correlation ? calls->ancestor : 0;
}

}  // namespace

const AsyncTracing::Kind* AsyncTracing::KindOf(EventKind event) {
  return event == EventKind::kKernel ? &kKernel : event == EventKind::kCopy ? &kCopy : nullptr;
}

uint64_t AsyncTracing::Asking() const {
  return contexts_->With(kKernel.callback, kKernel.buffer) |
         contexts_->With(kCopy.callback, kCopy.buffer);
}

void AsyncTracing::Open() {
  uint8_t places = 0;
  const uint64_t asking = Asking();
  count_ = contexts_->count();
  asked_ = asking != 0;
  for (const uint32_t i : BitsOf(asking)) place_[i] = places++;
  tickets_.Open(offsetof(Ticket, of) + places * sizeof(Mine));
}

// False if kernels and copies need not be seen now. Events of stopped contexts matter for PC
// samples and for the retirement of ids, and after the end of the tools for the count of late
// events.
bool AsyncTracing::Wants() const {
  if (samples_ != nullptr || retirement_->asked() || is_late()) return true;
  uint64_t asking = Asking();
  if (follow_scratch_)
    asking |= contexts_->With(ROCPROFILER_CALLBACK_TRACING_SCRATCH_MEMORY,
                              ROCPROFILER_BUFFER_TRACING_SCRATCH_MEMORY);
  return (asking & contexts_->Started()) != 0;
}

// Takes a ticket for the event. Zero if no started context subscribes, or if there is no memory.
uint32_t AsyncTracing::Take(const Event& event, int32_t submit, int32_t end, bool follow) {
  if (is_late()) [[unlikely]] {
    CountLate(event.kind.event, 1);
    return 0;
  }
  uint64_t told = 0;
  uint64_t recorded = 0;
  // A kernel that a tool submits in its callback gets a record, but no callback.
  const bool tell = !ReentryGuard::Active();
  for (uint32_t i = 0; i < count_; ++i) {
    const Context& context = contexts_->at(i);
    if (!context.active()) continue;
    const CallbackService& service = context.callbacks[event.kind.callback];
    told |= uint64_t{tell && (service.Asks(submit) || service.Asks(end))} << i;
    recorded |= uint64_t{context.buffers[event.kind.buffer].Asks(end)} << i;
  }
  if ((told | recorded) == 0 && !follow) return 0;
  const uint32_t number = tickets_.Take();
  if (number == 0) {
    if ((told | recorded) != 0) CountLoss(event.kind.event, 1);
    return 0;
  }
  Ticket* const ticket = At(number);
  ticket->dispatch = 0;
  ticket->correlation = event.correlation;
  ticket->ancestor = AncestorOf(event.correlation);
  ticket->told = told;
  ticket->recorded = recorded;
  ticket->scratch = 0;
  ticket->awaited.store((told | recorded) == 0 ? 0 : event.kind.callback,
                        std::memory_order_relaxed);
  retirement_->Hold(event.correlation, 1);
  TakeExternals(event, submit, ticket);
  return number;
}

// Gives the ticket back without reporting an end, because the event is cancelled.
void AsyncTracing::Give(uint32_t number) {
  const uint64_t correlation = At(number)->correlation;
  scratch_kernels_.Remove(At(number)->scratch);
  At(number)->awaited.store(0, std::memory_order_relaxed);
  tickets_.Give(number);
  retirement_->Release(correlation, 1);
}

void AsyncTracing::TakeExternals(const Event& event, int32_t operation, Ticket* ticket) const {
  for (const uint32_t i : BitsOf(ticket->told | ticket->recorded)) {
    Mine& mine = Of(ticket, i);
    mine.data.value = 0;
    mine.external.value =
        contexts_->at(i).ExternalOf(event.kind.request, operation, event.thread, event.correlation);
  }
}

// Called after the tools' callbacks, in which a tool may have pushed an external id.
void AsyncTracing::RefreshExternals(const Event& event, Ticket* ticket) const {
  for (const uint32_t i : BitsOf(ticket->told)) {
    const Context& context = contexts_->at(i);
    if (!context.Requests(event.kind.request))
      Of(ticket, i).external.value = context.external.Current(event.thread);
  }
}

void AsyncTracing::Tell(const Event& event, int32_t operation, rocprofiler_callback_phase_t phase,
                        Ticket* ticket) const {
  for (const uint32_t i : BitsOf(ticket->told)) {
    const Context& context = contexts_->at(i);
    if (!context.callbacks[event.kind.callback].Asks(operation)) continue;
    Mine& mine = Of(ticket, i);
    rocprofiler_callback_tracing_record_t record = {};
    record.thread_id = event.thread;
    record.correlation_id.internal = event.correlation;
    record.correlation_id.external = mine.external;
    record.correlation_id.ancestor = ticket->ancestor;
    record.kind = static_cast<rocprofiler_callback_tracing_kind_t>(event.kind.callback);
    record.operation = operation;
    record.phase = phase;
    record.payload = event.payload;
    context.Tell(&record, &mine.data);
  }
}

template <typename Record>
void AsyncTracing::Append(Ticket* ticket, Record* record) const {
  for (const uint32_t i : BitsOf(ticket->recorded)) {
    record->correlation_id.external = Of(ticket, i).external;
    contexts_->at(i).buffers[record->kind].buffer->Append(*record);
  }
}

rocprofiler_kernel_dispatch_info_t AsyncTracing::InfoOf(const DispatchRecord& kernel,
                                                        const capture::QueueIdentity& queue,
                                                        uint64_t dispatch) const {
  rocprofiler_kernel_dispatch_info_t info = {};
  info.size = offsetof(rocprofiler_kernel_dispatch_info_t, reserved_padding);
  info.agent_id = agents_->AgentOf(queue.agent);
  info.queue_id.handle = queue.hsa_id;
  info.kernel_id = kernel.kernel;
  info.dispatch_id = dispatch;
  info.private_segment_size = kernel.private_segment;
  info.group_segment_size = kernel.group_segment;
  info.workgroup_size = {kernel.workgroup[0], kernel.workgroup[1], kernel.workgroup[2]};
  info.grid_size = {kernel.grid[0], kernel.grid[1], kernel.grid[2]};
  return info;
}

void AsyncTracing::TellSubmission(const DispatchRecord& kernel, const capture::QueueIdentity& queue,
                                  Ticket* ticket) const {
  rocprofiler_callback_tracing_kernel_dispatch_data_t data = {};
  data.size = sizeof data;
  data.dispatch_info = InfoOf(kernel, queue, ticket->dispatch);
  const Event event = {kKernel, kernel.head.thread, kernel.correlation, &data};
  Tell(event, kEnqueue, ROCPROFILER_CALLBACK_PHASE_ENTER, ticket);
  RefreshExternals(event, ticket);
  Tell(event, kEnqueue, ROCPROFILER_CALLBACK_PHASE_EXIT, ticket);
}

// HOT: once per kernel, on the application's thread, under the lock of its queue.
uint32_t AsyncTracing::KernelSubmitted(const DispatchRecord& kernel,
                                       const capture::QueueIdentity& queue) {
  const Event event = {kKernel, kernel.head.thread, kernel.correlation, nullptr};
  const bool scratch = follow_scratch_ && kernel.private_segment != 0;
  const uint32_t number = Take(event, kEnqueue, kComplete, scratch || samples_ != nullptr);
  if (number == 0) return 0;
  Ticket* const ticket = At(number);
  ticket->dispatch = dispatches_.fetch_add(1, std::memory_order_relaxed) + 1;
  numbered_ = {kernel.packet, ticket->dispatch, kernel.queue};
  if (ticket->told != 0) TellSubmission(kernel, queue, ticket);
  if (samples_ != nullptr)
    samples_->log()->Note({kernel.packet, kernel.queue, kernel.head.thread, ticket->dispatch,
                           ticket->correlation, samples_->ExternalOf(kernel.head.thread)});
  if (scratch)
    ticket->scratch =
        scratch_kernels_.Add(queue.hsa_id, kernel.packet, kernel.private_segment, number);
  return number;
}

bool AsyncTracing::FindStopped(uint64_t queue, uint64_t packet, uint32_t room,
                               StoppedKernel* kernel) {
  return scratch_kernels_.WithStopped(queue, packet, room, [&](uint32_t number, uint32_t bytes) {
    Ticket* const ticket = At(number);
    kernel->bytes = bytes;
    kernel->correlation = ticket->correlation;
    kernel->ancestor = ticket->ancestor;
    kernel->contexts = ticket->told | ticket->recorded;
    for (const uint32_t i : BitsOf(kernel->contexts)) {
      kernel->external[i] = Of(ticket, i).external;
    }
  });
}

uint64_t AsyncTracing::DispatchOf(const DispatchRecord& kernel) {
  if (numbered_.dispatch != 0 && numbered_.packet == kernel.packet &&
      numbered_.queue == kernel.queue)
    return numbered_.dispatch;
  return dispatches_.fetch_add(1, std::memory_order_relaxed) + 1;
}

void AsyncTracing::TellEnd(const DispatchRecord& kernel,
                           const rocprofiler_kernel_dispatch_info_t& info, Ticket* ticket) const {
  rocprofiler_callback_tracing_kernel_dispatch_data_t data = {};
  data.size = sizeof data;
  data.start_timestamp = kernel.start;
  data.end_timestamp = kernel.end;
  data.dispatch_info = info;
  Tell({kKernel, kernel.head.thread, ticket->correlation, &data}, kComplete,
       ROCPROFILER_CALLBACK_PHASE_NONE, ticket);
}

// HOT: once per kernel, mostly on the thread of the application that learns of the end.
void AsyncTracing::KernelEnded(uint32_t number, const DispatchRecord& kernel,
                               const capture::QueueIdentity& queue) {
  Ticket* const ticket = At(number);
  rocprofiler_buffer_tracing_kernel_dispatch_record_t record = {};
  record.size = sizeof record;
  record.kind = ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH;
  record.operation = ROCPROFILER_KERNEL_DISPATCH_COMPLETE;
  record.correlation_id.internal = ticket->correlation;
  record.thread_id = kernel.head.thread;
  record.start_timestamp = kernel.start;
  record.end_timestamp = kernel.end;
  record.dispatch_info = InfoOf(kernel, queue, ticket->dispatch);
  if (ticket->told != 0) TellEnd(kernel, record.dispatch_info, ticket);
  Append(ticket, &record);
  Give(number);
}

rocprofiler_callback_tracing_memory_copy_data_t AsyncTracing::DataOf(const CopyRecord& copy) const {
  rocprofiler_callback_tracing_memory_copy_data_t data = {};
  data.size = sizeof data;
  data.start_timestamp = copy.start;
  data.end_timestamp = copy.end;
  data.dst_agent_id = agents_->AgentOf(copy.dst_agent);
  data.src_agent_id = agents_->AgentOf(copy.src_agent);
  data.bytes = copy.bytes;
  data.dst_address.value = copy.dst;
  data.src_address.value = copy.src;
  return data;
}

uint32_t AsyncTracing::CopySubmitted(const CopyRecord& copy) {
  rocprofiler_callback_tracing_memory_copy_data_t data = DataOf(copy);
  const Event event = {kCopy, copy.head.thread, copy.correlation, &data};
  // valid because both enums have the same values
  const auto direction = static_cast<int32_t>(copy.kind);
  const uint32_t number = Take(event, direction, direction, false);
  if (number == 0) return 0;
  Ticket* const ticket = At(number);
  Tell(event, direction, ROCPROFILER_CALLBACK_PHASE_ENTER, ticket);
  RefreshExternals(event, ticket);
  return number;
}

void AsyncTracing::CopyEnded(uint32_t number, const CopyRecord& copy) {
  Ticket* const ticket = At(number);
  rocprofiler_callback_tracing_memory_copy_data_t data = DataOf(copy);
  rocprofiler_buffer_tracing_memory_copy_record_t record = {};
  record.size = sizeof record;
  record.kind = ROCPROFILER_BUFFER_TRACING_MEMORY_COPY;
  record.operation = static_cast<rocprofiler_memory_copy_operation_t>(copy.kind);
  record.correlation_id.internal = ticket->correlation;
  record.thread_id = copy.head.thread;
  record.start_timestamp = copy.start;
  record.end_timestamp = copy.end;
  record.dst_agent_id = data.dst_agent_id;
  record.src_agent_id = data.src_agent_id;
  record.bytes = copy.bytes;
  record.dst_address = data.dst_address;
  record.src_address = data.src_address;
  Tell({kCopy, copy.head.thread, ticket->correlation, &data}, static_cast<int32_t>(copy.kind),
       ROCPROFILER_CALLBACK_PHASE_EXIT, ticket);
  Append(ticket, &record);
  Give(number);
}

uint64_t AsyncTracing::InFlight(EventKind kind) const {
  const Kind* const services = KindOf(kind);
  const uint32_t mapped = tickets_.mapped();
  uint64_t count = 0;
  for (uint32_t i = 1; i <= mapped; ++i) {
    if (At(i)->awaited.load(std::memory_order_relaxed) == services->callback) ++count;
  }
  return count;
}

void AsyncTracing::BeginLate() {
  for (const Kind& kind : {kKernel, kCopy}) {
    const uint64_t asking = contexts_->With(kind.callback, kind.buffer);
    late_wanted_[static_cast<size_t>(kind.event)] = (asking & contexts_->Started()) != 0;
  }
  is_late_.store(true, std::memory_order_release);  // (L)
}

void AsyncTracing::CountLoss(EventKind kind, uint64_t events) {
  const Kind* const services = KindOf(kind);
  if (services == nullptr) return;
  bool told = false;
  for (uint32_t i = 0; i < count_; ++i) {
    const Context& context = contexts_->at(i);
    if (!context.active()) continue;
    Buffer* const buffer = context.buffers[services->buffer].buffer;
    if (buffer != nullptr) buffer->CountDropped(events);
    told |= context.callbacks[services->callback].callback != nullptr;
  }
  if (told) untold_[static_cast<size_t>(kind)].fetch_add(events, std::memory_order_relaxed);
}

}  // namespace rtl::sdk
