// SPDX-License-Identifier: MIT
// aql_test_support.h: for tests: an AQL queue in memory of the virtual GPU, on a device whose other
// parts are fake.
//
// Threads    the test's; ProcessWhile adds one
#pragma once

#include <gtest/gtest.h>
#include <hsa/hsa_ext_amd.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "vgpu/cp/aql_processor.h"
#include "vgpu/mem/address_space.h"

namespace vgpu::aql_test {

using Outcome = AqlProcessor::Outcome;

inline constexpr int kGpu = 0;
inline constexpr uint64_t kSlots = 8;
inline constexpr uint64_t kUnmapped = 0x5000'0000'0000;

// The fake device's behaviour and the calls that it received. Reset by every test.
struct FakeDevice {
  std::function<DispatchResult(const DispatchRequest&)> kernel;
  bool pm4_result = true;
  std::vector<std::vector<uint32_t>> pm4;
  std::vector<uint32_t> events;
  std::vector<uint64_t> faults;
  std::vector<uint32_t> exceptions;
  bool takes_exceptions = false;
  std::vector<uint64_t> dispatch_ids;
  uint64_t now = 1000;
  bool stop_in_wait = false;
  std::atomic<int> doorbell_waits{0};  // how often the queue has begun to wait
};
inline FakeDevice* g_fake = nullptr;

inline AqlDevice MakeDevice() {
  AqlDevice device;
  device.execute = [](const DispatchRequest& request) {
    g_fake->dispatch_ids.push_back(request.dispatch_id);
    return g_fake->kernel ? g_fake->kernel(request) : DispatchResult{};
  };
  device.execute_pm4 = [](Queue&, const uint32_t* ib, uint32_t dwords) {
    g_fake->pm4.emplace_back(ib, ib + dwords);
    return g_fake->pm4_result;
  };
  device.raise_event = [](uint32_t id) { g_fake->events.push_back(id); };
  device.raise_exception = [](const Queue&, uint32_t code) {
    g_fake->exceptions.push_back(code);
    return g_fake->takes_exceptions;
  };
  device.raise_memory_fault = [](int, uint64_t va, bool) { g_fake->faults.push_back(va); };
  device.now = [] { return g_fake->now; };
  device.wait_for_doorbell = [](Queue& queue, uint64_t seen, uint64_t* value) {
    ++g_fake->doorbell_waits;
    return WaitForDoorbell(queue, seen, value);
  };
  device.wait_until = [](Queue&, uint64_t raw_ns) {
    g_fake->now = raw_ns;
    return !g_fake->stop_in_wait;
  };
  device.ticks_at = [](uint64_t raw_ns) { return raw_ns / 10; };
  return device;
}

// Everything that the device reaches, in one struct that is mapped at its own address.
struct alignas(64) SharedMemory {
  uint8_t ring[kSlots * 64];
  amd_queue_t queue;
  amd_signal_t signals[8];
  uint64_t mailboxes[8];
  uint64_t doorbell;
};

class Aql : public ::testing::Test {
 protected:
  Aql() : memory_(std::make_unique<SharedMemory>()) {
    g_fake = &fake_;
    std::memset(static_cast<void*>(memory_.get()), 0, sizeof(SharedMemory));
    memory_->doorbell = ~uint64_t{0};
    for (uint64_t i = 0; i < kSlots; ++i) SetHeader(i, HSA_PACKET_TYPE_INVALID);
    auto* host = reinterpret_cast<uint8_t*>(memory_.get());
    EXPECT_TRUE(MapRange(kGpu, Address(host), sizeof(SharedMemory), host));
    queue_.id = 1;
    queue_.gpu = kGpu;
    queue_.ring = Address(memory_->ring);
    queue_.ring_size = sizeof(memory_->ring);
    queue_.read_index = const_cast<uint64_t*>(&memory_->queue.read_dispatch_id);
    queue_.write_index = const_cast<uint64_t*>(&memory_->queue.write_dispatch_id);
    queue_.doorbell = &memory_->doorbell;
    memory_->queue.queue_inactive_signal = Signal(7, 0, 107);
  }
  ~Aql() override { (void)UnmapRange(kGpu, 0, ~uint64_t{0}); }

  template <class T>
  static uint64_t Address(T* pointer) {
    return reinterpret_cast<uint64_t>(pointer);
  }

