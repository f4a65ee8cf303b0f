// SPDX-License-Identifier: MIT
#include "vgpu/wave/worker_pool.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include "vgpu/config/config.h"
#include "vgpu/queue/device_thread.h"

namespace vgpu {
namespace {

int HelperCount() {
  const int configured = GetConfig().workers;
  const int threads =
      configured > 0 ? configured : static_cast<int>(std::thread::hardware_concurrency());
  return std::max(threads - 1, 0);
}

struct SpareExecutors {
  std::mutex mutex;
  std::vector<std::unique_ptr<Executor>> executors;
};

// Made on first use and never deleted: queue threads may still run when static objects are
// destroyed. A forked child abandons them, because their locks may be held.
std::atomic<WorkerPool*> g_pool{nullptr};
std::atomic<SpareExecutors*> g_spare{nullptr};

template <class T, class F>
T& MakeOnce(std::atomic<T*>& place, F make) {
  T* known = place.load(std::memory_order_acquire);  // pairs with the exchange below
  if (known != nullptr) return *known;
  T* fresh = make();
  if (place.compare_exchange_strong(known, fresh, std::memory_order_acq_rel)) return *fresh;
  delete fresh;  // another thread was first
  return *known;
}

SpareExecutors& GetSpareExecutors() {
  return MakeOnce(g_spare, [] { return new SpareExecutors; });
}

}  // namespace

WorkerPool& GetWorkerPool() {
  return MakeOnce(g_pool, [] { return new WorkerPool(HelperCount()); });
}

void ForgetWorkers() {
  g_pool.store(nullptr, std::memory_order_relaxed);
  g_spare.store(nullptr, std::memory_order_relaxed);
}

void WorkerPool::StartThreadsLocked() {
  while (threads_ < helpers_) {
    if (StartDeviceThread("vgpu-wave", [this] { Work(); })) {
      ++threads_;
    } else {
      helpers_ = threads_;  // queues execute alone what these would have executed
    }
  }
}

void WorkerPool::Offer(std::shared_ptr<Grid> grid) {
  std::lock_guard lock(mutex_);
  StartThreadsLocked();
  if (helpers_ == 0) return;
  grids_.push_back(std::move(grid));
  offered_.notify_all();
}

std::shared_ptr<Grid> WorkerPool::Next() {
  std::unique_lock lock(mutex_);
  offered_.wait(lock, [this] { return !grids_.empty(); });
  return grids_[turn_++ % grids_.size()];
}

void WorkerPool::Remove(const std::shared_ptr<Grid>& grid) {
  {
    std::lock_guard lock(mutex_);
    std::erase(grids_, grid);
  }
  grid->Withdrawn();
}

void WorkerPool::Work() {
  Executor executor;
  for (;;) {
    const std::shared_ptr<Grid> grid = Next();
    if (!grid->Help(executor)) Remove(grid);
  }
}

std::unique_ptr<Executor> BorrowExecutor() {
  SpareExecutors& spare = GetSpareExecutors();
  {
    std::lock_guard lock(spare.mutex);
    if (!spare.executors.empty()) {
      std::unique_ptr<Executor> executor = std::move(spare.executors.back());
      spare.executors.pop_back();
      return executor;
    }
  }
  return std::make_unique<Executor>();
}

void ReturnExecutor(std::unique_ptr<Executor> executor) {
  SpareExecutors& spare = GetSpareExecutors();
  std::lock_guard lock(spare.mutex);
  spare.executors.push_back(std::move(executor));
}

}  // namespace vgpu
