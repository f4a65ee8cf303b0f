// SPDX-License-Identifier: MIT
// Handles several packets at once: the packets of a graph, or all packets that the application
// wrote before it rang the doorbell. Once per batch, on the application's thread, under the
// runtime's lock of the queue.
#include <string.h>
#include <sys/mman.h>

#include <algorithm>

#include "capture/queue/forwarder.h"
#include "capture/queue/traced_queue.h"
#include "capture/roctx/pause.h"

namespace rtl::capture {

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
  AqlPacket* const copy = ring_.Copy(packets, count);
  if (copy == nullptr) return SkipBatch(packets, count, Loss::kBacklog, write);
  RecordBatch(copy, count, user_index, write);
}

// Records each packet like a single one, but passes the packets to the runtime in one call, and
// publishes their entries together.
void TracedQueue::RecordBatch(AqlPacket* packets, uint64_t count, uint64_t user_index,
                              PacketWriter write) {
  uint64_t kernels = 0;
  uint64_t forwards = 0;
  uint64_t lost[kLossCount] = {};
  for (uint64_t i = 0; i < count; ++i) {
    if (IsTaken(packets[i])) {
      ++kernels;
      counts_.CountMissed(Loss::kTakenEarly, 1);
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
      if (!counts_.CountSubmitted(1) && entry != nullptr) {
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
  counts_.CountOther(count - kernels);
  for (size_t i = 0; i < kLossCount; ++i) {
    counts_.CountLoss(static_cast<Loss>(i), lost[i]);
  }
  // Counted before publishing: a reader that sees the entries then knows that their signals are
  // pending.
  forwards_.store(forwards_.load(std::memory_order_relaxed) + forwards, std::memory_order_relaxed);
  chain_.PublishStaged();
  if (forwards != 0) services_->forwarder->Ring();
  if (chain_.Deep()) services_->bell->Ring();
}

// Writes the packets unchanged and counts their kernels as lost. Some runtimes pass a piece of the
// ring as if it did not wrap around the ring's end.
void TracedQueue::SkipBatch(const void* packets, uint64_t count, Loss why, PacketWriter write) {
  uint64_t kernels = 0;
  uint64_t barriers = 0;
  uint64_t taken = 0;
  ring_.ForEach(packets, count, [&](const AqlPacket& packet) {
    if (IsTaken(packet)) {
      ++taken;
      return;
    }
    if (IsKernelDispatch(packet)) ++kernels;
    if (IsBarrier(packet)) ++barriers;
    services_->app_signals->BeforeReuse(packet.barrier.completion_signal);
    MarkUnknown(packet.barrier.completion_signal);
  });
  counts_.CountMissed(Loss::kTakenEarly, taken);
  (void)counts_.CountSubmitted(
      kernels);  // if the counters are final, the losses are not counted either
  (void)counts_.CountBarriers(barriers);
  PassThrough(packets, count, write);
  counts_.CountOther(count - kernels - taken);
  counts_.CountLoss(why, kernels);
  counts_.CountBarrierLoss(why, barriers);
}

// Called when tracing has ended, or in the child of a fork. The child shares a page of counters
// with its parent and may touch nothing else of it.
void TracedQueue::PassDisarmed(const void* packets, uint64_t count, PacketWriter write) {
  uint64_t kernels = 0;
  uint64_t barriers = 0;
  ring_.ForEach(packets, count, [&](const AqlPacket& packet) {
    if (IsKernelDispatch(packet)) ++kernels;
    if (IsBarrier(packet)) ++barriers;
  });
  if (services_->barriers) counts_.CountLate(EventKind::kBarrier, barriers);
  OnLate(count, kernels);
  PassThrough(packets, count, write);
}

void TracedQueue::PassUnwanted(const void* packets, uint64_t count, PacketWriter write) {
  ring_.ForEach(packets, count, [&](const AqlPacket& packet) { OnUnwanted(packet); });
  counts_.NotePassed(count);
  PassThrough(packets, count, write);
}

void TracedQueue::PassThrough(const void* packets, uint64_t count, PacketWriter write) {
  if (count == 1) return Submit(*static_cast<const AqlPacket*>(packets), write);
  AqlPacket unused;
  // always false: no checkpoint may be inserted
  if (guard_.enabled()) (void)guard_.Admit(count, false, &unused);
  const uint64_t first = ring_.BeforeWrap(packets, count);
  if (first == count) return write(packets, count);
  // The packets are written unchanged in one call, because the runtime keeps packets that find no
  // room, and packets of later calls would overtake them.
  if (const AqlPacket* const whole = ring_.Copy(packets, count)) return write(whole, count);
  write(packets, first);
  write(ring_.begin(), count - first);
}

}  // namespace rtl::capture
