// SPDX-License-Identifier: MIT
// own_perfetto.h: imports the output of `rtl convert --to pftrace`.
//
// Threads    one
// Errors     one line that names the file; for a trace of another tool, it describes the content
#pragma once

#include <string>

#include "base/status.h"
#include "import/imported_trace.h"

namespace rtl::import {

// Imports every process of the file. `known`: facts that all of them share.
Status ImportOwnPerfetto(const std::string& path, const ImportedProcess& known,
                         ImportedTrace* trace, ImportReport* report);

}  // namespace rtl::import
