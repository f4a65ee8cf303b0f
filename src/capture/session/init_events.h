// SPDX-License-Identifier: MIT
// init_events.h: an event for each runtime and library above it that begins to be used
// (EventKind::kInit). A library may register its tables before anything opens the trace; it is
// remembered until then.
//
// Threads    one at a time
// Memory     kMostRegistered libraries
// Errors     an event that finds no room is a loss
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/event_kinds.h"
#include "model/record_sink.h"

namespace rtl::capture {

class InitEvents {
 public:
  static constexpr size_t kMostRegistered = 16;

  // A sink is null while such events are not recorded.
  static void Write(RecordSink* sink, InitOperation runtime, uint64_t version, uint64_t instance);
  // The same, once for the first instance: a library may be found before it registers its tables.
  void Note(RecordSink* sink, InitOperation runtime, uint64_t version, uint64_t instance);

  // False: no more can be remembered.
  bool Remember(InitOperation runtime, uint64_t version, uint64_t instance);
  // The trace is open: notes what is remembered.
  void NoteRemembered(RecordSink* sink);

  // In the child of a fork: it has libraries, and none is noted in its own trace.
  void BeginAnewInChild() { noted_ = 0; }

 private:
  struct Registered {
    InitOperation runtime;
    uint64_t version, instance;
  };
  Registered registered_[kMostRegistered] = {};
  size_t count_ = 0;
  uint32_t noted_ = 0;  // a bit for each InitOperation
};

}  // namespace rtl::capture
