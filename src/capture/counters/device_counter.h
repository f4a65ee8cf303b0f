// SPDX-License-Identifier: MIT
// device_counter.h: counts events of one GPU, whatever runs on it, through a queue of its own.
//
//   Start ──► Sample: what was counted since Start ──► … ──► Stop
//
// Threads    one at a time
// Blocking   Start, Sample, Stop: until the GPU has read the packets, at most kLimitNs
// Memory     a queue, and packets for each set of events, kept until Close
// Errors     false, and a warning that says why
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

#include "capture/counters/counter_device.h"
#include "capture/counters/counter_memory.h"
#include "counters/aqlprofile.h"

namespace rtl::capture {

class DeviceCounter {
 public:
  static constexpr uint64_t kLimitNs = 10'000'000'000;

  bool Open(const counters::AqlProfile* library, const CounterMemory* memory, const HsaApi* api,
            hsa_agent_t agent);
  bool open() const { return queue_ != nullptr; }

  bool Start(const CounterSet* set);
  bool started() const { return job_ != nullptr; }
  // Returns the number of values; UINT32_MAX if none could be read.
  uint32_t Sample(CounterValue* out, uint32_t room);
  void Stop();
  // Called before the runtime is unloaded.
  void Close();

 private:
  bool Submit(const AqlPacket& packet);
  // Submits the packet and waits until it and all packets before it are done.
  bool Run(const AqlPacket& packet);

  CounterDevice device_;
  const HsaApi* api_ = nullptr;
  hsa_queue_t* queue_ = nullptr;
  CounterJob* job_ = nullptr;  // the job that counts now; null if nothing is counted
};

}  // namespace rtl::capture
