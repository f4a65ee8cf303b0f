// SPDX-License-Identifier: MIT
// fake_hsa_queue.h: the fake runtime's state of one queue. For the fake's own files.
#pragma once

#include <array>

#include "tests/support/fake_hsa.h"

namespace rtl::support {

struct FakeHsa::Queue {
  hsa_queue_t base = {};  // first: the handle points here
  FakeHsa* owner = nullptr;
  bool live = true;
  bool intercepted = false;
  std::atomic<bool> profiling{false};
  std::mutex lock;  // the runtime's own: one packet after the other
  struct Interceptor {
    capture::PacketHook hook;
    void* data;
  };
  std::vector<Interceptor> interceptors;  // the last sees packets first
  size_t level = 0;                       // interceptors that have not seen the current packets
  uint32_t owners = 1;
  uint64_t next_index = 0;
  std::atomic<uint64_t> write_index{0};
  std::atomic<uint64_t> writer_calls{0};
  std::mutex ring_lock;
  std::deque<AqlPacket> ring;  // reached the hardware, not ended
  std::vector<AqlPacket> history;
  std::array<AqlPacket, 4> last = {};  // kLazily: where packets go
  // For a queue without a hook: what the application writes and rings itself.
  std::vector<AqlPacket> memory;
  alignas(AMD_SIGNAL_ALIGN_BYTES) amd_signal_t doorbell = {};
  std::atomic<uint64_t> taken{0};  // packets that the device has read
};

inline FakeHsa::Queue* ToQueue(hsa_queue_t* queue) {
  return reinterpret_cast<FakeHsa::Queue*>(queue);
}

}  // namespace rtl::support
