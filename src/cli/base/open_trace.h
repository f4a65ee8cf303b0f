// SPDX-License-Identifier: MIT
// open_trace.h: opens the trace that a verb was given: a database, or a trace of another tool.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::cli {

// A foreign trace is imported into a file in TMPDIR, which is removed when this program ends.
Status OpenTrace(const std::string& path, std::unique_ptr<query::TraceReader>* out);

// The database of the trace: `path` itself, or the imported one.
Status DatabaseOf(const std::string& path, std::string* database);

// "not used: 2 files without a trace, as notes.txt". `files`: at least one.
std::string NotUsed(const std::vector<std::string>& files);

}  // namespace rtl::cli
