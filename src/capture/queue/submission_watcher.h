// SPDX-License-Identifier: MIT
// submission_watcher.h: who wants to know of kernels and copies when they are submitted, and again
// when they have ended. What it keeps in between it finds by a ticket, a number of its own; the
// engine carries it along.
//
//   submitted ──► ticket ──┬──► Ended, with the record that the sink has got, too
//                          └──► Lost: it yields no record; the loss is counted
//
// A ticket that was handed out comes back once, unless the hooks were disarmed meanwhile. Zero: the
// watcher does not want to hear of this one again. What is lost before it is submitted is not told.
//
// Threads    …Submitted: the application's. KernelEnded, CopyEnded: the worker. Lost: either
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
  // Before the packet is written. Of `kernel` the number and the times are zero.
  virtual uint32_t KernelSubmitted(const DispatchRecord& kernel, const QueueIdentity& queue) = 0;
  virtual void KernelEnded(uint32_t ticket, const DispatchRecord& kernel,
                           const QueueIdentity& queue) = 0;
  // Before the runtime is called; when that fails the copy is lost. As above.
  virtual uint32_t CopySubmitted(const CopyRecord& copy) = 0;
  virtual void CopyEnded(uint32_t ticket, const CopyRecord& copy) = 0;
  virtual void Lost(uint32_t ticket) = 0;
  // A thread has reserved places for packets inside a call; later, mostly on the same thread, each
  // is shown to the hook: a kernel after it was submitted, or anything else. Where places are noted.
  virtual void PacketsReserved(uint64_t correlation, uint64_t packets) = 0;
  virtual void PacketShown(uint64_t correlation) = 0;

 protected:
  ~SubmissionWatcher() = default;  // never deleted through this interface
};

}  // namespace rtl::capture
