// SPDX-License-Identifier: MIT
#include "trace/write/markers.h"

#include <algorithm>

#include "trace/schema/schema.h"

namespace rtl::store {

void Markers::Close(MarkerSpan span, uint64_t time) {
  if ((span.flags & kOpFlagStartStop) == 0) span.range = 0;
  span.end = std::max(time, span.start);
  emit_(span);
}

void Markers::Pop(uint32_t thread, uint64_t time) {
  const auto stack = stacks_.find(thread);
  if (stack == stacks_.end()) {
    ++orphans_;
    return;
  }
  Close(stack->second.back(), time);
  stack->second.pop_back();
  if (stack->second.empty()) stacks_.erase(stack);
}

void Markers::Start(MarkerSpan begin, bool pushed) {
  if (!pushed) begin.flags |= kOpFlagStartStop;
  const auto stop = stops_.find(begin.range);
  if (stop != stops_.end()) {
    Close(begin, stop->second);
    stops_.erase(stop);
    return;
  }
  const auto [at, inserted] = starts_.try_emplace(begin.range, begin);
  if (inserted) return;
  // The id was used twice, so no later call can stop the earlier range.
  at->second.flags |= kOpFlagUnclosed;
  Close(at->second, begin.start);
  at->second = begin;
}

void Markers::Stop(uint64_t range, uint64_t time) {
  const auto start = starts_.find(range);
  if (start == starts_.end()) {
    if (!stops_.try_emplace(range, time).second) ++orphans_;
    return;
  }
  Close(start->second, time);
  starts_.erase(start);
}

const MarkerSpan* Markers::Open(uint32_t thread, uint64_t time) const {
  const auto stack = stacks_.find(thread);
  if (stack == stacks_.end()) return nullptr;
  const auto open = std::find_if(stack->second.rbegin(), stack->second.rend(),
                                 [&](const MarkerSpan& span) { return span.start <= time; });
  return open == stack->second.rend() ? nullptr : &*open;
}

void Markers::End(uint64_t time) {
  std::vector<MarkerSpan> open;
  for (const auto& [thread, stack] : stacks_) open.insert(open.end(), stack.begin(), stack.end());
  for (const auto& [range, span] : starts_) open.push_back(span);
  stacks_.clear();
  starts_.clear();
  std::sort(open.begin(), open.end(), [](const MarkerSpan& a, const MarkerSpan& b) {
    if (a.start != b.start) return a.start < b.start;
    if (a.thread != b.thread) return a.thread < b.thread;
    return a.range < b.range;
  });
  for (MarkerSpan& span : open) {
    span.flags |= kOpFlagUnclosed;
    Close(span, time);
  }
}

}  // namespace rtl::store
