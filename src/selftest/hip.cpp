// SPDX-License-Identifier: MIT
#include "selftest/hip.h"

#include <dlfcn.h>

#include <initializer_list>

namespace rtl::selftest {

bool Hip::Open(const std::string& file, std::string* why) {
  void* library = nullptr;
  if (!file.empty()) {
    library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  } else {
    for (const char* const name : {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5",
                                   "libamdhip64.so", "/opt/rocm/lib/libamdhip64.so"}) {
      library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
      if (library != nullptr) break;
    }
  }
  if (library == nullptr) {
    *why = file.empty() ? "libamdhip64.so was not found; --hip FILE names it" : dlerror();
    return false;
  }
  const auto find = [&](auto* function, const char* name) {
    *function =
        reinterpret_cast<std::remove_reference_t<decltype(*function)>>(dlsym(library, name));
    if (*function == nullptr) *why = std::string("this HIP has no ") + name;
    return *function != nullptr;
  };
#define X(name, ...) \
  if (!find(&name, #name)) return false;
  RTL_SELFTEST_HIP(X)
#undef X
  return find(&hipGetErrorName, "hipGetErrorName");
}

}  // namespace rtl::selftest
