// SPDX-License-Identifier: MIT
// markers.h: joins the beginnings and ends of roctx ranges of one process.
//
// Push and pop nest per thread; start and stop pair by their id, on any threads, and the stop may
// be read before the start. A range that is still open when the process ends becomes a span that
// ends with the process.
//
// Memory     one entry per open range
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

namespace rtl::store {

struct MarkerSpan {
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t range = 0;  // id of a start/stop range; zero: push and pop
  uint32_t thread = 0;
  uint32_t flags = 0;  // the bits kOpFlag… of markers
  int64_t text_id = 0;
};

class Markers {
 public:
  using Emit = std::function<void(const MarkerSpan&)>;
  explicit Markers(Emit emit) : emit_(std::move(emit)) {}

  void Push(MarkerSpan begin) { stacks_[begin.thread].push_back(begin); }
  void Pop(uint32_t thread, uint64_t time);
  // `pushed`: the range is a part of a pushed range, which another thread may have written.
  void Start(MarkerSpan begin, bool pushed = false);
  void Stop(uint64_t range, uint64_t time);
  // Closes the open ranges, and passes them on in the order of their beginnings.
  void End(uint64_t time);

  // The innermost open range of the thread that had begun at `time`; null if there is none.
  const MarkerSpan* Open(uint32_t thread, uint64_t time) const;

  // The number of ends without a beginning.
  uint64_t orphans() const { return orphans_ + stops_.size(); }

 private:
  void Close(MarkerSpan span, uint64_t time);

  Emit emit_;
  std::unordered_map<uint32_t, std::vector<MarkerSpan>> stacks_;  // indexed by thread
  std::unordered_map<uint64_t, MarkerSpan> starts_;               // indexed by the id of the range
  // The end times of ranges whose start has not been read yet.
  std::unordered_map<uint64_t, uint64_t> stops_;
  uint64_t orphans_ = 0;
};

}  // namespace rtl::store
