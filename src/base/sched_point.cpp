// SPDX-License-Identifier: MIT
#include "base/sched_point.h"

#include <errno.h>
#include <sched.h>
#include <time.h>

#include <atomic>

namespace rtl {
namespace {

constinit std::atomic<uint64_t> g_seed{0};
constinit std::atomic<uint64_t> g_holds{0};
constinit std::atomic<uint32_t> g_threads{0};
constinit std::atomic<uint64_t> g_schedules{0};

struct ThreadDice {
  uint64_t schedule = 0;  // the schedule for which `state` was made
  uint64_t state = 0;
};
[[gnu::tls_model("initial-exec")]] constinit thread_local ThreadDice t_dice;

// The mixing step of SplitMix64.
uint64_t Mix(uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

uint64_t Hash(const char* name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (; *name != '\0'; ++name) hash = (hash ^ static_cast<unsigned char>(*name)) * 0x100000001b3;
  return hash;
}

void Sleep(uint64_t ns) {
  const timespec time = {0, static_cast<long>(ns)};
  (void)nanosleep(&time, nullptr);  // a shorter delay does not matter
}

}  // namespace

void SetSchedule(uint64_t seed) {
  g_holds.store(0, std::memory_order_relaxed);
  g_threads.store(0, std::memory_order_relaxed);
  g_schedules.fetch_add(1, std::memory_order_relaxed);
  g_seed.store(seed, std::memory_order_relaxed);
}

uint64_t SchedPointHolds() { return g_holds.load(std::memory_order_relaxed); }

void SchedPoint(const char* name) {
  const uint64_t seed = g_seed.load(std::memory_order_relaxed);
  if (seed == 0) return;
  ThreadDice& dice = t_dice;
  const uint64_t schedule = g_schedules.load(std::memory_order_relaxed);
  if (dice.schedule != schedule) {
    dice.schedule = schedule;
    dice.state = Mix(seed + g_threads.fetch_add(1, std::memory_order_relaxed));
  }
  dice.state = Mix(dice.state);
  // In each schedule a point delays threads never, seldom, or one time in eight.
  constexpr uint64_t kOneIn[4] = {0, 256, 64, 8};
  const uint64_t one_in = kOneIn[Mix(seed ^ Hash(name)) % 4];
  if (one_in == 0 || dice.state % one_in != 0) return;
  const int error = errno;
  g_holds.fetch_add(1, std::memory_order_relaxed);
  const uint64_t how = dice.state >> 32;
  if (how % 4 != 0) {
    (void)sched_yield();
  } else {
    Sleep(how % 64 == 0 ? 1'000'000 : 50'000);
  }
  errno = error;
}

}  // namespace rtl
