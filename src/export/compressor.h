// SPDX-License-Identifier: MIT
// compressor.h: makes the compressor that the extension of a file name requires.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "export/output_file.h"

namespace rtl::exporting {

// *out stays null if the name ends neither in .gz nor in .zst.
Status MakeCompressor(const std::string& path, std::unique_ptr<Compressor>* out);

}  // namespace rtl::exporting
