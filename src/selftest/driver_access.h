// SPDX-License-Identifier: MIT
// driver_access.h: checks whether this user can open the driver of AMD GPUs.
//
// Threads    any
// Blocking   opens device files, and closes them
#pragma once

#include <string>

namespace rtl::selftest {

// What prevents access to the driver, and what to do, in one line. Empty: nothing prevents it.
std::string WhyNoDriver();
// What prevents access to the file of a GPU: "/dev/dri/renderD128".
std::string WhyNoRenderNode(const std::string& path);

}  // namespace rtl::selftest
