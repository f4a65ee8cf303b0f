// SPDX-License-Identifier: MIT
// hip_library.h: the HIP runtime in this process, found by its name among the loaded libraries (any
// version, any folder, any loader), never loaded by the tracer.
//
// Threads    any
// Blocking   takes the loader's lock
// Memory     the library is kept loaded: calls may be open in it
#pragma once

#include <stdint.h>

namespace rtl::capture {

class HipLibrary {
 public:
  // False when the process has none.
  bool Find();
  bool found() const { return handle_ != nullptr; }

  // Null when it has no such function.
  void* Symbol(const char* name) const;
  // From the file's name, "libamdhip64.so.5.2.21153": 5 and 2. Zero: not in the name.
  uint32_t major() const { return major_; }
  uint32_t minor() const { return minor_; }

  // Reads "…/libamdhip64.so.5.2.21153". False: not HIP's runtime.
  static bool ParseName(const char* path, uint32_t* major, uint32_t* minor);

 private:
  void* handle_ = nullptr;
  uint32_t major_ = 0;
  uint32_t minor_ = 0;
};

}  // namespace rtl::capture
