// SPDX-License-Identifier: MIT
// import.h: traces of other tools as a database of this project.
//
// Threads    one
// Blocking   file I/O
// Errors     one line that names the file and the cause; nothing appears under the output's name
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "import/imported_trace.h"

namespace rtl::import {

enum class Format { kDatabase, kChrome, kRocprofv3, kUnknown };

// What a file is, by its contents. An error: it cannot be read.
Status FindFormat(const std::string& path, Format* format);

// "torch.profiler".
const char* FormatName(Format format);

struct ImportedFile {
  std::string path;
  Format format = Format::kUnknown;
  int32_t rank = -1;
  ImportReport report;
};

struct ImportRequest {
  std::vector<std::string> files;  // each a process
  std::string output;
  std::string tool_version;
};

// `files`: what was found in each.
Status ImportTraces(const ImportRequest& request, std::vector<ImportedFile>* files,
                    std::string* written);

}  // namespace rtl::import
