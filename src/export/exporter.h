// SPDX-License-Identifier: MIT
// exporter.h: the export formats of a trace.
//
// Threads    one, and one more that compresses and writes; the reader's cancel flag stops an export
//            from any thread
// Memory     see timeline.h and pftrace_stream.h
// Errors     one line that names the file; then no file is left under `output`
#pragma once

#include <string>

#include "base/status.h"
#include "export/output_file.h"
#include "export/timeline.h"
#include "trace/read/trace_reader.h"

namespace rtl::exporting {

class EventChoice;  // chosen_sink.h

enum class Format : uint8_t { kPftrace, kChrome, kFolded, kSpeedscope };

struct ExportOptions {
  // the name of the ranges that are steps of the program (steps.h); only for chrome
  std::string steps;
  EventChoice* choice = nullptr;  // null: the whole trace is exported; only for pftrace
};

Status WritePftrace(query::TraceReader& trace, const ExportOptions& options,
                    const Progress& progress, OutputFile* out);
Status WriteChromeJson(query::TraceReader& trace, const ExportOptions& options,
                       const Progress& progress, OutputFile* out);

// Writes the whole file. output_file.h lists the valid values of `output`.
Status Export(query::TraceReader& trace, Format format, const std::string& output,
              const Progress& progress, const ExportOptions& options = {});

}  // namespace rtl::exporting
