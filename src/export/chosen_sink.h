// SPDX-License-Identifier: MIT
// chosen_sink.h: passes the events of a choice on to a sink, for a timeline of a part of the trace.
//
// Threads    one
// Memory     the open slices, by track
// Errors     those of the trace and of the sink
#pragma once

#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "export/timeline.h"
#include "trace/read/trace_reader.h"

namespace rtl::exporting {

// Chooses the events that are shown, and their ids and names.
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

class ChosenSink final : public TimelineSink {
 public:
  // Both must outlive this object.
  ChosenSink(EventChoice* choice, TimelineSink* sink) : choice_(choice), sink_(sink) {}

  Status OnTrack(const Track& track) override { return sink_->OnTrack(track); }
  Status OnRangeBegin(TrackId track, const query::MarkerRow& row) override {
    return Open(track, choice_->ShowsMarker(row)) ? sink_->OnRangeBegin(track, row) : Status::Ok();
  }
  Status OnCallBegin(TrackId track, const CallSlice& call) override {
    bool shown = false;
    RTL_TRY(choice_->ShowsCall(call.row, &shown));
    return Open(track, shown) ? sink_->OnCallBegin(track, call) : Status::Ok();
  }
  Status OnSliceEnd(TrackId track, uint64_t time) override {
    return Close(track) ? sink_->OnSliceEnd(track, time) : Status::Ok();
  }
  bool SplitsCall(std::string_view name) const override { return sink_->SplitsCall(name); }
  Status OnMark(TrackId track, const query::MarkerRow& row) override {
    return choice_->ShowsMarker(row) ? sink_->OnMark(track, row) : Status::Ok();
  }
  Status OnSubmit(TrackId track, const Submission& submission) override {
    return choice_->ShowsSubmission(submission) ? sink_->OnSubmit(track, submission) : Status::Ok();
  }
  Status OnKernel(TrackId track, const KernelSlice& kernel) override {
    KernelSlice shown = kernel;
    return choice_->Shows(&shown) ? sink_->OnKernel(track, shown) : Status::Ok();
  }
  Status OnBarrier(TrackId track, const BarrierSlice& barrier) override {
    return sink_->OnBarrier(track, barrier);
  }
  Status OnCopy(TrackId track, const CopySlice& copy) override {
    CopySlice shown = copy;
    return choice_->Shows(&shown) ? sink_->OnCopy(track, shown) : Status::Ok();
  }
  Status OnEvent(TrackId track, const query::EventRow& row, bool nested) override {
    bool shown = false;
    RTL_TRY(choice_->ShowsEvent(row, &shown));
    if (nested) (void)Open(track, shown);
    return shown ? sink_->OnEvent(track, row, nested) : Status::Ok();
  }
  bool WantsCounters() const override { return choice_->ShowsCounters() && sink_->WantsCounters(); }
  Status OnCounter(TrackId track, uint64_t time, double value) override {
    return sink_->OnCounter(track, time, value);
  }
  bool WantsSamples() const override { return sink_->WantsSamples(); }
  Status OnSample(TrackId track, const SampleEvent& sample) override {
    return choice_->ShowsSample(sample.row.time) ? sink_->OnSample(track, sample) : Status::Ok();
  }

 private:
  bool Open(TrackId track, bool shown) {
    open_[track].push_back(shown);
    return shown;
  }
  // The innermost slice of the track ends. True if it was shown.
  bool Close(TrackId track) {
    std::vector<bool>& slices = open_[track];
    if (slices.empty()) return true;
    const bool shown = slices.back();
    slices.pop_back();
    return shown;
  }

  EventChoice* const choice_;
  TimelineSink* const sink_;
  std::unordered_map<TrackId, std::vector<bool>> open_;
};

}  // namespace rtl::exporting
