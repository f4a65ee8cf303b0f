// SPDX-License-Identifier: MIT
#include "trace/collect/round_schedule.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include <charconv>

#include "base/unique_fd.h"
#include "trace/write/asks.h"

namespace rtl::store {

bool ProcessorToSpare(std::string_view loadavg, int processors) {
  const size_t slash = loadavg.find('/');
  if (slash == std::string_view::npos) return true;
  const std::string_view before = loadavg.substr(0, slash);
  const size_t space = before.rfind(' ');
  const std::string_view number = before.substr(space == std::string_view::npos ? 0 : space + 1);
  int running = 0;
  if (std::from_chars(number.data(), number.data() + number.size(), running).ec != std::errc()) {
    return true;
  }
  return running - 1 < processors;
}

bool ProcessorToSpare() {
  cpu_set_t ours;
  if (sched_getaffinity(0, sizeof(ours), &ours) != 0) return true;
  const UniqueFd file(open("/proc/loadavg", O_RDONLY | O_CLOEXEC));
  char text[128];
  const ssize_t length = file.valid() ? read(file.get(), text, sizeof(text)) : -1;
  if (length <= 0) return true;
  return ProcessorToSpare({text, static_cast<size_t>(length)}, CPU_COUNT(&ours));
}

bool RoundSchedule::IsDue() {
  spare_looks_ = (to_spare_ != nullptr ? to_spare_() : ProcessorToSpare()) ? spare_looks_ + 1 : 0;
  return spare_looks_ >= kSpareLooks || BootTimeNs() - began_ >= most_ns_;
}

bool RoundSchedule::LookForAsks(const std::string& spool) {
  constexpr uint64_t kBetweenLooksNs = 50'000'000;
  const uint64_t now = BootTimeNs();
  if (now < next_look_) return false;
  next_look_ = now + kBetweenLooksNs;
  asked_ = HasAsks(spool, kAskInFlight) || HasAsks(spool, kAskWindow) || HasAsks(spool, kAskAttach);
  return asked_;
}

bool RoundSchedule::TakeAsked(const std::string& spool) {
  const bool asked = asked_ || LookForAsks(spool);
  asked_ = false;
  return asked;
}

}  // namespace rtl::store
