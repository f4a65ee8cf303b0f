// SPDX-License-Identifier: MIT
// compare.h: the comparisons that SDMA and PM4 packets wait for, in the same three bits of both.
#pragma once

#include <cstdint>

namespace vgpu {

enum class Compare : uint8_t {
  kAlways = 0,
  kLess = 1,
  kLessOrEqual = 2,
  kEqual = 3,
  kNotEqual = 4,
  kGreaterOrEqual = 5,
  kGreater = 6,
  kReserved = 7,
};

// kReserved never holds; packets that carry it are refused before they wait.
constexpr bool Holds(Compare compare, uint32_t value, uint32_t reference) {
  switch (compare) {
    case Compare::kAlways:
      return true;
    case Compare::kLess:
      return value < reference;
    case Compare::kLessOrEqual:
      return value <= reference;
    case Compare::kEqual:
      return value == reference;
    case Compare::kNotEqual:
      return value != reference;
    case Compare::kGreaterOrEqual:
      return value >= reference;
    case Compare::kGreater:
      return value > reference;
    case Compare::kReserved:
      return false;
  }
  return false;
}

}  // namespace vgpu
