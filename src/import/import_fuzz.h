// SPDX-License-Identifier: MIT
// import_fuzz.h: gives one reader a foreign trace, without the check of its first bytes. The reader
// must import it, or reject it with an error of one line.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "import/import.h"

namespace rtl::import {

inline int FuzzReader(Format format, const uint8_t* data, size_t size) {
  static const std::string folder = [] {
    char name[] = "/tmp/rtl-import-fuzz-XXXXXX";
    if (mkdtemp(name) == nullptr) abort();
    return std::string(name);
  }();
  const std::string path = folder + "/trace";
  FILE* const file = fopen(path.c_str(), "we");
  if (file == nullptr || fwrite(data, 1, size, file) != size || fclose(file) != 0) abort();
  const ImportRequest request = {
      .inputs = {path}, .output = folder + "/out.db", .tool_version = "fuzz"};
  ImportResult result;
  Status done = Status::Ok();
  if (format == Format::kUnknown) {
    done = ImportTraces(request, &result);
  } else {
    Source source;
    source.format = format;
    source.is_trace = true;
    source.shown = path;
    source.files = {path};
    done = ImportSources({source}, request, &result);
  }
  if (!done.ok() && std::string_view(done.message()).find('\n') != std::string_view::npos) abort();
  return 0;
}

}  // namespace rtl::import
