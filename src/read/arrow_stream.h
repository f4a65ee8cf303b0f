// SPDX-License-Identifier: MIT
// arrow_stream.h: a table as a stream of the Arrow C interfaces, without a copy of its batches.
//
// Threads    a stream: one at a time; schemas and batches: any
// Memory     that of the batches; the schema lives until its release
// Errors     the stream's get_last_error
#pragma once

#include <cstdint>
#include <memory>

#include "read/trace_source.h"
#include "rtl/read.h"
#include "tables/table_reader.h"
#include "trace/read/trace_reader.h"

namespace rtl::read {

struct OpenTable {
  std::shared_ptr<const TraceSource> source;  // its files stay until the stream is released
  std::unique_ptr<query::TraceReader> trace;  // null: a dataset
  std::unique_ptr<tables::TableReader> reader;
  bool datetimes = false;
  int64_t realtime_minus_boottime = 0;  // for `datetimes`; of a dataset, added by its reader
};

// True: a column of times of the host's clock.
bool IsMoment(const tables::Column& column);

void MakeStream(OpenTable table, ArrowArrayStream* out);

}  // namespace rtl::read
