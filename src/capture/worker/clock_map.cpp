// SPDX-License-Identifier: MIT
#include "capture/worker/clock_map.h"

#include <algorithm>

namespace rtl::capture {

void ClockMap::Init(hsa_agent_t agent, Convert convert) {
  agent_ = agent;
  convert_ = convert;
  count_ = 0;
  newest_.tick = UINT64_MAX;
}

bool ClockMap::Ask(uint64_t tick, uint64_t* ns, double* ns_per_tick) const {
  // The two ticks are so far apart that rounding to nanoseconds does not change the rate.
  constexpr uint64_t kBaseTicks = uint64_t{1} << 20;
  const uint64_t base = tick > kBaseTicks ? tick - kBaseTicks : 0;
  uint64_t base_ns;
  // The later tick is converted first: this may make the runtime fit again, and both times must
  // come from one fit.
  if (convert_(agent_, tick, ns) != HSA_STATUS_SUCCESS) return false;
  if (convert_(agent_, base, &base_ns) != HSA_STATUS_SUCCESS) return false;
  if (base_ns >= *ns || base == tick) return false;
  *ns_per_tick = static_cast<double>(*ns - base_ns) / static_cast<double>(tick - base);
  return true;
}

bool ClockMap::StartFirst(uint64_t tick) {
  Piece& first = pieces_[0];
  if (!Ask(tick, &first.ns, &first.ns_per_tick)) return false;
  first.tick = tick;
  count_ = 1;
  answered_ = tick;
  newest_ = first;
  until_ = tick + static_cast<uint64_t>(kHorizonNs / first.ns_per_tick);
  return true;
}

bool ClockMap::StartNext(uint64_t tick) {
  uint64_t fit_ns;
  double rate;
  if (!Ask(tick, &fit_ns, &rate)) return false;
  Piece next;
  next.tick = answered_;
  next.ns = Covering(answered_).At(answered_);
  // Aims at the runtime's fit at `tick`, or one horizon after the start of the piece if `tick` is
  // nearer.
  const uint64_t horizon = static_cast<uint64_t>(kHorizonNs / rate);
  const uint64_t meet = std::max(tick, next.tick + horizon);
  const double meet_ns = static_cast<double>(fit_ns) - static_cast<double>(next.ns) +
                         static_cast<double>(meet - tick) * rate;
  const double slope = meet_ns / static_cast<double>(meet - next.tick);
  next.ns_per_tick = std::clamp(slope, rate / 2, rate * 2);
  pieces_[count_ % kPieces] = next;
  newest_ = next;
  ++count_;
  until_ = meet;
  return true;
}

const ClockMap::Piece& ClockMap::Oldest() const {
  return pieces_[(count_ > kPieces ? count_ - kPieces : 0) % kPieces];
}

// Returns the piece that contains the tick. The caller ensures that the tick is not before the
// oldest piece.
const ClockMap::Piece& ClockMap::Covering(uint64_t tick) const {
  for (uint64_t i = count_ - 1;; --i) {
    const Piece& piece = pieces_[i % kPieces];
    if (tick >= piece.tick) return piece;
  }
}

bool ClockMap::ToHost(uint64_t tick, uint64_t* ns) {
  if (count_ == 0 && !StartFirst(tick)) return false;
  if (tick < Oldest().tick) {
    if (convert_(agent_, tick, ns) != HSA_STATUS_SUCCESS) return false;
    *ns = std::min(*ns, Oldest().ns);
    return true;
  }
  if (tick > until_ && !StartNext(tick)) return false;
  answered_ = std::max(answered_, tick);
  *ns = Covering(tick).At(tick);
  return true;
}

}  // namespace rtl::capture
