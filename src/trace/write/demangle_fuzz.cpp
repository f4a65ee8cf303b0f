// SPDX-License-Identifier: MIT
// Demangles the name of a kernel in an untrusted code object, and cleans it for the database.
//
//   input     the symbol
#include <stdint.h>
#include <stdlib.h>

#include <string_view>

#include "trace/schema/strings.h"
#include "trace/write/demangle.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view symbol(reinterpret_cast<const char*>(data), size);
  const std::string name = rtl::store::DemangleKernel(symbol);
  if (name.size() > 16 * 1024 && name.size() > symbol.size()) abort();  // larger than proportionate
  if (rtl::store::CleanText(name).size() > name.size()) abort();
  return 0;
}
