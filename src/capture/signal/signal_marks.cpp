// SPDX-License-Identifier: MIT
#include "capture/signal/signal_marks.h"

namespace rtl::capture {

// Returns the word after one more submission with this value.
uint64_t SignalMarks::Next(uint64_t word, hsa_signal_value_t value) {
  const auto before = static_cast<int32_t>(ValueOf(word));
  const auto now = static_cast<int32_t>(Short(value));
  // The value has dropped since the last submission, and no load has reported this: the next load
  // still has to.
  const bool untold = before > now;
  return ((word & ~kValue) + kOnce) | (untold ? ValueOf(word) : Short(value));
}

void SignalMarks::Submitted(hsa_signal_t signal, hsa_signal_value_t value) {
  Bucket& bucket = buckets_[BucketOf(signal.handle)];
  for (Entry& entry : bucket.entries) {
    if (entry.handle.load(std::memory_order_relaxed) != signal.handle) continue;
    // If two threads do this at once, either both store the same word, or the word of one has a
    // value that makes the next load report.
    entry.word.store(Next(entry.word.load(std::memory_order_relaxed), value),
                     std::memory_order_relaxed);
    // The entry is reused for another signal only if its word shows that its work is done (Insert).
    if (entry.handle.load(std::memory_order_seq_cst) == signal.handle) return;
  }
  if (!Insert(&bucket, signal, value)) bucket.crowded.store(true, std::memory_order_relaxed);
}

[[gnu::cold]] bool SignalMarks::Insert(Bucket* bucket, hsa_signal_t signal,
                                       hsa_signal_value_t value) {
  for (Entry& entry : bucket->entries) {
    uint64_t handle = entry.handle.load(std::memory_order_relaxed);
    const uint64_t word = entry.word.load(std::memory_order_relaxed);
    if (handle != 0 && !IsDone(word)) continue;
    if (!entry.handle.compare_exchange_strong(handle, signal.handle, std::memory_order_seq_cst)) {
      continue;
    }
    uint64_t expected = word;
    if (entry.word.compare_exchange_strong(expected, Next(0, value), std::memory_order_seq_cst)) {
      return true;
    }
    // The former signal of this entry was submitted again meanwhile, and the thread that submitted
    // it may not have seen that the entry was reused. So the bucket counts as crowded.
    return false;
  }
  return false;
}

}  // namespace rtl::capture
