// SPDX-License-Identifier: MIT
// jax.h: traces of jax.profiler (and of TensorFlow's profiler, which writes the same): Chrome's JSON,
// and XPlane files, from which it is made.
#pragma once

#include <string>

#include "base/status.h"
#include "import/imported_trace.h"

namespace rtl::import {

// The events of the file go to the chosen process of `trace`.
Status ImportJax(const std::string& path, ImportedTrace* trace);
Status ImportXPlane(const std::string& path, ImportedTrace* trace);

}  // namespace rtl::import
