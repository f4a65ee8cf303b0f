// SPDX-License-Identifier: MIT
// record_sink.h: the destination of capture's records: the spool writer, an SDK buffer, a test's
// vector.
//
// Threads    Write may be called from any thread at once
// Blocking   never; false means "no room", and the caller counts a loss of the right kind
#pragma once

#include <stddef.h>

#include "model/losses.h"
#include "model/records.h"

namespace rtl {

class RecordSink {
 public:
  // `record` starts with a RecordHeader whose `type` and `thread` are set; the sink fills in
  // `units`. `bytes` is sizeof the struct; `text` (may be null) follows it. Returns false when
  // nothing was written.
  virtual bool Write(const void* record, size_t bytes, const char* text, size_t text_bytes) = 0;

  // Relaxed adds to the process's counters; they survive the death of the process.
  virtual void CountSeen(EventKind kind, uint64_t events) = 0;
  virtual void CountRecorded(EventKind kind, uint64_t events) = 0;
  virtual void CountLoss(EventKind kind, Loss why, uint64_t events) = 0;

 protected:
  ~RecordSink() = default;  // sinks are never deleted through this interface
};

}  // namespace rtl
