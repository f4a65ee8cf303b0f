// SPDX-License-Identifier: MIT
// arrow_stream.h: passes a table on as a stream of the Arrow C interface, without copying its
// batches.
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
  std::shared_ptr<const TraceSource> source;  // keeps its files until the stream is released
  std::unique_ptr<query::TraceReader> trace;  // null: the table is a dataset's
  std::unique_ptr<tables::TableReader> reader;
  bool datetimes = false;
  // Used for `datetimes`; for a dataset 0, because its reader adds the offset.
  int64_t realtime_minus_boottime = 0;
};

// Whether a column has points in time of the host's clock.
bool IsMoment(const tables::Column& column);

void MakeStream(OpenTable table, ArrowArrayStream* out);

}  // namespace rtl::read
