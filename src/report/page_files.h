// SPDX-License-Identifier: MIT
// page_files.h: the files of page/, which the build puts into the program (embed.cmake).
#pragma once

#include <string_view>

namespace rtl::report {

extern const std::string_view kPageHtml;
extern const std::string_view kPageCss;
extern const std::string_view kPageScript;  // all scripts, in the order of report.cmake

}  // namespace rtl::report
