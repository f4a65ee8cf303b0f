// SPDX-License-Identifier: MIT
// Fuzzes the reader of jax.profiler's traces in Chrome's JSON.
#include "import/import_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return rtl::import::FuzzReader(rtl::import::Format::kJax, data, size);
}
