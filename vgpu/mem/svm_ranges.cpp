// SPDX-License-Identifier: MIT
#include "vgpu/mem/svm_ranges.h"

#include <algorithm>
#include <cerrno>

#include "vgpu/mem/address_space.h"

namespace vgpu {
namespace {

// This thread holds the lock of ranges. If it allocates meanwhile, Forget may be called, and
// returns at once.
[[gnu::tls_model("initial-exec")]] constinit thread_local bool t_inside = false;

class Inside {
 public:
  explicit Inside(std::mutex& mutex) : lock_(mutex) { t_inside = true; }
  ~Inside() { t_inside = false; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  std::lock_guard<std::mutex> lock_;
};

void Apply(const SvmChange& change, SvmAttributes* attributes) {
  const uint32_t value = change.value;
  switch (change.kind) {
    case SvmChange::Kind::kPreferred:
      attributes->preferred = value;
      break;
    case SvmChange::Kind::kPrefetch:
      attributes->prefetch = value;
      break;
    case SvmChange::Kind::kAccess:
      attributes->access |= 1u << value;
      attributes->in_place &= ~(1u << value);
      break;
    case SvmChange::Kind::kInPlace:
      attributes->access &= ~(1u << value);
      attributes->in_place |= 1u << value;
      break;
    case SvmChange::Kind::kNoAccess:
      attributes->access &= ~(1u << value);
      attributes->in_place &= ~(1u << value);
      break;
    case SvmChange::Kind::kSetFlags:
      attributes->flags |= value;
      break;
    case SvmChange::Kind::kClearFlags:
      attributes->flags &= ~value;
      break;
    case SvmChange::Kind::kGranularity:
      attributes->granularity = std::min(value, 63u);
      break;
  }
}

// The first entry that reaches beyond `va`.
template <class Map, class EndOf>
auto FirstBeyond(Map& map, uint64_t va, EndOf end_of) {
  auto entry = map.upper_bound(va);
  if (entry != map.begin() && end_of(std::prev(entry)->second) > va) --entry;
  return entry;
}

}  // namespace

uint8_t* SvmRanges::HostAt(uint64_t va, View view) {
  return view == kHidden ? nullptr : reinterpret_cast<uint8_t*>(va);
}

void SvmRanges::SetRetry(bool on) {
  retry_.store(on, std::memory_order_relaxed);
  ShowProcessMemory(on);
}

// Splits the range that reaches across `va`.
void SvmRanges::SplitAt(uint64_t va) {
  auto after = ranges_.upper_bound(va);
  if (after == ranges_.begin()) return;
  auto& [begin, range] = *std::prev(after);
  if (begin == va || range.end <= va) return;
  ranges_.emplace_hint(after, va, Range{range.end, range.attributes});
  range.end = va;
}

SvmAttributes SvmRanges::Defaults() const {
  SvmAttributes attributes;
  if (retry()) attributes.access = (1u << kMaxGpus) - 1;
  return attributes;
}

// Creates ranges with the defaults where there are none.
void SvmRanges::Fill(uint64_t va, uint64_t end) {
  auto next = ranges_.lower_bound(va);
  while (va < end) {
    const uint64_t until = next == ranges_.end() ? end : std::min(next->first, end);
    if (va < until) ranges_.emplace_hint(next, va, Range{until, Defaults()});
    if (next == ranges_.end()) return;
    va = next->second.end;
    ++next;
  }
}

// Merges neighbours with equal attributes.
void SvmRanges::Join(uint64_t va, uint64_t end) {
  auto range = ranges_.lower_bound(va);
  if (range != ranges_.begin()) --range;
  while (range != ranges_.end() && range->first <= end) {
    const auto next = std::next(range);
    if (next == ranges_.end()) return;
    if (range->second.end == next->first && range->second.attributes == next->second.attributes) {
      range->second.end = next->second.end;
      ranges_.erase(next);
    } else {
      range = next;
    }
  }
}

bool SvmRanges::MapGaps(int gpu, View view, uint64_t va, uint64_t end) {
  Pieces& pieces = pieces_[gpu][view];
  bool all = true;
  auto next = FirstBeyond(pieces, va, [](uint64_t until) { return until; });
  while (va < end) {
    const uint64_t until = next == pieces.end() ? end : std::min(next->first, end);
    if (va < until) {
      if (MapRange(gpu, va, until - va, HostAt(va, view))) {
        pieces.emplace_hint(next, va, until);
      } else {
        all = false;
      }
    }
    if (next == pieces.end()) break;
    va = std::max(va, next->second);
    ++next;
  }
  return all;
}

void SvmRanges::Unmap(int gpu, View view, uint64_t va, uint64_t end) {
  Pieces& pieces = pieces_[gpu][view];
  auto piece = FirstBeyond(pieces, va, [](uint64_t until) { return until; });
  while (piece != pieces.end() && piece->first < end) {
    const auto [begin, until] = *piece;
    (void)UnmapRange(gpu, begin, until - begin);  // it is mapped: only this thread unmaps it
    piece = pieces.erase(piece);
    if (begin < va && MapRange(gpu, begin, va - begin, HostAt(begin, view))) pieces[begin] = va;
    if (until > end && MapRange(gpu, end, until - end, HostAt(end, view))) pieces[end] = until;
  }
}

int SvmRanges::Set(uint64_t va, uint64_t bytes, std::span<const SvmChange> changes) {
  const Inside inside(mutex_);
  any_.store(true, std::memory_order_relaxed);
  const uint64_t end = va + bytes;
  SplitAt(va);
  SplitAt(end);
  Fill(va, end);
  bool all = true;
  for (auto range = ranges_.lower_bound(va); range != ranges_.end() && range->first < end;
       ++range) {
    SvmAttributes& attributes = range->second.attributes;
    for (const SvmChange& change : changes) Apply(change, &attributes);
    const uint32_t seen_by = attributes.access | attributes.in_place;
    for (int gpu = 0; gpu < kMaxGpus; ++gpu) {
      const bool sees = (seen_by >> gpu & 1) != 0;
      Unmap(gpu, sees ? kHidden : kSeen, range->first, range->second.end);
      if (!sees && !retry()) continue;
      if (!MapGaps(gpu, sees ? kSeen : kHidden, range->first, range->second.end)) all = false;
    }
  }
  Join(va, end);
  return all ? 0 : -EADDRINUSE;
}

SvmSummary SvmRanges::Get(uint64_t va, uint64_t bytes) const {
  const std::lock_guard lock(mutex_);
  SvmSummary summary;
  summary.all = Defaults();
  summary.flags_of_any = summary.all.flags;
  auto range = FirstBeyond(ranges_, va, [](const Range& r) { return r.end; });
  bool first = true;
  for (; range != ranges_.end() && range->first < va + bytes; ++range) {
    const SvmAttributes& here = range->second.attributes;
    SvmAttributes& all = summary.all;
    if (first) {
      all = here;
      summary.flags_of_any = here.flags;
      first = false;
      continue;
    }
    if (all.preferred != here.preferred) all.preferred = SvmAttributes::kUndefined;
    if (all.prefetch != here.prefetch) all.prefetch = SvmAttributes::kUndefined;
    all.flags &= here.flags;
    summary.flags_of_any |= here.flags;
    all.granularity = std::min(all.granularity, here.granularity);
    all.access &= here.access;
    all.in_place &= here.in_place;
  }
  return summary;
}

void SvmRanges::Forget(uint64_t va, uint64_t bytes) {
  if (!any_.load(std::memory_order_relaxed) || t_inside) return;
  const Inside inside(mutex_);
  SplitAt(va);
  SplitAt(va + bytes);
  ranges_.erase(ranges_.lower_bound(va), ranges_.lower_bound(va + bytes));
  for (int gpu = 0; gpu < kMaxGpus; ++gpu) {
    Unmap(gpu, kSeen, va, va + bytes);
    Unmap(gpu, kHidden, va, va + bytes);
  }
}

}  // namespace vgpu
