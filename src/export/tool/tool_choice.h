// SPDX-License-Identifier: MIT
// tool_choice.h: chooses the events of a timeline of rocprofv3: the same events, with the same ids,
// as in the tables of the same run.
//
// Threads    one
// Errors     those of the trace
#pragma once

#include "export/chosen_sink.h"
#include "export/tool/tool_trace.h"

namespace rtl::exporting::tool {

class ToolChoice final : public EventChoice {
 public:
  explicit ToolChoice(ToolTrace* trace) : trace_(*trace), options_(trace->options()) {}

  Status ShowsCall(const query::ApiRow& row, bool* shown) override;
  Status ShowsEvent(const query::EventRow& row, bool* shown) override;
  bool ShowsMarker(const query::MarkerRow& row) const override;
  bool ShowsSubmission(const Submission& submission) const override;
  bool Shows(KernelSlice* kernel) const override;
  bool Shows(CopySlice* copy) const override;
  // Sums over the whole trace would not describe a part of it.
  bool ShowsCounters() const override { return options_.periods.empty(); }
  bool ShowsSample(uint64_t time) const override {
    return options_.samples && trace_.InPeriods(time, time);
  }
  uint64_t IdOf(const query::EventRow& row) const override;
  uint64_t IdOf(const query::MarkerRow& row) const override { return trace_.IdOf(0, row.id); }

 private:
  Status ShowsName(int64_t name, bool* shown);

  ToolTrace& trace_;
  const ToolOptions& options_;
};

}  // namespace rtl::exporting::tool
