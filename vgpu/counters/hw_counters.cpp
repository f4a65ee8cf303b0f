// SPDX-License-Identifier: MIT
#include "vgpu/counters/hw_counters.h"

#include <array>

namespace vgpu {
namespace {

constinit HwCounters g_counters[kMaxGpus][kMostChiplets];

constexpr size_t kFamilies = 4;

constexpr SqEvent Type(int number) {
  return static_cast<SqEvent>(static_cast<int>(SqEvent::kFirstType) + number);
}
constexpr SqEvent MatrixOps(int number) {
  return static_cast<SqEvent>(static_cast<int>(SqEvent::kMatrixOps) + number);
}

// The number of an event in the select registers of each family (gfx900, gfx908, gfx90a, gfx940);
// 0: the family does not have the event. One event of the model has several rows if it stands for
// several hardware events.
template <typename Event>
struct Numbers {
  Event event;
  uint16_t of_family[kFamilies];
};
constexpr Numbers<SqEvent> kNumbers[] = {
    {SqEvent::kWaves, 4, 4, 4, 4},
    {SqEvent::kWavesEq64, 6, 6, 6, 6},
    {SqEvent::kWavesLt64, 7, 7, 7, 7},
    {SqEvent::kItems, 14, 14, 14, 14},
    {SqEvent::kInsts, 25, 25, 25, 25},
    {SqEvent::kInstsValu, 26, 26, 26, 26},
    {SqEvent::kInstsVmemWrite, 27, 28, 53, 57},
    {SqEvent::kInstsVmemRead, 28, 29, 54, 58},
    {SqEvent::kInstsVmem, 29, 30, 55, 59},
    {SqEvent::kInstsSalu, 30, 31, 56, 60},
    {SqEvent::kInstsSmem, 31, 32, 57, 61},
    {SqEvent::kInstsFlat, 32, 33, 58, 62},
    {SqEvent::kInstsLds, 34, 35, 60, 65},
    {SqEvent::kInstsMatrix, 0, 27, 52, 56},
    {SqEvent::kInstsBranch, 0, 39, 64, 69},
    {SqEvent::kInstsMessage, 0, 40, 65, 70},
    {SqEvent::kInstsGds, 35, 36, 61, 66},
    {SqEvent::kInstsGds, 0, 38, 63, 68},  // GDS and exports together; compute kernels do not export
    {SqEvent::kInstsSmemNormalized, 0, 161, 188, 187},
    {SqEvent::kLevelWaves, 0, 5, 5, 5},
    {SqEvent::kLevelVectorMemory, 0, 42, 67, 72},
    {SqEvent::kLevelScalarMemory, 0, 43, 68, 73},
    {SqEvent::kLevelLds, 0, 44, 69, 74},
    {SqEvent::kSumOfLevel, 0, 1, 1, 1},
    {SqEvent::kSumOfLevelByCycle, 0, 158, 185, 184},
    {SqEvent::kNever, 0, 159, 186, 185},  // waves restored
    {SqEvent::kNever, 0, 160, 187, 186},  // waves saved
    {SqEvent::kWavesLt48, 0, 8, 8, 8},
    {SqEvent::kWavesLt32, 0, 9, 9, 9},
    {SqEvent::kWavesLt16, 0, 10, 10, 10},
    {SqEvent::kBusyCycles, 0, 3, 3, 3},
    {SqEvent::kBusyCuCycles, 0, 13, 13, 13},
    {SqEvent::kWaveCycles, 0, 47, 74, 79},
    {SqEvent::kWaitAny, 0, 58, 85, 90},
    {SqEvent::kActiveAny, 0, 69, 96, 101},
    {SqEvent::kActiveVector, 71, 72, 99, 104},
    {SqEvent::kActiveScalar, 0, 73, 100, 105},
    {SqEvent::kActiveLds, 0, 71, 98, 103},
    {SqEvent::kActiveVectorMemory, 0, 70, 97, 102},
    {SqEvent::kActiveFlat, 0, 76, 103, 108},
    {SqEvent::kActiveOther, 0, 75, 102, 107},
    {SqEvent::kScalarCycles, 84, 85, 112, 117},
    {SqEvent::kScalarMemoryCycles, 0, 84, 111, 116},
    {SqEvent::kVectorReadCycles, 0, 78, 105, 110},
    {SqEvent::kVectorWriteCycles, 0, 77, 104, 109},
    {SqEvent::kThreadCycles, 85, 86, 113, 118},
    {SqEvent::kLdsActive, 0, 99, 126, 131},
    {SqEvent::kLdsBankConflict, 93, 94, 121, 126},
    {SqEvent::kLdsAddressConflict, 0, 95, 122, 127},
    {SqEvent::kLdsAtomicReturn, 0, 98, 125, 130},
    {SqEvent::kFlatLdsOnly, 33, 34, 59, 0},
    {SqEvent::kWaitInstAny, 0, 61, 88, 93},
    {SqEvent::kWaitInstLds, 63, 64, 91, 96},
    {SqEvent::kActiveGds, 0, 74, 101, 106},
    {SqEvent::kMatrixBusyCycles, 0, 0, 72, 77},
    {SqEvent::kScalarRead1, 0, 323, 323, 323},
    {SqEvent::kScalarRead2, 0, 324, 324, 324},
    {SqEvent::kScalarRead4, 0, 325, 325, 325},
    {SqEvent::kScalarRead8, 0, 326, 326, 326},
    {SqEvent::kScalarRead16, 0, 327, 327, 327},
    {MatrixOps(0), 0, 0, 47, 49},
    {MatrixOps(1), 0, 0, 48, 50},
    {MatrixOps(2), 0, 0, 49, 51},
    {MatrixOps(3), 0, 0, 50, 52},
    {MatrixOps(4), 0, 0, 51, 53},
    {MatrixOps(5), 0, 0, 0, 55},
    {Type(0), 0, 0, 27, 27},  // additions of F16
    {Type(1), 0, 0, 31, 31},  // F32
    {Type(2), 0, 0, 35, 35},  // F64
    {Type(3), 0, 0, 28, 28},  // multiplications
    {Type(4), 0, 0, 32, 32},
    {Type(5), 0, 0, 36, 36},
    {Type(6), 0, 0, 29, 29},  // fused multiply-adds
    {Type(7), 0, 0, 33, 33},
    {Type(8), 0, 0, 37, 37},
    {Type(9), 0, 0, 30, 30},  // transcendental functions
    {Type(10), 0, 0, 34, 34},
    {Type(11), 0, 0, 38, 38},
    {Type(12), 0, 0, 41, 41},  // conversions
    {Type(13), 0, 0, 42, 42},  // matrix instructions: I8, F16, BF16, F32, F64, F8
    {Type(14), 0, 0, 43, 43},
    {Type(15), 0, 0, 44, 44},
    {Type(16), 0, 0, 45, 45},
    {Type(17), 0, 0, 46, 46},
    {Type(18), 0, 0, 0, 48},
};

constexpr Numbers<TccEvent> kTccNumbers[] = {
    {TccEvent::kRequests, 0, 3, 3, 3},
    {TccEvent::kReads, 0, 12, 12, 12},
    {TccEvent::kWrites, 0, 13, 13, 13},
    {TccEvent::kAtomics, 0, 14, 14, 14},
    {TccEvent::kHits, 20, 17, 17, 17},
    {TccEvent::kMisses, 22, 19, 19, 19},
    {TccEvent::kMemoryReads, 41, 38, 38, 38},
    {TccEvent::kMemoryReads32, 42, 39, 39, 39},
    {TccEvent::kMemoryWrites, 29, 26, 26, 26},
    {TccEvent::kMemoryWrites64, 30, 27, 27, 27},
    {TccEvent::kSecondReads, 267, 0, 0, 0},
    {TccEvent::kSecondReads32, 268, 0, 0, 0},
    {TccEvent::kSecondWrites, 256, 0, 0, 0},
    {TccEvent::kSecondWrites64, 257, 0, 0, 0},
    {TccEvent::kWriteBacks, 0, 22, 22, 22},  // lines; one line may be written by two requests
    {TccEvent::kEvictionWriteBacks, 0, 68, 68, 68},
    {TccEvent::kFinalWriteBacks, 0, 73, 73, 73},
    {TccEvent::kEvictions, 0, 74, 74, 74},
    {TccEvent::kWideReads, 0, 0, 56, 56},
};
constexpr Numbers<TcpEvent> kTcpNumbers[] = {
    {TcpEvent::kCacheAccesses, 0, 60, 60, 60},
    {TcpEvent::kReadRequests, 0, 69, 69, 65},
    {TcpEvent::kWriteRequests, 0, 70, 70, 66},
    {TcpEvent::kAtomicsWithReturn, 0, 71, 71, 67},
    {TcpEvent::kAtomicsWithoutReturn, 0, 72, 72, 68},
    {TcpEvent::kLanes, 0, 29, 29, 27},
    {TcpEvent::kLanesThatRead, 0, 30, 30, 28},
    {TcpEvent::kLanesThatWrite, 0, 32, 32, 30},
    {TcpEvent::kAtomicLanesWithReturn, 0, 38, 38, 36},
    {TcpEvent::kAtomicLanesWithoutReturn, 0, 39, 39, 37},
};
constexpr Numbers<TaEvent> kTaNumbers[] = {
    {TaEvent::kAll, 0, 32, 32, 29},           {TaEvent::kFlat, 0, 100, 100, 51},
    {TaEvent::kFlatReads, 101, 101, 101, 52}, {TaEvent::kFlatWrites, 102, 102, 102, 53},
    {TaEvent::kFlatAtomics, 0, 103, 103, 54}, {TaEvent::kBuffer, 0, 44, 44, 32},
    {TaEvent::kBufferReads, 0, 45, 45, 33},   {TaEvent::kBufferWrites, 0, 46, 46, 34},
    {TaEvent::kBufferAtomics, 0, 47, 47, 35}, {TaEvent::kBusyCycles, 15, 15, 15, 13},
    {TaEvent::kBufferCycles, 0, 49, 49, 37},
};
constexpr Numbers<TdEvent> kTdNumbers[] = {
    {TdEvent::kAll, 0, 25, 25, 16},
    {TdEvent::kAtomics, 0, 26, 26, 17},
    {TdEvent::kStores, 0, 27, 27, 18},
};
constexpr Numbers<SpiEvent> kSpiNumbers[] = {
    {SpiEvent::kWorkgroups, 0, 49, 49, 49},
    {SpiEvent::kWaves, 0, 52, 52, 52},
};

constexpr uint32_t kMostNumbers = 512;
constexpr uint8_t kNotCounted = 0xff;
using Table = std::array<uint8_t, kMostNumbers>;

size_t FamilyOf(int gfx) { return gfx >= 0x940 ? 3 : gfx >= 0x90a ? 2 : gfx >= 0x908 ? 1 : 0; }

// Tables by event number, one for each family: packets that read counters look up every value.
template <typename Event, size_t kCount>
constexpr std::array<Table, kFamilies> Tables(const Numbers<Event> (&numbers)[kCount]) {
  std::array<Table, kFamilies> tables = {};
  for (size_t family = 0; family < tables.size(); ++family) {
    for (uint8_t& each : tables[family]) each = kNotCounted;
    for (const Numbers<Event>& each : numbers) {
      const uint32_t at = each.of_family[family];
      if (at != 0) tables[family][at] = static_cast<uint8_t>(each.event);
    }
  }
  return tables;
}
constexpr std::array<Table, kFamilies> kTables[kCounterBlocks] = {
    Tables(kNumbers),   Tables(kTccNumbers), Tables(kTcpNumbers),
    Tables(kTaNumbers), Tables(kTdNumbers),  Tables(kSpiNumbers)};

}  // namespace

const char* NameOf(CounterBlock block) {
  static constexpr const char* kNames[kCounterBlocks] = {"SQ", "TCC", "TCP", "TA", "TD", "SPI"};
  return kNames[static_cast<size_t>(block)];
}

std::optional<uint32_t> EventOf(CounterBlock block, int gfx, uint32_t number) {
  if (number >= kMostNumbers) return std::nullopt;
  const uint8_t event = kTables[static_cast<size_t>(block)][FamilyOf(gfx)][number];
  if (event == kNotCounted) return std::nullopt;
  return event;
}

std::string ModelledCounters(int gfx) {
  std::string text = "GRBM 0\nGRBM 2\n";
  for (uint32_t block = 0; block < kCounterBlocks; ++block) {
    const auto which = static_cast<CounterBlock>(block);
    for (uint32_t number = 0; number < kMostNumbers; ++number) {
      if (!EventOf(which, gfx, number)) continue;
      text += std::string(NameOf(which)) + " " + std::to_string(number) + "\n";
    }
  }
  return text;
}

HwCounters& HwCountersOf(int gpu, uint32_t chiplet) { return g_counters[gpu][chiplet]; }

}  // namespace vgpu
