// SPDX-License-Identifier: MIT
// The part of the trace writer for queues: the number of kernels that each has seen, and the loss
// of those without a row.
#include <algorithm>
#include <array>
#include <numeric>

#include "trace/schema/schema.h"
#include "trace/schema/tables.h"
#include "trace/write/trace_writer.h"

namespace rtl::store {

Status TraceWriter::AddQueue(Process& process, const QueueRecord& record) {
  const auto [queue, inserted] = process.queues.try_emplace(record.queue);
  if (!inserted) return Status::Ok();
  queue->second.row = ++next_queue_;  // the row itself is written when the queue's end is known
  queue->second.record = record;
  return Status::Ok();
}

// Empty: it was never destroyed.
std::optional<int64_t> TraceWriter::Destroyed(const Queue& queue) {
  if (!queue.end || queue.end->destroyed == 0) return std::nullopt;
  return static_cast<int64_t>(queue.end->destroyed);
}

// Kernels submitted to the queues that `page` still counts.
TraceWriter::Counted TraceWriter::CountedBy(const spool::ControlPage& page) {
  Counted counted;
  for (const QueueCounter& counter : page.queue_seen) {
    counted[counter.queue.load(std::memory_order_relaxed)] =
        counter.seen.load(std::memory_order_relaxed) -
        counter.before.load(std::memory_order_relaxed);
  }
  return counted;
}

// Empty: not known.
std::optional<int64_t> TraceWriter::Seen(const Queue& queue, const Counted& counted) {
  if (queue.end) return static_cast<int64_t>(queue.end->seen);
  const auto own = counted.find(queue.record.queue);
  if (own == counted.end() || own->second < queue.recorded + queue.left_out ||
      own->second > static_cast<uint64_t>(INT64_MAX)) {
    return std::nullopt;
  }
  return static_cast<int64_t>(own->second);
}

Status TraceWriter::WriteQueues(Process& process, const Unsaid& unsaid) {
  const Counted counted = unsaid.page != nullptr ? CountedBy(*unsaid.page) : Counted();
  // A record that was refused may be of any queue.
  const std::optional<Loss> why = process.rejected == 0 ? unsaid.why : std::nullopt;
  for (const auto& [id, queue] : process.queues) {
    const QueueRecord& record = queue.record;
    const auto agent = process.agents.find(record.agent);
    const uint32_t gpu = agent == process.agents.end() ? 0 : agent->second.gpu;
    const std::optional<int64_t> seen = Seen(queue, counted);
    QueueTable row;
    TakeFields(record, &row);
    row.id = queue.row;
    row.process = process.row;
    row.pid = process.info.pid;
    row.gpu = static_cast<int32_t>(gpu);
    row.destroyed = Destroyed(queue);
    row.seen = seen;
    row.recorded = queue.recorded;
    RTL_TRY(queue_.Add(row));
    if (queue.end) {
      RTL_TRY(WriteQueueLosses(process, queue, why));
    } else if (seen && why) {
      const uint64_t missing = static_cast<uint64_t>(*seen) - queue.recorded - queue.left_out;
      RTL_TRY(WriteQueueLoss(process, queue, *why, missing));
      RTL_TRY(WriteQueueLoss(process, queue, Loss::kPaused, queue.left_out));
    }
  }
  return Status::Ok();
}

void TraceWriter::SetOutOfWindow(size_t number, const std::map<uint32_t, uint64_t>& kernels) {
  for (const auto& [id, events] : kernels) {
    const auto queue = processes_[number]->queues.find(id);
    if (queue != processes_[number]->queues.end()) queue->second.out_of_window = events;
  }
}

Status TraceWriter::WriteQueueLoss(const Process& process, const Queue& queue, Loss why,
                                   uint64_t events) {
  if (events == 0) return Status::Ok();
  return queue_loss_.Add(QueueLossTable{
      .queue = queue.row, .process = process.row, .loss = LossName(why), .events = events});
}

// A hook that was about to submit when the process ended has counted its kernels, and nothing else
// has.
Status TraceWriter::WriteQueueLosses(const Process& process, const Queue& queue,
                                     std::optional<Loss> why_rest) {
  RTL_TRY(WriteQueueLoss(process, queue, Loss::kOutOfWindow, queue.out_of_window));
  std::array<uint64_t, kLossCount> losses;
  std::copy(std::begin(queue.end->losses), std::end(queue.end->losses), losses.begin());
  losses[static_cast<size_t>(Loss::kPaused)] += queue.left_out;
  const uint64_t explained =
      std::accumulate(losses.begin(), losses.end(), queue.recorded + queue.out_of_window);
  if (why_rest && queue.end->seen > explained)
    losses[static_cast<size_t>(*why_rest)] += queue.end->seen - explained;
  for (size_t i = 0; i < kLossCount; ++i)
    RTL_TRY(WriteQueueLoss(process, queue, static_cast<Loss>(i), losses[i]));
  return Status::Ok();
}

}  // namespace rtl::store
