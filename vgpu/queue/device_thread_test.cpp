// SPDX-License-Identifier: MIT
#include "vgpu/queue/device_thread.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "vgpu/queue/device_thread_test_support.h"
#include "vgpu/queue/queue.h"

namespace vgpu {
namespace {

TEST(DeviceThread, TakesNoneOfTheApplicationsSignals) {
  sigset_t blocked;
  sigemptyset(&blocked);
  std::optional<pthread_t> thread;
  const auto note = [&] { pthread_sigmask(SIG_SETMASK, nullptr, &blocked); };
  ASSERT_TRUE(StartDeviceThread("vgpu-test", note, &thread));
  pthread_join(*thread, nullptr);
  EXPECT_EQ(sigismember(&blocked, SIGTERM), 1);
  EXPECT_EQ(sigismember(&blocked, SIGPROF), 1);
  EXPECT_EQ(sigismember(&blocked, SIGSEGV), 0);
  sigset_t own;
  pthread_sigmask(SIG_SETMASK, nullptr, &own);
  EXPECT_EQ(sigismember(&own, SIGTERM), 0);
}

// Linux refuses threads to a process while one of its threads calls exec.
TEST(DeviceThread, StartsWhileAnotherThreadCallsExec) {
  char program[] = "/tmp/no-program-XXXXXX";
  const int file = mkstemp(program);
  ASSERT_EQ(write(file, "none", 4), 4);
  ASSERT_EQ(fchmod(file, 0700), 0);
  close(file);
  std::atomic<bool> begun{false};  // after the callers' own threads
  std::atomic<bool> ended{false};
  std::vector<std::thread> callers;
  for (int i = 0; i < 3; ++i) {
    callers.emplace_back([&] {
      while (!begun) std::this_thread::yield();
      while (!ended) EXPECT_EQ(execl(program, program, nullptr), -1);
    });
  }
  begun = true;
  int started = 0;
  for (int i = 0; i < 300; ++i) {
    std::optional<pthread_t> thread;
    if (!StartDeviceThread(
            "vgpu-test", [&] { ++started; }, &thread))
      break;
    pthread_join(*thread, nullptr);
  }
  ended = true;
  for (std::thread& caller : callers) caller.join();
  unlink(program);
  EXPECT_EQ(started, 300);
}

TEST(DeviceThread, SaysThatTheSystemGivesNone) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(_exit(RefuseThreads() && !StartDeviceThread("vgpu-test", [] {}) ? 7 : 1),
              testing::ExitedWithCode(7), "no thread for vgpu-test: .*ulimit");
}

TEST(DeviceThread, IsMissedByAQueueThatDoesNotStart) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto start = [] {
    Queue queue;
    const bool right = RefuseThreads() && !StartQueue(queue, [](Queue&) {});
    StopQueue(queue);
    _exit(right ? 7 : 1);
  };
  EXPECT_EXIT(start(), testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace vgpu
