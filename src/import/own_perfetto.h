// SPDX-License-Identifier: MIT
// own_perfetto.h: imports what `rtl convert --to pftrace` writes.
//
// Threads    one
// Errors     one line that names the file; of another tool's trace, it says what the file holds
#pragma once

#include <string>

#include "base/status.h"
#include "import/imported_trace.h"

namespace rtl::import {

// Every process of the file. `known`: facts that all have.
Status ImportOwnPerfetto(const std::string& path, const ImportedProcess& known,
                         ImportedTrace* trace, ImportReport* report);

}  // namespace rtl::import
