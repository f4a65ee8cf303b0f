// SPDX-License-Identifier: MIT
// installation.h: the paths of this installation's parts, relative to the running program: bin/rtl,
// lib/librtl.so, lib/librtl_hip.so, lib/libvgpu.so, lib/libroctx64.so.4; and the system's path of
// the GPU.
#pragma once

#include <string>

#include "base/status.h"

namespace rtl::cli {

inline constexpr char kDriver[] = "/dev/kfd";  // the driver of AMD GPUs

// The absolute path of ../lib/<name>; an error when it is missing.
Status FindLibrary(const std::string& name, std::string* path);

}  // namespace rtl::cli
