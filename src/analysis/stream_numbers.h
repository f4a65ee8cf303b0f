// SPDX-License-Identifier: MIT
// stream_numbers.h: finds the HIP stream that a handle meant at a given time. HIP reuses handles.
//
// Threads    immutable once loaded
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::analysis {

class StreamNumbers {
 public:
  Status Load(query::TraceReader& trace) {
    std::vector<query::Stream> streams;
    RTL_TRY(trace.tables().Streams(&streams));
    for (query::Stream& stream : streams)
      by_handle_[{stream.process, stream.handle}].push_back(std::move(stream));
    return Status::Ok();
  }
  // Null: the trace has no such stream.
  const query::Stream* Find(int64_t process, const query::StreamUse& use) const {
    const auto found = by_handle_.find({process, use.handle});
    if (found == by_handle_.end()) return nullptr;
    for (const query::Stream& stream : found->second) {
      const bool lives = stream.destroyed == 0 || use.time <= stream.destroyed;
      if (stream.created <= use.time && lives) return &stream;
    }
    return nullptr;
  }

 private:
  std::map<std::pair<int64_t, uint64_t>, std::vector<query::Stream>> by_handle_;
};

}  // namespace rtl::analysis
