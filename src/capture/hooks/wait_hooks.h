// SPDX-License-Identifier: MIT
// wait_hooks.h: the functions by which an application learns that something on the GPU has ended:
// waits for signals, looks at them, handlers. Before they return, what has ended is in the trace.
//
//   function                         brings home what has ended
//   hsa_signal_wait_…, …_wait_any,   when the wait is over as it was asked for
//   …_wait_all, …group_wait_any
//   hsa_signal_load_…, _exchange_…,  when the signal was on something submitted, and its value has
//   _cas_…                           changed since anybody looked (signal_marks.h)
//   a handler of                     before it is called
//   hsa_amd_signal_async_handler
//
// Threads    the functions: any. Aim, Put: one at a time
// Blocking   as long as the runtime's own function, then as Worker::BringHome
// Memory     an entry for each handler that is registered; kept and used again
// Why        docs/adr/0052-what-the-program-knows-is-in-the-trace.md
#pragma once

#include "base/status.h"
#include "capture/hsa/hsa_api.h"
#include "capture/signal/signal_marks.h"

namespace rtl::capture {
class Worker;
}

namespace rtl::capture::wait_hooks {

// What the hooks work on: hooks carry no data of their own. Both must live as long as the process.
void Aim(const HsaApi* api, SignalMarks* marks, Worker* worker);
Status Put(HsaTables* tables);

}  // namespace rtl::capture::wait_hooks
