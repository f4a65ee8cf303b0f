// SPDX-License-Identifier: MIT
// hip_streams.h: HIP_STREAM: reports which HIP stream the thread uses to contexts.
//
//   a call that          is reported as
//   creates a stream     CREATE, phase NONE, when it has succeeded
//   destroys a stream    DESTROY, phase NONE, when it has succeeded
//   takes a stream       SET, phase ENTER before it, phase EXIT after it, even if it fails
//
// Threads    any; an event belongs to its thread
// Blocking   never; the tools' functions run without a lock
// Memory     on the stack, and stream_ids.h
// Errors     one line, once: calls with streams beyond StreamIds::kSlots are not reported
#pragma once

#include <rocprofiler-sdk/callback_tracing.h>
#include <stdint.h>

#include <atomic>

#include "sdk/contexts/contexts.h"
#include "sdk/hip/hip_functions.h"
#include "sdk/hip/stream_ids.h"

namespace rtl::sdk {

class HipStreams {
 public:
  struct Event {
    StreamUse use;
    uint64_t told;  // contexts that got ENTER, as bits
    rocprofiler_callback_tracing_hip_stream_data_t payload;
    rocprofiler_user_data_t data[Contexts::kMost];  // of the contexts in `told`
  };

  explicit HipStreams(Contexts* contexts) : contexts_(contexts) {}
  HipStreams(const HipStreams&) = delete;
  HipStreams& operator=(const HipStreams&) = delete;

  // Configuration is complete: looks up once which contexts subscribe.
  void Open();
  // True if some context subscribes, started or not.
  bool asked() const { return asking_ != 0; }
  // True if the call must be followed now: stream ids are kept even while no context is started.
  bool Wants(StreamUse use) const;

  // `value`: the argument: a stream, or the address that a new one is written to.
  void Begin(Event* event, StreamUse use, uint64_t value);
  void End(Event* event, uint64_t value, bool succeeded);

 private:
  void Created(Event* event, uint64_t place);
  void TellAll(Event* event, rocprofiler_hip_stream_operation_t operation);
  void Tell(Event* event, uint32_t context, rocprofiler_hip_stream_operation_t operation,
            rocprofiler_callback_phase_t phase);
  void Complain();

  Contexts* const contexts_;
  uint64_t asking_ = 0;  // as bits; published by HipTracing::Open
  std::atomic<bool> complained_{false};
  StreamIds ids_;
};

}  // namespace rtl::sdk
