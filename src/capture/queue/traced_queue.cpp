// SPDX-License-Identifier: MIT
#include "capture/queue/traced_queue.h"

#include <sched.h>
#include <string.h>
#include <time.h>

#include <algorithm>
#include <type_traits>

#include "base/clock.h"
#include "base/sched_point.h"
#include "base/self_kept_clock.h"
#include "base/thread_state.h"
#include "capture/counters/kernel_counting.h"
#include "capture/hip/open_call.h"
#include "capture/queue/forwarder.h"
#include "capture/queue/submission_watcher.h"
#include "capture/roctx/pause.h"
#include "capture/signal/signal_marks.h"
#include "capture/signal/signal_times.h"

namespace rtl::capture {
namespace {

[[gnu::cold]] void GridOfClusters(const hsa_kernel_dispatch_packet_t& packet, uint32_t* grid) {
  ExtendedDispatch extended;
  memcpy(&extended, &packet, sizeof(extended));
  const uint32_t clusters[3] = {extended.clusters_x, extended.clusters_y, extended.clusters_z};
  for (int i = 0; i < 3; ++i) {
    grid[i] = clusters[i] * extended.cluster_size[i] * extended.workgroup[i];
  }
}

}  // namespace

// Marks the hook as running. Stop disarms the hooks, makes every processor execute a barrier
// (membarrier), and then waits until no hook is marked. If Stop does not see the mark of a hook,
// that hook sees that it is disarmed. So the hook itself needs no barrier; only its two
// instructions must stay in order.
class TracedQueue::HookScope {
 public:
  explicit HookScope(TracedQueue& queue) : queue_(queue) {
    queue_.in_hook_.store(Hook::kInside, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    armed_ = queue_.hook_state_->armed.load(std::memory_order_relaxed);
  }
  ~HookScope() { queue_.in_hook_.store(Hook::kOutside, std::memory_order_release); }
  HookScope(const HookScope&) = delete;
  HookScope& operator=(const HookScope&) = delete;
  bool armed() const { return armed_; }

 private:
  TracedQueue& queue_;
  bool armed_;
};

// HOT: once per AQL submission, on the application's thread, under the queue's lock (the runtime's
// own, or the doorbell's). No further lock, no heap, no system call while signals are ready.
void TracedQueue::OnPackets(const void* packets, uint64_t count, uint64_t user_index, void* data,
                            PacketWriter write) {
  TracedQueue& queue = *static_cast<TracedQueue*>(data);
  const HookScope scope(queue);
  RTL_SCHED_POINT("hook.armed");
  if (!scope.armed()) [[unlikely]] {
    return queue.PassDisarmed(packets, count, write);
  }
  if (queue.hook_state_->Quiet()) [[unlikely]] {
    return queue.PassUnwanted(packets, count, write);
  }
  if (count != 1) [[unlikely]] {
    return queue.OnBatch(packets, count, user_index, write);
  }
  queue.OnOne(*static_cast<const AqlPacket*>(packets), user_index, write);
}

// HOT: once per submission of a single packet; the rules of OnPackets apply.
[[gnu::always_inline]] inline void TracedQueue::OnOne(const AqlPacket& packet, uint64_t index,
                                                      PacketWriter write) {
  if (!IsKernelDispatch(packet)) return OnOther(packet, index, write);

  AqlPacket copy;
  memcpy(&copy, &packet, sizeof(copy));
  Loss loss;
  Pending* const entry = Attach(packet.dispatch, index, &copy.dispatch.completion_signal, &loss);
  // Counted first, because the kernel may end the process.
  if (!counts_.CountSubmitted(1) && entry != nullptr) [[unlikely]] {
    entry->accounted = Accounted::kYes;
  }
  if (watcher_ != nullptr) [[unlikely]] {
    if (entry != nullptr && !entry->IsAccounted()) TellWatcher(entry);
    TellShown(index, 1);
  }
  if (services_->counting != nullptr) [[unlikely]] {
    SubmitCounted(copy, entry, write);
  } else {
    Submit(copy, write);
  }
  if (entry == nullptr) [[unlikely]] {
    return counts_.CountLoss(loss, 1);
  }
  RTL_SCHED_POINT("hook.submitted");
  Publish(*entry);  // after the write, so that the worker never waits for unsent packets
}

// Waits until the hardware ring has room. A thread that fills the ring may be the only one that
// lets the GPU continue, so the wait is bounded. After it times out, this queue's kernels are not
// counted any more, and the runtime keeps packets that find no room.
[[gnu::cold]] bool TracedQueue::WaitForRing() {
  constexpr uint64_t kNeeded = KernelCounting::kMostPackets + 2;
  if (guard_.given_up()) return false;
  const uint64_t limit = BootTimeNs() + services_->counting->bound_ns();
  while (!guard_.HasRoomNow(kNeeded)) {
    if (BootTimeNs() >= limit) {
      guard_.GiveUp();
      return false;
    }
    constexpr timespec nap = {0, 100'000};
    (void)nanosleep(&nap, nullptr);  // if interrupted, the loop checks once more
  }
  return true;
}

// Submits a kernel together with the packets that read its counters.
[[gnu::cold]] void TracedQueue::SubmitCounted(const AqlPacket& packet, Pending* entry,
                                              PacketWriter write) {
  KernelCounting& counting = *services_->counting;
  const bool known = entry != nullptr && !entry->IsAccounted();
  DispatchRecord kernel;
  if (known) kernel = RecordOf(*entry, identity_.queue);
  if (entry != nullptr) entry->counting = 0;
  // A queue that is traced at its doorbell and not moved has room for this packet only.
  const bool countable = moved != nullptr || (guard_.enabled() && WaitForRing());
  if (!countable) {
    if (known)
      counting.Uncountable(kernel, identity_,
                           guard_.enabled() ? Loss::kBacklog : Loss::kNotCountable);
    return Submit(packet, write);
  }
  AqlPacket packets[KernelCounting::kMostPackets + 1];
  uint32_t job = 0;
  const uint32_t count =
      counting.Surround(packet, known ? &kernel : nullptr, identity_, packets + 1, &job);
  if (entry != nullptr) entry->counting = job;
  const bool checkpoint = guard_.enabled() && guard_.Admit(count, true, packets);
  in_hook_.store(Hook::kHandsOn, std::memory_order_relaxed);  // before the device has the packet
  write(checkpoint ? packets : packets + 1, count + (checkpoint ? 1 : 0));
}

// Writes a batch packet by packet, each with room ensured by the ring's guard.
[[gnu::cold]] void TracedQueue::CountBatch(const void* packets, uint64_t count, uint64_t user_index,
                                           PacketWriter write) {
  const AqlPacket* const copy = ring_.Copy(packets, count);
  if (copy == nullptr) return SkipBatch(packets, count, Loss::kBacklog, write);
  for (uint64_t i = 0; i < count; ++i) OnOne(copy[i], user_index + i, write);
}

// HOT: decides how the end of this kernel will be detected, and remembers the packet. `completion`
// gets the signal with which the packet must be submitted. Returns null if the kernel's end will
// not be known, for the reason `loss`; `completion` is then unchanged.
template <typename Packet>
Pending* TracedQueue::Attach(const Packet& packet, uint64_t index, hsa_signal_t* completion,
                             Loss* loss) {
  const hsa_signal_t own = packet.completion_signal;
  if (own.handle != 0) Mark(own);
  constexpr bool kKernel = std::is_same_v<Packet, hsa_kernel_dispatch_packet_t>;
  if (own.handle != 0 && services_->lite && !(kKernel && hook_state_->ToolsWant())) {
    *loss = Loss::kHasSignal;
    return nullptr;
  }
  const bool paused = Pause::Active();
  if (paused && !(kKernel && hook_state_->ToolsWant())) [[unlikely]] {
    services_->app_signals->BeforeReuse(own);
    *loss = Loss::kPaused;
    return nullptr;
  }
  // Lost kernels get numbers, too, so that the numbers of other kernels do not depend on losses.
  uint64_t number = 0;
  if (kKernel && !paused)
    number = hook_state_->launches.fetch_add(1, std::memory_order_relaxed) + 1;
  const uint64_t now = process_clock.line().NowNs();
  if (worker_.Stalled(now)) [[unlikely]] {
    services_->app_signals->BeforeReuse(own);
    *loss = Loss::kStalled;
    return nullptr;
  }
  Pending* entry = chain_.Reserve();
  if (entry == nullptr && worker_.WaitForRoom(chain_)) entry = chain_.Reserve();
  if (entry == nullptr) [[unlikely]] {
    services_->app_signals->BeforeReuse(own);
    *loss = Loss::kBacklog;
    return nullptr;
  }
  chain_.Number(number);
  if (own.handle != 0) {
    entry->app_signal = own;
    if (!services_->always_forward && services_->app_signals->Register(entry)) {
      entry->completion = Completion::kInPlace;
      entry->signal = own;
      Fill(entry, packet, index, now);
      if (paused) [[unlikely]]
        entry->flags |= kInFlightPaused;
      return entry;
    }
  }
  if (!signals_.Take(&entry->signal)) [[unlikely]] {
    services_->app_signals->BeforeReuse(own);
    *loss = Loss::kNoSignal;
    return nullptr;
  }
  // Stored long before the whole packet is copied, because a copy soon after would wait for this
  // store.
  *completion = entry->signal;
  entry->completion = own.handle == 0 ? Completion::kPooled : Completion::kForward;
  Fill(entry, packet, index, now);
  if (paused) [[unlikely]]
    entry->flags |= kInFlightPaused;
  if (entry->completion == Completion::kForward) services_->forwarder->Add(entry);
  return entry;
}

template Pending* TracedQueue::Attach(const hsa_kernel_dispatch_packet_t&, uint64_t, hsa_signal_t*,
                                      Loss*);
template Pending* TracedQueue::Attach(const hsa_barrier_and_packet_t&, uint64_t, hsa_signal_t*,
                                      Loss*);

void TracedQueue::Fill(Pending* entry, const hsa_kernel_dispatch_packet_t& packet, uint64_t index,
                       uint64_t now) {
  entry->submitted = now;
  entry->packet = index;
  entry->grid[0] = packet.grid_size_x;
  entry->grid[1] = packet.grid_size_y;
  entry->grid[2] = packet.grid_size_z;
  if ((LoadHeader(packet) & kPacketTypeMask) != HSA_PACKET_TYPE_KERNEL_DISPATCH) [[unlikely]] {
    GridOfClusters(packet, entry->grid);
  }
  entry->segment_bytes.group = packet.group_segment_size;
  entry->segment_bytes.work_item = packet.private_segment_size;
  entry->kernel = kernels_.KernelFor(packet.kernel_object);
  entry->workgroup[0] = packet.workgroup_size_x;
  entry->workgroup[1] = packet.workgroup_size_y;
  entry->workgroup[2] = packet.workgroup_size_z;
  uint16_t flags = (LoadHeader(packet) & kPacketBarrierBit) != 0 ? kDispatchFlagBarrierBit : 0;
  if (entry->HasOwnSignal()) flags |= kDispatchFlagOwnSignal;
  entry->flags = flags;
  FillOrigin(entry, index);
  entry->BeInFlight();
}

[[gnu::cold]] void TracedQueue::Fill(Pending* entry, const hsa_barrier_and_packet_t& packet,
                                     uint64_t index, uint64_t now) {
  entry->submitted = now;
  entry->packet = index;
  FillBarrier(entry, packet);
  FillOrigin(entry, index);
  entry->BeInFlight();
}

// Fills in the thread that reserved the packet, which is not always the thread that rings.
void TracedQueue::FillOrigin(Pending* entry, uint64_t index) {
  PacketOrigin origin;
  if (services_->origins == nullptr || !origins_.Find(index, &origin)) {
    origin.thread = shown_for_ == 0 ? ThreadId::Current() : shown_for_;
    origin.correlation = OpenCall::Recorded();
    origin.tool_correlation = OpenCall::Correlation();
  }
  entry->thread = origin.thread;
  entry->SetCorrelation(origin.correlation);
  // Set also without a watcher, because a watcher may be set before the entry is used.
  entry->tool_correlation = origin.tool_correlation;
  entry->ticket = 0;
}

// Called before the packet is written: a thread that sees this signal change may conclude that this
// packet, and the packets before it, have ended.
void TracedQueue::Mark(hsa_signal_t signal) {
  if (services_->marks == nullptr || !LooksLikeSignal(signal)) return;
  services_->marks->Submitted(signal, IsUserSignal(signal)
                                          ? LoadValue(signal)
                                          : services_->api->signal_load_relaxed(signal));
}

// Mark for a packet whose layout is uncertain, so that the value at the signal's offset may not be
// a signal.
[[gnu::cold]] void TracedQueue::MarkUnknown(hsa_signal_t signal) {
  if (services_->marks == nullptr || !LooksLikeSignal(signal)) return;
  // with this value the first load of the signal reports, whatever it reads
  services_->marks->Submitted(signal, INT32_MAX);
}

[[gnu::cold]] void TracedQueue::TellWatcher(Pending* entry) {
  DispatchRecord kernel = RecordOf(*entry, identity_.queue);
  kernel.correlation = entry->tool_correlation;
  entry->ticket = watcher_->KernelSubmitted(kernel, identity_);
}

// Called after the watcher has got these packets.
[[gnu::cold]] void TracedQueue::TellShown(uint64_t index, uint64_t count) {
  if (services_->origins == nullptr) return;
  for (uint64_t i = index; i != index + count; ++i) {
    PacketOrigin origin;
    if (origins_.Find(i, &origin) && origin.tool_correlation != 0)
      watcher_->PacketShown(origin.tool_correlation);
  }
}

void TracedQueue::Publish(const Pending& entry) {
  if (chain_.FarBehind()) [[unlikely]] {
    services_->bell->Ring();
  }
  if (entry.completion != Completion::kForward) return chain_.Publish();
  // Counted before publishing: a reader that sees the entry then knows that its signal is pending.
  forwards_.store(forwards_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  chain_.Publish();
  services_->forwarder->Ring();  // a thread may be waiting for this signal
}

void TracedQueue::Submit(const AqlPacket& packet, PacketWriter write) {
  AqlPacket guarded[2];
  const bool checkpoint = guard_.enabled() && guard_.Admit(1, true, &guarded[0]);
  in_hook_.store(Hook::kHandsOn, std::memory_order_relaxed);  // before the device has the packet
  if (!checkpoint) return write(&packet, 1);
  guarded[1] = packet;
  write(guarded, 2);  // one call, because older runtimes lose their position if a hook writes twice
}

void TracedQueue::OnOther(const AqlPacket& packet, uint64_t index, PacketWriter write) {
  if (watcher_ != nullptr) TellShown(index, 1);
  if (IsTaken(packet)) {
    counts_.CountMissed(Loss::kTakenEarly, 1);
    return Submit(packet, write);
  }
  if (IsBarrier(packet)) NoteBarrier(packet, index);
  if (services_->barriers && IsBarrier(packet)) return OnBarrier(packet, index, write);
  counts_.CountOther(1);
  services_->app_signals->BeforeReuse(packet.barrier.completion_signal);
  IsBarrier(packet) ? Mark(packet.barrier.completion_signal)
                    : MarkUnknown(packet.barrier.completion_signal);
  Submit(packet, write);
}

[[gnu::cold]] void TracedQueue::OnMissed(Loss why, uint64_t packets) {
  const HookScope scope(*this);
  if (scope.armed()) return counts_.CountMissed(why, packets);
  OnLate(packets, packets);
}

TracedQueue::Missed TracedQueue::FindMissed(uint64_t read, uint64_t written) const {
  const uint64_t shown = counts_.counted();
  const uint64_t end = ring_.begin() == nullptr ? 0 : std::min(written, read + ring_.size());
  return {.taken_early = read > shown ? read - shown : 0,
          .not_rung = ring_.CountKernels(std::max(read, shown), end)};
}

bool TracedQueue::Open(QueueServices* services, QueueCounter* submitted, uint32_t size) {
  services_ = services;
  hook_state_ = services->state;
  watcher_ = services->watcher;
  counts_.Open(hook_state_, services->sink, submitted, services->barriers);
  worker_.Open(hook_state_, services->bell, services->stall_ns, services->room_wait_ns);
  if (!chain_.Init(services->pending_limit, services->in_flight)) return false;
  if (services->origins != nullptr && !origins_.Open(size, watcher_ != nullptr)) return false;
  kernels_.Init(services->kernels);
  signals_.Open(services->pool, services->bell);
  return true;
}

void TracedQueue::Start(const QueueIdentity& identity, const hsa_queue_t& queue,
                        const hsa_signal_t* guard_signals) {
  identity_ = identity;
  counts_.Serve(identity.queue);
  chain_.Serve(identity.queue);
  ring_.Serve(queue);
  if (guard_signals != nullptr) guard_.Init(services_->api, queue.size, guard_signals);
  state_.store(State::kLive, std::memory_order_release);
}

void TracedQueue::Close(uint64_t now) {
  closed_at_ = now;
  state_.store(State::kDead, std::memory_order_release);
}

void TracedQueue::ReleaseSignals(SignalPool* pool) {
  signals_.Release(pool);
  if (!guard_.enabled()) return;
  hsa_signal_t signals[RingGuard::kCheckpoints];
  uint32_t done;
  guard_.Close(signals, &done);
  for (uint32_t i = 0; i < RingGuard::kCheckpoints; ++i) {
    if (i < done) {
      pool->Reset(signals[i]);
      pool->Put(&signals[i], 1);
    } else {
      pool->Destroy(signals[i]);
    }
  }
}

}  // namespace rtl::capture
