// SPDX-License-Identifier: MIT
#include "trace/collect/process_set.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "spool/directory.h"
#include "spool/reader.h"
#include "trace/write/earlier_trace.h"

namespace rtl::store {
namespace {

// The share of a process's limit that may be unread while the machine is busy.
constexpr double kMuch = 0.125;
// Each process that has ended keeps a segment on disk until it is read.
constexpr ptrdiff_t kManyEnded = 16;

}  // namespace

Status ProcessSet::AttachToNew(const std::function<Status(CollectedProcess*)>& prepare) {
  std::vector<std::string> stems;
  const Status listed = spool::ListProcesses(spool_.path(), &stems);
  if (!listed.ok()) {
    summary_->Warn(spool_.Readable(listed.message()));
    return Status::Ok();
  }
  for (const std::string& stem : stems) {
    if (processes_.contains(stem)) continue;
    CollectedProcess process;
    const Status opened =
        spool::ProcessReader::Open(spool_.path(), stem, is_keeping_, &process.reader);
    if (!opened.ok()) {
      // The spool may be incomplete still, so the next round tries again.
      unreadable_[stem] = spool_.Readable(opened.message());
      continue;
    }
    unreadable_.erase(stem);
    process.order = attached_++;
    process.stem = stem;
    process.result.pid = process.reader->process().pid;
    RTL_TRY(prepare(&process));
    process.reader->SetCollectorState(spool::CollectorState::kAttached);
    processes_.emplace(stem, std::move(process));
  }
  return Status::Ok();
}

std::string ProcessSet::OwnName(const std::string& output, uint32_t pid) {
  const std::filesystem::path path(output);
  for (int number = 1;; ++number) {
    std::filesystem::path name = path;
    name.replace_extension("." + std::to_string(pid) +
                           (number == 1 ? "" : "-" + std::to_string(number)) +
                           path.extension().string());
    struct stat info;
    const bool is_foreign =
        stat(name.c_str(), &info) == 0 && info.st_size != 0 && !IsTrace(name.string());
    if (!is_foreign && own_names_.insert(name.string()).second) return name.string();
  }
}

std::vector<CollectedProcess*> ProcessSet::InOrder() {
  std::vector<CollectedProcess*> in_order;
  for (auto& [stem, process] : processes_) in_order.push_back(&process);
  std::sort(in_order.begin(), in_order.end(),
            [](const auto* a, const auto* b) { return a->order < b->order; });
  return in_order;
}

CollectedProcess* ProcessSet::Find(size_t order) {
  const auto found = std::find_if(processes_.begin(), processes_.end(),
                                  [&](const auto& entry) { return entry.second.order == order; });
  return found == processes_.end() ? nullptr : &found->second;
}

const spool::ProcessInfo* ProcessSet::first() const {
  for (const auto& [stem, process] : processes_) {
    if (process.order == 0 && process.reader != nullptr) return &process.reader->process();
  }
  return first_.has_value() ? &*first_ : nullptr;
}

size_t ProcessSet::running() const {
  return static_cast<size_t>(std::count_if(processes_.begin(), processes_.end(),
                                           [](const auto& entry) { return !entry.second.ended; }));
}

uint64_t ProcessSet::rows() const {
  uint64_t rows = 0;
  for (const auto& [stem, process] : processes_) rows += process.rows();
  return rows;
}

ProcessEnd ProcessSet::HowItEnded(const CollectedProcess& process) const {
  const spool::ControlPage& page = process.reader->control();
  const auto state = page.writer_state.load(std::memory_order_acquire);
  if (state == spool::WriterState::kFinished || state == spool::WriterState::kRefused) {
    return ProcessEnd::kFinished;
  }
  if (page.finished.load(std::memory_order_relaxed) != 0) return ProcessEnd::kFinished;
  // The program that replaced it by exec may have ended, too, before this round.
  const bool replaced =
      process.reader->replaced() || processes_.contains(spool::NextStem(process.stem));
  return replaced ? ProcessEnd::kReplaced : ProcessEnd::kKilled;
}

bool ProcessSet::NeedReading() {
  const auto much = [](const auto& entry) {
    const CollectedProcess& process = entry.second;
    return !process.ended && process.reader->Backlog() >= kMuch;
  };
  const auto gone = [](const auto& entry) {
    const CollectedProcess& process = entry.second;
    return !process.ended && process.reader->WriterGone();
  };
  return std::any_of(processes_.begin(), processes_.end(), much) ||
         std::count_if(processes_.begin(), processes_.end(), gone) >= kManyEnded;
}

void ProcessSet::Gather(CollectResult* result) {
  for (const CollectedProcess* process : InOrder()) {
    result->processes.push_back(process->result);
    for (size_t k = 0; k < kEventKindCount; ++k) {
      result->kinds[k].Add(process->result.kinds[k]);
      if (result->not_counted[k].empty()) result->not_counted[k] = process->result.not_counted[k];
    }
  }
}

void ProcessSet::WarnOfUnreadable() {
  for (const auto& [stem, why] : unreadable_)
    summary_->Warn("process " + stem + " was not read: " + why);
}

void ProcessSet::CloseReader(CollectedProcess* process) {
  if (process->order == 0) first_ = process->reader->process();
  process->torn = process->reader->torn();
  kept_by_ended_ += process->reader->kept_bytes();
  process->reader->SetCollectorState(spool::CollectorState::kRead);
  process->reader.reset();
}

Status ProcessSet::Reopen(CollectedProcess* process) const {
  if (process->reader != nullptr) return Status::Ok();
  return spool::ProcessReader::Open(spool_.path(), process->stem, false, &process->reader);
}

void ProcessSet::Erase(const CollectedProcess& process) {
  if (process.order == 0 && process.reader != nullptr) first_ = process.reader->process();
  processes_.erase(processes_.find(process.stem));
}

void ProcessSet::ReleaseEnded() {
  if (running() == 0) return;
  for (auto& [stem, process] : processes_) {
    if (!process.ended || process.released) continue;
    process.released = true;
    process.reader->SetCollectorState(spool::CollectorState::kRead);
  }
}

void ProcessSet::Abandon() {
  for (auto& [stem, process] : processes_) {
    if (!process.ended) process.reader->SetCollectorState(spool::CollectorState::kAbandoned);
  }
}

void ProcessSet::LimitKept() {
  if (!is_keeping_) return;
  uint64_t kept = kept_by_ended_;
  for (const auto& [stem, process] : processes_) {
    if (process.reader != nullptr) kept += process.reader->kept_bytes();
  }
  if (kept <= most_kept_) return;
  is_keeping_ = false;
  for (auto& [stem, process] : processes_) {
    if (process.reader != nullptr) process.reader->StopKeeping();
  }
  const Status removed = spool::RemoveSegments(spool_.path(), [this](const std::string& stem) {
    const auto found = processes_.find(stem);
    return found != processes_.end() && found->second.reader == nullptr;
  });
  if (!removed.ok()) summary_->Warn(removed.message());
}

}  // namespace rtl::store
