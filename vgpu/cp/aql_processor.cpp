// SPDX-License-Identifier: MIT
#include "vgpu/cp/aql_processor.h"

#include <hsa/hsa_ext_amd.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "vgpu/clock/clock.h"
#include "vgpu/config/config.h"
#include "vgpu/config/log.h"
#include "vgpu/cp/pm4_engine.h"
#include "vgpu/mem/address_space.h"
#include "vgpu/queue/doorbell_watch.h"
#include "vgpu/queue/interrupts.h"

namespace vgpu {
namespace {

constexpr uint64_t kPacketBytes = 64;
constexpr uint64_t kPacketsBetweenLooks = 16;
constexpr uint32_t kMaxGroupBytes = 64 * 1024;
constexpr uint64_t kMaxWorkgroup = 1024;
constexpr uint16_t kTypeMask = 0xff;
constexpr size_t kVendorFormatByte = 2;
constexpr uint8_t kVendorIndirectBuffer = 1;
constexpr uint32_t kIndirectBufferDwords = 4;

// The vendor packet that carries a PM4 INDIRECT_BUFFER packet.
struct IndirectBufferPacket {
  uint16_t header;
  uint16_t vendor_header;
  uint32_t pm4[kIndirectBufferDwords];
  uint32_t dwords_left;
  uint32_t reserved[8];
  hsa_signal_t completion_signal;
};
static_assert(sizeof(IndirectBufferPacket) == kPacketBytes);

int64_t ValueOf(const amd_signal_t& signal) {
  return __atomic_load_n(&signal.value, __ATOMIC_ACQUIRE);
}

bool Meets(int64_t value, hsa_signal_condition32_t condition, int64_t reference) {
  switch (condition) {
    case HSA_SIGNAL_CONDITION_EQ:
      return value == reference;
    case HSA_SIGNAL_CONDITION_NE:
      return value != reference;
    case HSA_SIGNAL_CONDITION_LT:
      return value < reference;
    case HSA_SIGNAL_CONDITION_GTE:
      return value >= reference;
    default:
      return false;
  }
}

bool HasValidDimensions(const hsa_kernel_dispatch_packet_t& packet) {
  if (packet.workgroup_size_x == 0 || packet.workgroup_size_y == 0 ||
      packet.workgroup_size_z == 0) {
    return false;
  }
  const unsigned dimensions = packet.setup & 3;
  if (dimensions == 0 || packet.grid_size_x == 0) return false;
  if (dimensions > 1 && packet.grid_size_y == 0) return false;
  return dimensions < 3 || packet.grid_size_z != 0;
}

// The error of a dispatch, checked in the firmware's order.
std::optional<QueueError> FindError(const hsa_kernel_dispatch_packet_t& packet) {
  const uint64_t workgroup =
      uint64_t{packet.workgroup_size_x} * packet.workgroup_size_y * packet.workgroup_size_z;
  if (!HasValidDimensions(packet)) return QueueError::kDimensions;
  if (packet.group_segment_size > kMaxGroupBytes) return QueueError::kGroupMemory;
  if (packet.kernel_object == 0) return QueueError::kCodeObject;
  if (workgroup > kMaxWorkgroup) return QueueError::kWorkgroupSize;
  return std::nullopt;
}

// The driver's exception code for an error; 0: the firmware handles it. Only fault plans set the
// two bits that QueueError does not name.
uint32_t ExceptionOf(QueueError error) {
  constexpr auto kRegisters = static_cast<QueueError>(128);
  constexpr auto kVendorPacket = static_cast<QueueError>(256);
  static constexpr std::pair<QueueError, uint32_t> kCodes[] = {
      {QueueError::kTrap, 2},
      {QueueError::kIllegalInstruction, 4},
      {QueueError::kApertureViolation, 6},
      {QueueError::kDimensions, 16},
      {QueueError::kGroupMemory, 17},
      {QueueError::kCodeObject, 18},
      {QueueError::kPacket, 20},
      {QueueError::kWorkgroupSize, 21},
      {kRegisters, 22},
      {kVendorPacket, 23},
  };
  const auto* const found =
      std::ranges::find(kCodes, error, &std::pair<QueueError, uint32_t>::first);
  return found == std::end(kCodes) ? 0 : found->second;
}

// Errors that the trap handler of a wave reports. If the runtime takes them as exceptions of the
// driver, queue_inactive_signal does not change.
bool IsOfWave(QueueError error) { return error >= QueueError::kApertureViolation; }

amd_queue_t& AmdQueueOf(const Queue& queue) {
  auto* read_index = reinterpret_cast<uint8_t*>(queue.read_index);
  return *reinterpret_cast<amd_queue_t*>(read_index - offsetof(amd_queue_t, read_dispatch_id));
}

// Longer than the time between a packet's header and its doorbell ring, on a busy machine too.
constexpr uint64_t kLateRingNs = 1'000'000'000;

}  // namespace

AqlProcessor::AqlProcessor(Queue& queue, const AqlDevice& device)
    : queue_(queue),
      device_(device),
      amd_queue_(AmdQueueOf(queue)),
      slots_(queue.ring_size / kPacketBytes),
      index_(__atomic_load_n(queue.read_index, __ATOMIC_ACQUIRE)) {}

amd_signal_t* AqlProcessor::SignalAt(hsa_signal_t signal) const {
  return reinterpret_cast<amd_signal_t*>(
      Translate(queue_.gpu, signal.handle, sizeof(amd_signal_t)));
}

uint8_t* AqlProcessor::PacketAt(uint64_t index) const {
  return reinterpret_cast<uint8_t*>(queue_.ring + (index & (slots_ - 1)) * kPacketBytes);
}

// Pairs with the producer's release of the header, which follows the rest of the packet.
uint16_t AqlProcessor::HeaderAt(uint64_t index) const {
  return __atomic_load_n(reinterpret_cast<const uint16_t*>(PacketAt(index)), __ATOMIC_ACQUIRE);
}

AqlProcessor::Outcome AqlProcessor::ProcessNext() {
  uint8_t* const packet = PacketAt(index_);
  const uint16_t header = HeaderAt(index_);
  const unsigned type = header & kTypeMask;
  if (type == HSA_PACKET_TYPE_INVALID) return Outcome::kNotWritten;
  ForgetProcessMemory(queue_.gpu);
  Log(LogLevel::kPacket, "queue %u: packet %llu, header 0x%04x", queue_.id,
      static_cast<unsigned long long>(index_), header);
  if (device_.faults != nullptr) {
    if (const Outcome outcome = Inject(); outcome != Outcome::kDone) return outcome;
  }
  switch (type) {
    case HSA_PACKET_TYPE_KERNEL_DISPATCH:
      return Dispatch(*reinterpret_cast<hsa_kernel_dispatch_packet_t*>(packet));
    case HSA_PACKET_TYPE_BARRIER_AND:
      return BarrierAnd(*reinterpret_cast<hsa_barrier_and_packet_t*>(packet));
    case HSA_PACKET_TYPE_BARRIER_OR:
      return BarrierOr(*reinterpret_cast<hsa_barrier_or_packet_t*>(packet));
    case HSA_PACKET_TYPE_VENDOR_SPECIFIC:
      return Vendor(packet);
    default:
      Log(LogLevel::kError, "queue %u: packets of type %u are not modelled", queue_.id, type);
      return Report(QueueError::kPacket);
  }
}

// A kernel that was in the ring when its predecessor's modelled time ended starts at that end. The
// processor's own time between two packets is host time, not device time.
uint64_t AqlProcessor::KernelStart() {
  const uint64_t now = device_.now();
  const uint64_t follows = std::exchange(follows_at_, 0);
  return follows != 0 && now - follows < device_.dispatch_ns ? follows : now;
}

bool AqlProcessor::NextIsThere() const {
  const uint64_t next = index_ + 1;
  const uint64_t rung = __atomic_load_n(queue_.doorbell, __ATOMIC_ACQUIRE);
  if (next >= limit_ && (rung == kNotRung || rung < next)) return false;
  return (HeaderAt(next) & kTypeMask) == HSA_PACKET_TYPE_KERNEL_DISPATCH;
}

AqlProcessor::Outcome AqlProcessor::Dispatch(hsa_kernel_dispatch_packet_t& packet) {
  if (const auto error = FindError(packet)) return Report(*error);
  if (const Outcome outcome = ProvideScratch(packet); outcome != Outcome::kDone) return outcome;
  Span span;
  span.start = KernelStart();
  if (device_.run_kernels) {
    if (const Outcome outcome = RunKernel(packet); outcome != Outcome::kDone) return outcome;
  }
  span.end = device_.now();
  if (const uint64_t least = span.start + device_.dispatch_ns; span.end < least) {
    if (NextIsThere()) follows_at_ = least;
    if (!device_.wait_until(queue_, least)) return Outcome::kStopped;
    span.end = least;
  }
  queue_.dispatches.fetch_add(1, std::memory_order_relaxed);
  const bool has_private_memory = packet.private_segment_size != 0;
  const Outcome outcome = Finish(&packet, packet.completion_signal, span);
  return outcome == Outcome::kDone && has_private_memory ? ReturnScratch() : outcome;
}

AqlProcessor::Outcome AqlProcessor::ReportAndWait(QueueError error) {
  const hsa_signal_t inactive = amd_queue_.queue_inactive_signal;
  static_cast<void>(Report(error));
  amd_signal_t* signal = inactive.handle == 0 ? nullptr : SignalAt(inactive);
  if (signal == nullptr) return Outcome::kHalted;
  return PollUntil(queue_, [&] { return ValueOf(*signal) == 0; }) ? Outcome::kDone
                                                                  : Outcome::kStopped;
}

AqlProcessor::Outcome AqlProcessor::ProvideScratch(const hsa_kernel_dispatch_packet_t& packet) {
  while (packet.private_segment_size > amd_queue_.scratch_wave64_lane_byte_size) {
    // The runtime clears kScratch when it has memory, and leaves kScratch set when it has none.
    const Outcome outcome = ReportAndWait(QueueError::kScratch);
    if (outcome != Outcome::kDone) return outcome;
  }
  return Outcome::kDone;
}

// Scratch memory that is lent once is as large as this one dispatch needed. It is returned, because
// a later kernel with larger workgroups, but less private memory, would not ask for more.
AqlProcessor::Outcome AqlProcessor::ReturnScratch() {
  const uint32_t properties = __atomic_load_n(&amd_queue_.queue_properties, __ATOMIC_ACQUIRE);
  if ((properties & AMD_QUEUE_PROPERTIES_USE_SCRATCH_ONCE) == 0) [[likely]]
    return Outcome::kDone;
  return ReportAndWait(QueueError::kScratchIsFree);
}

AqlProcessor::Outcome AqlProcessor::RunKernel(const hsa_kernel_dispatch_packet_t& packet) {
  DispatchRequest request;
  request.packet = &packet;
  request.amd_queue = &amd_queue_;
  request.gpu = queue_.gpu;
  request.dispatch_id = index_;
  request.doorbell = queue_.doorbell_slot;
  request.stop = &queue_.stop;
  const DispatchResult result = device_.execute(request);
  if (result.code == DispatchResult::Code::kOk) [[likely]]
    return Outcome::kDone;
  return Fail(result);
}

AqlProcessor::Outcome AqlProcessor::Fail(const DispatchResult& result) {
  if (result.code == DispatchResult::Code::kStopped) return Outcome::kStopped;
  Log(LogLevel::kError, "queue %u: kernel of packet %llu: %s", queue_.id,
      static_cast<unsigned long long>(index_), result.message.c_str());
  switch (result.code) {
    case DispatchResult::Code::kMemoryFault:
      return MemoryFault(result.fault_va, result.fault_is_write);
    case DispatchResult::Code::kApertureViolation:
      return Report(QueueError::kApertureViolation);
    case DispatchResult::Code::kTrap:
      return Report(QueueError::kTrap);
    default:
      return Report(QueueError::kIllegalInstruction);
  }
}

AqlProcessor::Outcome AqlProcessor::BarrierAnd(hsa_barrier_and_packet_t& packet) {
  const uint64_t start = device_.now();
  for (const hsa_signal_t dependency : packet.dep_signal) {
    if (dependency.handle == 0) continue;
    const amd_signal_t* signal = SignalAt(dependency);
    if (signal == nullptr) return MemoryFault(dependency.handle, false);
    if (!PollUntil(queue_, [&] { return ValueOf(*signal) == 0; })) return Outcome::kStopped;
  }
  return Finish(&packet, packet.completion_signal, {start, device_.now()});
}

AqlProcessor::Outcome AqlProcessor::BarrierOr(hsa_barrier_or_packet_t& packet) {
  const uint64_t start = device_.now();
  const amd_signal_t* signals[std::size(packet.dep_signal)];
  size_t count = 0;
  for (const hsa_signal_t dependency : packet.dep_signal) {
    if (dependency.handle == 0) continue;
    signals[count] = SignalAt(dependency);
    if (signals[count++] == nullptr) return MemoryFault(dependency.handle, false);
  }
  const auto satisfied = [&] {
    const auto is_zero = [](const amd_signal_t* signal) { return ValueOf(*signal) == 0; };
    return count == 0 || std::any_of(signals, signals + count, is_zero);
  };
  if (!PollUntil(queue_, satisfied)) return Outcome::kStopped;
  return Finish(&packet, packet.completion_signal, {start, device_.now()});
}

AqlProcessor::Outcome AqlProcessor::Vendor(uint8_t* packet) {
  const uint8_t format = packet[kVendorFormatByte];
  switch (format) {
    case kVendorIndirectBuffer:
      return IndirectBuffer(packet);
    case HSA_AMD_PACKET_TYPE_BARRIER_VALUE:
      return BarrierValue(packet);
    default:
      Log(LogLevel::kError, "queue %u: vendor packets of format %u are not modelled", queue_.id,
          format);
      return Report(QueueError::kPacket);
  }
}

AqlProcessor::Outcome AqlProcessor::BarrierValue(uint8_t* bytes) {
  auto& packet = *reinterpret_cast<hsa_amd_barrier_value_packet_t*>(bytes);
  const uint64_t start = device_.now();
  if (packet.signal.handle != 0) {
    const amd_signal_t* signal = SignalAt(packet.signal);
    if (signal == nullptr) return MemoryFault(packet.signal.handle, false);
    const auto satisfied = [&] {
      return Meets(ValueOf(*signal) & packet.mask, packet.cond, packet.value);
    };
    if (!PollUntil(queue_, satisfied)) return Outcome::kStopped;
  }
  return Finish(&packet, packet.completion_signal, {start, device_.now()});
}

AqlProcessor::Outcome AqlProcessor::IndirectBuffer(uint8_t* bytes) {
  auto& packet = *reinterpret_cast<IndirectBufferPacket*>(bytes);
  const uint64_t start = device_.now();
  if (!device_.execute_pm4(queue_, packet.pm4, kIndirectBufferDwords)) {
    const bool stopping = queue_.stop.load(std::memory_order_relaxed);
    return stopping ? Outcome::kStopped : Report(QueueError::kPacket);
  }
  return Finish(&packet, packet.completion_signal, {start, device_.now()});
}

AqlProcessor::Outcome AqlProcessor::Inject() {
  FaultInjector& faults = *device_.faults;
  if (!faults.Stall(queue_, index_)) return Outcome::kStopped;
  if (const uint64_t bits = faults.QueueError(queue_, index_); bits != 0) {
    return Report(static_cast<QueueError>(bits));
  }
  const uint64_t address = faults.PageFault(queue_, index_);
  return address == 0 ? Outcome::kDone : MemoryFault(address, false);
}

// How planned faults change the completion signal of the packet that was just retired.
AqlProcessor::Written AqlProcessor::SpoiltBy(FaultInjector* faults) const {
  const uint64_t packet = index_ - 1;
  return {.later_ns = faults->ClockJump(queue_, packet),
          .no_times = faults->LeavesTimesOut(queue_, packet),
          .no_completion = faults->LosesCompletion(queue_, packet)};
}

CompletionEntry* AqlProcessor::LogCompletion(uint16_t header, hsa_signal_t signal,
                                             const Span& span) const {
  if (device_.completions == nullptr) return nullptr;
  return device_.completions->Add({
      .queue = queue_.id,
      .gpu = static_cast<uint16_t>(queue_.gpu),
      .packet_type = static_cast<uint16_t>(header & kTypeMask),
      .packet = index_,
      .start_ticks = device_.ticks_at(span.start),
      .end_ticks = device_.ticks_at(span.end),
      .signal = signal.handle,
  });
}

AqlProcessor::Outcome AqlProcessor::Finish(void* packet, hsa_signal_t handle, const Span& span) {
  amd_signal_t* signal = nullptr;
  if (handle.handle != 0) {
    signal = SignalAt(handle);
    if (signal == nullptr) return MemoryFault(handle.handle, true);
  }
  if (device_.faults != nullptr && !device_.faults->Delay(queue_, index_)) return Outcome::kStopped;
  CompletionEntry* const entry = LogCompletion(*static_cast<uint16_t*>(packet), handle, span);
  const auto note_time = [&] {
    if (entry != nullptr) __atomic_store_n(&entry->completed_ns, device_.now(), __ATOMIC_RELAXED);
  };
  // The slot is free before the completion becomes visible.
  __atomic_store_n(static_cast<uint16_t*>(packet), uint16_t{HSA_PACKET_TYPE_INVALID},
                   __ATOMIC_RELEASE);
  __atomic_store_n(queue_.read_index, ++index_, __ATOMIC_RELEASE);
  queue_.packets.fetch_add(1, std::memory_order_relaxed);
  if (signal == nullptr) {
    note_time();
    return Outcome::kDone;
  }

  const Written written = device_.faults == nullptr ? Written{} : SpoiltBy(device_.faults);
  if (written.no_completion) return Outcome::kDone;
  if (!written.no_times &&
      (amd_queue_.queue_properties & AMD_QUEUE_PROPERTIES_ENABLE_PROFILING) != 0) {
    // Atomic stores, because a host may read the times before it sees the signal's new value.
    __atomic_store_n(&signal->start_ts, device_.ticks_at(span.start + written.later_ns),
                     __ATOMIC_RELAXED);
    __atomic_store_n(&signal->end_ts, device_.ticks_at(span.end + written.later_ns),
                     __ATOMIC_RELAXED);
  }
  // Everything that the interrupt needs is read before the decrement: a thread that waits for the
  // value may free the signal.
  const uint64_t mailbox = signal->event_mailbox_ptr;
  const uint32_t event_id = signal->event_id;
  __atomic_fetch_sub(&signal->value, 1, __ATOMIC_ACQ_REL);
  note_time();
  Interrupt(mailbox, event_id);
  return Outcome::kDone;
}

void AqlProcessor::Interrupt(uint64_t mailbox, uint32_t event_id) const {
  if (mailbox == 0) return;
  auto* slot = reinterpret_cast<uint64_t*>(Translate(queue_.gpu, mailbox, sizeof(uint64_t)));
  if (slot == nullptr) {
    device_.raise_memory_fault(queue_.gpu, mailbox, true);
    return;
  }
  __atomic_store_n(slot, uint64_t{event_id}, __ATOMIC_RELEASE);
  device_.raise_event(event_id);
}

AqlProcessor::Outcome AqlProcessor::Report(QueueError error) {
  const uint32_t code = ExceptionOf(error);
  if (code != 0 && device_.raise_exception(queue_, code) && IsOfWave(error)) {
    return Outcome::kHalted;
  }
  const hsa_signal_t inactive = amd_queue_.queue_inactive_signal;
  if (inactive.handle == 0) return Outcome::kHalted;  // the runtime takes no errors
  amd_signal_t* signal = SignalAt(inactive);
  if (signal == nullptr) return MemoryFault(inactive.handle, true);
  const uint64_t mailbox = signal->event_mailbox_ptr;
  const uint32_t event_id = signal->event_id;
  __atomic_fetch_or(&signal->value, static_cast<int64_t>(error), __ATOMIC_ACQ_REL);
  Interrupt(mailbox, event_id);
  return Outcome::kHalted;
}

AqlProcessor::Outcome AqlProcessor::MemoryFault(uint64_t va, bool write) {
  device_.raise_memory_fault(queue_.gpu, va, write);
  return Outcome::kHalted;
}

// Waits until there is a packet to read. False, when the queue is to stop instead.
bool AqlProcessor::Announced() {
  while (index_ >= limit_) {
    if (doorbell_seen_ != kNotRung) {
      const uint64_t written = WrittenEnd();
      if (written > limit_ && QuietFor(queue_, doorbell_seen_, kLateRingNs)) {
        limit_ = written;
        break;
      }
    }
    if (!device_.wait_for_doorbell(queue_, doorbell_seen_, &doorbell_seen_)) return false;
    if (device_.faults != nullptr && !device_.faults->LateDoorbell(queue_)) return false;
    // Producers may ring out of order, so the value may also go down.
    limit_ = std::max(limit_, doorbell_seen_ + 1);
  }
  return WaitWhilePaused(queue_);
}

// The end of the packets that are written without a gap. The doorbell holds one value: a late ring
// for an earlier packet may overwrite the ring for a later one before the device sees it. So if
// packets are written when the device sees a late ring, they start after kLateRingNs without a ring
// of their own. They do not start at once, and packets that are written later wait for a ring:
// until the doorbell rings, a layer between the program and the queue may still change a packet.
uint64_t AqlProcessor::WrittenEnd() const {
  const uint64_t written = __atomic_load_n(queue_.write_index, __ATOMIC_ACQUIRE);
  const uint64_t end = std::min(written, index_ + slots_);  // slots beyond `end` are only reserved
  uint64_t index = limit_;
  while (index < end && (HeaderAt(index) & kTypeMask) != HSA_PACKET_TYPE_INVALID) ++index;
  return index;
}

void AqlProcessor::Run() {
  Backoff backoff;
  while (Announced()) {
    switch (ProcessNext()) {
      case Outcome::kDone:
        backoff.Reset();
        if (index_ % kPacketsBetweenLooks == 0) LookForSleepers();
        break;
      case Outcome::kNotWritten:
        // The producer of a later packet rang first.
        if (queue_.stop.load(std::memory_order_relaxed)) return;
        backoff.Pause();
        break;
      case Outcome::kHalted:
      case Outcome::kStopped:
        return;
    }
  }
}

void RunAqlQueue(Queue& queue, FaultInjector* faults, CompletionLog* completions) {
  const AqlDevice device = {
      .execute = &ExecuteDispatch,
      .execute_pm4 = &ExecutePm4,
      .raise_event = &RaiseEvent,
      .raise_exception = &RaiseException,
      .raise_memory_fault = &RaiseMemoryFault,
      .now = &HostRawNs,
      .wait_for_doorbell = &WaitForDoorbell,
      .wait_until = &WaitUntil,
      .ticks_at = &TicksAt,
      .run_kernels = GetConfig().execute,
      .dispatch_ns = GetConfig().dispatch_ns,
      .faults = faults,
      .completions = completions,
  };
  AqlProcessor(queue, device).Run();
}

}  // namespace vgpu
