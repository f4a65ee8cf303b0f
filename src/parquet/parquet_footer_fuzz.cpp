// SPDX-License-Identifier: MIT
// The footer of a Parquet file.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parquet/footer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  rtl::parquet::Footer footer;
  // Errors are answers.
  (void)rtl::parquet::ParseFooter({reinterpret_cast<const char*>(data), size}, &footer);
  return 0;
}
