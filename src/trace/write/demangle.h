// SPDX-License-Identifier: MIT
// demangle.h: from a kernel's symbol to its readable name.
#pragma once

#include <string>
#include <string_view>

namespace rtl::store {

// "_Z4gemmPfS_S_i.kd" -> "gemm(float*, float*, float*, int)". A name that is not mangled comes back
// unchanged, without ".kd".
std::string DemangleKernel(std::string_view symbol);

}  // namespace rtl::store
