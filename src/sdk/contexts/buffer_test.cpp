// SPDX-License-Identifier: MIT
#include "sdk/contexts/buffer.h"

#include <gtest/gtest.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/sched_point.h"
#include "sdk/contexts/callback_thread.h"

namespace rtl::sdk {
namespace {

struct Record {
  uint64_t size;
  uint32_t kind;
  uint64_t number;
  char rest[40];  // 64 records per page
};
constexpr size_t kPage = 4096;
constexpr size_t kPerPage = kPage / sizeof(Record);
constexpr uint32_t kKind = 11;

// A buffer, its thread, and the records that came out. The thread and the buffer are never freed,
// as in the product.
struct Fixture {
  explicit Fixture(bool lossless, size_t watermark = kPage) {
    sem_init(&go, 0, 0);
    sem_init(&entered, 0, 0);
    Kept().push_back(this);
    EXPECT_TRUE(thread->Start().ok());
    Buffer::Options options = {{7}, {8}, 1, watermark, lossless, &Take, this};
    EXPECT_TRUE(buffer->Open(options, thread));
  }

  static std::vector<Fixture*>& Kept() {
    static auto& kept = *new std::vector<Fixture*>;
    return kept;
  }

  static void Take(rocprofiler_context_id_t context, rocprofiler_buffer_id_t id,
                   rocprofiler_record_header_t** headers, size_t count, void* data,
                   uint64_t dropped) {
    auto* const self = static_cast<Fixture*>(data);
    sem_post(&self->entered);
    if (self->wait) sem_wait(&self->go);
    EXPECT_EQ(context.handle, 7u);
    EXPECT_EQ(id.handle, 8u);
    const std::lock_guard lock(self->mutex);
    ++self->calls;
    self->dropped += dropped;
    self->pointers = headers;
    self->header = count == 0 ? nullptr : headers[0];
    for (size_t i = 0; i < count; ++i) {
      EXPECT_EQ(headers[i]->hash, rocprofiler_record_header_compute_hash(1, kKind));
      self->numbers.push_back(static_cast<Record*>(headers[i]->payload)->number);
    }
  }

  void Append(uint64_t from, uint64_t to) {
    for (uint64_t i = from; i < to; ++i) {
      Record record = {};
      record.size = sizeof record;
      record.kind = kKind;
      record.number = i;
      buffer->Append(record);
    }
  }
  std::vector<uint64_t> Numbers() {
    const std::lock_guard lock(mutex);
    return numbers;
  }

