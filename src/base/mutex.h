// SPDX-License-Identifier: MIT
// mutex.h: a lock with a rank. A thread may only take a lock with a higher rank than all locks that
// it holds, so no two threads can wait for each other. Debug builds check this.
//
// Threads    any
// Blocking   Lock: until the holder unlocks. Not recursive
// Memory     no allocation; trivially destructible, so a lock that a late thread holds at exit
//            stays valid
#pragma once

#include <pthread.h>
#include <stdint.h>

#if defined(__clang__)
#define RTL_THREAD_SAFETY(x) __attribute__((x))
#else
#define RTL_THREAD_SAFETY(x)
#endif
#define RTL_GUARDED_BY(mutex) RTL_THREAD_SAFETY(guarded_by(mutex))
#define RTL_REQUIRES(mutex) RTL_THREAD_SAFETY(requires_capability(mutex))

namespace rtl {

enum class Rank : uint8_t {
  kSession = 10,
  kDeviceCounts = 15,
  kSampling = 16,
  kOutput = 20,
  kAdopting = 28,
  kQueues = 30,
  kDoorbell = 32,
  kCounterPlans = 33,
  kCounting = 34,
  kSignals = 35,
  kProfiler = 36,
  kThreadCalls = 37,
  kCodeObjects = 40,
  kCounterKernels = 45,
  kSampledQueues = 46,
  kLoadedCode = 47,
  kDispatchLog = 48,
  kSpool = 50,
  kTools = 52,
  kBuffer = 54,
};

class RTL_THREAD_SAFETY(capability("mutex")) Mutex {
 public:
  constexpr explicit Mutex(Rank rank) : rank_(rank) {}
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() RTL_THREAD_SAFETY(acquire_capability());
  void Unlock() RTL_THREAD_SAFETY(release_capability());
  // False if another thread holds the lock.
  bool TryLock() RTL_THREAD_SAFETY(try_acquire_capability(true));

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  Rank rank_;
};

class RTL_THREAD_SAFETY(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) RTL_THREAD_SAFETY(acquire_capability(mutex)) : mutex_(mutex) {
    mutex_.Lock();
  }
  ~MutexLock() RTL_THREAD_SAFETY(release_capability()) { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

}  // namespace rtl
