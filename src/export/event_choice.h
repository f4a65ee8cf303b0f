// SPDX-License-Identifier: MIT
// event_choice.h: the events of a trace that a timeline shows, with their ids and names, for a
// timeline of a part of the trace.
//
// Threads    one
// Errors     of the trace
#pragma once

#include "base/status.h"
#include "export/timeline.h"
#include "trace/read/trace_reader.h"

namespace rtl::exporting {

class EventChoice {
 public:
  virtual ~EventChoice() = default;
  virtual Status ShowsCall(const query::ApiRow& row, bool* shown) = 0;
  virtual Status ShowsEvent(const query::EventRow& row, bool* shown) = 0;
  virtual bool ShowsMarker(const query::MarkerRow& row) const = 0;
  virtual bool ShowsSubmission(const Submission& submission) const = 0;
  // May also change the shown values of the kernel.
  virtual bool Shows(KernelSlice* kernel) const = 0;
  virtual bool Shows(CopySlice* copy) const = 0;
  virtual bool ShowsCounters() const = 0;
  virtual bool ShowsSample(uint64_t time) const = 0;

  // Correlation ids; 0: no id is shown.
  virtual uint64_t IdOf(const query::EventRow& row) const = 0;
  virtual uint64_t IdOf(const query::MarkerRow& row) const = 0;
};

}  // namespace rtl::exporting
