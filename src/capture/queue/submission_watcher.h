// SPDX-License-Identifier: MIT
// submission_watcher.h: notifications of kernels and copies when they are submitted, and again when
// they have ended. A watcher finds its own data by a ticket, a number that it chooses and the
// engine carries along.
//
//   submitted ──► ticket ──┬──► Ended, with the record that the sink gets, too
//                          └──► Lost: there is no record; the loss is counted
//
// Each ticket is returned once, unless the hooks were disarmed meanwhile. Zero: the watcher wants
// no further notification of this event. An event that is lost before its submission is not
// reported.
//
// Threads    …Submitted: the application's. CopyEnded: the worker. KernelEnded: the worker, or, if
//            EndsAnywhere allows it, the thread that found the end. Lost: like CopyEnded or
//            KernelEnded
// Blocking   …Submitted delays the application; KernelSubmitted runs under the lock of the queue
//            (the runtime's lock, or the doorbell's). …Ended delays the worker; no lock is held
// Why        docs/adr/0044-sdk-kernels-and-copies.md
#pragma once

#include <stdint.h>

#include "model/records.h"

namespace rtl::capture {

struct QueueIdentity;

class SubmissionWatcher {
 public:
  // Called before the packet is written. The number and the times in `kernel` are zero.
  virtual uint32_t KernelSubmitted(const DispatchRecord& kernel, const QueueIdentity& queue) = 0;
  // True if reporting the end of this kernel runs no code of a tool. Then a thread of the
  // application that finds the end can report it.
  virtual bool EndsAnywhere(uint32_t) const { return false; }
  virtual void KernelEnded(uint32_t ticket, const DispatchRecord& kernel,
                           const QueueIdentity& queue) = 0;
  // Called before the runtime is called; if that call fails, the copy is lost. The number and the
  // times in `copy` are zero.
  virtual uint32_t CopySubmitted(const CopyRecord& copy) = 0;
  virtual void CopyEnded(uint32_t ticket, const CopyRecord& copy) = 0;
  virtual void Lost(uint32_t ticket) = 0;
  // PacketsReserved: a thread has reserved packets inside a call. PacketShown: the hook has got one
  // of these packets, later and mostly on the same thread; for a kernel it follows KernelSubmitted.
  // Both are called only if reservations are noted.
  virtual void PacketsReserved(uint64_t correlation, uint64_t packets) = 0;
  virtual void PacketShown(uint64_t correlation) = 0;

 protected:
  ~SubmissionWatcher() = default;  // never deleted through this interface
};

}  // namespace rtl::capture
