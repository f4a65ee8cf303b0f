// SPDX-License-Identifier: MIT
// markers.h: the implementation of the roctx functions: one record per call, written by the calling
// thread.
//
// Threads    any; a range that Start opened may be stopped by another thread
// Blocking   as RecordSink::Write
// Memory     28 bytes of thread-local state
// Losses     one event per mark and per range, counted when it begins. Ranges that begin inside a
//            lost push are lost with it (kSpoolFull). A push that a pause omits is remembered
//            (omitted_ranges.h): the part of its range that lies in the recorded time is recorded,
//            and so are ranges inside it. If the sink refuses the end of a range, that end is
//            written before the thread's next push or pop, so pairs always match. A range whose
//            beginning starts the recording (pause.h) is recorded, even if it lies inside a lost
//            push
#pragma once

#include <stdint.h>

#include <atomic>

#include "model/record_sink.h"

namespace rtl::capture {

class Markers {
 public:
  constexpr Markers() = default;
  Markers(const Markers&) = delete;
  Markers& operator=(const Markers&) = delete;

  // In the child of a fork: forgets the ranges that a pause omitted, which are the parent's.
  // Async-signal-safe.
  static void ForgetOmitted();
  // In the child of a fork: this thread's open ranges belong to the parent's trace.
  // Async-signal-safe.
  static void OnForkInChild();

  // If `sink` is null, nothing is recorded, and the results are the same. `message` may be null.
  void Mark(RecordSink* sink, const char* message);
  // Returns the level at which the range begins: zero for the outermost of this thread.
  int Push(RecordSink* sink, const char* message);
  // Returns the level at which the ending range began; -1 when this thread has no open range.
  int Pop(RecordSink* sink);
  // Starts a range. Returns an id that no other range of the process has; never zero.
  uint64_t Start(RecordSink* sink, const char* message);
  void Stop(RecordSink* sink, uint64_t range);
  // False if there was no room for the name.
  bool Name(RecordSink* sink, Named what, uint64_t target, const char* name);

 private:
  std::atomic<uint64_t> next_range_{1};
};

}  // namespace rtl::capture
