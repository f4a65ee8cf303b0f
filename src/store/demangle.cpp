// SPDX-License-Identifier: MIT
#include "store/demangle.h"

#include <cxxabi.h>
#include <stdlib.h>

#include <memory>

namespace rtl::store {

std::string DemangleKernel(std::string_view symbol) {
  constexpr std::string_view kDescriptor = ".kd";
  if (symbol.ends_with(kDescriptor)) symbol.remove_suffix(kDescriptor.size());
  std::string mangled(symbol);
  if (!symbol.starts_with("_Z")) return mangled;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), free);
  return status == 0 && name != nullptr ? std::string(name.get()) : mangled;
}

}  // namespace rtl::store
