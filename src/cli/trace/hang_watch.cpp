// SPDX-License-Identifier: MIT
#include "cli/trace/hang_watch.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "analysis/text.h"
#include "base/clock.h"
#include "cli/base/launch.h"
#include "cli/base/print.h"
#include "cli/base/table.h"
#include "cli/info/in_flight_report.h"

namespace rtl::cli {
namespace {

constexpr auto kStep = std::chrono::milliseconds(100);
constexpr uint64_t kGraceNs = 1'000'000'000;  // from an interrupt to the report
constexpr uint64_t kMostBetweenLooksNs = 1'000'000'000;
constexpr size_t kRows = 10;

void Print(const std::vector<store::InFlightRow>& rows) {
  PrintAside(InFlightAsText(rows, kRows, TerminalWidth(STDERR_FILENO),
                            "rtl info --in-flight " + std::to_string(rows.front().pid)));
}

}  // namespace

Status HangWatch::Start() {
  const int error = thread_.Start([this] { Run(); });
  if (error == 0) return Status::Ok();
  return Status::ErrnoError(error, "no thread to look for hangs with");
}

void HangWatch::Run() {
  uint32_t interrupts = Launch::Interrupts();
  uint32_t dumps = Launch::DumpSignals();
  uint64_t interrupted_at = 0;
  uint64_t looked_at = BootTimeNs();
  const uint64_t between_looks = std::min(limit_ns_ / 4, kMostBetweenLooksNs);
  while (thread_.Pause(kStep)) {
    const uint64_t now = BootTimeNs();
    if (const uint32_t count = Launch::Interrupts(); count != interrupts) {
      interrupts = count;
      interrupted_at = now;
    }
    if (const uint32_t count = Launch::DumpSignals(); count != dumps) {
      dumps = count;
      collector_->RequestWindow("SIGUSR2");
    }
    if (interrupted_at != 0 && now - interrupted_at >= kGraceNs) {
      if (ReportInterrupt()) interrupted_at = 0;
    }
    if (limit_ns_ != 0 && now - looked_at >= between_looks) {
      looked_at = now;
      LookForHangs();
    }
  }
}

// False: the collector is busy; try again.
bool HangWatch::ReportInterrupt() {
  std::vector<store::InFlightRow> rows;
  if (!collector_->InFlight(&rows).ok()) return false;
  PrintNote(std::string("interrupted, and the program goes on") +
            (rows.empty() ? "; no kernel is in flight" : ""));
  if (!rows.empty()) Print(rows);
  return true;
}

void HangWatch::LookForHangs() {
  std::vector<store::InFlightRow> rows;
  if (!collector_->InFlight(&rows).ok()) return;
  std::set<uint32_t> hung;  // pids of processes
  for (const store::InFlightRow& row : rows) {
    using State = store::InFlightRow::State;
    const bool front =
        row.state == State::kFirst || (!row.behind.empty() && row.state != State::kEnded);
    const bool late = front && row.until > row.submitted && row.until - row.submitted >= limit_ns_;
    const bool is_new = late && reported_.insert({row.pid, row.queue, row.packet}).second;
    if (is_new) hung.insert(row.pid);
  }
  std::erase_if(rows, [&](const store::InFlightRow& row) { return !hung.contains(row.pid); });
  if (rows.empty()) return;
  PrintNote("a kernel has not ended for " + analysis::Duration(limit_ns_) +
            " and no kernel before it holds it up; the program goes on");
  Print(rows);
}

}  // namespace rtl::cli
