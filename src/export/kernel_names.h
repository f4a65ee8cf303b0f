// SPDX-License-Identifier: MIT
// kernel_names.h: what stands on a kernel's slice.
#pragma once

#include <string>
#include <string_view>

namespace rtl::exporting {

// The function's name with its namespaces, without return type, template arguments and parameters:
// of "void a::b<int>(float*)" it is "a::b". What is no such declaration comes back as it is.
std::string ShortKernelName(std::string_view name);

}  // namespace rtl::exporting
