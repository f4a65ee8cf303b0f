// SPDX-License-Identifier: MIT
// convert.h: converts a trace, for `rtl convert` and other verbs that convert.
#pragma once

#include "base/status.h"
#include "cli/base/options.h"

namespace rtl::cli {

// Shows a progress bar on a terminal. If the conversion fails, there is no file at options.output.
Status Convert(const ConvertOptions& options);

// Whether a timeline can be written there now; leaves no file.
Status CanWrite(const std::string& output);

}  // namespace rtl::cli
