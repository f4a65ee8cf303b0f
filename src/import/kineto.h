// SPDX-License-Identifier: MIT
// kineto.h: torch.profiler's traces.
#pragma once

#include <string>

#include "base/status.h"
#include "import/imported_trace.h"

namespace rtl::import {

// The events of the file go to `process`, the chosen one of `trace`; its facts are added to those
// that are known. Of a file that was merged of those of several ranks, the other ranks become
// processes of their own, which end here; their `report` is added.
Status ImportKineto(const std::string& path, size_t process, ImportedTrace* trace,
                    ImportReport* report);

}  // namespace rtl::import
