// SPDX-License-Identifier: MIT
// own_chrome.h: imports the output of `rtl convert --to chrome`.
#pragma once

#include <string>

#include "base/status.h"
#include "import/imported_trace.h"

namespace rtl::import {

// `known`: facts of a process from outside the file. `report`: sum over all processes of the file.
Status ImportOwnChrome(const std::string& path, const ImportedProcess& known, ImportedTrace* trace,
                       ImportReport* report);

}  // namespace rtl::import
