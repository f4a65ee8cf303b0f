// SPDX-License-Identifier: MIT
// kernel_names.h: makes the label of a kernel's slice.
#pragma once

#include <string>
#include <string_view>

namespace rtl::exporting {

// The function's name with its namespaces, without return type, template arguments and parameters:
// "void a::b<int>(float*)" becomes "a::b". A text that is not such a declaration is returned
// unchanged.
std::string ShortKernelName(std::string_view name);

}  // namespace rtl::exporting
