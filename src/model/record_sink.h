// SPDX-License-Identifier: MIT
// record_sink.h: the interface to which capture writes records: the spool's writer, a buffer of the
// SDK, or a vector in a test.
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
  // `record` starts with a RecordHeader whose `type` and `thread` are set; the sink sets `units`.
  // `bytes`: the size of the struct. `text`, which may be null, follows the struct in the record.
  // Returns false if nothing was written.
  virtual bool Write(const void* record, size_t bytes, const char* text, size_t text_bytes) = 0;

  // Relaxed additions to the process's counters, which outlive the process.
  virtual void CountSubmitted(EventKind kind, uint64_t events) = 0;
  virtual void CountRecorded(EventKind kind, uint64_t events) = 0;
  virtual void CountLoss(EventKind kind, Loss why, uint64_t events) = 0;

 protected:
  ~RecordSink() = default;  // never deleted through this interface
};

}  // namespace rtl
