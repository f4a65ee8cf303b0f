// SPDX-License-Identifier: MIT
// dispatch_log.h: remembers which kernel each packet of a queue was, because PC samples identify a
// kernel only by its queue and packet index.
//
// Threads    any; a short lock
// Memory     fixed: at most the last kRoom packets of all queues. A packet is forgotten
//            earlier if a later packet gets its place in the table
#pragma once

#include <stdint.h>

#include "base/mutex.h"

namespace rtl::sdk {

class DispatchLog {
 public:
  static constexpr uint32_t kRoom = 65'536;

  struct Kernel {
    uint64_t packet;
    uint32_t queue;  // QueueIdentity::queue; zero: the entry is free
    uint32_t thread;
    uint64_t dispatch, correlation;
    uint64_t external;
  };

  // False if there is no memory.
  bool Open();
  void Note(const Kernel& kernel);
  // False if the kernel is not known, or no longer known.
  bool Find(uint32_t queue, uint64_t packet, Kernel* out);

 private:
  static uint32_t PlaceOf(uint32_t queue, uint64_t packet) {
    return static_cast<uint32_t>(packet + queue * 4099u) % kRoom;
  }
  Kernel* kernels_ = nullptr;
  Mutex mutex_{Rank::kDispatchLog};
};

}  // namespace rtl::sdk
