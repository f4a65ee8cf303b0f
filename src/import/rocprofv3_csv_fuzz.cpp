// SPDX-License-Identifier: MIT
// A CSV file of rocprofv3.
#include "import/import_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return rtl::import::FuzzReader(rtl::import::Format::kRocprofv3Csv, data, size);
}
