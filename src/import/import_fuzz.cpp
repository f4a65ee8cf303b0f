// SPDX-License-Identifier: MIT
// Fuzzes the choice of a reader: the input is a file that may be compressed, and its content
// decides its format.
#include "import/import_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return rtl::import::FuzzReader(rtl::import::Format::kUnknown, data, size);
}
