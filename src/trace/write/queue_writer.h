// SPDX-License-Identifier: MIT
// queue_writer.h: writes the tables of queues: how many kernels were submitted to each queue and
// recorded, and why the other kernels have no row. Queues are kept in their TracedProcess; their
// rows are written when the process has ended.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>

#include "base/status.h"
#include "model/losses.h"
#include "spool/format.h"
#include "trace/schema/database.h"
#include "trace/write/traced_process.h"

namespace rtl::store {

// Explains kernels without a row that a process has not itself counted as lost.
struct Unsaid {
  const spool::ControlPage* page = nullptr;  // has the counts of queues whose end was not reported
  std::optional<Loss> why;                   // the cause; empty: not known
};

class QueueWriter {
 public:
  // `earlier`: number of queues that a continued trace has.
  Status Prepare(const Database& database, int64_t earlier);

  void Add(TracedProcess* process, const QueueRecord& record);
  // May come before the queue: the records of several threads are read one thread after the other.
  static void AddEnd(TracedProcess* process, const QueueEndRecord& record);
  Status Write(const TracedProcess& process, const Unsaid& unsaid);

 private:
  Status WriteLoss(const TracedProcess& process, const StoredQueue& queue, Loss why,
                   uint64_t events);
  Status WriteLosses(const TracedProcess& process, const StoredQueue& queue,
                     std::optional<Loss> why_rest);

  Statement queue_, loss_;
  int64_t next_ = 0;
};

// For each queue whose end the process has not reported: the number of kernels that were submitted
// to it.
using SubmittedKernels = std::unordered_map<uint32_t, uint64_t>;
SubmittedKernels SubmittedBy(const spool::ControlPage& page);
// The number of kernels submitted to the queue; empty if it is not known.
std::optional<int64_t> SubmittedTo(const StoredQueue& queue, const SubmittedKernels& submitted);

}  // namespace rtl::store
