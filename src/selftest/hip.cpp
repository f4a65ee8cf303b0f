// SPDX-License-Identifier: MIT
#include "selftest/hip.h"

#include <dlfcn.h>

#include "selftest/rocm_libraries.h"

namespace rtl::selftest {

bool Hip::Open(const std::string& file, std::string* why) {
  const std::vector<std::string> candidates =
      file.empty() ? LibraryCandidates("libamdhip64.so", {"7", "6", "5"}, "")
                   : std::vector<std::string>{file};
  void* const library = OpenLibrary(candidates, why);
  if (library == nullptr) {
    if (why->find("No such file") != std::string::npos && file.empty())
      *why =
          "libamdhip64.so was not found; it is in AMD's package hip-runtime-amd, and --hip FILE "
          "names one elsewhere, as PyTorch's in torch/lib";
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

std::string Hip::Path() const {
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(hipInit), &info) == 0) return "";
  return info.dli_fname;
}

}  // namespace rtl::selftest
