// SPDX-License-Identifier: MIT
#include "export/exporter.h"

#include <memory>

#include "export/gpu_stacks.h"

namespace rtl::exporting {

Status Export(query::TraceReader& trace, Format format, const std::string& output,
              const Progress& progress, const ExportOptions& options) {
  std::unique_ptr<OutputFile> file;
  RTL_TRY(OutputFile::Open(output, &file));
  switch (format) {
    case Format::kPftrace:
      RTL_TRY(WritePftrace(trace, options, progress, file.get()));
      break;
    case Format::kChrome:
      RTL_TRY(WriteChromeJson(trace, options, progress, file.get()));
      break;
    case Format::kFolded:
      RTL_TRY(WriteFolded(trace, file.get()));
      break;
    case Format::kSpeedscope:
      RTL_TRY(WriteSpeedscope(trace, file.get()));
      break;
  }
  return file->Commit();
}

}  // namespace rtl::exporting
