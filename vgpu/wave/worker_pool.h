// SPDX-License-Identifier: MIT
// worker_pool.h: the threads that help queues with big grids.
//
// Threads    created by the first Offer, GetConfig().workers in all including the queue's own
//            thread, or as many as the system gives; they take none of the application's signals
// Memory     the pool and its threads live as long as the process
// Fairness   a worker executes one bounded slice, then looks at the next grid that was offered. No
//            grid depends on workers: an endless kernel takes help from others, never progress
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "vgpu/wave/grid.h"

namespace vgpu {

class WorkerPool {
 public:
  // `helpers` threads at most.
  explicit WorkerPool(int helpers) : helpers_(helpers) {}

  // The workers help with this grid until it has nothing left for them.
  void Offer(std::shared_ptr<Grid> grid);

 private:
  void Work();
  std::shared_ptr<Grid> Next();
  void Remove(const std::shared_ptr<Grid>& grid);
  void StartThreadsLocked();

  std::mutex mutex_;
  std::condition_variable offered_;
  // Guarded by mutex_.
  int helpers_;
  int threads_ = 0;
  size_t turn_ = 0;
  std::vector<std::shared_ptr<Grid>> grids_;
};

WorkerPool& GetWorkerPool();

// A forked child starts without workers. To be called when no other thread exists.
void ForgetWorkers();

// An executor for the calling queue thread, which gives it back by ReturnExecutor. There are never
// more executors than threads.
std::unique_ptr<Executor> BorrowExecutor();
void ReturnExecutor(std::unique_ptr<Executor> executor);

}  // namespace vgpu
