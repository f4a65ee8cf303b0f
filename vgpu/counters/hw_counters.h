// SPDX-License-Identifier: MIT
// hw_counters.h: what the shader engines of each chiplet of each GPU have done so far.
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

constexpr int kShaderEngines = 8;      // the most that a chiplet has; GpuModel has the number
constexpr uint32_t kMostChiplets = 8;  // of a GPU

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
  kInstsSmemNormalized,  // two for each scalar memory instruction
  kInstsFlat,            // flat_*, global_* and scratch_*
  kInstsLds,
  kInstsMatrix,
  kInstsBranch,
  kInstsMessage,
  kInstsGds,
  kWavesLt48,
  kWavesLt32,
  kWavesLt16,
  // Computed by the cycle model (wave/cycle_model.h), only while counters count.
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
  kWaitInstAny,
  kWaitInstLds,
  kActiveGds,
  kMatrixBusyCycles,
  kScalarRead1,  // scalar loads of a dword
  kScalarRead2,
  kScalarRead4,
  kScalarRead8,
  kScalarRead16,
  kMatrixOps,  // six events (I8, F16, BF16, F32, F64, F8), in units of 512 operations
  kMatrixOpsLast = kMatrixOps + 5,
  // Levels: the waves or instructions in flight, summed over quads of four clock cycles.
  kLevelWaves,
  kLevelVectorMemory,
  kLevelScalarMemory,
  kLevelLds,
  kSumOfLevel,         // the sum of the level that the counter before selects, by quad
  kSumOfLevelByCycle,  // the same sum, by clock cycle
  kNever,              // what the virtual GPU never does: waves are not saved and not restored
  kFirstType,          // vector instructions by type, in the order of InstructionClass
};
constexpr int kSqTypeEvents = 19;
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
  kMemoryReads32,  // always 0: a read has at least 64 bytes
  kMemoryWrites,
  kMemoryWrites64,
  // Requests through the second interface to memory, which channels of gfx906 have.
  kSecondReads,
  kSecondReads32,
  kSecondWrites,
  kSecondWrites64,
  kWriteBacks,          // dirty lines that were written to memory
  kEvictions,           // lines that were replaced by another one
  kEvictionWriteBacks,  // replaced lines that were dirty
  kFinalWriteBacks,     // dirty lines that were written back at the end of a kernel
  kWideReads,           // reads of 128 bytes from memory
};
constexpr int kTccEvents = static_cast<int>(TccEvent::kWideReads) + 1;
constexpr uint32_t kTccChannels = 32;
// The number of L2 channels of one chiplet.
constexpr uint32_t L2ChannelsOf(int gfx) { return gfx >= 0x90a && gfx < 0x940 ? 32 : 16; }

// Events of the vector L1 cache of a compute unit (TCP).
enum class TcpEvent : uint8_t {
  kCacheAccesses,  // sectors that lanes touch, counted anew for every four lanes
  // Lanes of vector memory instructions.
  kLanes,
  kLanesThatRead,
  kLanesThatWrite,
  kAtomicLanesWithReturn,
  kAtomicLanesWithoutReturn,
  // Requests to L2.
  kReadRequests,
  kWriteRequests,
  kAtomicsWithReturn,
  kAtomicsWithoutReturn,
};
constexpr int kTcpEvents = static_cast<int>(TcpEvent::kAtomicsWithoutReturn) + 1;
constexpr uint32_t kComputeUnits = 16;  // at most, of a shader engine

// Events of the address unit of a compute unit (TA): instructions of vector memory.
enum class TaEvent : uint8_t {
  kAll,
  kFlat,  // flat_*, global_* and scratch_*
  kFlatReads,
  kFlatWrites,
  kFlatAtomics,
  kBuffer,  // buffer_*
  kBufferReads,
  kBufferWrites,
  kBufferAtomics,
  kBusyCycles,    // by the cycle model
  kBufferCycles,  // busy cycles of buffer_* instructions
};
constexpr int kTaEvents = static_cast<int>(TaEvent::kBufferCycles) + 1;

// Events of the data unit of a compute unit (TD).
enum class TdEvent : uint8_t {
  kAll,
  kStores,
  kAtomics,
};
constexpr int kTdEvents = static_cast<int>(TdEvent::kAtomics) + 1;

// Events of the dispatcher of a shader engine (SPI).
enum class SpiEvent : uint8_t {
  kWorkgroups,
  kWaves,
};
constexpr int kSpiEvents = static_cast<int>(SpiEvent::kWaves) + 1;

// The parts of the chip that count.
enum class CounterBlock : uint8_t { kSq, kTcc, kTcp, kTa, kTd, kSpi };
constexpr uint32_t kCounterBlocks = static_cast<uint32_t>(CounterBlock::kSpi) + 1;
const char* NameOf(CounterBlock block);

// Translates the number of an event in a select register, which differs between GPUs, into the
// block's enumeration (SqEvent, TccEvent, ...). Empty: the model does not count the event. `gfx`:
// as in GpuModel.
std::optional<uint32_t> EventOf(CounterBlock block, int gfx, uint32_t number);

// The events that are modelled, one line "BLOCK NUMBER" each. A tool reads them in the topology to
// tell "nothing happened" from "not modelled".
std::string ModelledCounters(int gfx);

struct HwCounters {
  std::atomic<uint64_t> sq[kShaderEngines][kSqEvents] = {};
  std::atomic<uint64_t> tcc[kTccChannels][kTccEvents] = {};
  std::atomic<uint64_t> tcp[kShaderEngines][kComputeUnits][kTcpEvents] = {};
  std::atomic<uint64_t> ta[kShaderEngines][kComputeUnits][kTaEvents] = {};
  std::atomic<uint64_t> td[kShaderEngines][kComputeUnits][kTdEvents] = {};
  std::atomic<uint64_t> spi[kShaderEngines][kSpiEvents] = {};
  std::atomic<uint64_t> active{0};    // clock cycles in which the chip has work, by the cycle model
  std::atomic<bool> counting{false};  // a tool has started the counters

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
  void AddTa(int engine, uint32_t unit, TaEvent event, uint64_t count) {
    ta[engine][unit % kComputeUnits][static_cast<int>(event)].fetch_add(count,
                                                                        std::memory_order_relaxed);
  }
  void AddTd(int engine, uint32_t unit, TdEvent event, uint64_t count) {
    td[engine][unit % kComputeUnits][static_cast<int>(event)].fetch_add(count,
                                                                        std::memory_order_relaxed);
  }
  void AddSpi(int engine, SpiEvent event, uint64_t count) {
    spi[engine][static_cast<int>(event)].fetch_add(count, std::memory_order_relaxed);
  }
  uint64_t Get(int engine, int event) const {
    return sq[engine][event].load(std::memory_order_relaxed);
  }
};

// The counters of one chiplet. `gpu` is below kMaxGpus, `chiplet` below kMostChiplets.
HwCounters& HwCountersOf(int gpu, uint32_t chiplet = 0);

}  // namespace vgpu
