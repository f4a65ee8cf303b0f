// SPDX-License-Identifier: MIT
// counter_set.h: hardware events that are counted together, and the values that result.
#pragma once

#include <stdint.h>

#include <string_view>

namespace rtl::counters {

// One event, counted in every instance of its block.
struct CounterEvent {
  char block[16] = {};  // "SQ"
  uint32_t event = 0;
  uint32_t flags = 0;  // the library's flags: how SQ accumulates
};

// Counters that are read together. Once a kernel was counted with a set, the set does not change,
// and it lives as long as the process.
struct CounterSet {
  static constexpr uint32_t kMost = 64;
  uint32_t count = 0;
  CounterEvent events[kMost];
};

// The dimensions of a chip that locate a value, with the numbers of rocprofiler-sdk's interface.
enum class CounterDimension : uint8_t {
  kNone,
  kXcc,
  kAid,
  kEngine,
  kAgent,
  kArray,
  kWgp,
  kInstance
};
inline constexpr uint32_t kCounterDimensions = 8;
// Bits of each dimension except kNone in a packed position.
inline constexpr uint32_t kPositionBits = 9;

struct CounterValue {
  uint32_t event = 0;                          // index in the set
  uint16_t position[kCounterDimensions] = {};  // index by CounterDimension
  uint64_t value = 0;
  bool not_modelled = false;  // a virtual GPU does not model the event, so the value has no meaning
};

inline uint64_t PackPosition(const CounterValue& value) {
  uint64_t position = 0;
  for (uint32_t i = kCounterDimensions - 1; i > 0; --i)
    position = position << kPositionBits | value.position[i];
  return position;
}
inline uint64_t PositionIn(uint64_t packed, uint32_t dimension) {
  return packed >> (dimension - 1) * kPositionBits & ((1u << kPositionBits) - 1);
}
// kNone: no dimension has this name. "SHADER_ENGINE" and "DIMENSION_SHADER_ENGINE" are the same.
CounterDimension DimensionOf(std::string_view name);
const char* DimensionName(uint32_t dimension);  // "DIMENSION_XCC"

}  // namespace rtl::counters
