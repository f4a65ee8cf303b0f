// SPDX-License-Identifier: MIT
// interpose.h: how an entry point of the C library is interposed.
//
// Calls that do not concern the virtual machine go to the next definition, with the same arguments
// and the same errno.
//
// Threads    any, also before main and after exit; nothing here has a constructor or destructor
#pragma once

#include <dlfcn.h>
#include <sys/stat.h>

#include "vgpu/kfd/device_files.h"
#include "vgpu/kfd/redirect.h"

#define VGPU_EXPORT extern "C" [[gnu::visibility("default")]]

// Declares `next`, the next definition of this function.
#define VGPU_NEXT(name) \
  static const auto next = reinterpret_cast<decltype(&::name)>(dlsym(RTLD_NEXT, #name))

// For an entry point that no header declares any more.
#define VGPU_NEXT_AS(name, type) \
  static const auto next = reinterpret_cast<type>(dlsym(RTLD_NEXT, #name))

// An entry point that calls the next definition with another path.
#define VGPU_REDIRECT(Result, name, parameters, ...) \
  VGPU_EXPORT Result name parameters {               \
    VGPU_NEXT(name);                                 \
    return next(__VA_ARGS__);                        \
  }

namespace vgpu {

// Changes what fstat or stat reports for a device's file to what it would report for the device
// node.
template <class Status>
void ShowAsDevice(const Device& device, Status* status) {
  constexpr auto kReadWriteByAll = 0666;
  status->st_mode = S_IFCHR | kReadWriteByAll;
  status->st_rdev = device.Number();
}

}  // namespace vgpu
