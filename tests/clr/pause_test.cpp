// SPDX-License-Identifier: MIT
// A profiler that keeps its records, in this process: it is emptied while several threads call,
// through the interface of librtl_hip.so.
#include <gtest/gtest.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <thread>
#include <vector>

#include "capture/clr/clr_capture.h"
#include "tests/support/memory_sink.h"

extern "C" {
int hipMalloc(void** memory, size_t bytes);
int hipDeviceSynchronize();
// The fake HIP's interface.
void fake_clr_hold(bool hold);
int fake_clr_waiting();
int fake_clr_resets();
}

namespace rtl::capture {
namespace {

constexpr const char* kCalls[] = {"hipMalloc", "hipDeviceSynchronize"};
constexpr uint32_t kMalloc = 0, kSynchronize = 1;

// Calls as a function of librtl_hip.so does.
template <typename Function>
void Call(const HipCallHooks& hooks, uint32_t place, Function function) {
  void* const entered = hooks.enter(place, nullptr);
  function();
  if (entered != nullptr) hooks.exit(entered, nullptr, 0, true);
}

void Malloc(const HipCallHooks& hooks) {
  Call(hooks, kMalloc, [] {
    void* memory = nullptr;
    (void)hipMalloc(&memory, 1);
  });
}

ClrCapture::Options OptionsOf(support::MemorySink* sink, std::atomic<uint64_t>* submitted) {
  ClrCapture::Options options;
  options.services.sink = sink;
  options.services.calls_submitted = submitted;
  options.calls = {kCalls, 2};
  return options;
}

TEST(ClrPause, RecordsOrCountsEveryCallWhileTheProfilerIsEmptied) {
  constexpr uint64_t kThreads = 4, kRounds = 2000;
  static support::MemorySink sink;
  static std::atomic<uint64_t> submitted{0};
  static ClrCapture capture;
  ClrCapture::Options options = OptionsOf(&sink, &submitted);
  options.pause_every = 500;
  const HipCallHooks* hooks = nullptr;
  const Status opened = capture.Open(options, &hooks);
  ASSERT_TRUE(opened.ok()) << opened.message();
  ASSERT_NE(hooks, nullptr);
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([hooks] {
      for (uint64_t round = 0; round < kRounds; ++round) {
        Malloc(*hooks);
        Call(*hooks, kSynchronize, [] { (void)hipDeviceSynchronize(); });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  capture.Stop(20'000'000'000);
  EXPECT_EQ(capture.warning(), nullptr) << capture.warning();
  constexpr uint64_t kMade = 2 * kThreads * kRounds;
  EXPECT_EQ(submitted, kMade);
  EXPECT_EQ(sink.calls().size() + sink.loss(Loss::kProfilerOff, EventKind::kHipCall), kMade);
  EXPECT_EQ(sink.lost(EventKind::kHipCall), sink.loss(Loss::kProfilerOff, EventKind::kHipCall));
  EXPECT_GE(sink.calls().size(), 500u);
  Malloc(*hooks);
  EXPECT_EQ(submitted, kMade) << "nothing is counted after the end";
}

size_t Threads() {
  return static_cast<size_t>(
      std::distance(std::filesystem::directory_iterator("/proc/self/task"), {}));
}

TEST(ClrPause, CallsThatReturnAfterTheEndAreNotCountedAndRequestNoRecords) {
  static support::MemorySink sink;
  static std::atomic<uint64_t> submitted{0};
  static ClrCapture capture;
  ClrCapture::Options options = OptionsOf(&sink, &submitted);
  options.pause_every = 10;
  options.drain_ns = 1'000'000;
  const HipCallHooks* hooks = nullptr;
  ASSERT_TRUE(capture.Open(options, &hooks).ok());
  const size_t threads = Threads();
  const int resets = fake_clr_resets();
  fake_clr_hold(true);
  for (int i = 0; i < 60; ++i)
    Malloc(*hooks);  // a profiler that cannot be emptied is queried five times as late
  Call(*hooks, kSynchronize, [] { (void)hipDeviceSynchronize(); });
  while (fake_clr_waiting() == 0) usleep(1000);
  capture.Stop(0);
  EXPECT_NE(capture.warning(), nullptr);
  const uint64_t at_end = submitted;
  EXPECT_EQ(at_end, 61u);
  EXPECT_EQ(sink.lost(EventKind::kHipCall), 61u);
  fake_clr_hold(false);
  while (Threads() > threads) usleep(1000);
  EXPECT_EQ(submitted, at_end);
  EXPECT_EQ(sink.calls().size(), 0u);
  EXPECT_EQ(fake_clr_resets(), resets);
}

}  // namespace
}  // namespace rtl::capture
