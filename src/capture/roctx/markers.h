// SPDX-License-Identifier: MIT
// markers.h: the implementation of the roctx functions: one record per call, written by the calling
// thread.
//
// Threads    any; a range that Start opened may be stopped by another thread
// Blocking   as RecordSink::Write
// Memory     28 bytes of thread-local state
// Losses     one event per mark and per range, counted when it begins. Ranges that begin inside a
//            lost push are lost with it (kSpoolFull). A push that a pause omits is remembered
//            (omitted_ranges.h): ranges inside it are recorded, and so is the part of it that
//            lies in the recorded time. An end that the sink refused is written before the
//            thread's next push or pop: pairs always match. A range that starts recording
//            (pause.h) is recorded even so
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

  // In the child of a fork: the ranges that a pause omitted are the parent's. Async-signal-safe.
  static void ForgetOmitted();
  // In the child of a fork: the ranges that this thread has open are in its parent's trace.
  // Async-signal-safe.
  static void OnForkInChild();

  // `sink` may be null: nothing is recorded, and the results are the same. `message` may be null.
  void Mark(RecordSink* sink, const char* message);
  // Returns the level at which the range begins: zero for the outermost of this thread.
  int Push(RecordSink* sink, const char* message);
  // Returns the level at which the ending range began; -1 when this thread has no open range.
  int Pop(RecordSink* sink);
  // Returns an id that no other range of the process has; never zero.
  uint64_t Start(RecordSink* sink, const char* message);
  void Stop(RecordSink* sink, uint64_t range);
  // False when there was no room for it.
  bool Name(RecordSink* sink, Named what, uint64_t target, const char* name);

 private:
  std::atomic<uint64_t> next_range_{1};
};

}  // namespace rtl::capture
