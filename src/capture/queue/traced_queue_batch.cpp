// SPDX-License-Identifier: MIT
// The part of the packet hook for several packets at once: those of a graph, or those that the
// application wrote before it rang the doorbell. Once per batch, on the application's thread, under
// the runtime's lock of the queue.
#include <string.h>
#include <sys/mman.h>

#include <algorithm>

#include "capture/queue/forwarder.h"
#include "capture/queue/traced_queue.h"
#include "capture/roctx/pause.h"

namespace rtl::capture {

TracedQueue::~TracedQueue() {
  if (batch_ != nullptr) (void)munmap(batch_, batch_size_ * sizeof(AqlPacket));
}

[[gnu::cold]] void TracedQueue::OnBatch(const void* packets, uint64_t count, uint64_t user_index,
                                        PacketWriter write) {
  if (services_->counting != nullptr && guard_.enabled() && !guard_.given_up())
    return CountBatch(packets, count, user_index, write);
  PassBatch(packets, count, user_index, write);
  if (watcher_ != nullptr) TellShown(user_index, count);
}

void TracedQueue::PassBatch(const void* packets, uint64_t count, uint64_t user_index,
                            PacketWriter write) {
  if (Pause::Active() && !hook_state_->ToolsWant())
    return SkipBatch(packets, count, Loss::kPaused, write);
  if (!services_->whole_batches) return SkipBatch(packets, count, Loss::kBatch, write);
  AqlPacket* const copy = CopyBatch(packets, count);
  if (copy == nullptr) return SkipBatch(packets, count, Loss::kBacklog, write);
  RecordBatch(copy, count, user_index, write);
}

// The packets in one piece of writable memory, with room for one more in front of them. Null: no
// memory.
AqlPacket* TracedQueue::CopyBatch(const void* packets, uint64_t count) {
  if (count + 1 > batch_size_) {
    // Rare: a batch is never longer than the ring, and the memory is kept.
    const uint64_t size = std::max<uint64_t>(2 * count, kFirstBatch);
    void* const memory = mmap(nullptr, size * sizeof(AqlPacket), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    if (batch_ != nullptr) (void)munmap(batch_, batch_size_ * sizeof(AqlPacket));
    batch_ = static_cast<AqlPacket*>(memory);
    batch_size_ = size;
  }
  AqlPacket* const copy = batch_ + 1;
  const uint64_t first = BeforeWrap(packets, count);
  memcpy(copy, packets, first * sizeof(AqlPacket));
  if (first < count) memcpy(copy + first, ring_, (count - first) * sizeof(AqlPacket));
  return copy;
}

// As for single packets, but the packets go to the runtime in one call and their entries to the
// worker together.
void TracedQueue::RecordBatch(AqlPacket* packets, uint64_t count, uint64_t user_index,
                              PacketWriter write) {
  uint64_t kernels = 0;
  uint64_t forwards = 0;
  uint64_t lost[kLossCount] = {};
  for (uint64_t i = 0; i < count; ++i) {
    if (IsTaken(packets[i])) {
      ++kernels;
      CountMissed(Loss::kTakenEarly, 1);
      continue;
    }
    Pending* entry = nullptr;
    if (IsBarrier(packets[i])) NoteBarrier(packets[i], user_index + i);
    if (IsKernelDispatch(packets[i])) {
      ++kernels;
      Loss loss;
      hsa_kernel_dispatch_packet_t& packet = packets[i].dispatch;
      entry = Attach(packet, user_index + i, &packet.completion_signal, &loss);
      if (entry == nullptr) ++lost[static_cast<size_t>(loss)];
      if (!CountSeen(1) && entry != nullptr) {
        entry->accounted = Accounted::kYes;
      } else if (entry != nullptr && watcher_ != nullptr) {
        TellWatcher(entry);
      }
    } else if (services_->barriers && IsBarrier(packets[i])) {
      entry = AttachBarrier(&packets[i], user_index + i);
    } else {
      services_->app_signals->BeforeReuse(packets[i].barrier.completion_signal);
      MarkUnknown(packets[i].barrier.completion_signal);
    }
    if (entry == nullptr) continue;
    if (entry->completion == Completion::kForward) ++forwards;
    chain_.Stage();
  }
  const bool checkpoint = guard_.enabled() && guard_.Admit(count, true, packets - 1);
  in_hook_.store(Hook::kHandsOn, std::memory_order_relaxed);  // before the device has the packets
  write(checkpoint ? packets - 1 : packets, count + (checkpoint ? 1 : 0));
  other_.store(other_.load(std::memory_order_relaxed) + (count - kernels),
               std::memory_order_relaxed);
  for (size_t i = 0; i < kLossCount; ++i) {
    CountLoss(static_cast<Loss>(i), lost[i]);
  }
  // Counted first: a reader that sees the entries then knows that their signals are pending.
  forwards_.store(forwards_.load(std::memory_order_relaxed) + forwards, std::memory_order_relaxed);
  chain_.PublishStaged();
  if (forwards != 0) services_->forwarder->Ring();
  if (chain_.Deep()) services_->bell->Ring();
}

// The packets are written byte for byte. Some runtimes pass a piece of the ring and ignore its end.
void TracedQueue::SkipBatch(const void* packets, uint64_t count, Loss why, PacketWriter write) {
  uint64_t kernels = 0;
  uint64_t barriers = 0;
  uint64_t taken = 0;
  const uint64_t first = BeforeWrap(packets, count);
  const AqlPacket* packet = static_cast<const AqlPacket*>(packets);
  for (uint64_t i = 0; i < count; ++i, ++packet) {
    if (i == first) packet = ring_;
    if (IsTaken(*packet)) {
      ++taken;
      continue;
    }
    if (IsKernelDispatch(*packet)) ++kernels;
    if (IsBarrier(*packet)) ++barriers;
    services_->app_signals->BeforeReuse(packet->barrier.completion_signal);
    MarkUnknown(packet->barrier.completion_signal);
  }
  CountMissed(Loss::kTakenEarly, taken);
  (void)CountSeen(kernels);  // otherwise the losses are not counted, either
  (void)CountBarriers(barriers);
  PassThrough(packets, count, write);
  other_.store(other_.load(std::memory_order_relaxed) + (count - kernels - taken),
               std::memory_order_relaxed);
  CountLoss(why, kernels);
  CountBarrierLoss(why, barriers);
}

// How many of these packets are before the end of the ring; all of them in other memory.
uint64_t TracedQueue::BeforeWrap(const void* packets, uint64_t count) const {
  const uintptr_t at = reinterpret_cast<uintptr_t>(packets);
  const uintptr_t begin = reinterpret_cast<uintptr_t>(ring_);
  const uintptr_t end = begin + ring_size_ * sizeof(AqlPacket);
  if (ring_ == nullptr || at < begin || at >= end) return count;
  return std::min<uint64_t>(count, (end - at) / sizeof(AqlPacket));
}

uint64_t TracedQueue::Count(const void* packets, uint64_t count,
                            bool (*is)(const AqlPacket&)) const {
  const uint64_t first = BeforeWrap(packets, count);
  const AqlPacket* packet = static_cast<const AqlPacket*>(packets);
  uint64_t found = 0;
  for (uint64_t i = 0; i < count; ++i, ++packet) {
    if (i == first) packet = ring_;
    if (is(*packet)) ++found;
  }
  return found;
}

// For the process alone: the counters of this queue may be final.
void TracedQueue::CountLate(EventKind kind, uint64_t packets) {
  if (packets == 0 || hook_state_->leaving.load(std::memory_order_relaxed)) return;
  services_->sink->CountSeen(kind, packets);
  services_->sink->CountLoss(kind, hook_state_->WhyDisarmed(), packets);
}

// Tracing has ended, or this is the child of a fork. The child shares a page of counters with its
// parent and may touch nothing else.
void TracedQueue::PassDisarmed(const void* packets, uint64_t count, PacketWriter write) {
  CountLate(EventKind::kKernel, Count(packets, count, &IsKernelDispatch));
  if (services_->barriers) CountLate(EventKind::kBarrier, Count(packets, count, &IsBarrier));
  NoteLate(count);
  PassThrough(packets, count, write);
}

void TracedQueue::PassUnwanted(const void* packets, uint64_t count, PacketWriter write) {
  const uint64_t first = BeforeWrap(packets, count);
  const AqlPacket* packet = static_cast<const AqlPacket*>(packets);
  for (uint64_t i = 0; i < count; ++i, ++packet) {
    if (i == first) packet = ring_;
    OnUnwanted(*packet);
  }
  NoteLate(count);
  PassThrough(packets, count, write);
}

void TracedQueue::PassThrough(const void* packets, uint64_t count, PacketWriter write) {
  if (count == 1) return Submit(*static_cast<const AqlPacket*>(packets), write);
  AqlPacket unused;
  if (guard_.enabled()) (void)guard_.Admit(count, false, &unused);  // false: never inserts
  const uint64_t first = BeforeWrap(packets, count);
  if (first == count) return write(packets, count);
  // In one call and unchanged: the runtime keeps packets without room, and later calls would
  // overtake them.
  if (const AqlPacket* const whole = CopyBatch(packets, count)) return write(whole, count);
  write(packets, first);
  write(ring_, count - first);
}

}  // namespace rtl::capture
