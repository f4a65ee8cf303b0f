// SPDX-License-Identifier: MIT
// convert.h: the work of `rtl convert`, for verbs that also convert.
#pragma once

#include "base/status.h"
#include "cli/options.h"

namespace rtl::cli {

// Shows a progress bar on a terminal. Nothing is left under options.output on failure.
Status Convert(const ConvertOptions& options);

// Whether a timeline could be written there now; leaves nothing behind.
Status CanWrite(const std::string& output);

}  // namespace rtl::cli
