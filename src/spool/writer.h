// SPDX-License-Identifier: MIT
// writer.h: the in-process end of the spool. The application's threads write records into chunks of
// memory-mapped segments; one maintenance thread (the tracer's worker) keeps segments ready.
//
// Threads    Write and Count*: any thread, also during exit. Open, Maintain, Finish: one thread at
// a time Blocking   Write never blocks in the steady state: a bump of a thread-local cursor and one
// release store.
//            Only a thread that finds no ready segment may make one itself (a mutex, fallocate,
//            mmap)
// Memory     at most `limit_bytes` of segments that the collector has not yet deleted; beyond that
// Write says
//            no. Disk blocks are reserved before a segment is used, so a full disk is a refusal,
//            not a SIGBUS
// Fork       the child of a fork has no spool: its writes are refused
// Why        docs/formats/spool.md
#pragma once

#include <stdint.h>

#include "base/status.h"
#include "model/record_sink.h"
#include "spool/format.h"

namespace rtl::spool {

struct WriterOptions {
  const char* directory = nullptr;           // exists, owned by the user
  uint64_t limit_bytes = uint64_t{1} << 30;  // of live segments
  ProcessInfo process;  // pid, start_ticks etc. are filled in by Open when zero
};

class Writer final : public RecordSink {
 public:
  Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Makes the control page and the first segment.
  Status Open(const WriterOptions& options);
  bool is_open() const;

  bool Write(const void* record, size_t bytes, const char* text, size_t text_bytes) override;
  void CountSeen(EventKind kind, uint64_t events) override;
  void CountRecorded(EventKind kind, uint64_t events) override;
  void CountLoss(EventKind kind, Loss why, uint64_t events) override;

  // Keeps a spare segment ready, pre-faulted, and unmaps segments whose chunks are all closed.
  // Bounded work; call it from the worker's heartbeat.
  void Maintain();

  // True when the collector has said that it will read no more.
  bool Abandoned() const;

  // Closes this thread's chunk and marks the process finished: counters are final from here on.
  // Later writes are refused. Idempotent.
  void Finish();

  // Waits until the collector says that the database is complete, at most `limit_ns`. False on
  // time-out.
  bool WaitCollected(uint64_t limit_ns) const;

  // The shared counters; null before Open. Lives as long as the process.
  ControlPage* control() const;
};

}  // namespace rtl::spool
