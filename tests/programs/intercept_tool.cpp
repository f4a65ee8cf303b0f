// SPDX-License-Identifier: MIT
// A minimal tool for HSA_TOOLS_LIB: every queue becomes an intercept queue. It counts the packets
// that pass, how many the runtime delivers at once, and where they are: in the ring to which the
// program wrote them, or in a buffer of the runtime. It prints the counts when the runtime unloads
// it, or, where the runtime never does, when the process ends. It is only valid for the runtime of
// the build machine.
#include <hsa/hsa.h>
#include <hsa/hsa_api_trace.h>
#include <hsa/hsa_ext_amd.h>

#include <atomic>
#include <cstdio>

namespace {

// Copied from the runtime's table at load time.
decltype(hsa_amd_queue_intercept_create)* g_create = nullptr;
decltype(hsa_amd_queue_intercept_register)* g_register = nullptr;

std::atomic<long> g_queues{0}, g_dispatches{0}, g_others{0};
std::atomic<long> g_batches{0}, g_in_batches{0}, g_largest{0}, g_buffered{0}, g_largest_buffered{0};

void Raise(std::atomic<long>* most, long value) {
  long seen = *most;
  while (seen < value && !most->compare_exchange_weak(seen, value)) {
  }
}

void CountBatch(const hsa_queue_t* queue, const void* packets, long count) {
  ++g_batches;
  g_in_batches += count;
  Raise(&g_largest, count);
  constexpr uintptr_t kPacketBytes = 64;
  const uintptr_t ring = reinterpret_cast<uintptr_t>(queue->base_address);
  if (reinterpret_cast<uintptr_t>(packets) - ring < queue->size * kPacketBytes) return;
  ++g_buffered;
  Raise(&g_largest_buffered, count);
}

void OnPackets(const void* packets, uint64_t count, uint64_t, void* queue,
               hsa_amd_queue_intercept_packet_writer write) {
  if (count > 1) CountBatch(static_cast<hsa_queue_t*>(queue), packets, static_cast<long>(count));
  const auto* headers = static_cast<const uint16_t*>(packets);
  constexpr uint64_t kWordsPerPacket = 32;
  for (uint64_t i = 0; i < count; ++i) {
    const unsigned type = headers[i * kWordsPerPacket] & 0xff;
    (type == HSA_PACKET_TYPE_KERNEL_DISPATCH ? g_dispatches : g_others)++;
  }
  write(packets, count);
}

hsa_status_t CreateQueue(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
                         void (*on_error)(hsa_status_t, hsa_queue_t*, void*), void* data,
                         uint32_t private_bytes, uint32_t group_bytes, hsa_queue_t** queue) {
  const hsa_status_t status =
      g_create(agent, size, type, on_error, data, private_bytes, group_bytes, queue);
  if (status != HSA_STATUS_SUCCESS) return status;
  ++g_queues;
  return g_register(*queue, OnPackets, *queue);
}

void Print() {
  static std::atomic<bool> printed{false};
  if (printed.exchange(true)) return;
  std::fprintf(stderr, "intercepted %ld queues, %ld dispatches, %ld other packets\n",
               g_queues.load(), g_dispatches.load(), g_others.load());
  std::fprintf(stderr, "batches: %ld of %ld packets, largest %ld; in a buffer %ld, largest %ld\n",
               g_batches.load(), g_in_batches.load(), g_largest.load(), g_buffered.load(),
               g_largest_buffered.load());
}

__attribute__((destructor)) void PrintAtExit() {
  if (g_queues != 0) Print();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) bool OnLoad(HsaApiTable* table, uint64_t,
                                                              uint64_t, const char* const*) {
  g_create = table->amd_ext_->hsa_amd_queue_intercept_create_fn;
  g_register = table->amd_ext_->hsa_amd_queue_intercept_register_fn;
  table->core_->hsa_queue_create_fn = CreateQueue;
  return true;
}

extern "C" __attribute__((visibility("default"))) void OnUnload() { Print(); }
