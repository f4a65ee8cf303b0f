// SPDX-License-Identifier: MIT
// unproduced.h: reports the kinds of event that tools subscribe to and this library never produces.
//
// Threads    the one that initialises tools
// Memory     none but the stack
#pragma once

#include "sdk/contexts/contexts.h"

namespace rtl::sdk {

// Writes one line to stderr if RTL_LOG is set and there are such kinds; otherwise does nothing.
void ReportUnproduced(Contexts* contexts);

}  // namespace rtl::sdk
