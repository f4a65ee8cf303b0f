// SPDX-License-Identifier: MIT
// The rings of SDMA queues.
#include <cinttypes>

#include "vgpu/config/gpu_model.h"
#include "vgpu/config/log.h"
#include "vgpu/cp/sdma_engine.h"
#include "vgpu/cp/sdma_packet.h"
#include "vgpu/queue/interrupts.h"

namespace vgpu {
namespace {

constexpr uint64_t kWordBytes = sizeof(uint32_t);

// The ring of one queue: positions are word numbers that only grow.
class SdmaRing {
 public:
  explicit SdmaRing(Queue& queue)
      : queue_(queue), count_bits_(GetGpuModel().sdma_count_bits), engine_(queue, count_bits_) {
    words_.base = reinterpret_cast<const uint32_t*>(queue.ring);
    words_.mask = queue.ring_size / kWordBytes - 1;
    position_ = __atomic_load_n(queue.read_index, __ATOMIC_RELAXED) / kWordBytes;
    limit_ = position_;
  }

  void Run() {
    uint64_t needed = 1;  // words that the next packet is known to have
    while (WaitForWords(needed)) {
      const SdmaDecoded decoded =
          DecodeSdmaPacket(words_, position_, limit_ - position_, count_bits_);
      needed = decoded.words;
      if (decoded.status == SdmaDecoded::Status::kIncomplete) continue;
      if (decoded.status == SdmaDecoded::Status::kInvalid) return Refuse(decoded.problem);
      if (!Execute(decoded)) return;
      needed = 1;
    }
  }

 private:
  // Waits until `needed` words are there and the queue is not paused. False: the queue is to stop.
  bool WaitForWords(uint64_t needed) {
    while (limit_ - position_ < needed) {
      uint64_t value = 0;
      if (!WaitForDoorbell(queue_, doorbell_, &value)) return false;
      doorbell_ = value;
      // The host rings with byte offsets. An older value that arrives late changes nothing.
      if (value / kWordBytes > limit_) limit_ = value / kWordBytes;
    }
    return WaitWhilePaused(queue_);
  }

  // False when the queue is to end.
  bool Execute(const SdmaDecoded& decoded) {
    Log(LogLevel::kPacket, "SDMA queue %u: %s (%08x) at byte %" PRIu64, queue_.id,
        SdmaPacketName(words_.At(position_)), words_.At(position_), position_ * kWordBytes);
    const PacketOutcome outcome = engine_.Execute(decoded.packet, words_);
    switch (outcome.code) {
      case PacketOutcome::Code::kDone:
        break;
      case PacketOutcome::Code::kStopped:
        return false;
      case PacketOutcome::Code::kPageFault:
        Log(LogLevel::kError,
            "SDMA queue %u: page fault at 0x%" PRIx64 " (%s) in %s; the queue halts", queue_.id,
            outcome.fault_va, outcome.fault_is_write ? "write" : "read",
            SdmaPacketName(words_.At(position_)));
        RaiseMemoryFault(queue_.gpu, outcome.fault_va, outcome.fault_is_write);
        return false;
      case PacketOutcome::Code::kBadPacket:
        Refuse(outcome.problem);
        return false;
    }
    position_ += decoded.words + outcome.skip;
    queue_.packets.fetch_add(1, std::memory_order_relaxed);
    // Hands the words back: the host acquires the index before it overwrites them.
    __atomic_store_n(queue_.read_index, position_ * kWordBytes, __ATOMIC_RELEASE);
    return true;
  }

  // Halts the queue. A memory exception is the only error of this engine that reaches a runtime, so
  // a packet that cannot be executed is reported as a memory exception at the packet's address.
  void Refuse(const char* problem) {
    const uint32_t header = words_.At(position_);
    Log(LogLevel::kError,
        "SDMA queue %u: %s packet (%08x) at byte %" PRIu64 ": %s; the queue halts", queue_.id,
        SdmaPacketName(header), header, position_ * kWordBytes, problem);
    RaiseMemoryFault(queue_.gpu, queue_.ring + (position_ & words_.mask) * kWordBytes, false);
  }

  Queue& queue_;
  const int count_bits_;
  SdmaEngine engine_;
  SdmaWords words_;
  uint64_t position_ = 0;  // of the next packet
  uint64_t limit_ = 0;     // one past the last word that the host has announced
  uint64_t doorbell_ = 0;  // last value seen
};

}  // namespace

void RunSdmaQueue(Queue& queue) { SdmaRing(queue).Run(); }

}  // namespace vgpu
