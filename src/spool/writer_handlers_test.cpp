// SPDX-License-Identifier: MIT
// Signal handlers that write while they interrupt a write of the same thread.
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <thread>
#include <vector>

#include "spool/spool_test_support.h"
#include "spool/writer.h"

namespace rtl::spool {
namespace {

using test::TempDir;

class WriterHandlers : public testing::Test {
 protected:
  static constexpr uint64_t kWrites = 50'000;

  void SetUp() override {
    accepted_in_handler = 0;
    refused_in_handler = 0;
    ASSERT_TRUE(OpenWriter(writer_, dir_).ok());
    interrupted = &writer_;
  }

  // Writes dispatches of thread 1 with the ids 1, 2, …, under signals whose handler calls
  // `in_handler`, and returns how many: kWrites, or more until a handler's record was accepted.
  uint64_t WriteUnder(void (*in_handler)(int signal)) {
    struct sigaction action = {};
    struct sigaction before = {};
    action.sa_handler = in_handler;
    EXPECT_EQ(sigaction(SIGUSR1, &action, &before), 0);
    std::atomic<bool> done{false};
    std::atomic<uint64_t> accepted{0};
    const pthread_t target = pthread_self();
    // At most one signal for each record: signals without a pause would keep the thread in the
    // handler, and the handler would fill the spool.
    std::thread interrupter([&] {
      while (!done.load()) {
        const uint64_t interrupted_at = accepted.load();
        pthread_kill(target, SIGUSR1);
        while (!done.load() && accepted.load() == interrupted_at) std::this_thread::yield();
      }
    });
    // On a busy machine no signal may have come by then.
    while ((accepted < kWrites || accepted_in_handler == 0) &&
           WriteDispatch(writer_, 1, accepted + 1)) {
      // Let signals arrive between two writes, too.
      if (++accepted % 16 == 0) std::this_thread::yield();
    }
    done.store(true);
    interrupter.join();
    EXPECT_EQ(sigaction(SIGUSR1, &before, nullptr), 0);
    return accepted;
  }

  // The dispatches are whole and in order, and there is each record of a handler that was accepted.
  void ExpectAll(uint64_t accepted) {
    Collected collected(dir_);
    collected.Poll();
    EXPECT_GE(accepted, kWrites);
    ASSERT_EQ(collected.dispatches().at(1).size(), accepted);
    for (uint64_t i = 0; i < accepted; ++i) ASSERT_EQ(collected.dispatches().at(1)[i], i + 1);
    EXPECT_GT(accepted_in_handler.load(), 0u);
    EXPECT_EQ(collected.total(), accepted + accepted_in_handler.load());
    EXPECT_EQ(collected.reader().torn(), 0u);
  }

  static inline Writer* interrupted = nullptr;
  static inline std::atomic<uint64_t> accepted_in_handler{0};
  static inline std::atomic<uint64_t> refused_in_handler{0};

 private:
  TempDir dir_;
  Writer writer_;
};

TEST_F(WriterHandlers, StaysIntactWhenAHandlerWritesToo) {
  ExpectAll(WriteUnder([](int) {
    if (WriteDispatch(*interrupted, 2, accepted_in_handler.load() + 1))
      accepted_in_handler.fetch_add(1);
  }));
}

TEST_F(WriterHandlers, KeepsTheMarkersOfAHandlerUntilTheWriteHasEnded) {
  ExpectAll(WriteUnder([](int) {
    (WriteMark(*interrupted, "") ? accepted_in_handler : refused_in_handler).fetch_add(1);
  }));
  EXPECT_EQ(refused_in_handler.load(), 0u);
}

}  // namespace
}  // namespace rtl::spool