  // Signal number `i`, with an event if event_id is not 0.
  hsa_signal_t Signal(int i, int64_t value, uint32_t event_id = 0) {
    amd_signal_t& signal = memory_->signals[i];
    signal.kind = AMD_SIGNAL_KIND_USER;
    signal.value = value;
    signal.event_id = event_id;
    signal.event_mailbox_ptr = event_id == 0 ? 0 : Address(&memory_->mailboxes[i]);
    return {Address(&signal)};
  }
  int64_t ValueOf(int i) { return __atomic_load_n(&memory_->signals[i].value, __ATOMIC_ACQUIRE); }
  void SetValue(int i, int64_t value) {
    __atomic_store_n(&memory_->signals[i].value, value, __ATOMIC_RELEASE);
  }
  int64_t InactiveValue() { return ValueOf(7); }

  uint8_t* Slot(uint64_t index) { return memory_->ring + index % kSlots * 64; }
  uint16_t HeaderAt(uint64_t index) {
    return __atomic_load_n(reinterpret_cast<uint16_t*>(Slot(index)), __ATOMIC_ACQUIRE);
  }
  void SetHeader(uint64_t index, uint16_t header) {
    __atomic_store_n(reinterpret_cast<uint16_t*>(Slot(index)), header, __ATOMIC_RELEASE);
  }

  // Writes the packet at the write index. Its first two bytes are the header.
  template <class Packet>
  void Put(const Packet& packet) {
    static_assert(sizeof(Packet) == 64);
    const uint64_t index = memory_->queue.write_dispatch_id;
    uint16_t header;
    std::memcpy(&header, &packet, sizeof(header));
    std::memcpy(Slot(index) + 2, reinterpret_cast<const uint8_t*>(&packet) + 2, 62);
    SetHeader(index, header);
    __atomic_store_n(&memory_->queue.write_dispatch_id, index + 1, __ATOMIC_RELEASE);
  }
  void RingDoorbell() {
    __atomic_store_n(&memory_->doorbell, memory_->queue.write_dispatch_id - 1, __ATOMIC_RELEASE);
  }
  uint64_t ReadIndex() { return __atomic_load_n(queue_.read_index, __ATOMIC_ACQUIRE); }

  static hsa_kernel_dispatch_packet_t Kernel(hsa_signal_t done = {0}) {
    hsa_kernel_dispatch_packet_t packet{};
    packet.header = HSA_PACKET_TYPE_KERNEL_DISPATCH;
    packet.setup = 1;
    packet.workgroup_size_x = 64;
    packet.workgroup_size_y = 1;
    packet.workgroup_size_z = 1;
    packet.grid_size_x = 64;
    packet.grid_size_y = 1;
    packet.grid_size_z = 1;
    packet.kernel_object = 0x1000;
    packet.completion_signal = done;
    return packet;
  }
  static hsa_barrier_and_packet_t Barrier(uint16_t type, std::vector<hsa_signal_t> dependencies,
                                          hsa_signal_t done = {0}) {
    hsa_barrier_and_packet_t packet{};
    packet.header = type;
    for (size_t i = 0; i < dependencies.size(); ++i) packet.dep_signal[i] = dependencies[i];
    packet.completion_signal = done;
    return packet;
  }
  static hsa_amd_barrier_value_packet_t BarrierValue(hsa_signal_t signal, uint32_t condition,
                                                     int64_t value, int64_t mask = -1) {
    hsa_amd_barrier_value_packet_t packet{};
    packet.header.header = HSA_PACKET_TYPE_VENDOR_SPECIFIC;
    packet.header.AmdFormat = HSA_AMD_PACKET_TYPE_BARRIER_VALUE;
    packet.signal = signal;
    packet.cond = condition;
    packet.value = value;
    packet.mask = mask;
    return packet;
  }

  AqlProcessor Processor() { return AqlProcessor(queue_, device_); }

  // Processes one packet that waits for a condition, which `release` then makes true.
  Outcome ProcessWhile(const std::function<void()>& release) {
    Outcome outcome = Outcome::kHalted;
    AqlProcessor processor = Processor();
    std::thread thread([&] { outcome = processor.ProcessNext(); });
    release();
    thread.join();
    return outcome;
  }

  std::unique_ptr<SharedMemory> memory_;
  FakeDevice fake_;
  AqlDevice device_ = MakeDevice();
  Queue queue_;
};

}  // namespace vgpu::aql_test
