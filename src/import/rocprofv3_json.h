// SPDX-License-Identifier: MIT
// rocprofv3_json.h: imports rocprofv3's results.json.
#pragma once

#include <string>

#include "base/status.h"
#include "import/imported_trace.h"

namespace rtl::import {

// Opens and ends a process for each one in the file. `known`: facts of the process from outside the
// file. `report`: sum over all processes.
Status ImportRocprofv3Json(const std::string& path, const ImportedProcess& known,
                           ImportedTrace* trace, ImportReport* report);

}  // namespace rtl::import
