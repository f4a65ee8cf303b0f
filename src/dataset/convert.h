// SPDX-License-Identifier: MIT
// convert.h: writes a trace as part of a dataset: the files of each rank in the trace.
//
// Threads    that of the trace's reader
// Blocking   file I/O; rows are sorted, see TraceReader
// Memory     a row group for each rank in the trace, and one batch
// Errors     one line; after an error the folder has no file of the trace
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "dataset/table_writer.h"
#include "trace/read/trace_reader.h"

namespace rtl::dataset {

struct ConvertOptions {
  std::string folder;    // made if it does not exist
  bool replace = false;  // replace files of the same ranks; otherwise such files are an error
  bool only_summaries = false;  // no rows of events
};

using Progress = std::function<void(uint64_t kernels)>;

// `written`: all files, in the order in which they were completed.
Status WriteDataset(query::TraceReader& trace, const ConvertOptions& options,
                    const Progress& progress, std::vector<WrittenFile>* written);

}  // namespace rtl::dataset
