// SPDX-License-Identifier: MIT
#include "base/own_thread.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>

namespace rtl {
namespace {

struct Seen {
  bool blocked = false;
};

void* Look(void* data) {
  auto* const seen = static_cast<Seen*>(data);
  sigset_t mask;
  (void)pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  seen->blocked = sigismember(&mask, SIGTERM) == 1 && sigismember(&mask, SIGUSR1) == 1;
  return nullptr;
}

TEST(OwnThread, BlocksEverySignalAndLeavesTheCallersMaskAlone) {
  sigset_t before, after;
  (void)pthread_sigmask(SIG_SETMASK, nullptr, &before);
  Seen seen;
  pthread_t thread;
  ASSERT_TRUE(StartOwnThread("rtl-test", Look, &seen, &thread).ok());
  EXPECT_TRUE(JoinOwnThread(thread, 60'000'000'000));
  EXPECT_TRUE(seen.blocked);
  (void)pthread_sigmask(SIG_SETMASK, nullptr, &after);
  EXPECT_EQ(sigismember(&after, SIGTERM), sigismember(&before, SIGTERM));
}

#if !defined(__SANITIZE_THREAD__)  // takes the thread with a table of its own for a fork
struct Input {
  std::atomic<bool> done{false};
  bool was_taken = false;
};

void* WatchInput(void* data) {
  auto* const input = static_cast<Input*>(data);
  while (!input->done.load()) input->was_taken |= fcntl(STDIN_FILENO, F_GETFD) >= 0;
  return nullptr;
}

TEST(OwnThread, NeverTakesAStandardStreamThatIsClosed) {
  constexpr int kThreads = 500;
  const int kept = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  (void)close(STDIN_FILENO);
  Input input;
  pthread_t watch;
  ASSERT_EQ(pthread_create(&watch, nullptr, WatchInput, &input), 0);
  for (int i = 0; i < kThreads; ++i) {
    Seen seen;
    pthread_t thread;
    ASSERT_TRUE(StartOwnThread("rtl-test", Look, &seen, &thread).ok());
    EXPECT_TRUE(JoinOwnThread(thread, 60'000'000'000));
  }
  input.done.store(true);
  (void)pthread_join(watch, nullptr);
  if (kept >= 0) {
    (void)dup2(kept, STDIN_FILENO);
    (void)close(kept);
  }
  EXPECT_FALSE(input.was_taken);
}
#endif

void* WaitFor(void* semaphore) {
  (void)sem_wait(static_cast<sem_t*>(semaphore));
  return nullptr;
}

TEST(OwnThread, DetachesAThreadThatDoesNotEnd) {
  static sem_t semaphore;  // the thread may outlive the test
  (void)sem_init(&semaphore, 0, 0);
  pthread_t thread;
  ASSERT_TRUE(StartOwnThread("rtl-test", WaitFor, &semaphore, &thread).ok());
  EXPECT_FALSE(JoinOwnThread(thread, 20'000'000));
  (void)sem_post(&semaphore);
}

}  // namespace
}  // namespace rtl
