// SPDX-License-Identifier: MIT
// Makes the contents of each event for Perfetto's protobuf. pftrace_stream.h puts them into
// packets; kernel_packets.h has the packets of kernels.
#include <bit>
#include <protozero/pbf_builder.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "export/chosen_sink.h"
#include "export/event_arguments.h"
#include "export/exporter.h"
#include "export/kernel_packets.h"
#include "export/perfetto_fields.h"
#include "export/pftrace_names.h"
#include "export/pftrace_operators.h"
#include "export/pftrace_stream.h"
#include "export/utf8.h"
#include "model/api_calls.h"
#include "model/upstream_category.h"
#include "trace/read/counter_table.h"

namespace rtl::exporting {
namespace {

namespace pf = perfetto;
using pf::DebugAnnotation;
using pf::EventType;
using pf::InternedData;
using pf::TrackEvent;
using protozero::pbf_builder;
using query::ApiRow;
using query::MarkerRow;

void AddNamesOf(const SpanKind& kind, std::string* names) {
  AddInterned(InternedData::kEventCategories, CategoryOf(kind.kind), UpstreamCategory(kind), names);
  for (uint32_t i = 0; i < EventArgument::kMost; ++i) {
    const char* const name = EventArgumentName(kind, i);
    if (name == nullptr) continue;
    AddInterned(InternedData::kDebugAnnotationNames, AnnotationOf(kind.kind, i), name, names);
  }
}

// The names that every sequence knows from its first packet on.
std::string FixedNames(const query::TraceReader& trace) {
  std::string names;
  uint64_t iid = 0;
  for (const char* name : kCategories) {
    AddInterned(InternedData::kEventCategories, ++iid, name, &names);
  }
  iid = 0;
  for (const char* name : kAnnotations) {
    AddInterned(InternedData::kDebugAnnotationNames, ++iid, name, &names);
  }
  for (size_t i = 0; i < kEventKindCount; ++i) {
    const SpanKind* const kind = FindSpanKind(static_cast<EventKind>(i));
    if (kind == nullptr) continue;
    const std::string recorded = std::string("recorded.") + EventKindName(kind->kind);
    if (trace.version().Number(recorded) != 0) AddNamesOf(*kind, &names);
  }
  iid = 0;
  for (const char* name : kEventNames) {
    AddInterned(InternedData::kEventNames, ++iid, name, &names);
  }
  return names;
}

class PftraceSink final : public TimelineSink {
 public:
  // `choice`: null if the whole trace is exported.
  PftraceSink(query::TraceReader& trace, const EventChoice* choice, OutputFile* out)
      : trace_(trace),
        choice_(choice),
        out_(out),
        stream_(trace, out, FixedNames(trace)),
        kernels_(&stream_, out),
        operators_(trace, &stream_, out) {
    stream_.WriteClocks();
  }

  Status OnTrack(const Track& track) override;
  Status OnRangeBegin(TrackId track, const MarkerRow& row) override;
  Status OnCallBegin(TrackId track, const CallSlice& call) override;
  Status OnSliceEnd(TrackId track, uint64_t time) override;
  Status OnMark(TrackId track, const MarkerRow& row) override;
  Status OnBarrier(TrackId track, const BarrierSlice& barrier) override;
  Status OnCopy(TrackId track, const CopySlice& copy) override;
  Status OnEvent(TrackId track, const query::EventRow& row, bool nested) override;
  Status OnSubmit(TrackId track, const Submission& submission) override {
    return kernels_.OnSubmit(track, submission);
  }
  Status OnKernel(TrackId track, const KernelSlice& kernel) override;

  Status Operators() { return operators_.Write(); }
  Status LoadCounters() { return counters_.Load(trace_); }
  bool WantsCounters() const override { return true; }
  Status OnCounter(TrackId track, uint64_t time, double value) override;
  bool WantsSamples() const override { return true; }
  Status OnSample(TrackId track, const SampleEvent& sample) override;

