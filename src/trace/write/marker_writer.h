// SPDX-License-Identifier: MIT
// marker_writer.h: writes what the program says with ROCTx: marks, and ranges when they have ended.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "model/records.h"
#include "trace/schema/strings.h"
#include "trace/write/markers.h"
#include "trace/write/op_writer.h"
#include "trace/write/traced_process.h"

namespace rtl::store {

class MarkerWriter {
 public:
  // Both arguments must outlive this object.
  Status Prepare(Strings* strings, OpWriter* ops);

  Status Add(TracedProcess* process, const MarkRecord& record, std::string_view text);
  Status Begin(TracedProcess* process, const RangeBeginRecord& record, std::string_view text);
  Status End(TracedProcess* process, const RangeEndRecord& record);
  // Called when the process has ended: closes its open ranges, and warns of ends without a
  // beginning.
  Status EndProcess(TracedProcess* process, uint64_t ended);

  // The function to which TracedProcess::markers passes a span. A failure is stored in
  // TracedProcess::failure.
  void Emit(TracedProcess* process, const MarkerSpan& span);

 private:
  Status Intern(uint32_t text_flags, std::string_view text, MarkerSpan* span);
  Status Write(TracedProcess* process, const MarkerSpan& span);

  Strings* strings_ = nullptr;
  OpWriter* ops_ = nullptr;
  int64_t type_ = 0;  // id in rocpd_string
};

}  // namespace rtl::store
