// SPDX-License-Identifier: MIT
// demangle.h: from the symbol of a kernel to the name that people read.
#pragma once

#include <string>
#include <string_view>

namespace rtl::store {

// "_Z4gemmPfS_S_i.kd" -> "gemm(float*, float*, float*, int)". What is not a mangled name comes back
// as it is, without ".kd".
std::string DemangleKernel(std::string_view symbol);

}  // namespace rtl::store
