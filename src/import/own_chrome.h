// SPDX-License-Identifier: MIT
// own_chrome.h: what `rtl convert --to chrome` writes.
#pragma once

#include <string>

#include "base/status.h"
#include "import/imported_trace.h"

namespace rtl::import {

// `known`: what is known of a process without the file. `report`: of all processes of the file.
Status ImportOwnChrome(const std::string& path, const ImportedProcess& known, ImportedTrace* trace,
                       ImportReport* report);

}  // namespace rtl::import
