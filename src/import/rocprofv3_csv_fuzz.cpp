// SPDX-License-Identifier: MIT
// Fuzzes the reader of rocprofv3's CSV files.
#include "import/import_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return rtl::import::FuzzReader(rtl::import::Format::kRocprofv3Csv, data, size);
}
