// SPDX-License-Identifier: MIT
#include "cli/trace/live_counts.h"

#include <cstddef>
#include <vector>

#include "model/event_kinds.h"
#include "model/losses.h"
#include "spool/directory.h"

namespace rtl::cli {
namespace {

constexpr size_t kMostOpen = 256;  // open processes; more are counted once others have ended

void Add(const spool::ControlPage& page, Counts* counts) {
  uint64_t kernels = page.submitted[static_cast<size_t>(EventKind::kKernel)].load();
  for (const auto& queue : page.queue_submitted) kernels += queue.submitted.load();
  counts->kernels += kernels;
  counts->events += kernels;
  for (size_t k = 0; k < kEventKindCount; ++k) {
    const EventKind kind = static_cast<EventKind>(k);
    if (kind == EventKind::kCounter) continue;  // counts the same kernels as kKernel
    if (kind != EventKind::kKernel) counts->events += page.submitted[k].load();
    for (size_t why = 0; why < kLossCount; ++why) {
      if (!IsLeftOut(static_cast<Loss>(why))) counts->lost += page.losses[k][why].load();
    }
  }
}

}  // namespace

Counts LiveCounts::Read() {
  std::vector<std::string> stems;
  (void)spool::ListProcesses(spool_, &stems);  // a missing folder has no processes
  for (const std::string& stem : stems) {
    if (running_.size() >= kMostOpen) break;
    if (running_.contains(stem) || ended_.contains(stem)) continue;
    std::unique_ptr<spool::ProcessReader> reader;
    if (spool::ProcessReader::Open(spool_, stem, true, &reader).ok())
      running_.emplace(stem, std::move(reader));
  }
  Counts counts;
  for (auto process = running_.begin(); process != running_.end();) {
    // Found out before the counts are read for the last time.
    const bool gone = process->second->WriterGone();
    Add(process->second->control(), gone ? &of_ended_ : &counts);
    if (gone) ended_.insert(process->first);
    process = gone ? running_.erase(process) : std::next(process);
  }
  counts.kernels += of_ended_.kernels;
  counts.events += of_ended_.events;
  counts.lost += of_ended_.lost;
  return counts;
}

}  // namespace rtl::cli
