// SPDX-License-Identifier: MIT
// signal_marks.h: remembers the application's signals on submitted work, and the value that each
// signal had at submission or at the last load. A thread that loads another value may have learned
// that a kernel has ended.
//
//   word        written by                                 a load that finds another value
//   {n, v}      Submitted, before the packet is written    reports; `Told` stores the value found
//   {n+1, v'}   Submitted again                            the same; a `Told` for n is too late
//
// A mark is cleared only after the ended work was recorded. Otherwise, when two threads load the
// same signal, one of them could return before the work is recorded.
//
// Threads    any
// Blocking   never
// Memory     a fixed table of kEntries; in a crowded bucket every load reports
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

  // For the hook, before the packet is written: the end of the packet will decrement `signal`,
  // whose value is now `value`.
  void Submitted(hsa_signal_t signal, hsa_signal_value_t value);

  // Where a load found a signal's mark; to be passed to `Told`.
  struct Look {
    std::atomic<uint64_t>* word = nullptr;
    uint64_t seen = 0;
    uint32_t value = 0;
  };
  enum class News : uint8_t {
    kNone,     // the signal is on no submitted work
    kNotYet,   // the signal is on work that may still be in flight
    kPerhaps,  // the value may show an end
  };
  // HOT: once per load of a signal by the application.
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
  // Called after the work that had ended at the load was recorded.
  static void Told(const Look& look) {
    if (look.word == nullptr) return;
    uint64_t seen = look.seen;
    // On false the signal was submitted again; the next load reports that.
    (void)look.word->compare_exchange_strong(seen, (look.seen & ~kValue) | look.value,
                                             std::memory_order_relaxed);
  }

 private:
  // A word has the number of submissions in its upper half, and the lower half of the value in its
  // lower half.
  static constexpr uint64_t kValue = UINT32_MAX;
  static constexpr uint64_t kOnce = kValue + 1;
  static uint32_t Short(hsa_signal_value_t value) { return static_cast<uint32_t>(value); }
  static uint32_t ValueOf(uint64_t word) { return static_cast<uint32_t>(word); }
  // True at zero and below: nothing more can end on the signal before it is submitted again.
  static bool IsDone(uint64_t word) { return static_cast<int32_t>(ValueOf(word)) < 1; }

  struct Entry {
    std::atomic<uint64_t> handle{0};  // zero: free
    std::atomic<uint64_t> word{0};
  };
  struct alignas(64) Bucket {
    Entry entries[kWays];
    std::atomic<bool> crowded{false};  // at some time the bucket had more signals than ways
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
