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
// Threads    …Submitted: the application's. CopyEnded: the worker. KernelEnded: the worker, or the
//            thread that found the end, where EndsAnywhere says so. Lost: either
// Blocking   …Submitted: the application waits for it, KernelSubmitted under the lock of the queue
//            (the runtime's, or the doorbell's). …Ended: the worker waits; no lock is held
// Why        docs/adr/0044-sdk-kernels-and-copies.md
#pragma once

#include <stdint.h>

#include "model/records.h"

namespace rtl::capture {

struct QueueIdentity;

class SubmissionWatcher {
 public:
  // Before the packet is written. Number and times in `kernel` are zero.
  virtual uint32_t KernelSubmitted(const DispatchRecord& kernel, const QueueIdentity& queue) = 0;
  // True: the end of this kernel runs nothing of a tool's, so the thread of the application that
  // finds it can report it.
  virtual bool EndsAnywhere(uint32_t) const { return false; }
  virtual void KernelEnded(uint32_t ticket, const DispatchRecord& kernel,
                           const QueueIdentity& queue) = 0;
  // Before the runtime is called; if the call fails the copy is lost. As above.
  virtual uint32_t CopySubmitted(const CopyRecord& copy) = 0;
  virtual void CopyEnded(uint32_t ticket, const CopyRecord& copy) = 0;
  virtual void Lost(uint32_t ticket) = 0;
  // A thread has reserved packets inside a call. Later, mostly on the same thread, the hook gets
  // each of them: a kernel after it was submitted, or another packet. Only if reservations are
  // noted.
  virtual void PacketsReserved(uint64_t correlation, uint64_t packets) = 0;
  virtual void PacketShown(uint64_t correlation) = 0;

 protected:
  ~SubmissionWatcher() = default;  // never deleted through this interface
};

}  // namespace rtl::capture
