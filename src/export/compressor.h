// SPDX-License-Identifier: MIT
// compressor.h: compresses a file as the extension of its name requires.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace rtl::exporting {

// Compresses bytes, chunk by chunk.
class Compressor {
 public:
  virtual ~Compressor() = default;
  // Appends the compressed bytes that are ready to *out; if `last`, all of them.
  virtual Status Compress(std::string_view bytes, bool last, std::string* out) = 0;
};

// *out stays null if the name ends neither in .gz nor in .zst.
Status MakeCompressor(const std::string& path, std::unique_ptr<Compressor>* out);

}  // namespace rtl::exporting
