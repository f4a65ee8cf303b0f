// SPDX-License-Identifier: MIT
// in_flight.h: a queue of slices that wait to be written, ordered by their start.
//
// Almost all slices of a queue start in the order of their submission; these are in a ring. A slice
// that starts before the last one of the ring is kept in a heap.
//
// Memory     the greatest number of slices and entries in flight
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace rtl::exporting {

// Allocates slices, which keep their address and are reused. A slice from Take has its previous
// contents.
template <typename Slice>
class Pool {
 public:
  Slice* Take() {
    if (free_.empty()) return &slices_.emplace_back();
    Slice* const slice = free_.back();
    free_.pop_back();
    return slice;
  }
  void Give(Slice* slice) { free_.push_back(slice); }

 private:
  std::deque<Slice> slices_;
  std::vector<Slice*> free_;
};

// `Entry` should be small. `Before` defines the order.
template <typename Entry, typename Before = std::less<Entry>>
class InFlight {
 public:
  bool empty() const { return count_ == 0 && late_.empty(); }
  size_t size() const { return count_ + late_.size(); }

  void Push(const Entry& entry) {
    if (count_ != 0 && Before()(entry, At(count_ - 1))) [[unlikely]]
      return late_.push(entry);
    if (count_ == line_.size()) [[unlikely]]
      Grow();
    At(count_++) = entry;
  }

  // The earliest entry. Valid until the next Push or Pop.
  const Entry& First() const { return LateIsFirst() ? late_.top() : At(0); }

  void Pop() {
    if (LateIsFirst()) [[unlikely]]
      return late_.pop();
    first_ = (first_ + 1) & (line_.size() - 1);
    --count_;
  }

 private:
  struct ComesLater {
    bool operator()(const Entry& a, const Entry& b) const { return Before()(b, a); }
  };

  bool LateIsFirst() const {
    return !late_.empty() && (count_ == 0 || Before()(late_.top(), At(0)));
  }

  Entry& At(size_t i) { return line_[(first_ + i) & (line_.size() - 1)]; }
  const Entry& At(size_t i) const { return line_[(first_ + i) & (line_.size() - 1)]; }

  void Grow() {
    std::vector<Entry> larger(line_.empty() ? 16 : line_.size() * 2);
    for (size_t i = 0; i < count_; ++i) larger[i] = At(i);
    line_ = std::move(larger);
    first_ = 0;
  }

  std::vector<Entry> line_;  // a ring; its size is a power of two
  size_t first_ = 0;
  size_t count_ = 0;
  std::priority_queue<Entry, std::vector<Entry>, ComesLater> late_;
};

}  // namespace rtl::exporting
