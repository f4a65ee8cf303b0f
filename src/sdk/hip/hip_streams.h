// SPDX-License-Identifier: MIT
// hip_streams.h: the service HIP_STREAM, which reports to contexts which HIP stream a thread uses.
//
//   a call that          is reported as
//   creates a stream     CREATE, phase NONE, when it has succeeded
//   destroys a stream    DESTROY, phase NONE, when it has succeeded
//   takes a stream       SET, phase ENTER before it, phase EXIT after it, even if it fails
//
// Threads    any; an event belongs to its thread
// Blocking   never; the tools' functions run without a lock
// Memory     on the stack, and stream_ids.h
// Errors     if there are more than StreamIds::kSlots streams, calls with the others are not
//            reported, and one line says so once
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
    uint64_t told;  // contexts that were called back, as bits
    rocprofiler_callback_tracing_hip_stream_data_t payload;
    rocprofiler_user_data_t data[Contexts::kMost];  // for the contexts in `told`
  };

  explicit HipStreams(Contexts* contexts) : contexts_(contexts) {}
  HipStreams(const HipStreams&) = delete;
  HipStreams& operator=(const HipStreams&) = delete;

  // Called when configuration is complete: looks up which contexts subscribe.
  void Open();
  // True if some context subscribes, whether it is started or not.
  bool asked() const { return asking_ != 0; }
  // True if the call must be followed now. Calls that create and destroy streams are followed even
  // while no context is started, to keep the ids of streams.
  bool Wants(StreamUse use) const;

  // `value`: the argument of the call, which is a stream, or the address to which a new stream is
  // written.
  void Begin(Event* event, StreamUse use, uint64_t value);
  void End(Event* event, uint64_t value, bool succeeded);

 private:
  void Created(Event* event, uint64_t place);
  void TellAll(Event* event, rocprofiler_hip_stream_operation_t operation,
               rocprofiler_callback_phase_t phase);
  void Tell(Event* event, uint32_t context, rocprofiler_hip_stream_operation_t operation,
            rocprofiler_callback_phase_t phase);
  void Complain();

  Contexts* const contexts_;
  uint64_t asking_ = 0;  // subscribing contexts as bits; published by HipTracing::Open
  std::atomic<bool> complained_{false};
  StreamIds ids_;
};

}  // namespace rtl::sdk
