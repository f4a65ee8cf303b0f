// SPDX-License-Identifier: MIT
// grid.h: the workgroups of one dispatch, shared among the threads that execute it.
//
// Threads    the owner (the queue's thread) in Run, helpers in Help; one mutex hands workgroups out
// Order      workgroups start in order. As many as the GPU has room for are under way at the same
//            time, each running one slice at a time, so that workgroups may wait for each other
// Blocking   Run until the grid is done; it waits only for slices of helpers, which are bounded.
//            Help executes one slice
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "vgpu/wave/grid_launch.h"
#include "vgpu/wave/workgroup.h"

namespace vgpu {

// What a thread needs to execute workgroups. Kept across dispatches: the decoded instructions and
// the memory of finished workgroups are used again.
struct Executor {
  Interpreter interpreter;
  ExecutionContext context;
  std::vector<std::unique_ptr<Workgroup>> spare;
};

class Grid : public std::enable_shared_from_this<Grid> {
 public:
  Grid(const GridLaunch& launch, const std::atomic<bool>* stop);

  DispatchResult Run(Executor& executor);

  // False when there is nothing to do at the moment.
  bool Help(Executor& executor);
  // The helpers gave up on this grid; the owner may offer it again.
  void Withdrawn();

 private:
  // A workgroup to run for one slice: a paused one, or the number of one to start.
  struct Task {
    std::unique_ptr<Workgroup> paused;
    uint64_t number = 0;
    uint32_t scratch_slot = 0;
  };

  bool CanStart() const { return next_ < total_ && resident_ < max_resident_; }
  bool TakeLocked(Task* task);
  bool TakeOrWait(Task* task);
  void Execute(Executor& executor, Task task);
  void FinishSlice(Executor& executor, std::unique_ptr<Workgroup> group,
                   Workgroup::Progress progress);
  void RecordFault(const Workgroup& group);
  void OfferToHelpers();

  const GridLaunch launch_;
  const std::atomic<bool>* const stop_;
  const uint64_t total_;
  const uint32_t max_resident_;

  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_.
  uint64_t next_ = 0;  // first workgroup that was not started
  uint64_t finished_ = 0;
  uint32_t resident_ = 0;  // started and not finished
  uint32_t running_ = 0;   // of these, on a thread at the moment
  uint32_t slots_ = 0;     // scratch slots ever handed out
  bool offered_ = false;
  bool ended_ = false;  // no workgroup starts or continues
  std::deque<std::unique_ptr<Workgroup>> paused_;
  std::vector<uint32_t> free_slots_;
  BusyCycles busy_;
  DispatchResult result_;
};

}  // namespace vgpu
