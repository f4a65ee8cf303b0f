// SPDX-License-Identifier: MIT
// A file whose contents say what it is, perhaps compressed.
#include "import/import_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return rtl::import::FuzzReader(rtl::import::Format::kUnknown, data, size);
}
