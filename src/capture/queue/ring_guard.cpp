// SPDX-License-Identifier: MIT
#include "capture/queue/ring_guard.h"

#include <string.h>
#include <time.h>

#include <algorithm>

namespace rtl::capture {
namespace {

constexpr uint16_t kCheckpointHeader =
    (HSA_PACKET_TYPE_BARRIER_AND << HSA_PACKET_HEADER_TYPE) |
    (HSA_FENCE_SCOPE_NONE << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE) |
    (HSA_FENCE_SCOPE_NONE << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE);

constexpr int kSpins = 256;
constexpr long kNapNs = 20'000;
constexpr int kPatience = kSpins + 200;  // about 10 ms, after which a read index is published
constexpr uint64_t kLeastMargin = 1;     // the runtime treats a ring as full one packet early

}  // namespace

void RingGuard::Init(const HsaApi* api, uint32_t ring_size, const hsa_signal_t* signals) {
  *this = RingGuard();
  api_ = api;
  ring_ = ring_size;
  margin_ = std::clamp(ring_size / 16, 2u, 64u);
  interval_ = ring_size / kCheckpoints;
  next_checkpoint_ = interval_;
  quiet_until_ = next_checkpoint_;
  memcpy(signals_, signals, sizeof(signals_));
}

void RingGuard::Close(hsa_signal_t* signals, uint32_t* done) {
  while (oldest_ != newest_ && OldestDone()) {
    RetireOldest();
  }
  *done = kCheckpoints - (newest_ - oldest_);
  for (uint32_t i = 0; i < kCheckpoints; ++i) {
    signals[i] = signals_[(newest_ + i) % kCheckpoints];
  }
  *this = RingGuard();
}

bool RingGuard::OldestDone() const {
  return api_->signal_load_scacquire(signals_[oldest_ % kCheckpoints]) < 1;
}

void RingGuard::RetireOldest() {
  const uint32_t i = oldest_ % kCheckpoints;
  done_ = index_[i];
  api_->signal_store_relaxed(signals_[i], 1);
  ++oldest_;
}

// Waits until `count` packets have room. If no checkpoint is in flight, there is nothing to wait
// for.
void RingGuard::WaitForRoom(uint64_t count) {
  uint64_t margin = done_ == 0 ? kLeastMargin : margin_;
  for (int pauses = 0; oldest_ != newest_ && !HasRoom(count, margin); ++pauses) {
    if (OldestDone()) {
      RetireOldest();
      margin = margin_;
      pauses = 0;
    } else if (pauses < kSpins) {
      __builtin_ia32_pause();
    } else {
      // A nap is short compared with the time in which an eighth of the ring drains, and it leaves
      // the processor to other threads. A signal handler only shortens the nap.
      const timespec nap = {0, kNapNs};
      (void)nanosleep(&nap, nullptr);
      if (pauses == kPatience) margin = kLeastMargin;
    }
  }
}

bool RingGuard::HasRoomNow(uint64_t count) {
  if (written_ + count <= quiet_until_) return true;
  while (oldest_ != newest_ && OldestDone()) {
    RetireOldest();
  }
  return oldest_ == newest_ || HasRoom(count, done_ == 0 ? kLeastMargin : margin_);
}

bool RingGuard::AdmitSlow(uint64_t count, bool may_insert, AqlPacket* checkpoint) {
  while (oldest_ != newest_ && OldestDone()) {
    RetireOldest();
  }
  const bool has_signal = newest_ - oldest_ < kCheckpoints;
  const bool insert = may_insert && has_signal && written_ + count > next_checkpoint_;
  const uint64_t needed = count + (insert ? 1 : 0);
  WaitForRoom(needed);
  if (insert) {
    const uint32_t i = newest_ % kCheckpoints;
    *checkpoint = AqlPacket();
    checkpoint->barrier.header = kCheckpointHeader;
    checkpoint->barrier.completion_signal = signals_[i];
    index_[i] = written_;
    ++newest_;
    next_checkpoint_ = written_ + interval_;
  }
  written_ += needed;
  quiet_until_ = std::min(next_checkpoint_, done_ + ring_ - margin_);
  return insert;
}

}  // namespace rtl::capture
