// SPDX-License-Identifier: MIT
// marker_functions.h: describes ROCTx functions.
//
// Threads    any; everything is constant
#pragma once

#include <stdint.h>

#include "sdk/calls/arguments.h"

namespace rtl::sdk {

// In the order of the kinds and of the registered tables.
enum class MarkerTable : uint8_t { kCore, kControl, kName };
inline constexpr uint32_t kMarkerFunctionCount = 12;

// The operation of each function is its index in the table that a ROCTx library registers.
extern const LibraryFunction kMarkerFunctions[kMarkerFunctionCount];

// The operations of MARKER_CORE_RANGE_API: ranges, and the functions that are not ranges.
inline constexpr uint32_t kMarkerRangeCount = 4;
extern const LibraryFunction kMarkerRanges[kMarkerRangeCount];

// `kind`: a callback kind. MARKER_CORE_API to MARKER_NAME_API have the same numbers in both
// services.
LibraryFunctions MarkerFunctionsOf(uint32_t kind);

}  // namespace rtl::sdk
