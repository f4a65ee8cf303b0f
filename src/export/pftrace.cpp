// SPDX-License-Identifier: MIT
// Perfetto's protobuf, as one packet sequence with interned names. The string ids of the trace
// serve as interning ids, so that all there is to remember is which of them have been written.
#include <protozero/pbf_builder.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "export/exporter.h"
#include "export/perfetto_fields.h"
#include "export/utf8.h"
#include "model/api_calls.h"

namespace rtl::exporting {
namespace {

namespace pf = perfetto;
using pf::DebugAnnotation;
using pf::EventType;
using pf::InternedData;
using pf::TracePacket;
using pf::TrackEvent;
using protozero::pbf_builder;
using query::ApiRow;
using query::KernelRow;
using query::MarkerRow;

constexpr uint32_t kSequence = 1;

// Categories and annotation names by interning id. Id 0 means none.
enum Category : uint64_t { kKernel = 1, kRoctx = 2, kSubmit = 3, kHip = 4, kCopy = 5, kBarrier = 6 };
constexpr const char* kCategories[] = {"kernel", "roctx", "submit", "hip", "copy", "barrier"};

enum Annotation : uint64_t {
  kGrid = 1,
  kWorkgroup,
  kLds,
  kScratch,
  kVgprs,
  kSgprs,
  kKernarg,
  kWait,
  kPacket,
  kDispatch,
  kCorrelation,
  kSubmitThread,
  kMangled,
  kRange,
  kCodeObject,
  kRangeId,
  kUnclosed,
  kArguments,
  kResult,
  kBytes,
  kStream,
  kGraph,
  kGraphLaunch,
  kGraphNode,
  kDependencies,
};
constexpr const char* kAnnotations[] = {
    "grid",          "workgroup",   "lds_bytes",   "scratch_bytes", "vgprs",          "sgprs",
    "kernarg_bytes", "wait_ns",     "packet",      "dispatch",      "correlation_id", "submit_tid",
    "mangled_name",  "roctx_range", "code_object", "range_id",      "unclosed",       "args",
    "result",        "bytes",       "stream",      "graph",         "graph_launch",   "graph_node",
    "dependencies",
};

// Event names: the fixed one, then the trace's strings.
constexpr uint64_t kSubmitNameIid = 1;
uint64_t NameIid(int64_t string_id) { return static_cast<uint64_t>(string_id) + 2; }

// Flows of calls, apart from those of kernels, which are small numbers. Correlation ids count up
// per process.
uint64_t CallFlowId(uint32_t pid, uint64_t correlation) {
  return uint64_t{1} << 63 | uint64_t{pid} << 40 | (correlation & ((uint64_t{1} << 40) - 1));
}

// Which ids have been written; one bit each.
class IdSet {
 public:
  // True when the id is new.
  bool Insert(uint64_t id) {
    if (id >= kDense) return true;  // no trace of ours has such ids: written every time
    if (id >= bits_.size()) bits_.resize(id + id / 2 + 64);
    const bool is_new = !bits_[id];
    bits_[id] = true;
    return is_new;
  }

 private:
  static constexpr uint64_t kDense = uint64_t{1} << 31;
  std::vector<bool> bits_;
};

std::string Triple(const uint32_t (&values)[3]) {
  return std::to_string(values[0]) + "," + std::to_string(values[1]) + "," +
         std::to_string(values[2]);
}

class PftraceSink final : public TimelineSink {
 public:
  PftraceSink(query::TraceReader& trace, OutputFile* out) : trace_(trace), out_(out) {}

  void Start();
  Status OnTrack(const Track& track) override;
  Status OnRangeBegin(TrackId track, const MarkerRow& row) override;
  Status OnRangeEnd(TrackId track, uint64_t time) override;
  Status OnCallBegin(TrackId track, const ApiRow& row) override;
  Status OnCallEnd(TrackId track, uint64_t time) override { return OnRangeEnd(track, time); }
  Status OnMark(TrackId track, const MarkerRow& row) override;
  Status OnBarrier(TrackId track, const query::BarrierRow& row) override;
  Status OnCopy(TrackId track, const query::CopyRow& row) override;
  Status OnSubmit(TrackId track, const KernelSlice& kernel) override;
  Status OnKernel(TrackId track, const KernelSlice& kernel) override;

