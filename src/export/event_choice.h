// SPDX-License-Identifier: MIT
// event_choice.h: which events of a trace a timeline shows, and by which ids and names, where that is
// not everything as the trace has it.
//
// Threads    one
// Errors     of the trace
#pragma once

#include "base/status.h"
#include "export/timeline.h"
#include "query/trace_reader.h"

namespace rtl::exporting {

class EventChoice {
 public:
  virtual ~EventChoice() = default;
  virtual Status ShowsCall(const query::ApiRow& row, bool* shown) = 0;
  virtual Status ShowsEvent(const query::EventRow& row, bool* shown) = 0;
  virtual bool ShowsMarker(const query::MarkerRow& row) const = 0;
  virtual bool ShowsSubmission(const Submission& submission) const = 0;
  // May also change what is shown of it.
  virtual bool Shows(KernelSlice* kernel) const = 0;
  virtual bool Shows(CopySlice* copy) const = 0;
  virtual bool ShowsCounters() const = 0;
  virtual bool ShowsSample(uint64_t time) const = 0;

  // Correlation ids; 0: none is shown.
  virtual uint64_t IdOf(const query::EventRow& row) const = 0;
  virtual uint64_t IdOf(const query::MarkerRow& row) const = 0;
};

}  // namespace rtl::exporting
