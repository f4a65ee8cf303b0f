// SPDX-License-Identifier: MIT
// A packet that cannot be executed reaches the queue's error callback with the right status.
//
//   hsa_queue_errors [known]   known: without the packet of an unknown type
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "hsa_support.h"

using namespace programs;

namespace {

struct Report {
  std::mutex mutex;
  std::condition_variable changed;
  hsa_status_t status = HSA_STATUS_SUCCESS;  // guarded by mutex
};

void OnError(hsa_status_t status, hsa_queue_t*, void* data) {
  auto& report = *static_cast<Report*>(data);
  std::lock_guard lock(report.mutex);
  report.status = status;
  report.changed.notify_all();
}

using Spoil = void (*)(hsa_kernel_dispatch_packet_t*);

void ExpectStatus(const Machine& machine, const char* what, hsa_status_t expected, Spoil spoil,
                  uint16_t header = kDispatchHeader) {
  Report report;
  hsa_queue_t* queue = nullptr;
  HSA_CHECK(hsa_queue_create(machine.gpu, 64, HSA_QUEUE_TYPE_MULTI, OnError, &report, UINT32_MAX,
                             UINT32_MAX, &queue));
  hsa_kernel_dispatch_packet_t packet = Dispatch(&report, 64, 64);
  spoil(&packet);
  Submit(queue, packet, header);
  {
    std::unique_lock lock(report.mutex);
    report.changed.wait(lock, [&] { return report.status != HSA_STATUS_SUCCESS; });
    Expect(report.status == expected, what);
  }
  // If a queue is destroyed just as the runtime returns from the callback, the destroying call
  // waits without end (docs/reference/runtimes.md).
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  HSA_CHECK(hsa_queue_destroy(queue));
}

}  // namespace

int main(int argc, char** argv) {
  const bool all = argc < 2 || std::strcmp(argv[1], "known") != 0;
  const Machine machine = StartHsa();
  ExpectStatus(machine, "a workgroup of size 0", HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS,
               [](hsa_kernel_dispatch_packet_t* packet) { packet->workgroup_size_x = 0; });
  ExpectStatus(machine, "no dimensions", HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS,
               [](hsa_kernel_dispatch_packet_t* packet) { packet->setup = 0; });
  ExpectStatus(machine, "1 MB of group memory", HSA_STATUS_ERROR_INVALID_ALLOCATION,
               [](hsa_kernel_dispatch_packet_t* packet) { packet->group_segment_size = 1 << 20; });
  ExpectStatus(machine, "no kernel", HSA_STATUS_ERROR_INVALID_CODE_OBJECT,
               [](hsa_kernel_dispatch_packet_t* packet) { packet->kernel_object = 0; });
  ExpectStatus(machine, "a workgroup of 2048", HSA_STATUS_ERROR_INVALID_ARGUMENT,
               [](hsa_kernel_dispatch_packet_t* packet) {
                 packet->workgroup_size_x = 2048;
                 packet->grid_size_x = 2048;
               });
  constexpr uint16_t kUnknownType = 7;
  if (all) {
    ExpectStatus(
        machine, "an unknown packet type", HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
        [](hsa_kernel_dispatch_packet_t*) {}, kUnknownType);
  }
  ExpectStatus(
      machine, "a PM4 packet that is not modelled", HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
      [](hsa_kernel_dispatch_packet_t* packet) {
        // The vendor header says PM4; the packet in it is DISPATCH_DIRECT.
        const uint32_t words[] = {1u << 16, 3u << 30 | 3u << 16 | 0x15u << 8, 1, 1, 1, 0};
        std::memcpy(packet, words, sizeof(words));
      },
      HSA_PACKET_TYPE_VENDOR_SPECIFIC << HSA_PACKET_HEADER_TYPE);
  HSA_CHECK(hsa_shut_down());
  return ExitCode();
}
