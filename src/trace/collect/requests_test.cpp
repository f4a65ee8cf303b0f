// SPDX-License-Identifier: MIT
#include "trace/collect/requests.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace rtl::store {
namespace {

using std::chrono::milliseconds;

// The test plays the collecting thread.
class RequestsTest : public testing::Test {
 protected:
  bool EndRound(Requests::Round round = {}) { return requests_.EndRound(round, milliseconds(0)); }
  void AwaitRequest() {
    while (!requests_.HasAny()) std::this_thread::yield();
  }

  Requests requests_;
};

TEST_F(RequestsTest, ARoundIsTheLastOneAfterStopOrAFailure) {
  EXPECT_TRUE(EndRound());
  EXPECT_FALSE(EndRound({.failed = true}));
  requests_.Stop();
  EXPECT_FALSE(EndRound());
  requests_.Pause(std::chrono::hours(1));  // returns at once after Stop
}

TEST_F(RequestsTest, KernelsInFlightAreListedOnceForEveryWaitingThread) {
  int listed = 0;
  const auto list = [&] {
    ++listed;
    return std::vector<InFlightRow>(2);
  };
  requests_.AnswerInFlight(list);
  EXPECT_EQ(listed, 0) << "nobody waits";
  std::vector<InFlightRow> rows;
  Status status = Status::Error("not answered");
  std::thread other([&] { status = requests_.InFlight(&rows, std::chrono::hours(1)); });
  AwaitRequest();
  requests_.AnswerInFlight(list);
  other.join();
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(rows.size(), 2u);
  requests_.AnswerInFlight(list);
  EXPECT_EQ(listed, 1);
}

TEST_F(RequestsTest, InFlightFailsAfterTheLimitAndAfterTheEnd) {
  std::vector<InFlightRow> rows;
  EXPECT_STREQ(requests_.InFlight(&rows, milliseconds(0)).message(),
               "the collector does not answer");
  requests_.Stop();
  EXPECT_FALSE(requests_.InFlight(&rows, std::chrono::hours(1)).ok());
}

TEST_F(RequestsTest, EveryWindowIsTakenOnce) {
  requests_.Window("a mark");
  requests_.Window("SIGUSR2");
  EXPECT_TRUE(requests_.HasAny());
  EXPECT_EQ(requests_.TakeWindows(), (std::vector<std::string>{"a mark", "SIGUSR2"}));
  EXPECT_FALSE(requests_.HasAny());
}

TEST_F(RequestsTest, WaitsForAProcessUntilItHasBeenRead) {
  const auto self = static_cast<uint32_t>(getpid());  // a process that lives
  std::thread other([&] { requests_.WaitForProcess(self); });
  AwaitRequest();
  for (int round = 0; round < 5; ++round) EXPECT_TRUE(EndRound());
  requests_.NoteEnded(self);
  EndRound();
  other.join();
}

TEST_F(RequestsTest, OfAProcessThatIsGoneTwoRoundsFindEverything) {
  std::thread other([&] { requests_.WaitForProcess(UINT32_MAX); });
  AwaitRequest();
  EndRound();
  EndRound();
  other.join();
}

TEST_F(RequestsTest, WaitsUntilNoProcessRuns) {
  std::optional<size_t> known;
  std::atomic<bool> done = false;
  std::thread other([&] {
    known = requests_.WaitForNone();
    done = true;
  });
  while (!done) EndRound({.known = 3});
  other.join();
  EXPECT_EQ(known, 3u);
  std::thread last([&] { known = requests_.WaitForNone(); });
  EXPECT_FALSE(EndRound({.known = 3, .running = 1, .failed = true}));
  last.join();
  EXPECT_EQ(known, std::nullopt);
}

}  // namespace
}  // namespace rtl::store
