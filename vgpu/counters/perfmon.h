// SPDX-License-Identifier: MIT
// perfmon.h: the performance counters of one GPU as the command processor sees them.
//
// CP_PERFMON_CNTL starts, samples, stops and resets all counters at once. A select register names
// the event of a counter; its LO and HI registers give what was counted when it was last sampled.
//
//     0 reset ──► 1 counting ──► 2 stopped ──► 1 counting (goes on adding)
//                   │   └─ sample bit: latches the values, counting goes on
//
// Only blocks of which an event has been selected are looked at. A block that is selected while
// counting goes on counts from the next write of CP_PERFMON_CNTL on.
//
// Threads    any; a short lock. Memory: static, never destroyed
// Errors     an event that the model does not count reads 0 and is one line on stderr
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

#include "vgpu/counters/hw_counters.h"
#include "vgpu/counters/register_file.h"

namespace vgpu {

// Dword offsets of the registers.
constexpr uint32_t kRegGrbmCounter0Low = 0xd040;
constexpr uint32_t kRegSqCounter0Low = 0xd1c0;  // LO and HI of 16 counters, alternating
constexpr uint32_t kRegCpPerfmonControl = 0xd808;
constexpr uint32_t kRegGrbmCounter0Select = 0xd840;
constexpr uint32_t kRegSqCounter0Select = 0xd9c0;
constexpr uint32_t kRegGrbmGfxIndex = 0xc200;
constexpr uint32_t kSqCounters = 16;
// Caches: LO and HI of four counters, and their select registers; two have a second one between them.
constexpr uint32_t kRegTcpCounter0Low = 0xd340;
constexpr uint32_t kRegTccCounter0Low = 0xd380;
constexpr uint32_t kRegTcpCounter0Select = 0xdb40;
constexpr uint32_t kRegTccCounter0Select = 0xdb80;
constexpr uint32_t kCacheCounters = 4;

class Perfmon {
 public:
  Perfmon(HwCounters& counters, const RegisterFile& registers);

  // A write of CP_PERFMON_CNTL at host time `raw_ns`.
  void Control(uint32_t value, uint64_t raw_ns);

  // The value of a counter register as last sampled; none when it is not a counter register.
  std::optional<uint32_t> Read(uint32_t number) const;

 private:
  enum Block : uint32_t { kSq, kTcc, kTcp, kBlocks };
  static constexpr uint32_t kFirst[kBlocks] = {
      0, kShaderEngines* kSqEvents, kShaderEngines* kSqEvents + kTccChannels* kTccEvents};
  static constexpr uint32_t kValues =
      kFirst[kTcp] + kShaderEngines * kComputeUnits * static_cast<uint32_t>(kTcpEvents);

  // Of a block the arrays of HwCounters, one after the other.
  struct Snapshot {
    uint64_t values[kValues] = {};
    uint64_t active = 0;  // clock cycles
    uint64_t ns = 0;
  };

  uint32_t SelectedBlocks() const;
  void LookAtSelected();
  // Each index of the blocks that are looked at.
  template <typename F>
  void Each(uint32_t blocks, const F& f) const;
  void Take(uint32_t blocks, Snapshot* out) const;
  // total += now - started
  void Accumulate(Snapshot* total) const;
  uint64_t ReadSq(uint32_t counter) const;
  uint64_t ReadGrbm() const;
  uint64_t ReadTcc(uint32_t counter) const;
  uint64_t ReadTcp(uint32_t counter) const;

  HwCounters& counters_;
  const RegisterFile& registers_;
  mutable std::mutex mutex_;  // guards all below
  bool counting_ = false;
  uint32_t blocks_ = 0;   // a bit for each block of which an event has been selected
  Snapshot now_;          // at the write of CP_PERFMON_CNTL that is being looked at
  Snapshot started_;      // when counting began or went on
  Snapshot accumulated_;  // in the spans that have been stopped
  Snapshot latched_;      // what Read gives
};

// `gpu` is below kMaxGpus.
Perfmon& PerfmonOf(int gpu);

}  // namespace vgpu
