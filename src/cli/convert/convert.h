// SPDX-License-Identifier: MIT
// convert.h: the work of `rtl convert`, for verbs that also convert.
#pragma once

#include "base/status.h"
#include "cli/base/options.h"

namespace rtl::cli {

// Shows a progress bar on a terminal. No file is left under options.output on failure.
Status Convert(const ConvertOptions& options);

// Whether a timeline can be written there now; leaves no file.
Status CanWrite(const std::string& output);

}  // namespace rtl::cli
