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

constexpr uint32_t kEventMask = 0x1ff;
constexpr uint32_t kCacheEventMask = 0x3ff;
constexpr uint32_t kCacheSelects[kCacheCounters] = {0, 2, 4, 5};  // behind the first
constexpr uint32_t kGrbmEventMask = 0x3f;
constexpr uint32_t kGrbmCount = 0;   // every clock cycle
constexpr uint32_t kGrbmActive = 2;  // those in which the chip has work

// GRBM_GFX_INDEX: which shader engine a register access goes to.
constexpr uint32_t kEngineBroadcast = 1u << 31;
constexpr uint32_t kEngineShift = 16;
constexpr uint32_t kEngineMask = kShaderEngines - 1;
// And which channel or compute unit of it.
constexpr uint32_t kInstanceMask = 0xff;

// Kernels by the thousand read the same event.
void SayOnce(const char* block, uint32_t event) {
  static std::mutex mutex;
  static std::set<std::pair<std::string, uint32_t>> said;
  std::lock_guard lock(mutex);
  if (said.emplace(block, event).second)
    Log(LogLevel::kError, "counter %s:%u is not modelled and reads 0", block, event);
}

}  // namespace

Perfmon::Perfmon(HwCounters& counters, const RegisterFile& registers)
    : counters_(counters), registers_(registers) {}

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
  uint64_t value = 0;
  uint32_t first = 0;
  std::lock_guard lock(mutex_);
  if (number >= kRegSqCounter0Low && number < kRegSqCounter0Low + 2 * kSqCounters) {
    first = kRegSqCounter0Low;
    value = ReadSq((number - first) / 2);
  } else if (number == kRegGrbmCounter0Low || number == kRegGrbmCounter0Low + 1) {
    first = kRegGrbmCounter0Low;
    value = ReadGrbm();
  } else if (number >= kRegTccCounter0Low && number < kRegTccCounter0Low + 2 * kCacheCounters) {
    first = kRegTccCounter0Low;
    value = ReadTcc((number - first) / 2);
  } else if (number >= kRegTcpCounter0Low && number < kRegTcpCounter0Low + 2 * kCacheCounters) {
    first = kRegTcpCounter0Low;
    value = ReadTcp((number - first) / 2);
  } else {
    return std::nullopt;
  }
  const bool high = ((number - first) & 1) != 0;
  return static_cast<uint32_t>(high ? value >> 32 : value);
}

uint32_t Perfmon::SelectedBlocks() const {
  uint32_t blocks = 0;
  for (uint32_t i = 0; i < kSqCounters; ++i) {
    if (registers_.Read(kRegSqCounter0Select + i) != 0) blocks |= 1u << kSq;
  }
  for (const uint32_t select : kCacheSelects) {
    if (registers_.Read(kRegTccCounter0Select + select) != 0) blocks |= 1u << kTcc;
    if (registers_.Read(kRegTcpCounter0Select + select) != 0) blocks |= 1u << kTcp;
  }
  return blocks;
}

void Perfmon::LookAtSelected() {
  const uint32_t more = SelectedBlocks() & ~blocks_;
  blocks_ |= more;
  if (counting_ && more != 0) Take(more, &started_);
}

template <typename F>
void Perfmon::Each(uint32_t blocks, const F& f) const {
  const uint32_t engines = GetGpuModel().shader_engines;
  const uint32_t sizes[kBlocks] = {engines * kSqEvents,
                                   L2ChannelsOf(GetGpuModel().gfx) * uint32_t{kTccEvents},
                                   engines * kComputeUnits * kTcpEvents};
  for (uint32_t block = 0; block < kBlocks; ++block) {
    if ((blocks >> block & 1) == 0) continue;
    for (uint32_t i = kFirst[block]; i < kFirst[block] + sizes[block]; ++i) f(i);
  }
}

void Perfmon::Take(uint32_t blocks, Snapshot* out) const {
  const std::atomic<uint64_t>* const from[kBlocks] = {&counters_.sq[0][0], &counters_.tcc[0][0],
                                                      &counters_.tcp[0][0][0]};
  for (uint32_t block = 0; block < kBlocks; ++block) {
    Each(blocks & 1u << block, [&](uint32_t i) {
      out->values[i] = from[block][i - kFirst[block]].load(std::memory_order_relaxed);
    });
  }
}

void Perfmon::Accumulate(Snapshot* total) const {
  Each(blocks_, [&](uint32_t i) { total->values[i] += now_.values[i] - started_.values[i]; });
  total->active += now_.active - started_.active;
  total->ns += now_.ns - started_.ns;
}

uint64_t Perfmon::ReadSq(uint32_t counter) const {
  const uint32_t event = registers_.Read(kRegSqCounter0Select + counter) & kEventMask;
  const std::optional<SqEvent> counted = SqEventOf(GetGpuModel().gfx, event);
  if (!counted.has_value()) {
    SayOnce("SQ", event);
    return 0;
  }
  // A read cannot be broadcast; engine 0 answers one.
  const uint32_t index = registers_.Read(kRegGrbmGfxIndex);
  const bool broadcast = (index & kEngineBroadcast) != 0;
  const uint32_t engine = broadcast ? 0 : index >> kEngineShift & kEngineMask;
  return latched_.values[engine * kSqEvents + static_cast<uint32_t>(*counted)];
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

uint64_t Perfmon::ReadTcc(uint32_t counter) const {
  const uint32_t event =
      registers_.Read(kRegTccCounter0Select + kCacheSelects[counter]) & kCacheEventMask;
  const std::optional<TccEvent> counted = TccEventOf(GetGpuModel().gfx, event);
  if (!counted.has_value()) {
    SayOnce("TCC", event);
    return 0;
  }
  const uint32_t channel = registers_.Read(kRegGrbmGfxIndex) & kInstanceMask;
  return latched_
      .values[kFirst[kTcc] + channel % kTccChannels * kTccEvents + static_cast<uint32_t>(*counted)];
}

uint64_t Perfmon::ReadTcp(uint32_t counter) const {
  const uint32_t event =
      registers_.Read(kRegTcpCounter0Select + kCacheSelects[counter]) & kCacheEventMask;
  const std::optional<TcpEvent> counted = TcpEventOf(GetGpuModel().gfx, event);
  if (!counted.has_value()) {
    SayOnce("TCP", event);
    return 0;
  }
  const uint32_t index = registers_.Read(kRegGrbmGfxIndex);
  const uint32_t engine = index >> kEngineShift & kEngineMask;
  const uint32_t unit = engine * kComputeUnits + (index & kInstanceMask) % kComputeUnits;
  return latched_.values[kFirst[kTcp] + unit * kTcpEvents + static_cast<uint32_t>(*counted)];
}

Perfmon& PerfmonOf(int gpu) {
  struct Table {
    Perfmon* of[kMaxGpus];
  };
  // Leaked on purpose: queue threads may outlive the static destructors.
  static const Table table = [] {
    Table made;
    for (int i = 0; i < kMaxGpus; ++i) made.of[i] = new Perfmon(HwCountersOf(i), RegistersOf(i));
    return made;
  }();
  return *table.of[gpu];
}

}  // namespace vgpu
