// SPDX-License-Identifier: MIT
// page.h: writes a trace as one self-contained HTML page, which needs no network and no other file.
//
//   page/page.html       the page; @NAME@ is replaced by
//     @STYLE@            page/page.css
//     @MODEL@            JSON: facts about the trace, tables, names, shapes, rows (page_model.h)
//     @ROWS@             the runs of the rows, packed (pack.h)
//     @SCRIPT@           page/*.js
//
// Threads    one; the reader's cancel flag stops it from any thread
// Memory     that of page_rows.h, and the page
// Errors     one line that names the file; after an error there is no file at `output`
#pragma once

#include <cstddef>
#include <string>

#include "base/status.h"
#include "export/timeline.h"
#include "trace/read/trace_reader.h"

namespace rtl::report {

// A larger page loads too slowly: short runs are merged until the page fits.
inline constexpr size_t kMostBytes = 20u << 20;

struct PageOptions {
  std::string selection = {};  // describes the reader's selection; empty: the whole trace
  size_t most_bytes = kMostBytes;
};

// See export/output_file.h for valid values of `output`.
Status WritePage(query::TraceReader& trace, const std::string& output,
                 const exporting::Progress& progress, const PageOptions& options = {});

}  // namespace rtl::report
