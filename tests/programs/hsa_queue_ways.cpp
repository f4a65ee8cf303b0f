// SPDX-License-Identifier: MIT
// Queues with a priority, with a compute unit mask, without a GPU, refused; packets that are no
// kernels; and a queue that is destroyed while kernels wait on it.
// usage: hsa_queue_ways [soft]: the one without a GPU, else the others
#include "hsa_support.h"

using namespace programs;

namespace {

constexpr int kKernels = 10;
constexpr uint32_t kMaskBits = 64;
constexpr uint32_t kMask[kMaskBits / 32] = {0xff, 0};

void Run(const Machine& machine, hsa_queue_t* queue, int kernels, const char* what) {
  uint32_t* code = EmptyKernel(machine);
  const hsa_signal_t done = CreateSignal(kernels);
  hsa_kernel_dispatch_packet_t kernel = Dispatch(code, 64, 64);
  kernel.completion_signal = done;
  for (int i = 0; i < kernels; ++i) Submit(queue, kernel, kDispatchHeader);
  WaitForZero(done);
  Expect(hsa_signal_load_scacquire(done) == 0, what);
  HSA_CHECK(hsa_signal_destroy(done));
  Free(code);
}

void Priorities(const Machine& machine) {
  hsa_queue_t* queue = CreateQueue(machine, 64);
  HSA_CHECK(hsa_amd_queue_set_priority(queue, HSA_AMD_QUEUE_PRIORITY_HIGH));
  Run(machine, queue, kKernels, "kernels ran on a queue of high priority");
  const auto none = static_cast<hsa_amd_queue_priority_t>(77);
  const hsa_status_t answer = hsa_amd_queue_set_priority(queue, none);
  // HSA 1.21 accepts it.
  std::printf("priority 77 is %s\n", answer == HSA_STATUS_SUCCESS ? "accepted" : "refused");
  HSA_CHECK(hsa_queue_destroy(queue));
}

void Masks(const Machine& machine) {
  hsa_queue_t* queue = CreateQueue(machine, 64);
  HSA_CHECK(hsa_amd_queue_cu_set_mask(queue, kMaskBits, kMask));
  uint32_t got[kMaskBits / 32] = {};
  HSA_CHECK(hsa_amd_queue_cu_get_mask(queue, kMaskBits, got));
  std::printf("the queue has the compute units 0x%x 0x%x\n", got[0], got[1]);
  Run(machine, queue, kKernels, "kernels ran on them");
  Expect(hsa_amd_queue_cu_set_mask(queue, 33, kMask) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
         "a mask of 33 bits is refused");
  HSA_CHECK(hsa_queue_destroy(queue));
}

void Refusals(const Machine& machine) {
  hsa_queue_t* queue = nullptr;
  const auto create = [&](uint32_t packets) {
    return hsa_queue_create(machine.gpu, packets, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr,
                            UINT32_MAX, UINT32_MAX, &queue);
  };
  Expect(create(100) == HSA_STATUS_ERROR_INVALID_ARGUMENT, "a ring of 100 packets is refused");
  Expect(create(0) == HSA_STATUS_ERROR_INVALID_ARGUMENT, "a ring of none is refused");
  Expect(create(1u << 30) != HSA_STATUS_SUCCESS, "a ring of 64 GB is refused");
  Expect(hsa_queue_create(machine.gpu, 64, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, UINT32_MAX,
                          UINT32_MAX, nullptr) == HSA_STATUS_ERROR_INVALID_ARGUMENT,
         "a queue without a result pointer is refused");
}

hsa_status_t AddRegion(hsa_region_t region, void* data) {
  hsa_region_segment_t segment;
  HSA_CHECK(hsa_region_get_info(region, HSA_REGION_INFO_SEGMENT, &segment));
  uint32_t flags = 0;
  HSA_CHECK(hsa_region_get_info(region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags));
  const bool fine = (flags & HSA_REGION_GLOBAL_FLAG_FINE_GRAINED) != 0;
  if (segment != HSA_REGION_SEGMENT_GLOBAL || !fine) return HSA_STATUS_SUCCESS;
  *static_cast<hsa_region_t*>(data) = region;
  return HSA_STATUS_INFO_BREAK;
}

// The program reads the packets itself.
void SoftQueue(const Machine& machine) {
  hsa_region_t region = {};
  HSA_CHECK(hsa_agent_iterate_regions(machine.cpu, AddRegion, &region));
  const hsa_signal_t doorbell = CreateSignal(-1);
  hsa_queue_t* queue = nullptr;
  HSA_CHECK(hsa_soft_queue_create(region, 64, HSA_QUEUE_TYPE_MULTI,
                                  HSA_QUEUE_FEATURE_AGENT_DISPATCH, doorbell, &queue));
  hsa_agent_dispatch_packet_t packet = {};
  packet.arg[0] = 4711;
  Submit(queue, packet, HSA_PACKET_TYPE_AGENT_DISPATCH << HSA_PACKET_HEADER_TYPE);
  const auto* there = static_cast<const hsa_agent_dispatch_packet_t*>(queue->base_address);
  Expect(hsa_signal_load_scacquire(doorbell) == 0 && there->arg[0] == 4711,
         "a queue without a GPU holds its packet and its doorbell was rung");
  HSA_CHECK(hsa_queue_destroy(queue));
  HSA_CHECK(hsa_signal_destroy(doorbell));
}

// An AQL vendor packet that contains only PM4 no-ops.
struct Pm4Packet {
  uint16_t header, vendor_header;
  uint32_t commands[4];
  uint32_t remaining_dwords;
  uint32_t reserved[8];
  hsa_signal_t completion_signal;
};

void OtherPackets(const Machine& machine) {
  hsa_queue_t* queue = CreateQueue(machine, 64);
  for (int i = 0; i < 3; ++i) {
    uint32_t* nothing = Allocate<uint32_t>(machine, machine.system, 1024);
    nothing[0] = 3u << 30 | 0x10u << 8;  // one no-op of two words
    const auto va = reinterpret_cast<uint64_t>(nothing);
    const hsa_signal_t done = CreateSignal(1);
    Pm4Packet packet = {};
    packet.vendor_header = 1;
    packet.commands[0] = 3u << 30 | 2u << 16 | 0x3fu << 8;
    packet.commands[1] = static_cast<uint32_t>(va);
    packet.commands[2] = static_cast<uint32_t>(va >> 32);
    packet.commands[3] = 2u | 1u << 23;
    packet.remaining_dwords = 10;
    packet.completion_signal = done;
    Submit(queue, packet, HSA_PACKET_TYPE_VENDOR_SPECIFIC << HSA_PACKET_HEADER_TYPE);
    WaitForZero(done);
    HSA_CHECK(hsa_signal_destroy(done));
    Free(nothing);
  }
  Run(machine, queue, kKernels, "kernels ran behind packets that are none");
  HSA_CHECK(hsa_queue_destroy(queue));
}

void GoesWithWork(const Machine& machine) {
  uint32_t* code = EmptyKernel(machine);
  hsa_queue_t* queue = CreateQueue(machine, 64);
  const hsa_signal_t gate = CreateSignal(1);
  const hsa_signal_t done = CreateSignal(1);
  const hsa_signal_t never = CreateSignal(kKernels);
  hsa_kernel_dispatch_packet_t kernel = Dispatch(code, 64, 64);
  kernel.completion_signal = done;
  Submit(queue, kernel, kDispatchHeader);
  WaitForZero(done);
  hsa_barrier_and_packet_t barrier = {};
  barrier.dep_signal[0] = gate;
  Submit(queue, barrier, kBarrierHeader);
  kernel.completion_signal = never;
  for (int i = 0; i < kKernels; ++i) Submit(queue, kernel, kDispatchHeader);
  HSA_CHECK(hsa_queue_destroy(queue));
  Expect(hsa_signal_load_scacquire(never) == kKernels, "a queue went with its kernels on it");
  for (const hsa_signal_t signal : {gate, done, never}) HSA_CHECK(hsa_signal_destroy(signal));
  Free(code);
}

}  // namespace

int main(int argc, char**) {
  const Machine machine = StartHsa();
  if (argc > 1) {
    SoftQueue(machine);
  } else {
    Priorities(machine);
    Masks(machine);
    Refusals(machine);
    OtherPackets(machine);
    GoesWithWork(machine);
  }
  HSA_CHECK(hsa_shut_down());
  return ExitCode();
}
