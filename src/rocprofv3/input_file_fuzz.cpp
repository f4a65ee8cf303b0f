// SPDX-License-Identifier: MIT
// Fuzzes the reader of rocprofv3's input files. The first byte selects the format of the rest.
#include <string>

#include "rocprofv3/request.h"
#include "rocprofv3/settings.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace rtl::v3;
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::vector<Settings> jobs;
  // Errors are valid results.
  (void)ParseInput("input", static_cast<InputFormat>(data[0] % 3), text, &jobs);
  for (const Settings& job : jobs) {
    Request request;
    std::vector<std::string> notes;
    (void)MakeRequest(job, &request, &notes);
  }
  return 0;
}
