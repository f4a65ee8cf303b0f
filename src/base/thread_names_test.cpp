// SPDX-License-Identifier: MIT
#include "base/thread_names.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include "base/thread_state.h"

namespace rtl {
namespace {

using Names = std::map<uint32_t, std::string>;

// Those that have changed since the last visit.
Names Visit(bool all) {
  Names names;
  ThreadNames::Visit(
      all,
      [](void* data, uint32_t thread, const char* name) {
        (*static_cast<Names*>(data))[thread] = name;
        return true;
      },
      &names);
  return names;
}

// Runs on a thread that has a number, and returns it.
uint32_t OnThread(const std::function<void()>& body) {
  uint32_t number = 0;
  std::thread([&] {
    number = ThreadId::Current();
    body();
  }).join();
  return number;
}

class ThreadNamesTest : public testing::Test {
 protected:
  ThreadNamesTest() { ThreadNames::Watch(); }
  ~ThreadNamesTest() override { (void)Visit(true); }
};

TEST_F(ThreadNamesTest, ReportsTheLastNameOfAThreadThatHasEnded) {
  const uint32_t named = OnThread([] { prctl(PR_SET_NAME, "given"); });
  const uint32_t unnamed = OnThread([] {});
  const Names names = Visit(false);
  EXPECT_EQ(names, (Names{{named, "given"}}));
  EXPECT_NE(unnamed, named);
  EXPECT_EQ(Visit(false), Names()) << "nothing new";
}

TEST_F(ThreadNamesTest, ReadsTheNamesOfLivingThreadsAgain) {
  std::atomic<uint32_t> number{0};
  std::atomic<bool> ends{false};
  std::thread thread([&] {
    prctl(PR_SET_NAME, "first");
    const uint32_t self = ThreadId::Current();
    prctl(PR_SET_NAME, "second");
    number = self;
    number.notify_all();
    ends.wait(false);
  });
  number.wait(0);
  Names names = Visit(false);
  EXPECT_EQ(names[number], "first") << "as it was when the thread got its number";
  EXPECT_EQ(Visit(true)[number], "second");
  ends = true;
  ends.notify_all();
  thread.join();
  EXPECT_EQ(Visit(true), Names());
}

TEST_F(ThreadNamesTest, ReportsAgainWhatWasRefused) {
  const uint32_t thread = OnThread([] { prctl(PR_SET_NAME, "given"); });
  ThreadNames::Visit(
      false, [](void*, uint32_t, const char*) { return false; }, nullptr);
  EXPECT_EQ(Visit(false), (Names{{thread, "given"}}));
}

TEST_F(ThreadNamesTest, LeavesOutTheTracersThreadsAndMoreThanItHasRoomFor) {
  (void)OnThread([] { prctl(PR_SET_NAME, "rtl-worker"); });
  EXPECT_EQ(Visit(false), Names());
  size_t reported = 0;
  for (size_t i = 0; i < ThreadNames::kMost + 10; ++i)
    (void)OnThread([] { prctl(PR_SET_NAME, "one of many"); });
  reported = Visit(false).size();
  EXPECT_LE(reported, ThreadNames::kMost);
  EXPECT_GE(reported, ThreadNames::kMost - 8);  // the test's own thread has a place, too
  const uint32_t later = OnThread([] { prctl(PR_SET_NAME, "later"); });
  EXPECT_EQ(Visit(false), (Names{{later, "later"}})) << "there is room again";
}

TEST_F(ThreadNamesTest, AForkedChildHasItsOwnThreadsOnly) {
  const uint32_t before = OnThread([] { prctl(PR_SET_NAME, "the parent's"); });
  const pid_t child = fork();
  if (child == 0) {
    ThreadId::OnForkInChild();
    ThreadNames::OnForkInChild();
    prctl(PR_SET_NAME, "child");
    ThreadNames::Watch();
    _exit(Visit(true) == Names{{static_cast<uint32_t>(getpid()), "child"}} ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(Visit(false), (Names{{before, "the parent's"}}));
}

}  // namespace
}  // namespace rtl
