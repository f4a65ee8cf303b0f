// SPDX-License-Identifier: MIT
// compressor.h: the compressor for the extension of a file name.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "export/output_file.h"

namespace rtl::exporting {

// *out stays null when the name ends in neither .gz nor .zst.
Status MakeCompressor(const std::string& path, std::unique_ptr<Compressor>* out);

}  // namespace rtl::exporting
