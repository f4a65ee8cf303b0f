// SPDX-License-Identifier: MIT
#include "capture/counters/device_counter.h"

#include <sched.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread_state.h"
#include "capture/counters/counter_packets.h"

namespace rtl::capture {
namespace {

constexpr uint32_t kRing = 64;

}  // namespace

bool DeviceCounter::Open(const counters::AqlProfile* library, const CounterMemory* memory,
                         const HsaApi* api, hsa_agent_t agent) {
  const ReentryGuard guard;
  if (const Status opened = device_.Open(library, memory, api, agent); !opened.ok()) {
    Warn("counters of a GPU: %s", opened.message());
    return false;
  }
  api_ = api;
  if (api->queue_create(agent, kRing, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr, UINT32_MAX,
                        UINT32_MAX, &queue_) == HSA_STATUS_SUCCESS)
    return true;
  queue_ = nullptr;
  Warn("counters of a GPU: the runtime refused a queue");
  return false;
}

// The ring never fills: the thread waits for each packet before it submits the next.
bool DeviceCounter::Submit(const AqlPacket& packet) {
  const uint64_t index = api_->queue_add_write_index_relaxed(queue_, 1);
  const uint64_t limit = BootTimeNs() + kLimitNs;
  while (index - api_->queue_load_read_index_scacquire(queue_) >= queue_->size) {
    if (BootTimeNs() > limit) return false;
    (void)sched_yield();
  }
  auto* const slot = static_cast<AqlPacket*>(queue_->base_address) + index % queue_->size;
  memcpy(slot->words + 1, packet.words + 1, sizeof packet - sizeof packet.words[0]);
  // The header is written last, because it hands the packet to the GPU.
  uint32_t first = 0, header = 0;
  memcpy(&header, &packet, sizeof header);
  memcpy(&first, reinterpret_cast<const char*>(&packet) + sizeof header, sizeof first);
  memcpy(reinterpret_cast<char*>(slot) + sizeof header, &first, sizeof first);
  __atomic_store_n(reinterpret_cast<uint32_t*>(slot), header, __ATOMIC_RELEASE);
  api_->signal_store_screlease(queue_->doorbell_signal, static_cast<hsa_signal_value_t>(index));
  return true;
}

bool DeviceCounter::Run(const AqlPacket& packet) {
  const ReentryGuard guard;
  api_->signal_store_relaxed(job_->done, 1);
  // The barrier packet completes only when everything the first packet writes is in memory.
  if (!Submit(packet) || !Submit(BarrierPacket({}, job_->done))) return false;
  const uint64_t limit = BootTimeNs() + kLimitNs;
  while (api_->signal_wait_scacquire(job_->done, HSA_SIGNAL_CONDITION_LT, 1, kLimitNs,
                                     HSA_WAIT_STATE_BLOCKED) >= 1) {
    if (BootTimeNs() <= limit) continue;
    Warn("counters of a GPU: it did not answer in %llu s",
         static_cast<unsigned long long>(kLimitNs / 1'000'000'000));
    return false;
  }
  return true;
}

bool DeviceCounter::Start(const CounterSet* set) {
  const ReentryGuard guard;
  Loss why;
  job_ = device_.Take(set, true, &why);  // gated, because a thread waits for each packet
  if (job_ == nullptr) return false;
  if (Run(CommandPacket(job_->packets.start, {}))) return true;
  Stop();
  return false;
}

uint32_t DeviceCounter::Sample(CounterValue* out, uint32_t room) {
  if (!Run(CommandPacket(job_->packets.read, {}))) return UINT32_MAX;
  return device_.Values(*job_, out, room);
}

void DeviceCounter::Stop() {
  if (job_ == nullptr) return;
  (void)Run(CommandPacket(job_->packets.stop, {}));  // a failure has been reported already
  device_.Give(job_);
  job_ = nullptr;
}

void DeviceCounter::Close() {
  const ReentryGuard guard;
  if (queue_ == nullptr) return;
  Stop();
  (void)api_->queue_destroy(queue_);  // a queue that cannot be destroyed stays with the runtime
  queue_ = nullptr;
  device_.Close(true);
}

}  // namespace rtl::capture
