// SPDX-License-Identifier: MIT
// The results.json of rocprofv3.
#include "import/import_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return rtl::import::FuzzReader(rtl::import::Format::kRocprofv3Json, data, size);
}
