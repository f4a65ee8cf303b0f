// SPDX-License-Identifier: MIT
// An XPlane file of jax.profiler.
#include "import/import_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return rtl::import::FuzzReader(rtl::import::Format::kXPlane, data, size);
}
