// SPDX-License-Identifier: MIT
// page.h: a trace as one HTML page that needs nothing else: no network, no other file.
//
//   page/page.html       the page; @NAME@ is replaced by
//     @STYLE@            page/page.css
//     @MODEL@            JSON: what the trace is, tables, names, shapes, rows (page_model.h)
//     @ROWS@             the runs of the rows, packed (pack.h)
//     @SCRIPT@           page/*.js
//
// Threads    one; the reader's cancel flag stops it from anywhere
// Memory     what page_rows.h says, and the page
// Errors     one line that names the file; nothing is left under `output` then
#pragma once

#include <cstddef>
#include <string>

#include "base/status.h"
#include "export/timeline.h"
#include "query/trace_reader.h"

namespace rtl::report {

// More than that nobody waits for: what is short is put together until the page has no more.
inline constexpr size_t kMostBytes = 20u << 20;

struct PageOptions {
  std::string selection = {};  // what the reader's selection is, in words; empty: all
  size_t most_bytes = kMostBytes;
};

// See export/output_file.h for what `output` may be.
Status WritePage(query::TraceReader& trace, const std::string& output,
                 const exporting::Progress& progress, const PageOptions& options = {});

}  // namespace rtl::report