 private:
  // An event is built in event_ and then written.
  void NewEvent(TrackId track, EventType type);
  void NameEvent(uint64_t name_iid, uint64_t category);
  Status NewEvent(TrackId track, EventType type, int64_t name, uint64_t category);
  void Annotate(uint64_t name, uint64_t value);
  void Annotate(uint64_t name, std::string_view value);
  void AnnotateTimes(uint64_t start, uint64_t end, uint32_t tid);
  void AnnotateOrigin(const Origin& origin, uint64_t correlation, uint32_t tid);
  void AddFlow(TrackEvent field, uint64_t link);
  Status WriteEvent(uint64_t time);

  query::TraceReader& trace_;
  const EventChoice* const choice_;
  OutputFile* out_;
  PftraceStream stream_;
  KernelPackets kernels_;
  OperatorPackets operators_;
  query::CounterTable counters_;
  Sequence* sequence_ = nullptr;  // the sequence of the event that is being built
  std::string event_;
  std::string annotation_;
  std::string scratch_;
  std::vector<EventArgument> arguments_;
};

Status PftraceSink::OnTrack(const Track& track) {
  stream_.WriteTrack(track);
  operators_.OnTrack(track);
  return out_->result();
}

void PftraceSink::NewEvent(TrackId track, EventType type) {
  sequence_ = stream_.Enter(track);
  event_.clear();
  pbf_builder<TrackEvent>(event_).add_enum(TrackEvent::kType, static_cast<int32_t>(type));
}

Status PftraceSink::NewEvent(TrackId track, EventType type, int64_t name, uint64_t category) {
  NewEvent(track, type);
  RTL_TRY(stream_.Name(sequence_, name));
  NameEvent(NameIid(name), category);
  return Status::Ok();
}

void PftraceSink::NameEvent(uint64_t name_iid, uint64_t category) {
  pbf_builder<TrackEvent> event(event_);
  event.add_uint64(TrackEvent::kNameIid, name_iid);
  event.add_uint64(TrackEvent::kCategoryIids, category);
}

void PftraceSink::Annotate(uint64_t name, uint64_t value) {
  annotation_.clear();
  pbf_builder<DebugAnnotation> annotation(annotation_);
  annotation.add_uint64(DebugAnnotation::kNameIid, name);
  annotation.add_uint64(DebugAnnotation::kUintValue, value);
  pbf_builder<TrackEvent>(event_).add_message(TrackEvent::kDebugAnnotations, annotation_);
}

void PftraceSink::Annotate(uint64_t name, std::string_view value) {
  annotation_.clear();
  pbf_builder<DebugAnnotation> annotation(annotation_);
  annotation.add_uint64(DebugAnnotation::kNameIid, name);
  annotation.add_string(DebugAnnotation::kStringValue, value.data(), value.size());
  pbf_builder<TrackEvent>(event_).add_message(TrackEvent::kDebugAnnotations, annotation_);
}

void PftraceSink::AddFlow(TrackEvent field, uint64_t link) {
  pbf_builder<TrackEvent>(event_).add_fixed64(field, link);
}

void PftraceSink::AnnotateTimes(uint64_t start, uint64_t end, uint32_t tid) {
  Annotate(kBeginNs, start);
  Annotate(kEndNs, end);
  Annotate(kDeltaNs, end > start ? end - start : 0);
  if (tid != 0) Annotate(kTid, uint64_t{tid});
}

// For all events except kernels, which kernel_packets.h writes.
void PftraceSink::AnnotateOrigin(const Origin& origin, uint64_t correlation, uint32_t tid) {
  if (origin.has_call) AddFlow(TrackEvent::kFlowIds, origin.link);
  if (origin.has_submit) AddFlow(TrackEvent::kTerminatingFlowIds, origin.link);
  if (correlation != 0) Annotate(kCorrelation, correlation);
  if (origin.shown_id() != 0) Annotate(kCorrId, origin.shown_id());
  if (origin.stream >= 0) Annotate(kStreamId, static_cast<uint64_t>(origin.stream));
  if (tid != 0) Annotate(kSubmitThread, uint64_t{tid});
}

Status PftraceSink::OnRangeBegin(TrackId track, const MarkerRow& row) {
  RTL_TRY(NewEvent(track, EventType::kSliceBegin, row.name, kMarker));
  if (row.is_start_stop) {
    Annotate(kRangeId, row.range);
    Annotate(kSubmitThread, uint64_t{row.tid});
  }
  if (row.is_unclosed) Annotate(kUnclosed, uint64_t{1});
  if (choice_ != nullptr) Annotate(kCorrId, choice_->IdOf(row));
  AnnotateTimes(row.start, row.end, row.tid);
  return WriteEvent(row.start);
}

Status PftraceSink::OnSliceEnd(TrackId track, uint64_t time) {
  NewEvent(track, EventType::kSliceEnd);
  return WriteEvent(time);
}

// A flow has the id of its call, which may have many kernels.
Status PftraceSink::OnCallBegin(TrackId track, const CallSlice& call) {
  const ApiRow& row = call.row;
  RTL_TRY(NewEvent(track, EventType::kSliceBegin, row.name, kHip));
  std::string_view arguments;
  RTL_TRY(trace_.Text(row.arguments, &arguments));
  if (call.has_work) AddFlow(TrackEvent::kFlowIds, call.link);
  if (!arguments.empty()) Annotate(kArguments, RepairUtf8(arguments, &scratch_));
  if (row.stream >= 0) Annotate(kStream, StreamName(row));
  if (row.has_result) {
    const char* const error = HipErrorName(row.result);
    Annotate(kResult, error != nullptr ? std::string(error) : std::to_string(row.result));
  }
  Annotate(kCorrelation, row.correlation);
  Annotate(kCorrId, choice_ != nullptr ? row.correlation : call.link);
  if (row.stream >= 0) Annotate(kStreamId, static_cast<uint64_t>(row.stream));
  AnnotateTimes(row.start, row.end, row.tid);
  return WriteEvent(row.start);
}

Status PftraceSink::OnMark(TrackId track, const MarkerRow& row) {
  RTL_TRY(NewEvent(track, EventType::kInstant, row.name, kMarker));
  if (choice_ != nullptr) Annotate(kCorrId, choice_->IdOf(row));
  AnnotateTimes(row.start, row.start, row.tid);
  return WriteEvent(row.start);
}

Status PftraceSink::OnBarrier(TrackId track, const BarrierSlice& barrier) {
  const query::BarrierRow& row = barrier.row;
  RTL_TRY(NewEvent(track, EventType::kSliceBegin, row.name, kBarrier));
  Annotate(kDependencies, uint64_t{row.dependencies});
  if (row.submit > 0 && row.submit <= row.start) Annotate(kWait, row.start - row.submit);
  Annotate(kPacket, row.packet);
  AnnotateOrigin(barrier.origin, row.correlation, row.tid);
  RTL_TRY(WriteEvent(row.start));
  return OnSliceEnd(track, row.end);
}

Status PftraceSink::OnCopy(TrackId track, const CopySlice& copy) {
  const query::CopyRow& row = copy.row;
  const EventName to_host = row.src_gpu >= 0 ? kCopyDeviceToHost : kCopyHostToHost;
  const EventName to_device = row.src_gpu >= 0 ? kCopyDeviceToDevice : kCopyHostToDevice;
  NewEvent(track, EventType::kSliceBegin);
  NameEvent(row.dst_gpu >= 0 ? to_device : to_host, kCopy);
  Annotate(kBytes, row.bytes);
  Annotate(kCopyBytes, row.bytes);
  Annotate(kSrcAgent, AgentOf(row.src_gpu));
  Annotate(kDstAgent, AgentOf(row.dst_gpu));
  if (row.submit > 0 && row.submit <= row.start) Annotate(kWait, row.start - row.submit);
  AnnotateOrigin(copy.origin, row.correlation, row.tid);
  if (copy.origin.range != 0) {
    RTL_TRY(stream_.Value(sequence_, copy.origin.range));
    AnnotateInterned(kRange, ValueIid(copy.origin.range), &event_);
  }
  AnnotateTimes(row.start, row.end, row.tid);
  RTL_TRY(WriteEvent(row.start));
  return OnSliceEnd(track, row.end);
}

Status PftraceSink::OnEvent(TrackId track, const query::EventRow& row, bool nested) {
  const EventKind kind = row.kind->kind;
  const bool is_moment = !nested && row.end <= row.start;
  const EventType type = is_moment ? EventType::kInstant : EventType::kSliceBegin;
  RTL_TRY(NewEvent(track, type, row.name, CategoryOf(kind)));
  RTL_TRY(EventArguments(trace_, row, &arguments_));
  for (const EventArgument& argument : arguments_) {
    const uint64_t name = AnnotationOf(kind, argument.number);
    if (argument.is_text) {
      Annotate(name, RepairUtf8(argument.text, &scratch_));
    } else {
      Annotate(name, argument.value);
    }
  }
  if (row.correlation != 0) Annotate(kCorrelation, row.correlation);
  if (choice_ != nullptr) Annotate(kCorrId, choice_->IdOf(row));
  AnnotateTimes(row.start, row.end, row.tid);
  RTL_TRY(WriteEvent(row.start));
  return nested || is_moment ? Status::Ok() : OnSliceEnd(track, row.end);
}

// The values of the kernel's hardware counters are arguments with the names of the counters.
Status PftraceSink::OnKernel(TrackId track, const KernelSlice& kernel) {
  if (counters_.empty()) return kernels_.OnKernel(track, kernel);
  event_.clear();
  for (const query::CounterSum& sum : counters_.Of(kernel.row.process, kernel.row.dispatch)) {
    if (sum.not_modelled) continue;
    const size_t before = event_.size();
    {
      pbf_builder<TrackEvent> event(event_);
      pbf_builder<DebugAnnotation> annotation(event, TrackEvent::kDebugAnnotations);
      annotation.add_string(DebugAnnotation::kName, sum.name);
      annotation.add_double(DebugAnnotation::kDoubleValue, sum.value);
    }
    if (event_.size() <= KernelPackets::kMaxMoreBytes) continue;
    event_.resize(before);
    break;
  }
  return kernels_.OnKernel(track, kernel, event_);
}

Status PftraceSink::OnCounter(TrackId track, uint64_t time, double value) {
  NewEvent(track, EventType::kCounter);
  pbf_builder<TrackEvent>(event_).add_double(TrackEvent::kDoubleCounterValue, value);
  return WriteEvent(time);
}

Status PftraceSink::OnSample(TrackId track, const SampleEvent& sample) {
  const symbols::CodePlace* const place = sample.place;
  std::string name = place == nullptr ? "" : place->Location();
  if (name.empty() && place != nullptr) name = place->instruction;
  if (name.empty()) name = "unknown code";
  NewEvent(track, EventType::kInstant);
  pbf_builder<TrackEvent> event(event_);
  event.add_uint64(TrackEvent::kCategoryIids, kPcSample);
  const std::string_view shown = RepairUtf8(name, &scratch_);
  event.add_string(TrackEvent::kName, shown.data(), shown.size());
  if (place != nullptr && !place->instruction.empty()) Annotate(kInstruction, place->instruction);
  if (sample.kernel != 0) {
    std::string_view kernel;
    RTL_TRY(trace_.Text(sample.kernel, &kernel));
    Annotate(kKernelName, RepairUtf8(kernel, &scratch_));
  }
  Annotate(kLanes, static_cast<uint64_t>(std::popcount(sample.row.exec_mask)));
  if (sample.row.dispatch != 0) Annotate(kDispatch, sample.row.dispatch);
  Annotate(kWorkgroup, TextOf(Triple{sample.row.workgroup[0], sample.row.workgroup[1],
                                     sample.row.workgroup[2]}));
  Annotate(kWave, uint64_t{sample.row.wave});
  return WriteEvent(sample.row.time);
}

Status PftraceSink::WriteEvent(uint64_t time) {
  stream_.WriteEvent(sequence_, time, event_);
  return out_->result();
}

}  // namespace

Status WritePftrace(query::TraceReader& trace, const ExportOptions& options,
                    const Progress& progress, OutputFile* out) {
  PftraceSink sink(trace, options.choice, out);
  RTL_TRY(sink.LoadCounters());
  if (options.choice == nullptr) {
    RTL_TRY(WalkTimeline(trace, progress, &sink));
    return sink.Operators();
  }
  ChosenSink chosen(options.choice, &sink);
  return WalkTimeline(trace, progress, &chosen);
}

}  // namespace rtl::exporting