  CallbackThread* const thread = new CallbackThread;
  Buffer* const buffer = new Buffer;
  std::atomic<bool> wait{false};
  sem_t go, entered;
  std::mutex mutex;
  std::vector<uint64_t> numbers;
  uint64_t dropped = 0;
  rocprofiler_record_header_t** pointers = nullptr;  // of the last callback
  rocprofiler_record_header_t* header = nullptr;     // the first header of the last callback
  int calls = 0;
};

std::vector<uint64_t> UpTo(uint64_t end) {
  std::vector<uint64_t> numbers;
  for (uint64_t i = 0; i < end; ++i) numbers.push_back(i);
  return numbers;
}

TEST(Buffer, DeliversNothingBeforeTheWatermarkAndAllAtAFlush) {
  auto& test = *new Fixture(false);
  test.Append(0, 5);
  EXPECT_EQ(test.Numbers(), UpTo(0));
  EXPECT_EQ(test.buffer->Flush(), ROCPROFILER_STATUS_SUCCESS);
  EXPECT_EQ(test.Numbers(), UpTo(5));
  EXPECT_EQ(test.buffer->Flush(), ROCPROFILER_STATUS_SUCCESS);
  EXPECT_EQ(test.calls, 1) << "an empty buffer delivers nothing";
}

TEST(Buffer, WithDiscardDropsWhenFullAndContinuesAfterAFlush) {
  auto& test = *new Fixture(false, kPage + 1);
  test.Append(0, kPerPage + 9);
  EXPECT_EQ(test.Numbers(), UpTo(0));
  EXPECT_EQ(test.buffer->Flush(), ROCPROFILER_STATUS_SUCCESS);
  EXPECT_EQ(test.Numbers(), UpTo(kPerPage));
  EXPECT_EQ(test.dropped, 9u);
  test.Append(kPerPage, kPerPage + 3);
  EXPECT_EQ(test.buffer->Flush(), ROCPROFILER_STATUS_SUCCESS);
  EXPECT_EQ(test.Numbers(), UpTo(kPerPage + 3));
  EXPECT_EQ(test.dropped, 9u);
}

TEST(Buffer, WithLosslessKeepsEverythingWhileTheToolIsBusy) {
  auto& test = *new Fixture(true);
  test.wait = true;
  constexpr uint64_t kMany = 100 * kPerPage;
  test.Append(0, kMany);  // returns although the callback has not
  test.wait = false;
  for (uint64_t i = 0; i < kMany; ++i) sem_post(&test.go);
  EXPECT_EQ(test.buffer->Flush(), ROCPROFILER_STATUS_SUCCESS);
  EXPECT_EQ(test.Numbers(), UpTo(kMany));
  EXPECT_EQ(test.dropped, 0u);
}

TEST(Buffer, WithAWatermarkOfZeroDeliversWithoutAFlush) {
  auto& test = *new Fixture(false, 0);
  test.Append(0, 1);
  for (int i = 0; i < 10'000 && test.Numbers().empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(test.Numbers(), UpTo(1));
}

TEST(Buffer, ReportsLossesEvenWithoutARecord) {
  auto& test = *new Fixture(true);
  test.Append(0, 1);
  EXPECT_EQ(test.buffer->Flush(), ROCPROFILER_STATUS_SUCCESS);
  test.buffer->CountDropped(4);
  EXPECT_EQ(test.buffer->Flush(), ROCPROFILER_STATUS_SUCCESS);
  EXPECT_EQ(test.dropped, 4u);
  EXPECT_EQ(test.calls, 2);
}

// The buffer keeps the memory of the headers, so that the test can read it after the callback.
TEST(Buffer, WithStrictOverwritesTheHeadersAfterACallback) {
  for (const bool strict : {false, true}) {
    setenv("RTL_STRICT", strict ? "1" : "0", 1);
    auto& test = *new Fixture(false);
    test.Append(0, 2);
    EXPECT_EQ(test.buffer->Flush(), ROCPROFILER_STATUS_SUCCESS);
    unsigned char expected[sizeof *test.header];
    memset(expected, Buffer::kPoison, sizeof expected);
    EXPECT_EQ(memcmp(test.header, expected, sizeof expected) == 0, strict);
    EXPECT_EQ(memcmp(test.pointers, expected, sizeof(void*)) == 0, strict);
    test.Append(2, 4);
    EXPECT_EQ(test.buffer->Flush(), ROCPROFILER_STATUS_SUCCESS);
    EXPECT_EQ(test.Numbers(), UpTo(4));
  }
  unsetenv("RTL_STRICT");
}

TEST(Buffer, IsBusyWhileItsCallbackRuns) {
  auto& test = *new Fixture(false, 0);
  test.wait = true;
  test.Append(0, 1);
  sem_wait(&test.entered);
  EXPECT_EQ(test.buffer->Destroy(), ROCPROFILER_STATUS_ERROR_BUFFER_BUSY);
  EXPECT_EQ(test.buffer->Waiting(), 0u);
  test.Append(1, 3);
  EXPECT_EQ(test.buffer->Waiting(), 2u);
  test.wait = false;
  sem_post(&test.go);
  EXPECT_EQ(test.buffer->Flush(), ROCPROFILER_STATUS_SUCCESS);
  EXPECT_EQ(test.Numbers(), UpTo(3));
  EXPECT_EQ(test.buffer->Waiting(), 0u);
}

TEST(Buffer, AcceptsNothingAfterItWasDestroyed) {
  auto& test = *new Fixture(false, 0);
  EXPECT_EQ(test.buffer->Destroy(), ROCPROFILER_STATUS_SUCCESS);
  EXPECT_EQ(test.buffer->Destroy(), ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND);
  EXPECT_EQ(test.buffer->Flush(), ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND);
  test.Append(0, 1);
  EXPECT_EQ(test.calls, 0);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// A page that blocks its reader.
struct SlowPage {
  static inline char* page;
  static inline std::atomic<bool> read{false}, there{false};

  static void OnFault(int, siginfo_t*, void*) {
    read = true;
    constexpr timespec kNap = {0, 100'000};
    while (!there) (void)nanosleep(&kNap, nullptr);
    (void)mprotect(page, kPage, PROT_READ | PROT_WRITE);
  }
};

TEST(Buffer, AThreadStalledInARecordDelaysDeliveryForALimitedTime) {
  auto& test = *new Fixture(true);
  auto* const pages = static_cast<char*>(
      mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(pages, MAP_FAILED);
  SlowPage::page = pages + kPage;
  // The size and kind of the record can be read at once, the rest cannot.
  auto* const slow = reinterpret_cast<Record*>(pages + kPage - 2 * sizeof(uint64_t));
  slow->size = sizeof(Record);
  slow->kind = kKind;
  ASSERT_EQ(mprotect(SlowPage::page, kPage, PROT_NONE), 0);
  struct sigaction action = {}, before = {};
  action.sa_sigaction = SlowPage::OnFault;
  action.sa_flags = SA_SIGINFO;
  ASSERT_EQ(sigaction(SIGSEGV, &action, &before), 0);
  test.Append(1, 2);
  std::thread stands([&] { test.buffer->Append(*slow); });
  while (!SlowPage::read) std::this_thread::yield();
  test.Append(2, 3);
  EXPECT_EQ(test.buffer->Flush(), ROCPROFILER_STATUS_SUCCESS) << "the wait has a limit";
  EXPECT_EQ(test.Numbers(), std::vector<uint64_t>{1}) << "later records cannot be found yet";
  SlowPage::there = true;
  stands.join();
  EXPECT_EQ(sigaction(SIGSEGV, &before, nullptr), 0);
  EXPECT_EQ(test.buffer->Flush(), ROCPROFILER_STATUS_SUCCESS);
  EXPECT_EQ(test.Numbers(), (std::vector<uint64_t>{1, 0, 2}));
}
#endif

TEST(Buffer, KeepsAllRecordsOfManyThreads) {
  auto& test = *new Fixture(true, 1000);
  constexpr uint64_t kEach = 5'000;
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 4; ++t)
    threads.emplace_back([&test, t] { test.Append(t * kEach, (t + 1) * kEach); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(test.buffer->Flush(), ROCPROFILER_STATUS_SUCCESS);
  std::vector<uint64_t> numbers = test.Numbers();
  std::sort(numbers.begin(), numbers.end());
  EXPECT_EQ(numbers, UpTo(4 * kEach));
}

// Threads append records of two sizes while the buffer is delivered and, if requested, destroyed;
// one run per seed of the schedule (sched_point.h).
class BufferRace : public testing::Test {
 protected:
  static constexpr uint64_t kThreads = 3, kEach = 300;
#ifdef RTL_SCHED_POINTS
  static constexpr uint64_t kSeeds = 60;
#else
  static constexpr uint64_t kSeeds = 20;  // without delays, as the machine schedules
#endif
  struct Long : Record {
    uint64_t again;
  };
  struct Heard {
    std::atomic<uint64_t> records{0}, dropped{0}, broken{0};
    uint64_t next[kThreads] = {};  // used by the callback thread
  };

  static void Take(rocprofiler_context_id_t, rocprofiler_buffer_id_t,
                   rocprofiler_record_header_t** headers, size_t count, void* data,
                   uint64_t dropped) {
    auto* const heard = static_cast<Heard*>(data);
    heard->records += count;
    heard->dropped += dropped;
    for (size_t i = 0; i < count; ++i) {
      const auto* const record = static_cast<Record*>(headers[i]->payload);
      const uint64_t thread = record->number / kEach;
      const bool is_long = record->size == sizeof(Long);
      if (thread >= kThreads || record->number < heard->next[thread] ||
          headers[i]->kind != (is_long ? kKind + 1 : kKind) ||
          (is_long && static_cast<const Long*>(record)->again != record->number)) {
        ++heard->broken;
        continue;
      }
      heard->next[thread] = record->number + 1;
    }
  }

  void Open(bool lossless) {
    ASSERT_TRUE(started_ || thread_->Start().ok());
    started_ = true;
    // The buffer is never freed, as in the product.
    static auto& stay = *new std::vector<std::pair<Heard*, Buffer*>>;
    heard_ = new Heard;
    buffer_ = new Buffer;
    stay.emplace_back(heard_, buffer_);
    ASSERT_TRUE(buffer_->Open({{7}, {8}, 1, kPage / 2, lossless, &Take, heard_}, thread_));
  }

  void Append(uint64_t thread) {
    for (uint64_t i = thread * kEach; i < (thread + 1) * kEach; ++i) {
      Long record = {};
      record.size = i % 3 == 0 ? sizeof(Long) : sizeof(Record);
      record.kind = i % 3 == 0 ? kKind + 1 : kKind;
      record.number = record.again = i;
      buffer_->Append(record);
    }
  }

  template <typename Meanwhile>
  void Run(Meanwhile meanwhile) {
    std::vector<std::thread> threads;
    for (uint64_t t = 0; t < kThreads; ++t) threads.emplace_back([this, t] { Append(t); });
    meanwhile();
    for (std::thread& thread : threads) thread.join();
  }

  CallbackThread* const thread_ = new CallbackThread;
  bool started_ = false;
  Heard* heard_ = nullptr;
  Buffer* buffer_ = nullptr;
};

TEST_F(BufferRace, DeliversEveryRecordOrCountsItAsDropped) {
  for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
    SetSchedule(seed);
    const bool lossless = seed % 2 == 0;
    Open(lossless);
    Run([this] {
      for (int i = 0; i < 20; ++i) EXPECT_EQ(buffer_->Flush(), ROCPROFILER_STATUS_SUCCESS);
    });
    SetSchedule(0);
    EXPECT_EQ(buffer_->Flush(), ROCPROFILER_STATUS_SUCCESS);
    EXPECT_EQ(heard_->records + heard_->dropped, kThreads * kEach) << "seed " << seed;
    EXPECT_EQ(heard_->broken, 0u) << "seed " << seed;
    EXPECT_TRUE(!lossless || heard_->dropped == 0) << "seed " << seed;
  }
}

TEST_F(BufferRace, ABufferIsDestroyedWhileThreadsWriteToIt) {
  for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) {
    SetSchedule(seed);
    Open(seed % 2 == 0);
    Run([this] {
      while (buffer_->Destroy() != ROCPROFILER_STATUS_SUCCESS) std::this_thread::yield();
    });
    SetSchedule(0);
    EXPECT_EQ(heard_->broken, 0u) << "seed " << seed;
    EXPECT_EQ(buffer_->Flush(), ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND);
  }
}

}  // namespace
}  // namespace rtl::sdk
