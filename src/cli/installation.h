// SPDX-License-Identifier: MIT
// installation.h: where the parts of this installation lie, as seen from the running program:
// bin/rtl, lib/librtl.so, lib/librtl_hip.so, lib/libvgpu.so, lib/libroctx64.so.4; and where the system has the GPU.
#pragma once

#include <string>

#include "base/status.h"

namespace rtl::cli {

inline constexpr char kDriver[] = "/dev/kfd";  // that of AMD GPUs

// The absolute path of ../lib/<name>; an error when it is not there.
Status FindLibrary(const std::string& name, std::string* path);

}  // namespace rtl::cli
