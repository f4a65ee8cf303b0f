// SPDX-License-Identifier: MIT
// import.h: traces of other tools as a database of this project.
//
// Threads    one
// Blocking   file I/O
// Errors     one line that names the file and the cause; nothing appears under the output's name
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "import/imported_trace.h"
#include "import/sources.h"

namespace rtl::import {

struct ImportedSource {
  Source source;
  int32_t rank = -1;
  ImportReport report;
};

struct ImportRequest {
  std::vector<std::string> inputs;  // files and folders
  std::string output;
  std::string tool_version;
};

struct ImportResult {
  std::vector<ImportedSource> sources;  // what was found in each
  std::vector<std::string> others;      // files of the folders that are no traces
  std::string written;
};

// A sentence for users about the kernels and copies that ImportReport::early counts.
std::string EarlyWork(const ImportReport& report);

Status ImportTraces(const ImportRequest& request, ImportResult* result);
// Imports sources that FindSources has returned.
Status ImportSources(std::vector<Source> sources, const ImportRequest& request,
                     ImportResult* result);

}  // namespace rtl::import
