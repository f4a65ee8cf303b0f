// SPDX-License-Identifier: MIT
// event_choice.h: chooses the events of a trace that a timeline shows, and their ids and names. For
// a timeline of a part of the trace.
//
// Threads    one
// Errors     those of the trace
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
  // True if the kernel is shown. May also change the values that are shown.
  virtual bool Shows(KernelSlice* kernel) const = 0;
  virtual bool Shows(CopySlice* copy) const = 0;
  virtual bool ShowsCounters() const = 0;
  virtual bool ShowsSample(uint64_t time) const = 0;

  // The correlation ids to show; 0: no id is shown.
  virtual uint64_t IdOf(const query::EventRow& row) const = 0;
  virtual uint64_t IdOf(const query::MarkerRow& row) const = 0;
};

}  // namespace rtl::exporting
