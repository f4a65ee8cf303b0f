// SPDX-License-Identifier: MIT
// xplane.h: reads an XPlane file (*.xplane.pb) of JAX's or TensorFlow's profiler, and passes on the
// events that the profiler's own converter writes as Chrome's JSON.
//
// Threads    one
// Blocking   file I/O
// Memory     one plane: the events of one GPU, or of all threads of the host
// Errors     one line with the file and the place; the file's content is not trusted
// Why        docs/adr/0204-xplane-files.md
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "import/chrome_json.h"

namespace rtl::import {

// Whether a file that begins with these bytes is an XPlane file.
bool IsXPlane(std::string_view begin);

// The event `process_name` of a plane has the plane's statistics as arguments ("core_count").
// Facts: "hostname", and "profile_start_time", the time of day at which the trace's clock is zero.
Status ReadXPlane(const std::string& path, ChromeReader* reader);

}  // namespace rtl::import
