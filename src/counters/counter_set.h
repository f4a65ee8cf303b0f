// SPDX-License-Identifier: MIT
// counter_set.h: events that are counted together, and the values that come of them.
#pragma once

#include <stdint.h>

#include <string_view>

namespace rtl::counters {

// One event of a block, of every instance of that block.
struct CounterEvent {
  char block[16] = {};  // "SQ"
  uint32_t event = 0;
  uint32_t flags = 0;  // of the library: how SQ accumulates
};

// Counters that are read together. Immutable once a kernel was counted with it; lives as long as
// the process.
struct CounterSet {
  static constexpr uint32_t kMost = 64;
  uint32_t count = 0;
  CounterEvent events[kMost];
};

// Where in the chip a value was counted. The numbers of the interface's dimensions.
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
inline constexpr uint32_t kPositionBits = 9;  // of each dimension but kNone, in a packed position

struct CounterValue {
  uint32_t event = 0;                          // index in the set
  uint16_t position[kCounterDimensions] = {};  // by CounterDimension
  uint64_t value = 0;
  bool not_modelled = false;  // by a virtual GPU: the value means nothing
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
// kNone: there is none of that name; "SHADER_ENGINE" and "DIMENSION_SHADER_ENGINE" are one.
CounterDimension DimensionOf(std::string_view name);
const char* DimensionName(uint32_t dimension);  // "DIMENSION_XCC"

}  // namespace rtl::counters
