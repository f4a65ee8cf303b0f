// SPDX-License-Identifier: MIT
#include "capture/hsa/ring_guard.h"

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

}  // namespace

void RingGuard::Init(const HsaApi* api, uint32_t ring_size, const hsa_signal_t* signals) {
  *this = RingGuard();
  api_ = api;
  // The packet processor may publish its read index a little later than it completes a signal.
  const uint32_t margin = std::clamp(ring_size / 16, 2u, 64u);
  limit_ = ring_size - margin;
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

void RingGuard::WaitOldest() {
  for (int spins = 0; !OldestDone(); ++spins) {
    if (spins < kSpins) {
      __builtin_ia32_pause();
      continue;
    }
    // An eighth of the ring has to drain: a nap is short against that, and leaves the processor to
    // others. Cut short by a signal handler it is only shorter.
    const timespec nap = {0, kNapNs};
    (void)nanosleep(&nap, nullptr);
  }
  RetireOldest();
}

bool RingGuard::AdmitSlow(uint64_t count, bool may_insert, AqlPacket* checkpoint) {
  const bool insert = may_insert && written_ + count > next_checkpoint_;
  const uint64_t needed = count + (insert ? 1 : 0);
  while (oldest_ != newest_ && OldestDone()) {
    RetireOldest();
  }
  while (oldest_ != newest_ &&
         (written_ + needed > done_ + limit_ || newest_ - oldest_ == kCheckpoints)) {
    WaitOldest();
  }
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
  quiet_until_ = std::min(next_checkpoint_, done_ + limit_);
  return insert;
}

}  // namespace rtl::capture
