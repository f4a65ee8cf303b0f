// SPDX-License-Identifier: MIT
// forked_sink.h: the sink of the child of a fork that is not traced. The sink counts the child's
// events in the parent's trace.
//
// Threads    any
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/session/trace_output.h"
#include "model/record_sink.h"

namespace rtl::capture {

class ForkedSink final : public RecordSink {
 public:
  explicit ForkedSink(TraceOutput* output) : output_(output) {}

  bool Write(const void*, size_t, const char*, size_t) override { return false; }
  void CountSubmitted(EventKind kind, uint64_t events) override {
    output_->sink()->CountSubmitted(kind, events);
  }
  void CountRecorded(EventKind, uint64_t) override {}
  void CountLoss(EventKind kind, Loss, uint64_t events) override {
    output_->sink()->CountLoss(kind, Loss::kForked, events);
  }

 private:
  TraceOutput* const output_;
};

}  // namespace rtl::capture
