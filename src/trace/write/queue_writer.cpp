// SPDX-License-Identifier: MIT
#include "trace/write/queue_writer.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/config.h"
#include "trace/schema/schema.h"
#include "trace/schema/tables.h"

namespace rtl::store {
namespace {

// Empty if the queue was never destroyed.
std::optional<int64_t> Destroyed(const StoredQueue& queue) {
  if (!queue.end || queue.end->destroyed == 0) return std::nullopt;
  return static_cast<int64_t>(queue.end->destroyed);
}

}  // namespace

SubmittedKernels SubmittedBy(const spool::ControlPage& page) {
  SubmittedKernels submitted;
  for (const QueueCounter& counter : page.queue_submitted) {
    submitted[counter.queue.load(std::memory_order_relaxed)] =
        counter.submitted.load(std::memory_order_relaxed) -
        counter.before.load(std::memory_order_relaxed);
  }
  return submitted;
}

std::optional<int64_t> SubmittedTo(const StoredQueue& queue, const SubmittedKernels& submitted) {
  if (queue.end) return static_cast<int64_t>(queue.end->submitted);
  const auto own = submitted.find(queue.record.queue);
  if (own == submitted.end() || own->second < queue.recorded + queue.left_out ||
      own->second > static_cast<uint64_t>(INT64_MAX)) {
    return std::nullopt;
  }
  return static_cast<int64_t>(own->second);
}

Status QueueWriter::Prepare(const Database& database, int64_t earlier) {
  next_ = earlier;
  RTL_TRY(queue_.Prepare(database, InsertSql(kQueueTableDescription)));
  return loss_.Prepare(database, InsertSql(kQueueLossTableDescription));
}

void QueueWriter::Add(TracedProcess* process, const QueueRecord& record) {
  const auto [queue, inserted] = process->queues.try_emplace(record.queue);
  if (!inserted) return;
  queue->second.row = ++next_;
  queue->second.record = record;
  const auto end = process->early_ends.find(record.queue);
  if (end == process->early_ends.end()) return;
  queue->second.end = end->second;
  process->early_ends.erase(end);
}

void QueueWriter::AddEnd(TracedProcess* process, const QueueEndRecord& record) {
  const auto queue = process->queues.find(record.queue);
  if (queue == process->queues.end())
    process->early_ends.insert_or_assign(record.queue, record);
  else
    queue->second.end = record;
}

Status QueueWriter::Write(const TracedProcess& process, const Unsaid& unsaid) {
  const SubmittedKernels by_queue =
      unsaid.page != nullptr ? SubmittedBy(*unsaid.page) : SubmittedKernels();
  // A record that was refused may be of any queue, so the cause is not known then.
  const std::optional<Loss> why = process.rejected == 0 ? unsaid.why : std::nullopt;
  for (const auto& [id, queue] : process.queues) {
    const QueueRecord& record = queue.record;
    const auto agent = process.agents.find(record.agent);
    const uint32_t gpu = agent == process.agents.end() ? 0 : agent->second.gpu;
    const std::optional<int64_t> submitted = SubmittedTo(queue, by_queue);
    QueueTable row;
    TakeFields(record, &row);
    row.id = queue.row;
    row.process = process.row;
    row.pid = process.info.pid;
    row.gpu = static_cast<int32_t>(gpu);
    row.destroyed = Destroyed(queue);
    row.submitted = submitted;
    row.recorded = queue.recorded;
    RTL_TRY(queue_.Add(row));
    if (queue.end) {
      RTL_TRY(WriteLosses(process, queue, why));
    } else if (submitted && why) {
      const uint64_t missing = static_cast<uint64_t>(*submitted) - queue.recorded - queue.left_out;
      RTL_TRY(WriteLoss(process, queue, *why, missing));
      RTL_TRY(WriteLoss(process, queue, Loss::kPaused, queue.left_out));
    }
  }
  return Status::Ok();
}

Status QueueWriter::WriteLoss(const TracedProcess& process, const StoredQueue& queue, Loss why,
                              uint64_t events) {
  if (events == 0) return Status::Ok();
  return loss_.Add(QueueLossTable{
      .queue = queue.row, .process = process.row, .loss = LossName(why), .events = events});
}

// If a hook was about to submit kernels when the process ended, it has counted them as seen, and no
// code has counted them as lost.
Status QueueWriter::WriteLosses(const TracedProcess& process, const StoredQueue& queue,
                                std::optional<Loss> why_rest) {
  RTL_TRY(WriteLoss(process, queue, Loss::kOutOfWindow, queue.out_of_window));
  std::array<uint64_t, kLossCount> losses;
  std::copy(std::begin(queue.end->losses), std::end(queue.end->losses), losses.begin());
  losses[static_cast<size_t>(Loss::kPaused)] += queue.left_out;
  const uint64_t explained =
      std::accumulate(losses.begin(), losses.end(), queue.recorded + queue.out_of_window);
  if (why_rest && queue.end->submitted > explained)
    losses[static_cast<size_t>(*why_rest)] += queue.end->submitted - explained;
  for (size_t i = 0; i < kLossCount; ++i)
    RTL_TRY(WriteLoss(process, queue, static_cast<Loss>(i), losses[i]));
  return Status::Ok();
}

}  // namespace rtl::store
