// SPDX-License-Identifier: MIT
#include "base/own_thread.h"

#include <gtest/gtest.h>
#include <semaphore.h>
#include <signal.h>

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
