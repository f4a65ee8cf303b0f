// SPDX-License-Identifier: MIT
#include "vgpu/counters/perfmon.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "vgpu/config/gpu_model.h"
#include "vgpu/config/log.h"

namespace vgpu {
namespace {

constinit RegisterFile g_registers[kMaxGpus][kMostChiplets];

constexpr uint32_t kStateMask = 0xf;
constexpr uint32_t kStateReset = 0;
constexpr uint32_t kStateStart = 1;
constexpr uint32_t kStateStop = 2;
constexpr uint32_t kSampleEnable = 1u << 10;

// The registers of a block's counters: LO and HI of each counter, alternating, and the select
// registers.
struct Layout {
  uint32_t first, select;
  uint32_t event_mask;
  uint32_t counters;
  uint8_t selects[kMostCounters];  // offsets from `select`: other registers may lie between
  bool high_first;
};
constexpr Layout kLayouts[kCounterBlocks] = {
    {kRegSqCounter0Low,
     kRegSqCounter0Select,
     0x1ff,
     16,
     {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
     false},
    {kRegTccCounter0Low, kRegTccCounter0Select, 0x3ff, 4, {0, 2, 4, 5}, false},
    {kRegTcpCounter0Low, kRegTcpCounter0Select, 0x3ff, 4, {0, 2, 4, 5}, false},
    {kRegTaCounter0Low, kRegTaCounter0Select, 0xff, 2, {0, 2}, false},
    {kRegTdCounter0Low, kRegTdCounter0Select, 0xff, 2, {0, 2}, false},
    {kRegSpiCounter0High, kRegSpiCounter0Select, 0x3ff, 6, {0, 1, 2, 3, 8, 9}, true},
};
constexpr uint32_t kGrbmEventMask = 0x3f;
constexpr uint32_t kGrbmCount = 0;   // every clock cycle
constexpr uint32_t kGrbmActive = 2;  // those in which the chip has work

// GRBM_GFX_INDEX: which shader engine a register access goes to.
constexpr uint32_t kEngineBroadcast = 1u << 31;
constexpr uint32_t kEngineShift = 16;
constexpr uint32_t kEngineMask = kShaderEngines - 1;
// GRBM_GFX_INDEX: which channel or compute unit a register access goes to.
constexpr uint32_t kInstanceMask = 0xff;

bool IsLevel(SqEvent event) {
  return event >= SqEvent::kLevelWaves && event <= SqEvent::kSumOfLevelByCycle;
}

// Logs each event once, because thousands of kernels may read the same one.
void SayOnce(const char* block, uint32_t event) {
  static std::mutex mutex;
  static std::set<std::pair<std::string, uint32_t>> said;
  std::lock_guard lock(mutex);
  if (said.emplace(block, event).second)
    Log(LogLevel::kError, "counter %s:%u is not modelled and reads 0", block, event);
}

}  // namespace

Perfmon::Perfmon(HwCounters& counters, const RegisterFile& registers, int gfx)
    : counters_(counters), registers_(registers), gfx_(gfx) {
  for (auto& block : selected_) std::ranges::fill(block, UINT32_MAX);
}

void Perfmon::Control(uint32_t value, uint64_t raw_ns) {
  std::lock_guard lock(mutex_);
  const uint32_t state = value & kStateMask;
  if (SelectionChanged()) {
    if (state == kStateReset && !counting_) {
      looked_at_.clear();
      is_looked_at_.reset();
    }
    LookAtSelected();
  }
  Take(&now_);
  now_.active = counters_.active.load(std::memory_order_relaxed);
  now_.ns = raw_ns;
  const bool stops = counting_ && state != kStateStart;
  if (stops) {
    Accumulate();
    counting_ = false;
    counters_.counting.store(false, std::memory_order_relaxed);
  }
  if (stops || (value & kSampleEnable) != 0) Latch();
  if (state == kStateReset) {
    for (const Value& of : looked_at_) accumulated_.values[of.index] = 0;
    accumulated_.active = accumulated_.ns = 0;
  } else if (state == kStateStart && !counting_) {
    for (const Value& of : looked_at_) started_.values[of.index] = now_.values[of.index];
    started_.active = now_.active;
    started_.ns = now_.ns;
    counting_ = true;
    counters_.counting.store(true, std::memory_order_relaxed);
  } else if (state > kStateStop) {
    Log(LogLevel::kError, "CP_PERFMON_CNTL: state %u is not modelled", state);
  }
}

std::optional<uint32_t> Perfmon::Read(uint32_t number) const {
  const auto half = [](uint64_t value, bool high) {
    return static_cast<uint32_t>(high ? value >> 32 : value);
  };
  for (const auto& [low, select] : {std::pair(kRegGrbmCounter0Low, kRegGrbmCounter0Select),
                                    std::pair(kRegGrbmCounter1Low, kRegGrbmCounter1Select)}) {
    if (number == low || number == low + 1) return half(ReadGrbm(select), number != low);
  }
  for (uint32_t block = 0; block < kCounterBlocks; ++block) {
    const Layout& layout = kLayouts[block];
    const uint32_t at = number - layout.first;
    if (at >= 2 * layout.counters) continue;
    return half(ReadCounter(block, at / 2), ((at & 1) != 0) != layout.high_first);
  }
  return std::nullopt;
}

bool Perfmon::SelectionChanged() {
  bool changed = false;
  for (uint32_t block = 0; block < kCounterBlocks; ++block) {
    for (uint32_t i = 0; i < kLayouts[block].counters; ++i) {
      const uint32_t number = NumberIn(block, i);
      changed |= number != selected_[block][i];
      selected_[block][i] = number;
    }
  }
  return changed;
}

void Perfmon::LookAtSelected() {
  for (uint32_t block = 0; block < kCounterBlocks; ++block) {
    for (uint32_t i = 0; i < kLayouts[block].counters; ++i) {
      const auto event = EventOf(static_cast<CounterBlock>(block), gfx_, selected_[block][i]);
      if (event.has_value() && !is_looked_at_[FirstValueOf(block) + *event]) LookAt(block, *event);
    }
  }
}

// Adds the values of the event in the rows that this GPU has. The arrays have rows for the largest
// GPU.
void Perfmon::LookAt(uint32_t block, uint32_t event) {
  const bool by_channel = block == static_cast<uint32_t>(CounterBlock::kTcc);
  const uint32_t used = by_channel ? L2ChannelsOf(gfx_) : GetGpuModel().shader_engines;
  const uint32_t row = kBlockEvents[block];
  const uint32_t rows = kBlockValues[block] / row / (by_channel ? kTccChannels : kShaderEngines);
  for (uint32_t i = 0; i < rows * used; ++i) {
    const uint32_t index = FirstValueOf(block) + i * row + event;
    const auto* const count = CountsOf(block) + i * row + event;
    looked_at_.push_back({index, count});
    is_looked_at_.set(index);
    accumulated_.values[index] = 0;
    latched_.values[index].store(0, std::memory_order_relaxed);
    if (counting_) started_.values[index] = count->load(std::memory_order_relaxed);
  }
}

const std::atomic<uint64_t>* Perfmon::CountsOf(uint32_t block) const {
  switch (static_cast<CounterBlock>(block)) {
    case CounterBlock::kSq:
      return &counters_.sq[0][0];
    case CounterBlock::kTcc:
      return &counters_.tcc[0][0];
    case CounterBlock::kTcp:
      return &counters_.tcp[0][0][0];
    case CounterBlock::kTa:
      return &counters_.ta[0][0][0];
    case CounterBlock::kTd:
      return &counters_.td[0][0][0];
    case CounterBlock::kSpi:
      return &counters_.spi[0][0];
  }
  return nullptr;
}

void Perfmon::Take(Snapshot* out) const {
  for (const Value& value : looked_at_)
    out->values[value.index] = value.count->load(std::memory_order_relaxed);
}

void Perfmon::Accumulate() {
  for (const Value& value : looked_at_) {
    const uint32_t i = value.index;
    accumulated_.values[i] += now_.values[i] - started_.values[i];
  }
  accumulated_.active += now_.active - started_.active;
  accumulated_.ns += now_.ns - started_.ns;
}

// While counting goes on, the latched values include what was counted since the start.
void Perfmon::Latch() {
  const auto latch = [this](uint64_t accumulated, uint64_t now, uint64_t started,
                            std::atomic<uint64_t>* to) {
    to->store(accumulated + (counting_ ? now - started : 0), std::memory_order_relaxed);
  };
  for (const Value& value : looked_at_) {
    const uint32_t i = value.index;
    latch(accumulated_.values[i], now_.values[i], started_.values[i], &latched_.values[i]);
  }
  latch(accumulated_.active, now_.active, started_.active, &latched_.active);
  latch(accumulated_.ns, now_.ns, started_.ns, &latched_.ns);
}

uint32_t Perfmon::NumberIn(uint32_t block, uint32_t counter) const {
  const Layout& layout = kLayouts[block];
  return registers_.Read(layout.select + layout.selects[counter]) & layout.event_mask;
}

// The row of the block's array that GRBM_GFX_INDEX selects.
uint32_t Perfmon::SelectedRow(CounterBlock block) const {
  // A read cannot be broadcast: engine 0 answers a read that has the broadcast bit.
  const uint32_t index = registers_.Read(kRegGrbmGfxIndex);
  const uint32_t engine = (index & kEngineBroadcast) != 0 ? 0 : index >> kEngineShift & kEngineMask;
  const uint32_t instance = index & kInstanceMask;
  switch (block) {
    case CounterBlock::kSq:
    case CounterBlock::kSpi:
      return engine;
    case CounterBlock::kTcc:
      return instance % kTccChannels;
    default:
      return engine * kComputeUnits + instance % kComputeUnits;
  }
}

uint64_t Perfmon::ReadCounter(uint32_t block, uint32_t counter) const {
  const auto which = static_cast<CounterBlock>(block);
  const uint32_t number = NumberIn(block, counter);
  const std::optional<uint32_t> event = EventOf(which, gfx_, number);
  if (!event.has_value()) {
    SayOnce(NameOf(which), number);
    return 0;
  }
  const uint32_t row = FirstValueOf(block) + SelectedRow(which) * kBlockEvents[block];
  if (which == CounterBlock::kSq && IsLevel(static_cast<SqEvent>(*event)))
    return ReadLevel(counter, static_cast<SqEvent>(*event), row);
  return latched_.values[row + *event].load(std::memory_order_relaxed);
}

// A level itself reads 0, because no instruction is in flight when a packet reads it. A counter of
// a sum reads the sum of the level that the counter before it selects.
uint64_t Perfmon::ReadLevel(uint32_t counter, SqEvent event, uint32_t row) const {
  if (event != SqEvent::kSumOfLevel && event != SqEvent::kSumOfLevelByCycle) return 0;
  const uint32_t block = static_cast<uint32_t>(CounterBlock::kSq);
  const uint32_t number = counter == 0 ? 0 : NumberIn(block, counter - 1);
  const auto before = EventOf(CounterBlock::kSq, gfx_, number);
  if (!before.has_value() || !IsLevel(static_cast<SqEvent>(*before))) {
    SayOnce("SQ, the sum of event", number);
    return 0;
  }
  const uint64_t quads = latched_.values[row + *before].load(std::memory_order_relaxed);
  return event == SqEvent::kSumOfLevel ? quads : 4 * quads;
}

uint64_t Perfmon::ReadGrbm(uint32_t select) const {
  const uint32_t event = registers_.Read(select) & kGrbmEventMask;
  if (event == kGrbmActive) return latched_.active.load(std::memory_order_relaxed);
  if (event != kGrbmCount) {
    SayOnce("GRBM", event);
    return 0;
  }
  return latched_.ns.load(std::memory_order_relaxed) * GetGpuModel().clock_mhz / 1000;
}

RegisterFile& RegistersOf(int gpu, uint32_t chiplet) { return g_registers[gpu][chiplet]; }

Perfmon& PerfmonOf(int gpu, uint32_t chiplet) {
  struct Table {
    Perfmon* of[kMaxGpus][kMostChiplets];
  };
  // Leaked on purpose: queue threads may outlive the static destructors.
  static const Table table = [] {
    Table made;
    for (int i = 0; i < kMaxGpus; ++i) {
      for (uint32_t j = 0; j < kMostChiplets; ++j)
        made.of[i][j] = new Perfmon(HwCountersOf(i, j), RegistersOf(i, j));
    }
    return made;
  }();
  return *table.of[gpu][chiplet];
}

}  // namespace vgpu
