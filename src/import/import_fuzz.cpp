// SPDX-License-Identifier: MIT
// A foreign trace: it is imported and opens, or is refused in one line.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "import/import.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace rtl;
  static const std::string folder = [] {
    char name[] = "/tmp/rtl-import-fuzz-XXXXXX";
    if (mkdtemp(name) == nullptr) abort();
    return std::string(name);
  }();
  const std::string path = folder + "/trace.json";
  FILE* const file = fopen(path.c_str(), "we");
  if (file == nullptr || fwrite(data, 1, size, file) != size || fclose(file) != 0) abort();
  import::ImportResult result;
  const Status done = import::ImportTraces(
      {.inputs = {path}, .output = folder + "/out.db", .tool_version = "fuzz"}, &result);
  if (!done.ok() && std::string_view(done.message()).find('\n') != std::string_view::npos) abort();
  return 0;
}
