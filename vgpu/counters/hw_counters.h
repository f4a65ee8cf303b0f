// SPDX-License-Identifier: MIT
// hw_counters.h: what the shader engines of each GPU have done since the process started.
//
// Threads    written by every thread that runs waves, read by the command processor; relaxed sums,
//            exact once the dispatch that did the work has completed
// Memory     static, never destroyed
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "vgpu/config/config.h"

namespace vgpu {

constexpr int kShaderEngines = 8;  // at most: GpuModel says how many

// Events of the SQ block that are counted.
enum class SqEvent : uint8_t {
  kWaves,
  kWavesEq64,  // waves that started with all lanes active
  kWavesLt64,
  kItems,  // work-items
  kInsts,
  kInstsValu,
  kInstsVmemWrite,
  kInstsVmemRead,
  kInstsVmem,
  kInstsSalu,
  kInstsSmem,
  kInstsFlat,
  kInstsLds,
  kInstsMatrix,
  kInstsBranch,
  kInstsMessage,
  kWavesLt48,
  kWavesLt32,
  kWavesLt16,
  // By the cycle model (wave/cycle_model.h), while counters count.
  kBusyCycles,
  kBusyCuCycles,
  kWaveCycles,
  kWaitAny,
  kActiveAny,
  kActiveVector,
  kActiveScalar,
  kActiveLds,
  kActiveVectorMemory,
  kActiveFlat,
  kActiveOther,
  kScalarCycles,
  kScalarMemoryCycles,
  kVectorReadCycles,
  kVectorWriteCycles,
  kThreadCycles,
  kLdsActive,
  kLdsBankConflict,
  kLdsAddressConflict,
  kLdsAtomicReturn,
  kFlatLdsOnly,
  kFirstType,  // vector instructions by type, in the order of InstructionClass
};
constexpr int kSqTypeEvents = 18;
constexpr int kSqEvents = static_cast<int>(SqEvent::kFirstType) + kSqTypeEvents;

// Events of an L2 channel (TCC).
enum class TccEvent : uint8_t {
  kRequests,
  kReads,
  kWrites,
  kAtomics,
  kHits,
  kMisses,
  kMemoryReads,
  kMemoryReads32,  // there are none: a line is read whole
  kMemoryWrites,
  kMemoryWrites64,
  // gfx906: by the channel's second interface to memory.
  kSecondReads,
  kSecondReads32,
  kSecondWrites,
  kSecondWrites64,
};
constexpr int kTccEvents = static_cast<int>(TccEvent::kSecondWrites64) + 1;
constexpr uint32_t kTccChannels = 32;
constexpr uint32_t L2ChannelsOf(int gfx) { return gfx >= 0x90a ? 32 : 16; }

// Events of the vector L1 cache of a compute unit (TCP).
enum class TcpEvent : uint8_t {
  kCacheAccesses,
  kReadRequests,  // to L2
  kWriteRequests,
  kAtomicsWithReturn,
  kAtomicsWithoutReturn,
};
constexpr int kTcpEvents = static_cast<int>(TcpEvent::kAtomicsWithoutReturn) + 1;
constexpr uint32_t kComputeUnits = 16;  // at most, of a shader engine

// As SqEventOf.
std::optional<TccEvent> TccEventOf(int gfx, uint32_t number);
std::optional<TcpEvent> TcpEventOf(int gfx, uint32_t number);

// The event of a number in a select register, which differs between GPUs; empty: it is not counted. `gfx`: as
// in GpuModel.
std::optional<SqEvent> SqEventOf(int gfx, uint32_t number);

// The events that are modelled, a line "BLOCK NUMBER" for each: what a tool reads in the topology to
// tell "nothing happened" from "not modelled".
std::string ModelledCounters(int gfx);

struct HwCounters {
  std::atomic<uint64_t> sq[kShaderEngines][kSqEvents] = {};
  std::atomic<uint64_t> tcc[kTccChannels][kTccEvents] = {};
  std::atomic<uint64_t> tcp[kShaderEngines][kComputeUnits][kTcpEvents] = {};
  std::atomic<uint64_t> active{0};    // clock cycles in which the chip has work, by the same model
  std::atomic<bool> counting{false};  // a tool reads them

  void Add(int engine, SqEvent event, uint64_t count) {
    sq[engine][static_cast<int>(event)].fetch_add(count, std::memory_order_relaxed);
  }
  void AddTcc(uint32_t channel, TccEvent event, uint64_t count) {
    tcc[channel][static_cast<int>(event)].fetch_add(count, std::memory_order_relaxed);
  }
  void AddTcp(int engine, uint32_t unit, TcpEvent event, uint64_t count) {
    tcp[engine][unit % kComputeUnits][static_cast<int>(event)].fetch_add(count,
                                                                         std::memory_order_relaxed);
  }
  uint64_t Get(int engine, int event) const {
    return sq[engine][event].load(std::memory_order_relaxed);
  }
};

// `gpu` is below kMaxGpus.
HwCounters& HwCountersOf(int gpu);

}  // namespace vgpu
