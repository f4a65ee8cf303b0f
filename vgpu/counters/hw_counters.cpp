// SPDX-License-Identifier: MIT
#include "vgpu/counters/hw_counters.h"

#include <array>
#include <iterator>

namespace vgpu {
namespace {

constinit HwCounters g_counters[kMaxGpus];

}  // namespace

namespace {

constexpr SqEvent Type(int number) {
  return static_cast<SqEvent>(static_cast<int>(SqEvent::kFirstType) + number);
}

// By which number the SQ of each family knows an event; 0: it is not known there.
template <typename Event>
struct Numbers {
  Event event;
  uint16_t gfx900, gfx908, gfx90a, gfx940;
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
    {Type(0), 0, 0, 27, 27},  // additions of F16
    {Type(1), 0, 0, 31, 31},  // F32
    {Type(2), 0, 0, 35, 35},  // F64
    {Type(3), 0, 0, 28, 28},  // multiplications
    {Type(4), 0, 0, 32, 32},
    {Type(5), 0, 0, 36, 36},
    {Type(6), 0, 0, 29, 29},  // both
    {Type(7), 0, 0, 33, 33},
    {Type(8), 0, 0, 37, 37},
    {Type(9), 0, 0, 30, 30},  // transcendental functions
    {Type(10), 0, 0, 34, 34},
    {Type(11), 0, 0, 38, 38},
    {Type(12), 0, 0, 41, 41},  // conversions
    {Type(13), 0, 0, 42, 42},  // matrix instructions: I8, F16, BF16, F32, F64
    {Type(14), 0, 0, 43, 43},
    {Type(15), 0, 0, 44, 44},
    {Type(16), 0, 0, 45, 45},
    {Type(17), 0, 0, 46, 46},
};
static_assert(std::size(kNumbers) == kSqEvents);

constexpr Numbers<TccEvent> kTccNumbers[] = {
    {TccEvent::kRequests, 0, 3, 3, 3},        {TccEvent::kReads, 0, 12, 12, 12},
    {TccEvent::kWrites, 0, 13, 13, 13},       {TccEvent::kAtomics, 0, 14, 14, 14},
    {TccEvent::kHits, 20, 17, 17, 17},        {TccEvent::kMisses, 22, 19, 19, 19},
    {TccEvent::kMemoryReads, 41, 38, 38, 0},  {TccEvent::kMemoryReads32, 42, 39, 39, 0},
    {TccEvent::kMemoryWrites, 29, 26, 26, 0}, {TccEvent::kMemoryWrites64, 30, 27, 27, 0},
    {TccEvent::kSecondReads, 267, 0, 0, 0},   {TccEvent::kSecondReads32, 268, 0, 0, 0},
    {TccEvent::kSecondWrites, 256, 0, 0, 0},  {TccEvent::kSecondWrites64, 257, 0, 0, 0},
};
constexpr Numbers<TcpEvent> kTcpNumbers[] = {
    {TcpEvent::kCacheAccesses, 0, 60, 60, 60},        {TcpEvent::kReadRequests, 0, 69, 69, 65},
    {TcpEvent::kWriteRequests, 0, 70, 70, 66},        {TcpEvent::kAtomicsWithReturn, 0, 71, 71, 67},
    {TcpEvent::kAtomicsWithoutReturn, 0, 72, 72, 68},
};
static_assert(std::size(kTccNumbers) == kTccEvents && std::size(kTcpNumbers) == kTcpEvents);

template <typename Row>
constexpr uint32_t NumberOn(int gfx, const Row& numbers) {
  if (gfx >= 0x940) return numbers.gfx940;
  if (gfx >= 0x90a) return numbers.gfx90a;
  return gfx >= 0x908 ? numbers.gfx908 : numbers.gfx900;
}

template <typename Event, size_t kCount>
std::optional<Event> EventOf(const Numbers<Event> (&numbers)[kCount], int gfx, uint32_t number) {
  for (const Numbers<Event>& each : numbers) {
    if (number != 0 && NumberOn(gfx, each) == number) return each.event;
  }
  return std::nullopt;
}

template <typename Event, size_t kCount>
void List(const char* block, const Numbers<Event> (&numbers)[kCount], int gfx, std::string* text) {
  for (const Numbers<Event>& each : numbers) {
    const uint32_t number = NumberOn(gfx, each);
    if (number != 0) *text += std::string(block) + " " + std::to_string(number) + "\n";
  }
}

}  // namespace

// By number, for each family: packets that read counters look here for each value.
std::optional<SqEvent> SqEventOf(int gfx, uint32_t number) {
  constexpr uint32_t kMost = 512;
  constexpr uint8_t kNone = 0xff;
  using Table = std::array<uint8_t, kMost>;
  static constexpr int kFamilies[] = {0x900, 0x908, 0x90a, 0x940};
  static constexpr auto kTables = [] {
    std::array<Table, std::size(kFamilies)> tables = {};
    for (size_t family = 0; family < tables.size(); ++family) {
      for (uint8_t& each : tables[family]) each = kNone;
      for (const Numbers<SqEvent>& each : kNumbers) {
        const uint32_t at = NumberOn(kFamilies[family], each);
        if (at != 0) tables[family][at] = static_cast<uint8_t>(each.event);
      }
    }
    return tables;
  }();
  const size_t family = gfx >= 0x940 ? 3 : gfx >= 0x90a ? 2 : gfx >= 0x908 ? 1 : 0;
  const uint8_t event = number < kMost ? kTables[family][number] : kNone;
  if (event == kNone) return std::nullopt;
  return static_cast<SqEvent>(event);
}
std::optional<TccEvent> TccEventOf(int gfx, uint32_t number) {
  return EventOf(kTccNumbers, gfx, number);
}
std::optional<TcpEvent> TcpEventOf(int gfx, uint32_t number) {
  return EventOf(kTcpNumbers, gfx, number);
}

std::string ModelledCounters(int gfx) {
  std::string text = "GRBM 0\nGRBM 2\n";
  List("SQ", kNumbers, gfx, &text);
  List("TCC", kTccNumbers, gfx, &text);
  List("TCP", kTcpNumbers, gfx, &text);
  return text;
}

HwCounters& HwCountersOf(int gpu) { return g_counters[gpu]; }

}  // namespace vgpu
