// SPDX-License-Identifier: MIT
// pending.h: one kernel dispatch between the packet hook and its record: what the packet said, and
// which signal will tell that it has ended.
//
//   how        the packet carries           the kernel has ended when
//   kPooled    our signal (it had none)     our signal's value has dropped
//   kForward   our signal instead of the    our signal's value has dropped; the forwarder then gives
//              application's                the application's signal the times and takes one off it
//   kInPlace   the application's signal     both times in it have changed since the submission
//   kCopy      is the runtime's own, with   the value has dropped
//              the application's signal
//
// Threads    filled by the hook, read by the worker after publication. `outcome` and `times` of an
//            in-place entry belong to whoever holds its slot in AppSignalTable; the whole of a
//            kForward entry to the forwarder until its outcome says otherwise (forwarder.h)
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

#include <atomic>

#include "capture/signal/signal_times.h"

namespace rtl::capture {

enum class Completion : uint8_t { kPooled, kForward, kInPlace, kCopy };

// Of an entry in AppSignalTable, or one that is forwarded.
enum class Outcome : uint8_t {
  kWaiting,
  kTimed,    // `times` are the kernel's
  kUntimed,  // the value dropped but no times were written
  kReused,   // the signal was destroyed or given to something else while the kernel was in flight;
             // forwarded: the queue is gone
};

struct Pending {
  uint64_t submitted;       // time
  uint64_t packet;          // index in the queue
  uint64_t correlation;     // of the API call that reserved it; zero when none is known
  hsa_signal_t signal;      // the one on the packet
  hsa_signal_t app_signal;  // kForward and kInPlace: the application's
  SignalTimes times;        // kInPlace: what the signal held at submission, then the kernel's.
                            // kForward: the kernel's. kCopy: the copy's, in ns
  Pending* next_owed;       // kForward: the forwarder's
  uint32_t grid[3];
  uint32_t group_segment;
  uint32_t private_segment;
  uint32_t kernel;
  uint16_t workgroup[3];
  uint16_t flags;  // kDispatchFlag…
  uint32_t thread;
  uint32_t slot;  // kInPlace: in AppSignalTable
  Completion completion;
  std::atomic<Outcome> outcome;  // release by the resolver, acquire by the worker
  bool finished;                 // worker only: nothing is left to do
  bool lost;                     // worker only: counted as a loss, only the forward is still due
};
static_assert(sizeof(Pending) == 112);

}  // namespace rtl::capture
