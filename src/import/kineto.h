// SPDX-License-Identifier: MIT
// kineto.h: imports traces of torch.profiler.
#pragma once

#include <string>

#include "base/status.h"
#include "import/imported_trace.h"

namespace rtl::import {

// The events of the file go to `process`, which is chosen in `trace`, and so do the facts that the
// file adds. If several ranks' files were merged into this one, each further rank becomes a
// process, which ends here, and its report is added to `report`.
Status ImportKineto(const std::string& path, size_t process, ImportedTrace* trace,
                    ImportReport* report);

}  // namespace rtl::import
