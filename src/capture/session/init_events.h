// SPDX-License-Identifier: MIT
// init_events.h: records an event for each runtime, and for each library above a runtime, when it
// is first used (EventKind::kInit). A library may register its tables before the trace is open; it
// is remembered until then.
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

  // The version in an event.
  static constexpr uint64_t VersionOf(uint32_t major, uint32_t minor) {
    return uint64_t{10'000} * major + uint64_t{100} * minor;
  }

  // Writes an event. `sink`: null if such events are not recorded.
  static void Write(RecordSink* sink, InitOperation runtime, uint64_t version, uint64_t instance);
  // Writes an event for the first instance only, because a library may be found before it registers
  // its tables.
  void Note(RecordSink* sink, InitOperation runtime, uint64_t version, uint64_t instance);

  // Remembers a library until the trace is open. False if there is no room for it.
  bool Remember(InitOperation runtime, uint64_t version, uint64_t instance);
  // Called when the trace is open: notes the remembered libraries.
  void NoteRemembered(RecordSink* sink);

  // In the child of a fork: the child's own trace has none of the libraries yet.
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