 private:
  void WriteClocks();
  void WriteFixedNames();
  Status InternName(int64_t id);
  Status InternValue(int64_t id);
  void AddInterned(InternedData field, uint64_t iid, std::string_view text);

  // An event goes into event_, then the packet around it into packet_, then out.
  pbf_builder<TrackEvent> NewEvent(TrackId track, EventType type);
  void Annotate(Annotation name, uint64_t value);
  void Annotate(Annotation name, std::string_view value);
  void AnnotateInterned(Annotation name, int64_t string_id);
  void AnnotateKernel(const KernelSlice& kernel);
  Status WriteEvent(uint64_t time);
  Status WritePacket();

  query::TraceReader& trace_;
  OutputFile* out_;
  std::string event_;
  std::string annotation_;
  std::string interned_;
  std::string packet_;
  std::string scratch_;
  IdSet names_;
  IdSet values_;
};

void PftraceSink::Start() {
  WriteClocks();
  WriteFixedNames();
}

void PftraceSink::WriteClocks() {
  const uint64_t boot = trace_.MetadataNumber("started");
  const auto offset = trace_.metadata().find("realtime_minus_boottime");
  const int64_t shift = offset == trace_.metadata().end() ? 0 : std::atoll(offset->second.c_str());
  const auto clock = [](uint32_t id, uint64_t time) {
    std::string bytes;
    pbf_builder<pf::Clock> writer(bytes);
    writer.add_uint32(pf::Clock::kClockId, id);
    writer.add_uint64(pf::Clock::kTimestamp, time);
    return bytes;
  };
  std::string snapshot;
  pbf_builder<pf::ClockSnapshot> writer(snapshot);
  writer.add_message(pf::ClockSnapshot::kClocks, clock(pf::kClockBootTime, boot));
  if (shift != 0) {
    writer.add_message(pf::ClockSnapshot::kClocks,
                       clock(pf::kClockRealtime, boot + static_cast<uint64_t>(shift)));
  }
  writer.add_uint32(pf::ClockSnapshot::kPrimaryTraceClock, pf::kClockBootTime);
  pbf_builder<TracePacket> packet(packet_);
  packet.add_message(TracePacket::kClockSnapshot, snapshot);
  packet.add_uint32(TracePacket::kTrustedPacketSequenceId, kSequence);
  (void)WritePacket();  // a failure sticks in the file
}

void PftraceSink::WriteFixedNames() {
  uint64_t iid = 0;
  for (const char* name : kCategories) AddInterned(InternedData::kEventCategories, ++iid, name);
  iid = 0;
  for (const char* name : kAnnotations) {
    AddInterned(InternedData::kDebugAnnotationNames, ++iid, name);
  }
  AddInterned(InternedData::kEventNames, kSubmitNameIid, "submit");
  std::string defaults;
  pbf_builder<pf::TracePacketDefaults> writer(defaults);
  writer.add_uint32(pf::TracePacketDefaults::kTimestampClockId, pf::kClockBootTime);
  pbf_builder<TracePacket> packet(packet_);
  packet.add_uint32(TracePacket::kTrustedPacketSequenceId, kSequence);
  packet.add_bool(TracePacket::kIncrementalStateCleared, true);
  packet.add_uint32(TracePacket::kSequenceFlags, pf::kSeqIncrementalStateCleared);
  packet.add_message(TracePacket::kTracePacketDefaults, defaults);
  packet.add_message(TracePacket::kInternedData, interned_);
  interned_.clear();
  (void)WritePacket();
}

Status PftraceSink::OnTrack(const Track& track) {
  std::string descriptor;
  pbf_builder<pf::TrackDescriptor> writer(descriptor);
  writer.add_uint64(pf::TrackDescriptor::kUuid, track.id);
  if (track.parent != 0) writer.add_uint64(pf::TrackDescriptor::kParentUuid, track.parent);
  std::string of;
  if (track.kind == TrackKind::kProcess) {
    pbf_builder<pf::ProcessDescriptor> process(of);
    process.add_int32(pf::ProcessDescriptor::kPid, static_cast<int32_t>(track.pid));
    process.add_string(pf::ProcessDescriptor::kProcessName, track.name);
    if (!track.detail.empty()) process.add_string(pf::ProcessDescriptor::kCmdline, track.detail);
    writer.add_message(pf::TrackDescriptor::kProcess, of);
  } else if (track.kind == TrackKind::kThread && track.lane == 0) {
    pbf_builder<pf::ThreadDescriptor> thread(of);
    thread.add_int32(pf::ThreadDescriptor::kPid, static_cast<int32_t>(track.pid));
    thread.add_int32(pf::ThreadDescriptor::kTid, static_cast<int32_t>(track.tid));
    thread.add_string(pf::ThreadDescriptor::kThreadName, track.name);
    writer.add_message(pf::TrackDescriptor::kThread, of);
  } else {
    writer.add_string(pf::TrackDescriptor::kName, track.name);
  }
  pbf_builder<TracePacket> packet(packet_);
  packet.add_uint32(TracePacket::kTrustedPacketSequenceId, kSequence);
  packet.add_message(TracePacket::kTrackDescriptor, descriptor);
  return WritePacket();
}

void PftraceSink::AddInterned(InternedData field, uint64_t iid, std::string_view text) {
  text = RepairUtf8(text, &scratch_);
  pbf_builder<InternedData> data(interned_);
  pbf_builder<pf::Interned> entry(data, field);
  entry.add_uint64(pf::Interned::kIid, iid);
  entry.add_string(pf::Interned::kText, text.data(), text.size());
}

Status PftraceSink::InternName(int64_t id) {
  if (!names_.Insert(static_cast<uint64_t>(id))) return Status::Ok();
  std::string_view text;
  RTL_TRY(trace_.Text(id, &text));
  AddInterned(InternedData::kEventNames, NameIid(id), text);
  return Status::Ok();
}

Status PftraceSink::InternValue(int64_t id) {
  if (id == 0 || !values_.Insert(static_cast<uint64_t>(id))) return Status::Ok();
  std::string_view text;
  RTL_TRY(trace_.Text(id, &text));
  AddInterned(InternedData::kDebugAnnotationStringValues, static_cast<uint64_t>(id), text);
  return Status::Ok();
}

pbf_builder<TrackEvent> PftraceSink::NewEvent(TrackId track, EventType type) {
  event_.clear();
  pbf_builder<TrackEvent> event(event_);
  event.add_enum(TrackEvent::kType, static_cast<int32_t>(type));
  event.add_uint64(TrackEvent::kTrackUuid, track);
  return event;
}

void PftraceSink::Annotate(Annotation name, uint64_t value) {
  annotation_.clear();
  pbf_builder<DebugAnnotation> annotation(annotation_);
  annotation.add_uint64(DebugAnnotation::kNameIid, name);
  annotation.add_uint64(DebugAnnotation::kUintValue, value);
  pbf_builder<TrackEvent>(event_).add_message(TrackEvent::kDebugAnnotations, annotation_);
}

void PftraceSink::Annotate(Annotation name, std::string_view value) {
  annotation_.clear();
  pbf_builder<DebugAnnotation> annotation(annotation_);
  annotation.add_uint64(DebugAnnotation::kNameIid, name);
  annotation.add_string(DebugAnnotation::kStringValue, value.data(), value.size());
  pbf_builder<TrackEvent>(event_).add_message(TrackEvent::kDebugAnnotations, annotation_);
}

void PftraceSink::AnnotateInterned(Annotation name, int64_t string_id) {
  annotation_.clear();
  pbf_builder<DebugAnnotation> annotation(annotation_);
  annotation.add_uint64(DebugAnnotation::kNameIid, name);
  annotation.add_uint64(DebugAnnotation::kStringValueIid, static_cast<uint64_t>(string_id));
  pbf_builder<TrackEvent>(event_).add_message(TrackEvent::kDebugAnnotations, annotation_);
}

Status PftraceSink::OnRangeBegin(TrackId track, const MarkerRow& row) {
  RTL_TRY(InternName(row.name));
  auto event = NewEvent(track, EventType::kSliceBegin);
  event.add_uint64(TrackEvent::kNameIid, NameIid(row.name));
  event.add_uint64(TrackEvent::kCategoryIids, kRoctx);
  if (row.is_start_stop) {
    Annotate(kRangeId, row.range);
    Annotate(kSubmitThread, uint64_t{row.tid});
  }
  if (row.is_unclosed) Annotate(kUnclosed, uint64_t{1});
  return WriteEvent(row.start);
}

Status PftraceSink::OnRangeEnd(TrackId track, uint64_t time) {
  NewEvent(track, EventType::kSliceEnd);
  return WriteEvent(time);
}

// A flow is known by its call, which may have many kernels.
Status PftraceSink::OnCallBegin(TrackId track, const ApiRow& row) {
  RTL_TRY(InternName(row.name));
  std::string_view arguments;
  RTL_TRY(trace_.Text(row.arguments, &arguments));
  auto event = NewEvent(track, EventType::kSliceBegin);
  event.add_uint64(TrackEvent::kNameIid, NameIid(row.name));
  event.add_uint64(TrackEvent::kCategoryIids, kHip);
  event.add_fixed64(TrackEvent::kFlowIds, CallFlowId(row.pid, row.correlation));
  if (!arguments.empty()) Annotate(kArguments, RepairUtf8(arguments, &scratch_));
  if (row.stream >= 0) Annotate(kStream, StreamName(row));
  if (row.has_result) {
    const char* const error = HipErrorName(row.result);
    Annotate(kResult, error != nullptr ? std::string(error) : std::to_string(row.result));
  }
  Annotate(kCorrelation, row.correlation);
  return WriteEvent(row.start);
}

Status PftraceSink::OnMark(TrackId track, const MarkerRow& row) {
  RTL_TRY(InternName(row.name));
  auto event = NewEvent(track, EventType::kInstant);
  event.add_uint64(TrackEvent::kNameIid, NameIid(row.name));
  event.add_uint64(TrackEvent::kCategoryIids, kRoctx);
  return WriteEvent(row.start);
}

Status PftraceSink::OnSubmit(TrackId track, const KernelSlice& kernel) {
  const KernelRow& row = kernel.row;
  auto event = NewEvent(track, EventType::kInstant);
  event.add_uint64(TrackEvent::kNameIid, kSubmitNameIid);
  event.add_uint64(TrackEvent::kCategoryIids, kSubmit);
  event.add_fixed64(TrackEvent::kFlowIds, static_cast<uint64_t>(row.id));
  return WriteEvent(row.submit);
}

void PftraceSink::AnnotateKernel(const KernelSlice& kernel) {
  const KernelRow& row = kernel.row;
  Annotate(kGrid, Triple(row.grid));
  Annotate(kWorkgroup, Triple(row.workgroup));
  Annotate(kLds, uint64_t{row.group_segment});
  Annotate(kScratch, uint64_t{row.private_segment});
  if (kernel.info != nullptr) {
    Annotate(kVgprs, uint64_t{kernel.info->vgprs});
    Annotate(kSgprs, uint64_t{kernel.info->sgprs});
    Annotate(kKernarg, uint64_t{kernel.info->kernarg_segment});
    Annotate(kCodeObject, kernel.info->code_object);
    if (kernel.info->mangled != 0) AnnotateInterned(kMangled, kernel.info->mangled);
  }
  if (row.submit > 0 && row.submit <= row.start) Annotate(kWait, kernel.wait());
  Annotate(kPacket, row.packet);
  Annotate(kDispatch, row.dispatch);
  if (row.correlation != 0) Annotate(kCorrelation, row.correlation);
  if (row.tid != 0) Annotate(kSubmitThread, uint64_t{row.tid});
  if (kernel.range != 0) AnnotateInterned(kRange, kernel.range);
  if (row.graph != 0) {
    Annotate(kGraph, static_cast<uint64_t>(row.graph));
    Annotate(kGraphLaunch, uint64_t{row.graph_launch});
    Annotate(kGraphNode, uint64_t{row.graph_node});
  }
}

Status PftraceSink::OnKernel(TrackId track, const KernelSlice& kernel) {
  const KernelRow& row = kernel.row;
  RTL_TRY(InternName(row.name));
  if (kernel.info != nullptr) RTL_TRY(InternValue(kernel.info->mangled));
  RTL_TRY(InternValue(kernel.range));
  auto event = NewEvent(track, EventType::kSliceBegin);
  event.add_uint64(TrackEvent::kNameIid, NameIid(row.name));
  event.add_uint64(TrackEvent::kCategoryIids, kKernel);
  if (kernel.has_submit) {
    event.add_fixed64(TrackEvent::kTerminatingFlowIds, static_cast<uint64_t>(row.id));
  } else if (kernel.has_call) {
    event.add_fixed64(TrackEvent::kFlowIds, CallFlowId(row.pid, row.correlation));
  }
  AnnotateKernel(kernel);
  RTL_TRY(WriteEvent(row.start));
  NewEvent(track, EventType::kSliceEnd);
  return WriteEvent(row.end);
}

Status PftraceSink::OnBarrier(TrackId track, const query::BarrierRow& row) {
  RTL_TRY(InternName(row.name));
  auto event = NewEvent(track, EventType::kSliceBegin);
  event.add_uint64(TrackEvent::kNameIid, NameIid(row.name));
  event.add_uint64(TrackEvent::kCategoryIids, kBarrier);
  if (row.correlation != 0) {
    event.add_fixed64(TrackEvent::kFlowIds, CallFlowId(row.pid, row.correlation));
  }
  Annotate(kDependencies, uint64_t{row.dependencies});
  if (row.submit > 0 && row.submit <= row.start) Annotate(kWait, row.start - row.submit);
  Annotate(kPacket, row.packet);
  if (row.correlation != 0) Annotate(kCorrelation, row.correlation);
  if (row.tid != 0) Annotate(kSubmitThread, uint64_t{row.tid});
  RTL_TRY(WriteEvent(row.start));
  NewEvent(track, EventType::kSliceEnd);
  return WriteEvent(row.end);
}

Status PftraceSink::OnCopy(TrackId track, const query::CopyRow& row) {
  RTL_TRY(InternName(row.name));
  auto event = NewEvent(track, EventType::kSliceBegin);
  event.add_uint64(TrackEvent::kNameIid, NameIid(row.name));
  event.add_uint64(TrackEvent::kCategoryIids, kCopy);
  if (row.correlation != 0) {
    event.add_fixed64(TrackEvent::kFlowIds, CallFlowId(row.pid, row.correlation));
  }
  Annotate(kBytes, row.bytes);
  if (row.submit > 0 && row.submit <= row.start) Annotate(kWait, row.start - row.submit);
  if (row.correlation != 0) Annotate(kCorrelation, row.correlation);
  if (row.tid != 0) Annotate(kSubmitThread, uint64_t{row.tid});
  RTL_TRY(WriteEvent(row.start));
  NewEvent(track, EventType::kSliceEnd);
  return WriteEvent(row.end);
}

Status PftraceSink::WriteEvent(uint64_t time) {
  pbf_builder<TracePacket> packet(packet_);
  packet.add_uint64(TracePacket::kTimestamp, time);
  packet.add_uint32(TracePacket::kTrustedPacketSequenceId, kSequence);
  packet.add_uint32(TracePacket::kSequenceFlags, pf::kSeqNeedsIncrementalState);
  if (!interned_.empty()) packet.add_message(TracePacket::kInternedData, interned_);
  interned_.clear();
  packet.add_message(TracePacket::kTrackEvent, event_);
  return WritePacket();
}

Status PftraceSink::WritePacket() {
  // A Trace is nothing but packets: the field's key and length, then the packet.
  std::string head;
  protozero::add_varint_to_buffer(
      &head, static_cast<uint32_t>(pf::Trace::kPacket) << 3 |
                 static_cast<uint32_t>(protozero::pbf_wire_type::length_delimited));
  protozero::add_varint_to_buffer(&head, packet_.size());
  out_->Append(head);
  out_->Append(packet_);
  packet_.clear();
  return out_->status();
}

}  // namespace

Status WritePftrace(query::TraceReader& trace, const Progress& progress, OutputFile* out) {
  PftraceSink sink(trace, out);
  sink.Start();
  return WalkTimeline(trace, progress, &sink);
}

}  // namespace rtl::exporting
