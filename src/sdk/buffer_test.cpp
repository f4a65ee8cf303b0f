// SPDX-License-Identifier: MIT
#include "sdk/buffer.h"

#include <gtest/gtest.h>
#include <semaphore.h>
#include <string.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "sdk/callback_thread.h"

namespace rtl::sdk {
namespace {

struct Record {
  uint64_t number;
  char rest[56];  // 64 records per page
};
constexpr size_t kPage = 4096;
constexpr size_t kPerPage = kPage / sizeof(Record);
constexpr uint32_t kKind = 11;

// A buffer, its thread, and what has come out. The thread and the buffer stay for good, as the
// product's do.
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
    for (size_t i = 0; i < count; ++i) {
      EXPECT_EQ(headers[i]->hash, rocprofiler_record_header_compute_hash(1, kKind));
      self->numbers.push_back(static_cast<Record*>(headers[i]->payload)->number);
    }
  }

  void Append(uint64_t from, uint64_t to) {
    for (uint64_t i = from; i < to; ++i) {
      Record record = {};
      record.number = i;
      buffer->Append(kKind, &record, sizeof record);
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
  int calls = 0;
};

std::vector<uint64_t> UpTo(uint64_t end) {
  std::vector<uint64_t> numbers;
  for (uint64_t i = 0; i < end; ++i) numbers.push_back(i);
  return numbers;
}

TEST(Buffer, HandsOutNothingBeforeTheWatermarkAndAllAtAFlush) {
  auto& test = *new Fixture(false);
  test.Append(0, 5);
  EXPECT_EQ(test.Numbers(), UpTo(0));
  EXPECT_EQ(test.buffer->Flush(), ROCPROFILER_STATUS_SUCCESS);
  EXPECT_EQ(test.Numbers(), UpTo(5));
  EXPECT_EQ(test.buffer->Flush(), ROCPROFILER_STATUS_SUCCESS);
  EXPECT_EQ(test.calls, 1) << "an empty buffer has nothing to say";
}

TEST(Buffer, OfPolicyDiscardDropsWhenFullAndGoesOnAfterAFlush) {
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

TEST(Buffer, OfPolicyLosslessKeepsEverythingWhileTheToolIsBusy) {
  auto& test = *new Fixture(true);
  test.wait = true;
  constexpr uint64_t kMany = 100 * kPerPage;
  test.Append(0, kMany);  // returns, though the callback does not
  test.wait = false;
  for (uint64_t i = 0; i < kMany; ++i) sem_post(&test.go);
  EXPECT_EQ(test.buffer->Flush(), ROCPROFILER_STATUS_SUCCESS);
  EXPECT_EQ(test.Numbers(), UpTo(kMany));
  EXPECT_EQ(test.dropped, 0u);
}

TEST(Buffer, WithAWatermarkOfZeroHandsOutWithoutAFlush) {
  auto& test = *new Fixture(false, 0);
  test.Append(0, 1);
  for (int i = 0; i < 10'000 && test.Numbers().empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(test.Numbers(), UpTo(1));
}

TEST(Buffer, TellsOfLossesEvenWithoutARecord) {
  auto& test = *new Fixture(true);
  test.Append(0, 1);
  EXPECT_EQ(test.buffer->Flush(), ROCPROFILER_STATUS_SUCCESS);
  test.buffer->CountDropped(4);
  EXPECT_EQ(test.buffer->Flush(), ROCPROFILER_STATUS_SUCCESS);
  EXPECT_EQ(test.dropped, 4u);
  EXPECT_EQ(test.calls, 2);
}

TEST(Buffer, IsBusyWhileItsCallbackRuns) {
  auto& test = *new Fixture(false, 0);
  test.wait = true;
  test.Append(0, 1);
  sem_wait(&test.entered);
  EXPECT_EQ(test.buffer->Destroy(), ROCPROFILER_STATUS_ERROR_BUFFER_BUSY);
  sem_post(&test.go);
  EXPECT_EQ(test.buffer->Flush(), ROCPROFILER_STATUS_SUCCESS);
  EXPECT_EQ(test.Numbers(), UpTo(1));
}

TEST(Buffer, TakesNothingWhenItWasDestroyed) {
  auto& test = *new Fixture(false, 0);
  EXPECT_EQ(test.buffer->Destroy(), ROCPROFILER_STATUS_SUCCESS);
  EXPECT_EQ(test.buffer->Destroy(), ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND);
  EXPECT_EQ(test.buffer->Flush(), ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND);
  test.Append(0, 1);
  EXPECT_EQ(test.calls, 0);
}

TEST(Buffer, LosesNothingOfManyThreads) {
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

}  // namespace
}  // namespace rtl::sdk
