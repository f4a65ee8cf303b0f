// SPDX-License-Identifier: MIT
// Fuzzes the reader of a Parquet file's footer.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parquet/footer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  rtl::parquet::Footer footer;
  // An error is a valid result.
  (void)rtl::parquet::ParseFooter({reinterpret_cast<const char*>(data), size}, &footer);
  return 0;
}
