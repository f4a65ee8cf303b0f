// SPDX-License-Identifier: MIT
// queue_writer.h: the tables of queues: how many kernels each has seen and recorded, and why the
// others have no row. Queues are kept in their process; their rows are written when it has ended.
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

// What explains the kernels of a process without a row that it did not count as lost.
struct Unsaid {
  const spool::ControlPage* page = nullptr;  // counts those of queues whose end was not reported
  std::optional<Loss> why;                   // empty: not known
};

class QueueWriter {
 public:
  // `earlier`: rows that a continued trace has.
  Status Prepare(const Database& database, int64_t earlier);
  void Finalize();

  void Add(TracedProcess* process, const QueueRecord& record);
  Status Write(const TracedProcess& process, const Unsaid& unsaid);

 private:
  Status WriteLoss(const TracedProcess& process, const TracedQueue& queue, Loss why,
                   uint64_t events);
  Status WriteLosses(const TracedProcess& process, const TracedQueue& queue,
                     std::optional<Loss> why_rest);

  Statement queue_, loss_;
  int64_t next_ = 0;
};

// Kernels, by queue, that a process has submitted to queues whose end it has not reported.
using SubmittedKernels = std::unordered_map<uint32_t, uint64_t>;
SubmittedKernels SubmittedBy(const spool::ControlPage& page);
// Empty: not known.
std::optional<int64_t> SubmittedTo(const TracedQueue& queue, const SubmittedKernels& submitted);

}  // namespace rtl::store
