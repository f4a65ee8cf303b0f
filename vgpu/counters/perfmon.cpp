// SPDX-License-Identifier: MIT
#include "vgpu/counters/perfmon.h"

#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "vgpu/config/gpu_model.h"
#include "vgpu/config/log.h"

namespace vgpu {
namespace {

constexpr uint32_t kStateMask = 0xf;
constexpr uint32_t kStateReset = 0;
constexpr uint32_t kStateStart = 1;
constexpr uint32_t kStateStop = 2;
constexpr uint32_t kSampleEnable = 1u << 10;

// Where the counters of a block are: LO and HI of each, alternating, and its select register.
struct Layout {
  uint32_t first, select;
  uint32_t event_mask;
  uint32_t counters;
  uint8_t selects[16];  // behind the first: some have a second one between them
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
// And which channel or compute unit of it.
constexpr uint32_t kInstanceMask = 0xff;

bool IsLevel(SqEvent event) {
  return event >= SqEvent::kLevelWaves && event <= SqEvent::kSumOfLevelByCycle;
}

// Kernels by the thousand read the same event.
void SayOnce(const char* block, uint32_t event) {
  static std::mutex mutex;
  static std::set<std::pair<std::string, uint32_t>> said;
  std::lock_guard lock(mutex);
  if (said.emplace(block, event).second)
    Log(LogLevel::kError, "counter %s:%u is not modelled and reads 0", block, event);
}

}  // namespace

Perfmon::Perfmon(HwCounters& counters, const RegisterFile& registers, int gfx)
    : counters_(counters), registers_(registers), gfx_(gfx) {}

void Perfmon::Control(uint32_t value, uint64_t raw_ns) {
  std::lock_guard lock(mutex_);
  LookAtSelected();
  Take(blocks_, &now_);
  now_.active = counters_.active.load(std::memory_order_relaxed);
  now_.ns = raw_ns;
  const auto copy = [this](const Snapshot& from, Snapshot* to) {
    Each(blocks_, [&](uint32_t i) { to->values[i] = from.values[i]; });
    to->active = from.active;
    to->ns = from.ns;
  };
  const uint32_t state = value & kStateMask;
  const bool stops = counting_ && state != kStateStart;
  if (stops) {
    Accumulate(&accumulated_);
    counting_ = false;
    counters_.counting.store(false, std::memory_order_relaxed);
  }
  if (stops || (value & kSampleEnable) != 0) {
    copy(accumulated_, &latched_);
    if (counting_) Accumulate(&latched_);
  }
  if (state == kStateReset) {
    Each(blocks_, [&](uint32_t i) { accumulated_.values[i] = 0; });
    accumulated_.active = accumulated_.ns = 0;
  } else if (state == kStateStart && !counting_) {
    copy(now_, &started_);
    counting_ = true;
    counters_.counting.store(true, std::memory_order_relaxed);
  } else if (state > kStateStop) {
    Log(LogLevel::kError, "CP_PERFMON_CNTL: state %u is not modelled", state);
  }
}

std::optional<uint32_t> Perfmon::Read(uint32_t number) const {
  std::lock_guard lock(mutex_);
  const auto half = [](uint64_t value, bool high) {
    return static_cast<uint32_t>(high ? value >> 32 : value);
  };
  if (number == kRegGrbmCounter0Low || number == kRegGrbmCounter0Low + 1)
    return half(ReadGrbm(), number != kRegGrbmCounter0Low);
  for (uint32_t block = 0; block < kCounterBlocks; ++block) {
    const Layout& layout = kLayouts[block];
    const uint32_t at = number - layout.first;
    if (at >= 2 * layout.counters) continue;
    return half(ReadCounter(block, at / 2), ((at & 1) != 0) != layout.high_first);
  }
  return std::nullopt;
}

uint32_t Perfmon::SelectedBlocks() const {
  uint32_t blocks = 0;
  for (uint32_t block = 0; block < kCounterBlocks; ++block) {
    const Layout& layout = kLayouts[block];
    for (uint32_t i = 0; i < layout.counters; ++i) {
      if (registers_.Read(layout.select + layout.selects[i]) != 0) blocks |= 1u << block;
    }
  }
  return blocks;
}

void Perfmon::LookAtSelected() {
  const uint32_t more = SelectedBlocks() & ~blocks_;
  blocks_ |= more;
  if (counting_ && more != 0) Take(more, &started_);
}

// Of arrays with a row for each shader engine or channel, the rows that this GPU has.
template <typename F>
void Perfmon::Each(uint32_t blocks, const F& f) const {
  for (uint32_t block = 0; block < kCounterBlocks; ++block) {
    if ((blocks >> block & 1) == 0) continue;
    const bool by_channel = block == static_cast<uint32_t>(CounterBlock::kTcc);
    const uint32_t rows = by_channel ? kTccChannels : kShaderEngines;
    const uint32_t used = by_channel ? L2ChannelsOf(gfx_) : GetGpuModel().shader_engines;
    const uint32_t first = FirstValueOf(block);
    for (uint32_t i = first; i < first + kBlockValues[block] / rows * used; ++i) f(i);
  }
}

void Perfmon::Take(uint32_t blocks, Snapshot* out) const {
  const std::atomic<uint64_t>* const from[kCounterBlocks] = {
      &counters_.sq[0][0],    &counters_.tcc[0][0],   &counters_.tcp[0][0][0],
      &counters_.ta[0][0][0], &counters_.td[0][0][0], &counters_.spi[0][0]};
  for (uint32_t block = 0; block < kCounterBlocks; ++block) {
    Each(blocks & 1u << block, [&](uint32_t i) {
      out->values[i] = from[block][i - FirstValueOf(block)].load(std::memory_order_relaxed);
    });
  }
}

void Perfmon::Accumulate(Snapshot* total) const {
  Each(blocks_, [&](uint32_t i) { total->values[i] += now_.values[i] - started_.values[i]; });
  total->active += now_.active - started_.active;
  total->ns += now_.ns - started_.ns;
}

uint32_t Perfmon::NumberIn(uint32_t block, uint32_t counter) const {
  const Layout& layout = kLayouts[block];
  return registers_.Read(layout.select + layout.selects[counter]) & layout.event_mask;
}

// The row of the block's array that GRBM_GFX_INDEX selects, of those of `events` events each.
uint32_t Perfmon::SelectedRow(CounterBlock block, uint32_t* events) const {
  // A read cannot be broadcast; engine 0 answers one.
  const uint32_t index = registers_.Read(kRegGrbmGfxIndex);
  const uint32_t engine = (index & kEngineBroadcast) != 0 ? 0 : index >> kEngineShift & kEngineMask;
  const uint32_t instance = index & kInstanceMask;
  const uint32_t unit = engine * kComputeUnits + instance % kComputeUnits;
  switch (block) {
    case CounterBlock::kSq:
      *events = kSqEvents;
      return engine;
    case CounterBlock::kSpi:
      *events = kSpiEvents;
      return engine;
    case CounterBlock::kTcc:
      *events = kTccEvents;
      return instance % kTccChannels;
    case CounterBlock::kTcp:
      *events = kTcpEvents;
      return unit;
    case CounterBlock::kTa:
      *events = kTaEvents;
      return unit;
    case CounterBlock::kTd:
      *events = kTdEvents;
      return unit;
  }
  return 0;
}

uint64_t Perfmon::ReadCounter(uint32_t block, uint32_t counter) const {
  const auto which = static_cast<CounterBlock>(block);
  const uint32_t number = NumberIn(block, counter);
  const std::optional<uint32_t> event = EventOf(which, gfx_, number);
  if (!event.has_value()) {
    SayOnce(NameOf(which), number);
    return 0;
  }
  uint32_t events = 0;
  const uint32_t row = FirstValueOf(block) + SelectedRow(which, &events) * events;
  if (which == CounterBlock::kSq && IsLevel(static_cast<SqEvent>(*event)))
    return ReadLevel(counter, static_cast<SqEvent>(*event), row);
  return latched_.values[row + *event];
}

// Nothing is under way when a level itself is read. Its sum is what the counter behind it counts.
uint64_t Perfmon::ReadLevel(uint32_t counter, SqEvent event, uint32_t row) const {
  if (event != SqEvent::kSumOfLevel && event != SqEvent::kSumOfLevelByCycle) return 0;
  const uint32_t block = static_cast<uint32_t>(CounterBlock::kSq);
  const uint32_t number = counter == 0 ? 0 : NumberIn(block, counter - 1);
  const auto before = EventOf(CounterBlock::kSq, gfx_, number);
  if (!before.has_value() || !IsLevel(static_cast<SqEvent>(*before))) {
    SayOnce("SQ, the sum of event", number);
    return 0;
  }
  const uint64_t quads = latched_.values[row + *before];
  return event == SqEvent::kSumOfLevel ? quads : 4 * quads;
}

uint64_t Perfmon::ReadGrbm() const {
  const uint32_t event = registers_.Read(kRegGrbmCounter0Select) & kGrbmEventMask;
  if (event == kGrbmActive) return latched_.active;
  if (event != kGrbmCount) {
    SayOnce("GRBM", event);
    return 0;
  }
  return latched_.ns * GetGpuModel().clock_mhz / 1000;
}

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
