// SPDX-License-Identifier: MIT
// rocprofv3_json.h: rocprofv3's results.json.
#pragma once

#include <string>

#include "base/status.h"
#include "import/imported_trace.h"

namespace rtl::import {

// `known`: what is known of the process without the file. Opens and ends the processes of the file;
// `report`: of all of them.
Status ImportRocprofv3Json(const std::string& path, const ImportedProcess& known,
                           ImportedTrace* trace, ImportReport* report);

}  // namespace rtl::import
