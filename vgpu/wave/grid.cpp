// SPDX-License-Identifier: MIT
#include "vgpu/wave/grid.h"

#include <array>
#include <utility>

#include "vgpu/clock/clock.h"
#include "vgpu/config/gpu_model.h"
#include "vgpu/counters/hw_counters.h"
#include "vgpu/wave/worker_pool.h"

namespace vgpu {
namespace {

// Waking helpers costs more than a small grid. So the owner wakes helpers when it has worked on the
// grid for kAloneNs, or at once when the grid has kManyGroups workgroups or more.
constexpr uint64_t kAloneNs = 50'000;
constexpr uint64_t kManyGroups = 64;

// Finished workgroups that an executor keeps for the next ones.
constexpr size_t kMaxSpare = 4;

DispatchResult::Code CodeOf(Fault::Code code) {
  switch (code) {
    case Fault::Code::kNone:
      return DispatchResult::Code::kOk;
    case Fault::Code::kMemoryFault:
      return DispatchResult::Code::kMemoryFault;
    case Fault::Code::kApertureViolation:
      return DispatchResult::Code::kApertureViolation;
    case Fault::Code::kTrap:
      return DispatchResult::Code::kTrap;
    case Fault::Code::kIllegalInstruction:
      break;
  }
  return DispatchResult::Code::kIllegalInstruction;
}

}  // namespace

Grid::Grid(const GridLaunch& launch, const std::atomic<bool>* stop)
    : launch_(launch),
      stop_(stop),
      total_(launch.groups.Product()),
      max_resident_(launch.MaxResidentGroups()) {}

// New workgroups come before paused ones, as on the hardware: a paused one may be waiting for a
// workgroup that has not started.
bool Grid::TakeLocked(Task* task) {
  if (ended_) return false;
  if (CanStart()) {
    task->number = next_++;
    if (free_slots_.empty()) {
      task->scratch_slot = slots_++;
    } else {
      task->scratch_slot = free_slots_.back();
      free_slots_.pop_back();
    }
    ++resident_;
  } else if (!paused_.empty()) {
    task->paused = std::move(paused_.front());
    paused_.pop_front();
  } else {
    return false;
  }
  ++running_;
  return true;
}

// Owner only. False when the grid has ended and no thread holds a workgroup of it.
bool Grid::TakeOrWait(Task* task) {
  std::unique_lock lock(mutex_);
  while (!TakeLocked(task)) {
    if (ended_ && running_ == 0) return false;
    changed_.wait(lock);
  }
  return true;
}

void Grid::RecordFault(const Workgroup& group) {
  if (result_.code != DispatchResult::Code::kOk) return;
  const Fault& fault = group.fault();
  result_.code = CodeOf(fault.code);
  result_.fault_is_write = fault.write;
  result_.fault_va = fault.va;
  result_.message = fault.message + " in " + group.FaultPlace();
}

void Grid::FinishSlice(Executor& executor, std::unique_ptr<Workgroup> group,
                       Workgroup::Progress progress) {
  const bool stopped = stop_ != nullptr && stop_->load(std::memory_order_relaxed);
  std::lock_guard lock(mutex_);
  --running_;
  if (progress == Workgroup::Progress::kPaused && !stopped) {
    paused_.push_back(std::move(group));
    changed_.notify_one();
    return;
  }
  if (progress == Workgroup::Progress::kFinished) {
    ++finished_;
    busy_.Add(group->cycles());
    if (finished_ == total_) {
      for (uint32_t i = 0; i < GetGpuModel().chiplets; ++i)
        busy_.Finish(&HwCountersOf(launch_.gpu, i), i);
      ended_ = true;
    }
  } else if (progress == Workgroup::Progress::kFaulted) {
    RecordFault(*group);
    ended_ = true;
  } else {
    if (result_.code == DispatchResult::Code::kOk) result_.code = DispatchResult::Code::kStopped;
    ended_ = true;
  }
  --resident_;
  free_slots_.push_back(group->scratch_slot());
  if (executor.spare.size() < kMaxSpare) executor.spare.push_back(std::move(group));
  changed_.notify_one();
}

void Grid::Execute(Executor& executor, Task task) {
  std::unique_ptr<Workgroup> group = std::move(task.paused);
  if (group == nullptr) {
    if (executor.spare.empty()) {
      group = std::make_unique<Workgroup>();
    } else {
      group = std::move(executor.spare.back());
      executor.spare.pop_back();
    }
    group->Start(launch_, task.number, task.scratch_slot);
  }
  executor.context.gpu = launch_.gpu;
  executor.context.doorbell = launch_.doorbell;
  const Workgroup::Progress progress = group->RunSlice(executor.interpreter, executor.context);
  FinishSlice(executor, std::move(group), progress);
}

void Grid::OfferToHelpers() {
  {
    std::lock_guard lock(mutex_);
    const uint64_t to_start = CanStart() ? total_ - next_ : 0;
    const bool more_than_mine = to_start + paused_.size() > 1;  // the owner takes one next
    if (offered_ || ended_ || !more_than_mine) return;
    offered_ = true;
  }
  GetWorkerPool().Offer(shared_from_this());
}

DispatchResult Grid::Run(Executor& executor) {
  std::array<CacheModel*, kMostChiplets> caches = {};
  for (uint32_t i = 0; i < GetGpuModel().chiplets; ++i) {
    caches[i] = CacheModelOf(launch_.gpu, i);
    if (caches[i] != nullptr) caches[i]->BeginDispatch();
  }
  const uint64_t start_ns = HostRawNs();
  if (total_ >= kManyGroups) OfferToHelpers();
  Task task;
  while (TakeOrWait(&task)) {
    Execute(executor, std::move(task));
    task = Task();
    if (HostRawNs() - start_ns > kAloneNs) OfferToHelpers();
  }
  for (CacheModel* const cache : caches) {
    if (cache != nullptr) cache->EndDispatch();
  }
  std::lock_guard lock(mutex_);
  paused_.clear();
  return result_;
}

bool Grid::Help(Executor& executor) {
  Task task;
  {
    std::lock_guard lock(mutex_);
    if (!TakeLocked(&task)) return false;
  }
  Execute(executor, std::move(task));
  return true;
}

void Grid::Withdrawn() {
  std::lock_guard lock(mutex_);
  offered_ = false;
}

}  // namespace vgpu
