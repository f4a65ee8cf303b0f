// SPDX-License-Identifier: MIT
#include "trace/collect/requests.h"

#include <algorithm>
#include <utility>

#include "spool/process_stat.h"

namespace rtl::store {

void Requests::Stop() {
  const std::lock_guard lock(mutex_);
  stop_ = true;
  changed_.notify_all();
}

void Requests::Window(const std::string& why) {
  const std::lock_guard lock(mutex_);
  windows_.push_back(why);
  changed_.notify_all();
}

void Requests::WaitForProcess(uint32_t pid, const std::function<bool()>& has_left) {
  std::unique_lock lock(mutex_);
  hurry_ = true;
  changed_.notify_all();
  uint64_t dead_since_round = 0;
  bool dead = false;
  changed_.wait(lock, [&] {
    if (round_.failed) return true;
    if (std::find(ended_.begin(), ended_.end(), pid) != ended_.end()) return true;
    if (!dead) {
      spool::ProcessStat stat;
      dead = !spool::ReadProcessStat(pid, &stat) || stat.dead() || (has_left && has_left());
      dead_since_round = rounds_;
    }
    // Two complete rounds after the death of the process have found all its records.
    return dead && rounds_ >= dead_since_round + 2;
  });
}

std::optional<size_t> Requests::WaitForNone() {
  std::unique_lock lock(mutex_);
  // Two rounds later every file that exists now has been found.
  const uint64_t wanted = rounds_ + 2;
  changed_.wait(lock, [&] { return round_.failed || (rounds_ >= wanted && round_.running == 0); });
  if (round_.failed) return std::nullopt;
  return round_.known;
}

Status Requests::InFlight(std::vector<InFlightRow>* rows, std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  const uint64_t wanted = ++asked_;
  changed_.notify_all();
  const auto told = [&] { return answered_ >= wanted || round_.failed || stop_; };
  if (!changed_.wait_for(lock, limit, told) || answered_ < wanted)
    return Status::Error("the collector does not answer");
  *rows = in_flight_;
  return Status::Ok();
}

bool Requests::HasAny() const {
  const std::lock_guard lock(mutex_);
  return stop_ || hurry_ || asked_ != answered_ || !windows_.empty();
}

void Requests::Pause(std::chrono::milliseconds limit) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, limit, [this] { return stop_ || hurry_; });
}

void Requests::NoteEnded(uint32_t pid) {
  const std::lock_guard lock(mutex_);
  ended_.push_back(pid);
}

void Requests::AnswerInFlight(const std::function<std::vector<InFlightRow>()>& rows) {
  uint64_t asked = 0;
  {
    const std::lock_guard lock(mutex_);
    asked = asked_;
    if (asked == answered_) return;
  }
  std::vector<InFlightRow> found = rows();
  const std::lock_guard lock(mutex_);
  in_flight_ = std::move(found);
  answered_ = asked;
  changed_.notify_all();
}

std::vector<std::string> Requests::TakeWindows() {
  const std::lock_guard lock(mutex_);
  return std::exchange(windows_, {});
}

bool Requests::EndRound(const Round& round, std::chrono::milliseconds pause) {
  std::unique_lock lock(mutex_);
  ++rounds_;
  round_ = round;
  changed_.notify_all();
  if (stop_ || round.failed) return false;
  changed_.wait_for(lock, pause, [this] { return stop_; });
  return true;
}

}  // namespace rtl::store
