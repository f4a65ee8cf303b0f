// SPDX-License-Identifier: MIT
// unproduced.h: says which kinds of event tools have asked for that never come from this library.
//
// Threads    the one that initialises tools
// Memory     none but the stack
#pragma once

#include "sdk/contexts.h"

namespace rtl::sdk {

// Writes one line to stderr when RTL_LOG is set and there are such kinds; else nothing.
void ReportUnproduced(Contexts* contexts);

}  // namespace rtl::sdk
