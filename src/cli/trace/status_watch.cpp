// SPDX-License-Identifier: MIT
#include "cli/trace/status_watch.h"

#include <unistd.h>

#include <chrono>

#include "base/clock.h"

namespace rtl::cli {
namespace {

constexpr auto kBetweenLooks = std::chrono::milliseconds(100);
constexpr uint64_t kFirstAfterNs = 2'000'000'000;  // a shorter run shows no line
constexpr uint64_t kIntervalNs = 1'000'000'000;

}  // namespace

StatusWatch::StatusWatch(const std::string& spool) : counts_(spool), line_(STDERR_FILENO) {}

void StatusWatch::Start() {
  // If the thread cannot be started, tracing works without the line.
  if (line_.possible()) (void)thread_.Start([this] { Run(); });
}

void StatusWatch::Stop() {
  thread_.Stop();
  line_.Hide();
}

void StatusWatch::Run() {
  const uint64_t began = BootTimeNs();
  uint64_t counted_at = began;
  uint64_t counted = 0;
  Counts progress;
  uint64_t rate = 0;
  while (thread_.Pause(kBetweenLooks)) {
    const uint64_t now = BootTimeNs();
    if (now - counted_at >= kIntervalNs) {
      progress = counts_.Read();
      rate = (progress.events - counted) * 1'000'000'000 / (now - counted_at);
      counted = progress.events;
      counted_at = now;
      if (now - began >= kFirstAfterNs) line_.Show(now - began, progress, rate);
    } else {
      line_.GiveWay();
    }
  }
}

}  // namespace rtl::cli
