// SPDX-License-Identifier: MIT
#include "import/read_ahead.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>

#include <atomic>
#include <cstring>
#include <string>
#include <string_view>

namespace rtl::import {
namespace {

// A source of `pieces` texts "0 ", "1 ", …, which then ends or fails.
class Numbers {
 public:
  explicit Numbers(int pieces, bool fails = false) : pieces_(pieces), fails_(fails) {}
  Status operator()(char* to, size_t room, size_t* got) {
    *got = 0;
    if (next_ == pieces_) return fails_ ? Status::Error("broken") : Status::Ok();
    const std::string text = std::to_string(next_++) + " ";
    EXPECT_LE(text.size(), room);
    memcpy(to, text.data(), text.size());
    *got = text.size();
    return Status::Ok();
  }

 private:
  const int pieces_;
  const bool fails_;
  int next_ = 0;
};

std::string Numbered(int pieces) {
  std::string text;
  for (int i = 0; i < pieces; ++i) text += std::to_string(i) + " ";
  return text;
}

// All that comes, and what is wrong then.
std::string TakeAll(ReadAhead* ahead) {
  std::string text;
  ReadAhead::Buffer buffer;
  while (true) {
    const Status next = ahead->Next(&buffer);
    if (buffer.used == 0) return text + next.message();
    EXPECT_TRUE(next.ok());
    text.append(buffer.bytes.get(), buffer.used);
  }
}

TEST(ReadAheadTest, GivesWhatItReadsInOrder) {
  for (const int pieces : {0, 1, 2, 3, 1000}) {
    ReadAhead ahead{Numbers(pieces)};
    EXPECT_EQ(TakeAll(&ahead), Numbered(pieces));
  }
}

TEST(ReadAheadTest, AFailureComesBehindWhatWasReadBeforeAndStays) {
  for (const int pieces : {0, 1, 2, 100}) {
    ReadAhead ahead{Numbers(pieces, true)};
    EXPECT_EQ(TakeAll(&ahead), Numbered(pieces) + "broken");
    EXPECT_EQ(TakeAll(&ahead), "broken");
  }
}

TEST(ReadAheadTest, MayBeLeftBeforeItsEnd) {
  for (int taken = 0; taken < 8; ++taken) {
    ReadAhead ahead{Numbers(1'000'000)};
    ReadAhead::Buffer buffer;
    for (int i = 0; i < taken; ++i) ASSERT_TRUE(ahead.Next(&buffer).ok());
  }
}

TEST(ReadAheadTest, ReadsOnlyAFewBuffersAhead) {
  std::atomic<int> reads = 0;
  ReadAhead ahead{[&](char* to, size_t, size_t* got) {
    to[0] = 'x';
    *got = 1;
    ++reads;
    return Status::Ok();
  }};
  ReadAhead::Buffer buffer;
  for (int taken = 1; taken <= 1000; ++taken) {
    ASSERT_TRUE(ahead.Next(&buffer).ok());
    EXPECT_LE(reads, taken + static_cast<int>(ReadAhead::kBuffers) + 1);
  }
}

TEST(ReadAheadTest, ItsThreadTakesNoSignals) {
  const pthread_t caller = pthread_self();
  ReadAhead ahead{[&](char* to, size_t, size_t* got) {
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    if (pthread_equal(pthread_self(), caller) == 0) {
      EXPECT_EQ(sigismember(&blocked, SIGINT), 1);
    }
    to[0] = 'x';
    *got = 1;
    return Status::Ok();
  }};
  ReadAhead::Buffer buffer;
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(ahead.Next(&buffer).ok());
}

TEST(ReadAheadTest, ReadsInTheCallersThreadWhereThereIsOneProcessor) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i) {
    if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const pthread_t caller = pthread_self();
  int left = 10;
  ReadAhead ahead{[&](char* to, size_t, size_t* got) {
    EXPECT_NE(pthread_equal(pthread_self(), caller), 0);
    to[0] = 'x';
    *got = left-- > 0 ? 1 : 0;
    return Status::Ok();
  }};
  EXPECT_EQ(TakeAll(&ahead), "xxxxxxxxxx");
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

}  // namespace
}  // namespace rtl::import
