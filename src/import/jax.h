// SPDX-License-Identifier: MIT
// jax.h: imports traces of jax.profiler, and of TensorFlow's profiler, which writes the same
// formats: Chrome's JSON, and the XPlane files from which that JSON is made.
#pragma once

#include <string>

#include "base/status.h"
#include "import/imported_trace.h"

namespace rtl::import {

// The events of the file go to the chosen process of `trace`.
Status ImportJax(const std::string& path, ImportedTrace* trace);
Status ImportXPlane(const std::string& path, ImportedTrace* trace);

}  // namespace rtl::import
