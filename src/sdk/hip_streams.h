// SPDX-License-Identifier: MIT
// hip_streams.h: HIP_STREAM: which stream of HIP the thread is busy with, as contexts are told of it.
//
//   a call that          is told
//   creates a stream     CREATE, phase NONE, when it has succeeded
//   destroys one         DESTROY, phase NONE, when it has succeeded
//   takes one            SET, phase ENTER before it, phase EXIT after it: also when it fails
//
// Threads    any; an event belongs to its thread
// Blocking   never; the tools' functions run without a lock
// Memory     on the stack, and stream_ids.h
// Errors     one line, once: calls with streams beyond StreamIds::kSlots are not told
#pragma once

#include <rocprofiler-sdk/callback_tracing.h>
#include <stdint.h>

#include <atomic>

#include "sdk/contexts.h"
#include "sdk/hip_functions.h"
#include "sdk/stream_ids.h"

namespace rtl::sdk {

class HipStreams {
 public:
  struct Event {
    StreamUse use;
    uint64_t told;  // contexts that had ENTER, as bits
    rocprofiler_callback_tracing_hip_stream_data_t payload;
    rocprofiler_user_data_t data[Contexts::kMost];  // of those that were told
  };

  explicit HipStreams(Contexts* contexts) : contexts_(contexts) {}
  HipStreams(const HipStreams&) = delete;
  HipStreams& operator=(const HipStreams&) = delete;

  // Contexts are complete: who asks is looked up once.
  void Open();
  // Some context asks, started or not.
  bool asked() const { return asking_ != 0; }
  // Whether such a call is to be followed now: numbers are kept also while nobody is told.
  bool Wants(StreamUse use) const;

  // `value`: the argument: a stream, or where a new one will be written.
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
