// SPDX-License-Identifier: MIT
// wait_hooks.h: hooks the functions by which an application learns that GPU work has ended: waits
// for signals, loads of signals, signal handlers. Before such a function returns, the ended work is
// in the trace.
//
//   function                         records ended work
//   hsa_signal_wait_…, …_wait_any,   when the wait is satisfied
//   …_wait_all, …group_wait_any
//   hsa_signal_load_…, _exchange_…,  when the signal belongs to submitted work, and its value has
//   _cas_…                           changed since the last load (signal_marks.h)
//   a handler of                     before it is called
//   hsa_amd_signal_async_handler
//
// A wait inside a launch, before HIP has reserved the kernel's packet, is a wait for room in HIP.
// The program does not learn from it that work has ended, so the worker records the work as usual
// (docs/adr/0132-waits-in-launches.md).
//
// Threads    the functions: any. Aim, Put: one at a time
// Blocking   as long as the runtime's own function, then as Worker::BringHome
// Memory     an entry for each registered handler; kept and reused
// Why        docs/adr/0052-what-the-program-knows-is-in-the-trace.md
#pragma once

#include "base/status.h"
#include "capture/hsa/hsa_api.h"
#include "capture/signal/signal_marks.h"

namespace rtl::capture {
class Worker;
struct HookState;
}  // namespace rtl::capture

namespace rtl::capture::wait_hooks {

// The objects that the hooks use; hooks carry no data of their own. All must live as long as the
// process. `launches`: OpenCall knows the launch that is open on a thread, and its packets.
void Aim(const HsaApi* api, const HookState* state, SignalMarks* marks, Worker* worker,
         bool launches);
Status Put(HsaTables* tables);

}  // namespace rtl::capture::wait_hooks
