/* SPDX-License-Identifier: MIT
 * utility.hpp: numbers as text. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <sstream>
#include <string>
#include <type_traits>

namespace rocprofiler {
namespace sdk {
namespace utility {

/* "0x" and at least `width` digits; for a pointer, its address. */
template <typename T>
std::string as_hex(T value, size_t width = 0) {
  uintptr_t number;
  if constexpr (std::is_pointer<T>::value) {
    number = reinterpret_cast<uintptr_t>(value);
  } else {
    number = static_cast<uintptr_t>(value);
  }
  std::ostringstream text;
  text << "0x" << std::hex << std::setfill('0') << std::setw(static_cast<int>(width)) << number;
  return text.str();
}

}  // namespace utility
}  // namespace sdk
}  // namespace rocprofiler
