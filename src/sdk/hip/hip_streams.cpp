// SPDX-License-Identifier: MIT
#include "sdk/hip/hip_streams.h"

#include <unistd.h>

#include "base/log.h"
#include "base/own_memory.h"
#include "base/thread_state.h"

namespace rtl::sdk {
namespace {

constexpr uint32_t kHipStreamKind = ROCPROFILER_CALLBACK_TRACING_HIP_STREAM;

}  // namespace

void HipStreams::Open() { asking_ = contexts_->WithCallback(kHipStreamKind); }

bool HipStreams::Wants(StreamUse use) const {
  if (use == StreamUse::kNone || !asked()) return false;
  if (use != StreamUse::kTakes) return true;
  return (asking_ & contexts_->Started()) != 0;
}

void HipStreams::Begin(Event* event, StreamUse use, uint64_t value) {
  event->use = use;
  event->told = 0;
  if (use == StreamUse::kCreates) return;
  const uint64_t number = use == StreamUse::kDestroys ? ids_.Take(value) : ids_.Of(value);
  event->payload.size = sizeof event->payload;
  event->payload.stream_id.handle = number;
  event->payload.stream_value.value = value;
  if (use == StreamUse::kDestroys) return;
  if (number == StreamIds::kNone) return Complain();
  TellAll(event, ROCPROFILER_HIP_STREAM_SET, ROCPROFILER_CALLBACK_PHASE_ENTER);
}

void HipStreams::End(Event* event, uint64_t value, bool succeeded) {
  switch (event->use) {
    case StreamUse::kCreates:
      if (succeeded) Created(event, value);
      break;
    case StreamUse::kDestroys:
      if (!succeeded) {
        ids_.PutBack(value, event->payload.stream_id.handle);
      } else if (event->payload.stream_id.handle != StreamIds::kNone) {
        TellAll(event, ROCPROFILER_HIP_STREAM_DESTROY, ROCPROFILER_CALLBACK_PHASE_NONE);
      }
      break;
    default:
      // Every context that got ENTER gets EXIT, even if it was stopped meanwhile, unless it is
      // closed.
      for (const uint32_t i : BitsOf(event->told))
        Tell(event, i, ROCPROFILER_HIP_STREAM_SET, ROCPROFILER_CALLBACK_PHASE_EXIT);
  }
}

// Reads the new stream. Some interception methods do not report whether the call has succeeded, so
// HIP may have written nothing.
void HipStreams::Created(Event* event, uint64_t place) {
  uint64_t stream = 0;
  if (!ReadOwnMemory(place, &stream, sizeof stream) || stream == 0) return;
  const uint64_t number = ids_.Renew(stream);
  if (number == StreamIds::kNone) return Complain();
  event->payload.size = sizeof event->payload;
  event->payload.stream_id.handle = number;
  event->payload.stream_value.value = stream;
  TellAll(event, ROCPROFILER_HIP_STREAM_CREATE, ROCPROFILER_CALLBACK_PHASE_NONE);
}

void HipStreams::TellAll(Event* event, rocprofiler_hip_stream_operation_t operation,
                         rocprofiler_callback_phase_t phase) {
  for (const uint32_t i : BitsOf(asking_)) {
    const Context& context = contexts_->at(i);
    if (!context.active() || !context.callbacks[kHipStreamKind].operations.Has(operation)) continue;
    event->told |= uint64_t{1} << i;
    event->data[i].value = 0;
    Tell(event, i, operation, phase);
  }
}

void HipStreams::Tell(Event* event, uint32_t index, rocprofiler_hip_stream_operation_t operation,
                      rocprofiler_callback_phase_t phase) {
  const Context& context = contexts_->at(index);
  rocprofiler_callback_tracing_record_t record = {};
  record.thread_id = ThreadId::Current();
  record.correlation_id.external.value = context.external.Current(ThreadId::Current());
  record.kind = ROCPROFILER_CALLBACK_TRACING_HIP_STREAM;
  record.operation = operation;
  record.phase = phase;
  record.payload = &event->payload;
  context.Tell(&record, &event->data[index]);
}

void HipStreams::Complain() {
  if (complained_.exchange(true, std::memory_order_relaxed)) return;
  Warn("tools see at most %u HIP streams in process %d", StreamIds::kSlots,
       static_cast<int>(getpid()));
}

}  // namespace rtl::sdk
