// SPDX-License-Identifier: MIT
// work_tables.h: kernels and copies by roctx range, stream and graph node, as text and members of a
// JSON object.
//
// Threads    any
#pragma once

#include <stddef.h>

#include <string>
#include <vector>

#include "analysis/projection.h"
#include "cli/base/report_json.h"

namespace rtl::cli {

// The non-empty tables. `rows`: of each; zero: all. `width`: of the terminal; zero: no limit.
std::string WorkTables(const analysis::Projection& projection, size_t rows, size_t width);

void AddWork(const analysis::Projection& projection, size_t rows, JsonWriter* json);

}  // namespace rtl::cli
