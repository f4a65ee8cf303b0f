// SPDX-License-Identifier: MIT
// driver_access.h: whether this user can open the driver of AMD GPUs.
//
// Threads    any
// Blocking   opens device files, and closes them
#pragma once

#include <string>

namespace rtl::selftest {

// What prevents it, and what to do, in one line; empty: nothing.
std::string WhyNoDriver();
// The same for a GPU's file: "/dev/dri/renderD128".
std::string WhyNoRenderNode(const std::string& path);

}  // namespace rtl::selftest
