// SPDX-License-Identifier: MIT
// room.h: whether a disk has room for a trace.
//
// Threads    any
#pragma once

#include <string>

#include "base/status.h"

namespace rtl::cli {

// For a trace that begins in `folder`. Errors name `shown`.
Status CheckRoom(const std::string& folder, const std::string& shown);

}  // namespace rtl::cli
