// SPDX-License-Identifier: MIT
// Fuzzes the reader of this project's exports to Chrome's JSON.
#include "import/import_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return rtl::import::FuzzReader(rtl::import::Format::kOwnChrome, data, size);
}
