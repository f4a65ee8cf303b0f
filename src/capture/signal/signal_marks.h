// SPDX-License-Identifier: MIT
// signal_marks.h: the application's signals that tell it of something which was submitted: which
// value each had then, or when it was looked at last. A thread that finds another value may have
// learnt that a kernel has ended.
//
//   word        made by                                    a look that finds another value
//   {n, v}      Submitted, before the packet is written    tells; Told stores the value that was found
//   {n+1, v'}   Submitted again                            the same; a Told for n comes too late
//
// A mark is taken back after what it tells was brought home, never before: of two threads that look
// at the same signal neither may go on sooner.
//
// Threads    any
// Blocking   never
// Memory     a fixed table of kEntries; where it is crowded every look tells
// Why        docs/adr/0052-what-the-program-knows-is-in-the-trace.md
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

#include <atomic>

namespace rtl::capture {

class SignalMarks {
 public:
  static constexpr uint32_t kWays = 4;
  static constexpr uint32_t kBuckets = 1024;
  static constexpr uint32_t kEntries = kWays * kBuckets;

  SignalMarks() = default;
  SignalMarks(const SignalMarks&) = delete;
  SignalMarks& operator=(const SignalMarks&) = delete;

  // Hook, before the packet is written: something that takes `signal`, whose value is `value` now,
  // one down when it has ended.
  void Submitted(hsa_signal_t signal, hsa_signal_value_t value);

  // What a look at a signal has found; to be handed to Told.
  struct Look {
    std::atomic<uint64_t>* word = nullptr;
    uint64_t seen = 0;
    uint32_t value = 0;
  };
  enum class News : uint8_t {
    kNone,     // it is on nothing that was submitted
    kNotYet,   // on something that may still be in flight
    kPerhaps,  // it may tell of an end
  };
  // HOT: once per look of the application at a signal.
  News Tell(hsa_signal_t signal, hsa_signal_value_t value, Look* look) const {
    const Bucket& bucket = buckets_[BucketOf(signal.handle)];
    News news = bucket.crowded.load(std::memory_order_relaxed) ? News::kPerhaps : News::kNone;
    for (const Entry& entry : bucket.entries) {
      if (entry.handle.load(std::memory_order_relaxed) != signal.handle) continue;
      const uint64_t seen = entry.word.load(std::memory_order_relaxed);
      if (ValueOf(seen) == Short(value)) {
        if (news == News::kNone && !IsDone(seen)) news = News::kNotYet;
        continue;
      }
      *look = {const_cast<std::atomic<uint64_t>*>(&entry.word), seen, Short(value)};
      news = News::kPerhaps;
    }
    return news;
  }
  // What had ended when the look was made has been brought home.
  static void Told(const Look& look) {
    if (look.word == nullptr) return;
    uint64_t seen = look.seen;
    // False: something was submitted with it again, which the next look tells of.
    (void)look.word->compare_exchange_strong(seen, (look.seen & ~kValue) | look.value,
                                             std::memory_order_relaxed);
  }

 private:
  // How often it was submitted, then the low half of the value.
  static constexpr uint64_t kValue = UINT32_MAX;
  static constexpr uint64_t kOnce = kValue + 1;
  static uint32_t Short(hsa_signal_value_t value) { return static_cast<uint32_t>(value); }
  static uint32_t ValueOf(uint64_t word) { return static_cast<uint32_t>(word); }
  // Zero and less: nothing more can end on it before it is submitted again.
  static bool IsDone(uint64_t word) { return static_cast<int32_t>(ValueOf(word)) < 1; }

  struct Entry {
    std::atomic<uint64_t> handle{0};  // zero: free
    std::atomic<uint64_t> word{0};
  };
  struct alignas(64) Bucket {
    Entry entries[kWays];
    std::atomic<bool> crowded{false};  // more signals than there are ways, once
  };

  static uint32_t BucketOf(uint64_t handle) {
    return static_cast<uint32_t>(((handle >> 6) * 0x9E3779B97F4A7C15u) >> 54);
  }
  static uint64_t Next(uint64_t word, hsa_signal_value_t value);
  bool Insert(Bucket* bucket, hsa_signal_t signal, hsa_signal_value_t value);

  Bucket buckets_[kBuckets];
};
static_assert(SignalMarks::kBuckets == 1u << (64 - 54), "as many buckets as BucketOf yields");

}  // namespace rtl::capture
