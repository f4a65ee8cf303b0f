// SPDX-License-Identifier: MIT
// kineto.h: torch.profiler's traces.
#pragma once

#include <string>

#include "base/status.h"
#include "import/imported_trace.h"

namespace rtl::import {

// The events of the file go to the open process of `trace`; its facts are added to `process`.
Status ImportKineto(const std::string& path, ImportedTrace* trace, ImportedProcess* process);

}  // namespace rtl::import
