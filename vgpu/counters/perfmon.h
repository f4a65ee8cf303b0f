// SPDX-License-Identifier: MIT
// perfmon.h: the registers and performance counters of one chiplet of a GPU as the command
// processor sees them.
//
// CP_PERFMON_CNTL starts, samples, stops and resets all counters at once. A select register names
// the event of a counter; its LO and HI registers give what was counted when it was last sampled.
//
//     0 reset ──► 1 counting ──► 2 stopped ──► 1 counting (goes on adding)
//                   │   └─ sample bit: latches the values, counting goes on
//
// Only selected events are looked at. If an event is selected while counting goes on, its counter
// starts at the next write of CP_PERFMON_CNTL. A reset forgets events that are no longer selected.
//
// Threads    any. Control: a short lock. Memory: static, never destroyed
// Errors     an event that the model does not count reads 0 and is one line on stderr
#pragma once

#include <atomic>
#include <bitset>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "vgpu/config/gpu_model.h"
#include "vgpu/counters/hw_counters.h"

namespace vgpu {

// Dword offsets of the registers.
constexpr uint32_t kRegGrbmCounter0Low = 0xd040;  // LO and HI
constexpr uint32_t kRegGrbmCounter1Low = 0xd043;
constexpr uint32_t kRegSqCounter0Low = 0xd1c0;  // LO and HI of 16 counters, alternating
constexpr uint32_t kRegCpPerfmonControl = 0xd808;
constexpr uint32_t kRegGrbmCounter0Select = 0xd840;
constexpr uint32_t kRegGrbmCounter1Select = 0xd841;
constexpr uint32_t kRegSqCounter0Select = 0xd9c0;
constexpr uint32_t kRegGrbmGfxIndex = 0xc200;
constexpr uint32_t kRegTcpCounter0Low = 0xd340;
constexpr uint32_t kRegTccCounter0Low = 0xd380;
constexpr uint32_t kRegTcpCounter0Select = 0xdb40;
constexpr uint32_t kRegTccCounter0Select = 0xdb80;
constexpr uint32_t kRegTaCounter0Low = 0xd2c0;
constexpr uint32_t kRegTaCounter0Select = 0xdac0;
constexpr uint32_t kRegTdCounter0Low = 0xd300;
constexpr uint32_t kRegTdCounter0Select = 0xdb00;
constexpr uint32_t kRegSpiCounter0High = 0xd180;  // HI before LO
constexpr uint32_t kRegSpiCounter0Select = 0xd980;

// The number of events of each block, and the size of its array in HwCounters, which has a row of
// events for each unit.
constexpr uint32_t kBlockEvents[kCounterBlocks] = {kSqEvents, kTccEvents, kTcpEvents,
                                                   kTaEvents, kTdEvents,  kSpiEvents};
constexpr uint32_t kBlockValues[kCounterBlocks] = {
    kShaderEngines * kSqEvents,
    kTccChannels* kTccEvents,
    kShaderEngines* kComputeUnits* kTcpEvents,
    kShaderEngines* kComputeUnits* kTaEvents,
    kShaderEngines* kComputeUnits* kTdEvents,
    kShaderEngines* kSpiEvents,
};
constexpr uint32_t kMostCounters = 16;  // of a block
constexpr uint32_t FirstValueOf(uint32_t block) {
  uint32_t first = 0;
  for (uint32_t i = 0; i < block; ++i) first += kBlockValues[i];
  return first;
}

// The configuration registers that packets write and read. A register that no packet wrote, or that
// is beyond the last one, reads 0. Pages of memory that no packet writes are not touched.
class RegisterFile {
 public:
  static constexpr uint32_t kRegisters = 1u << 17;

  // `number` is the register's dword offset, the way PM4 packets address it.
  void Write(uint32_t number, uint32_t value) {
    if (number < kRegisters) values_[number].store(value, std::memory_order_relaxed);
  }
  uint32_t Read(uint32_t number) const {
    return number < kRegisters ? values_[number].load(std::memory_order_relaxed) : 0;
  }

 private:
  std::atomic<uint32_t> values_[kRegisters] = {};
};

// The registers of one chiplet; `gpu` and `chiplet` as in HwCountersOf.
RegisterFile& RegistersOf(int gpu, uint32_t chiplet = 0);

class Perfmon {
 public:
  // `gfx` decides what the numbers of events mean.
  Perfmon(HwCounters& counters, const RegisterFile& registers, int gfx = GetGpuModel().gfx);

  // A write of CP_PERFMON_CNTL at host time `raw_ns`.
  void Control(uint32_t value, uint64_t raw_ns);

  // The value of a counter register as last sampled; none when it is not a counter register.
  std::optional<uint32_t> Read(uint32_t number) const;

 private:
  template <typename T>
  struct SnapshotOf {
    T values[FirstValueOf(kCounterBlocks)] = {};  // block after block
    T active{0};                                  // clock cycles
    T ns{0};
  };
  using Snapshot = SnapshotOf<uint64_t>;

  bool SelectionChanged();
  void LookAtSelected();
  void LookAt(uint32_t block, uint32_t event);
  const std::atomic<uint64_t>* CountsOf(uint32_t block) const;
  void Take(Snapshot* out) const;
  // accumulated_ += now_ - started_
  void Accumulate();
  void Latch();
  uint64_t ReadCounter(uint32_t block, uint32_t counter) const;
  uint64_t ReadLevel(uint32_t counter, SqEvent event, uint32_t row) const;
  // The event number in the counter's select register.
  uint32_t NumberIn(uint32_t block, uint32_t counter) const;
  uint32_t SelectedRow(CounterBlock block) const;
  uint64_t ReadGrbm(uint32_t select) const;

  HwCounters& counters_;
  const RegisterFile& registers_;
  const int gfx_;
  // The values that Read returns without a lock, because each counted kernel takes dozens of reads.
  SnapshotOf<std::atomic<uint64_t>> latched_;
  std::mutex mutex_;  // guards writes of latched_, and everything below
  bool counting_ = false;
  struct Value {
    uint32_t index;  // in Snapshot::values
    const std::atomic<uint64_t>* count;
  };
  std::vector<Value> looked_at_;
  std::bitset<FirstValueOf(kCounterBlocks)> is_looked_at_;
  uint32_t selected_[kCounterBlocks][kMostCounters];  // as SelectionChanged saw them last
  Snapshot now_;          // counts at the present write of CP_PERFMON_CNTL
  Snapshot started_;      // counts when counting was last started
  Snapshot accumulated_;  // counts of all spans that have been stopped
};

// The counters of one chiplet; `gpu` and `chiplet` as in HwCountersOf.
Perfmon& PerfmonOf(int gpu, uint32_t chiplet = 0);

}  // namespace vgpu
