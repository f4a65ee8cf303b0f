// SPDX-License-Identifier: MIT
// demangle.h: makes a readable name from the symbol of a kernel.
#pragma once

#include <string>
#include <string_view>

namespace rtl::store {

// For example "_Z4gemmPfS_S_i.kd" -> "gemm(float*, float*, float*, int)". A name that is not
// mangled is returned unchanged, without ".kd".
std::string DemangleKernel(std::string_view symbol);

}  // namespace rtl::store
