// SPDX-License-Identifier: MIT
#include "trace/collect/accounting.h"

#include <errno.h>
#include <string.h>

#include <algorithm>
#include <iterator>

#include "base/config.h"

namespace rtl::store {
namespace {

uint64_t SubmittedOnPage(const spool::ControlPage& page, EventKind kind) {
  uint64_t submitted = page.submitted[static_cast<size_t>(kind)].load(std::memory_order_relaxed);
  if (kind != EventKind::kKernel) return submitted;
  for (const QueueCounter& queue : page.queue_submitted) {
    submitted += queue.submitted.load(std::memory_order_relaxed);
  }
  return submitted;
}

std::string Sentence(uint32_t pid, uint64_t events, EventKind kind, const char* rest) {
  return "process " + std::to_string(pid) + ": " + std::to_string(events) + " " +
         EventKindName(kind) + " " + rest;
}

std::string WhySpoolWasFull(const Reading& reading) {
  switch (reading.full_because) {
    case spool::FullBecause::kCollectorIsSlow:
      return reading.lossless
                 ? "the collector did not keep up, although the program waited for room "
                   "(raise RTL_SPOOL_LIMIT_MB)"
                 : "the collector did not keep up (raise RTL_SPOOL_LIMIT_MB, or use "
                   "--lossless to wait for room)";
    case EFBIG:
      return "the program's limit of file sizes (ulimit -f, RLIMIT_FSIZE) is smaller than a "
             "segment of the spool; raise it";
    case ENOSPC:
    case EDQUOT:
      return "the disk of the spool has no room";
    case spool::FullBecause::kManyHandlers:
      return "more markers of signal handlers interrupted the tracer than it can keep";
    default:
      return std::string("a file of the spool could not be made: ") +
             strerror(reading.full_because);
  }
}

// Warns when the trace misses events, or came close to it, for reasons outside the program.
void WarnOfSpool(uint32_t pid, const Reading& reading, const KindTotals kinds[kEventKindCount],
                 std::vector<std::string>* warnings) {
  uint64_t events = 0;
  for (size_t k = 0; k < kEventKindCount; ++k) events += kinds[k].loss(Loss::kSpoolFull);
  const std::string process = "process " + std::to_string(pid) + ": ";
  if (events != 0) {
    warnings->push_back(process + std::to_string(events) +
                        " events found the spool full: " + WhySpoolWasFull(reading));
    return;
  }
  if (!reading.fell_behind) return;
  const auto percent = static_cast<int>(std::min(reading.most_backlog, 1.0) * 100);
  warnings->push_back(process + "the collector fell behind: up to " + std::to_string(percent) +
                      " % of the spool's limit was unread; no event was lost");
}

// True for kinds that the application's threads count when an event begins.
bool IsCall(EventKind kind) {
  return kind == EventKind::kHipCall || kind == EventKind::kCompilerCall ||
         kind == EventKind::kHsaCall || kind == EventKind::kAllocation ||
         kind == EventKind::kRcclCall;
}

}  // namespace

Loss CauseOf(ProcessEnd end) {
  if (end == ProcessEnd::kKilled) return Loss::kKilled;
  return end == ProcessEnd::kReplaced ? Loss::kExec : Loss::kShutdown;
}

NotCountedEvents FindNotCounted(const std::string& mode, ProcessEnd end) {
  NotCountedEvents not_counted;
  if (mode != ModeName(Mode::kClr) || (end != ProcessEnd::kKilled && end != ProcessEnd::kReplaced))
    return not_counted;
  for (const EventKind kind : {EventKind::kHipCall, EventKind::kKernel, EventKind::kCopy})
    not_counted[static_cast<size_t>(kind)] =
        "a process ended before HIP's own profiler had reported all, and how many are missing is "
        "not known";
  return not_counted;
}

bool CollectResult::CountingFailed() const {
  return std::any_of(warnings.begin(), warnings.end(), [](const std::string& warning) {
    return warning.starts_with(kNotCountedWarning);
  });
}

bool CollectResult::HasUncountedKernels() const {
  return std::any_of(warnings.begin(), warnings.end(), [](const std::string& warning) {
    return warning.starts_with(kSecondRuntimeWarning) ||
           warning.starts_with(kSecondProfilerWarning) || warning.starts_with(kLateGraphsWarning);
  });
}

std::string MissingCalls(const std::string& loaded_by) {
  if (!loaded_by.ends_with(" by preload, unused")) return "";
  return "none came through librtl_hip.so, which does not see functions of HIP that a program "
         "finds without dlsym";
}

bool LostByItsEnd(const spool::ControlPage& page, ProcessEnd end, const Reading& reading) {
  if (end != ProcessEnd::kKilled && end != ProcessEnd::kReplaced) return false;
  if (reading.torn != 0 || reading.rejected != 0) return false;
  if (reading.out_of_window[static_cast<size_t>(EventKind::kKernel)] != 0) return false;
  const auto& losses = page.losses[static_cast<size_t>(EventKind::kKernel)];
  return std::all_of(std::begin(losses), std::end(losses), [](const auto& events) {
    return events.load(std::memory_order_relaxed) == 0;
  });
}

uint64_t KindTotals::lost() const {
  uint64_t sum = 0;
  for (const uint64_t events : losses) sum += events;
  return sum;
}

void KindTotals::Add(const KindTotals& more) {
  submitted += more.submitted;
  recorded += more.recorded;
  for (size_t loss = 0; loss < kLossCount; ++loss) losses[loss] += more.losses[loss];
}

void CompleteCounts(const spool::ControlPage& page, uint32_t pid, ProcessEnd end,
                    const Reading& reading, KindTotals kinds[kEventKindCount],
                    std::vector<std::string>* warnings) {
  uint64_t torn = reading.torn + reading.rejected;
  for (size_t k = 0; k < kEventKindCount; ++k) {
    const auto kind = static_cast<EventKind>(k);
    KindTotals& totals = kinds[k];
    totals.submitted = SubmittedOnPage(page, kind);
    for (size_t loss = 0; loss < kLossCount; ++loss) {
      totals.losses[loss] = page.losses[k][loss].load(std::memory_order_relaxed);
    }
    const uint64_t accounted = totals.recorded + totals.lost();
    if (totals.submitted < accounted) {
      warnings->push_back(Sentence(pid, accounted - totals.submitted, kind,
                                   "are in the trace or counted as lost, but were not counted "
                                   "when they were submitted"));
      totals.submitted = accounted;
      continue;
    }
    uint64_t missing = totals.submitted - accounted;
    const uint64_t duplicates = std::min(missing, reading.duplicates[k]);
    totals.losses[static_cast<size_t>(Loss::kDuplicate)] += duplicates;
    missing -= duplicates;
    const uint64_t left_out = std::min(missing, reading.left_out[k]);
    totals.losses[static_cast<size_t>(Loss::kPaused)] += left_out;
    missing -= left_out;
    const uint64_t old = std::min(missing, reading.out_of_window[k]);
    totals.losses[static_cast<size_t>(Loss::kOutOfWindow)] += old;
    missing -= old;
    // One torn place may have held many records of any kind. For the first kinds with missing
    // events, one loss per torn place is attributed to kTorn; the rest is attributed to the end of
    // the process.
    const uint64_t unread = std::min(missing, torn);
    totals.losses[static_cast<size_t>(Loss::kTorn)] += unread;
    torn -= unread;
    missing -= unread;
    if (missing == 0) continue;
    totals.losses[static_cast<size_t>(CauseOf(end))] += missing;
    // A call is counted when it begins, so calls that were open at the end are explained.
    if (end == ProcessEnd::kFinished && !IsCall(kind)) {
      warnings->push_back(
          Sentence(pid, missing, kind, "were submitted, and the process did not report their end"));
    }
  }
  WarnOfSpool(pid, reading, kinds, warnings);
  if (reading.torn != 0) {
    warnings->push_back("process " + std::to_string(pid) + ": the spool could not be read in " +
                        std::to_string(reading.torn) + " places");
  }
  uint64_t duplicates = 0;
  for (const uint64_t events : reading.duplicates) duplicates += events;
  if (duplicates != 0) {
    warnings->push_back("process " + std::to_string(pid) + ": " + std::to_string(duplicates) +
                        " calls carried the correlation id of another call and were left out");
  }
  if (reading.rejected != 0) {
    warnings->push_back("process " + std::to_string(pid) + ": " + std::to_string(reading.rejected) +
                        " records carried impossible times and were left out");
  }
}

}  // namespace rtl::store
