// SPDX-License-Identifier: MIT
// kineto.h: torch.profiler's traces.
#pragma once

#include <string>

#include "base/status.h"
#include "import/imported_trace.h"

namespace rtl::import {

// The events of the file go to the chosen process of `trace`; its facts are added to those that are
// known.
Status ImportKineto(const std::string& path, ImportedTrace* trace);

}  // namespace rtl::import
