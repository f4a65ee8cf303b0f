// SPDX-License-Identifier: MIT
// Fuzzes ReadPySpy: frames are as py_spy.h promises, or the file is rejected with an error of one
// line.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "import/py_spy.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::string path = [] {
    char name[] = "/tmp/rtl-py-spy-fuzz-XXXXXX";
    if (mkdtemp(name) == nullptr) abort();
    return std::string(name) + "/samples.json";
  }();
  FILE* const file = fopen(path.c_str(), "we");
  if (file == nullptr || fwrite(data, 1, size, file) != size || fclose(file) != 0) abort();
  uint64_t lost = 0;
  size_t frames = 0;
  const auto take = [&](const rtl::import::SampledFrame& frame) {
    ++frames;
    if (frame.file.empty()) abort();
    if (frame.start < 0 || frame.end <= frame.start) abort();
    if (frame.end > rtl::import::kLatestSample) abort();
  };
  const rtl::Status read = rtl::import::ReadPySpy(path, take, &lost);
  // A frame takes several bytes of the file, and each frame is either passed on or counted in
  // `lost`.
  if (frames > size / 2 || lost > size / 2) abort();
  if (!read.ok() && std::string_view(read.message()).find('\n') != std::string_view::npos) abort();
  return 0;
}
