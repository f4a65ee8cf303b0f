// SPDX-License-Identifier: MIT
// hsa_functions.h: describes HSA functions.
//
// Threads    any; everything is constant
#pragma once

#include <stdint.h>

#include "sdk/calls/arguments.h"

namespace rtl::sdk {

// Indexed by capture::HsaFunctionIndex; the tables follow each other.
extern const LibraryFunction kHsaFunctions[];
extern const uint32_t kHsaFunctionCount;

// `kind`: its number is the same in both services.
LibraryFunctions HsaFunctionsOf(uint32_t kind);

}  // namespace rtl::sdk
