// SPDX-License-Identifier: MIT
// Records barrier packets, on request. A barrier is followed like a kernel: by its own completion
// signal, or by a signal of the tracer if it has none.
#include <string.h>

#include <algorithm>

#include "base/thread_state.h"
#include "capture/hip/open_call.h"
#include "capture/queue/forwarder.h"
#include "capture/queue/traced_queue.h"
#include "model/records.h"

namespace rtl::capture {
namespace {

BarrierKind KindOf(const AqlPacket& packet) {
  if (IsBarrierValue(packet)) return BarrierKind::kValue;
  const bool is_and = (LoadHeader(packet) & kPacketTypeMask) == HSA_PACKET_TYPE_BARRIER_AND;
  return is_and ? BarrierKind::kAnd : BarrierKind::kOr;
}

uint32_t CountDependencies(const AqlPacket& packet, BarrierKind kind) {
  if (kind == BarrierKind::kValue) {
    hsa_amd_barrier_value_packet_t value;
    memcpy(&value, &packet, sizeof value);
    return value.signal.handle != 0 ? 1 : 0;
  }
  return static_cast<uint32_t>(
      std::count_if(std::begin(packet.barrier.dep_signal), std::end(packet.barrier.dep_signal),
                    [](hsa_signal_t signal) { return signal.handle != 0; }));
}

}  // namespace

void TracedQueue::OnBarrier(AqlPacket packet, uint64_t index, PacketWriter write) {
  Pending* const entry = AttachBarrier(&packet, index);
  counts_.CountOther(1);
  Submit(packet, write);
  if (entry == nullptr) return;
  chain_.Stage();
  const bool forward = entry->completion == Completion::kForward;
  // Counted before publishing: a reader that sees the entry then knows that its signal is pending.
  if (forward) {
    forwards_.store(forwards_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  chain_.PublishStaged();  // after the write, as for a kernel
  if (forward) services_->forwarder->Ring();
  if (chain_.Deep()) services_->bell->Ring();
}

// Notes the signals that the barrier waits for, because they may explain why the queue is stalled.
void TracedQueue::NoteBarrier(const AqlPacket& packet, uint64_t index) {
  PacketOrigin origin;
  if (services_->origins != nullptr && origins_.Find(index, &origin) && origin.correlation != 0 &&
      origin.thread == ThreadId::Current()) {
    OpenCall::NoteBarrier(origin.correlation);
  }
  if (services_->in_flight == nullptr) return;
  const BarrierKind kind = KindOf(packet);
  if (CountDependencies(packet, kind) == 0) return;
  constexpr size_t kValueSignalAt = 8;  // in the layout of AMD's barrier packet
  const char* const at = reinterpret_cast<const char*>(&packet);
  const bool value = kind == BarrierKind::kValue;
  hsa_signal_t signals[5];
  memcpy(signals, at + (value ? kValueSignalAt : offsetof(hsa_barrier_and_packet_t, dep_signal)),
         sizeof(signals));
  chain_.NoteBarrier(index, static_cast<uint64_t>(kind), signals, value ? 1 : 5);
}

// Attaches the barrier and counts it as seen. Returns null if the barrier is lost; the packet is
// then unchanged.
Pending* TracedQueue::AttachBarrier(AqlPacket* packet, uint64_t index) {
  Loss loss;
  Pending* const entry = Attach(packet->barrier, index, &packet->barrier.completion_signal, &loss);
  if (!counts_.CountBarriers(1) && entry != nullptr) entry->accounted = Accounted::kYes;
  if (entry == nullptr) counts_.CountBarrierLoss(loss, 1);
  return entry;
}

void TracedQueue::FillBarrier(Pending* entry, const hsa_barrier_and_packet_t& barrier) {
  AqlPacket packet;
  memcpy(&packet, &barrier, sizeof packet);
  const BarrierKind kind = KindOf(packet);
  entry->kernel = kNoKernelBarrier;
  entry->barrier = {kind, 0, CountDependencies(packet, kind)};
  uint16_t flags = (LoadHeader(packet) & kPacketBarrierBit) != 0 ? kDispatchFlagBarrierBit : 0;
  if (entry->HasOwnSignal()) flags |= kDispatchFlagOwnSignal;
  entry->flags = flags;
}

}  // namespace rtl::capture
