// SPDX-License-Identifier: MIT
// scratch_hooks.h: the functions in the runtime's table for tools (ROCm 6.1 and later) that report
// scratch memory. The trace and the tools of a process listen to the same functions.
//
//   runtime ─► ours (start) ─► the listeners ─► the former function ┐
//           ─► ours (end)   ─► the listeners ─► the former function ┘ on one thread; may be nested
//
// Threads    listeners: any, mostly the runtime's own. Put, Lift: one at a time
// Blocking   never
// Memory     fixed; a listener lives as long as the process
// Why        docs/adr/0048-scratch-memory.md
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

#include "model/event_kinds.h"

namespace rtl::capture {

// An event as the runtime passes it.
struct ScratchRuntimeEvent {
  uint32_t kind;
  // must not be read: HSA 1.21 reports an event of a queue whose memory is freed already
  const hsa_queue_t* queue;
  uint32_t flags;
  uint64_t dispatch_id;  // at an allocation's start: the packet at which the queue has stopped
  uint64_t size, slots;  // set at the end of an allocation
};
// An event as listeners get it.
struct ScratchEvent : ScratchRuntimeEvent {
  // the queue's id plus one, as its last allocation reported it; zero: not known
  uint64_t queue_id;
};
using ScratchFunction = hsa_status_t (*)(const ScratchRuntimeEvent* event);

class ScratchListener {
 public:
  // `event.queue` must not be read.
  virtual void Begin(ScratchOperation operation, const ScratchEvent& event) = 0;
  virtual void End(ScratchOperation operation, const ScratchEvent& event) = 0;

 protected:
  ~ScratchListener() = default;
};

namespace scratch_hooks {

enum class Party : uint8_t { kTrace, kTools };

// `root`: an HsaApiTable. False if the runtime lacks the table for tools.
bool Put(void* root, Party party, ScratchListener* listener);
// Ends events for this party. When the last party leaves, the former functions are restored in the
// slots that still have the tracer's.
void Lift(Party party);

}  // namespace scratch_hooks
}  // namespace rtl::capture
