// SPDX-License-Identifier: MIT
#include "export/kernel_packets.h"

#include <iterator>

namespace rtl::exporting {
namespace {

namespace pf = perfetto;
using pf::DebugAnnotation;
using pf::EventType;
using pf::TracePacket;
using pf::TrackEvent;
using query::KernelRow;

// The key, the length, and one number each as name and as value.
constexpr size_t kMaxNumberBytes = 2 + 2 + 2 + ProtoBytes::kMaxVarint;
constexpr size_t kMaxTripleBytes = 2 + 2 + 2 + 3 * 10 + 2;
constexpr size_t kMaxVariableBytes = 2 * 10 + 13 * kMaxNumberBytes;
constexpr size_t kMaxPacketBytes = 2 * PftraceStream::kMaxHeadBytes + 512 + kMaxVariableBytes;

// Writes all bytes before the number with one store, because only the length of the number varies.
inline void Annotate(Annotation name, uint64_t value, ProtoBytes* event) {
  constexpr uint64_t kAnnotationKey = KeyOf(TrackEvent::kDebugAnnotations, Wire::kBytes);
  constexpr uint64_t kNameKey = KeyOf(DebugAnnotation::kNameIid, Wire::kVarint);
  constexpr uint64_t kValueKey = KeyOf(DebugAnnotation::kUintValue, Wire::kVarint);
  static_assert((kAnnotationKey | kNameKey | kValueKey) < 0x80 && std::size(kAnnotations) < 0x80);
  const uint64_t length = 3 + VarintSize(value);
  event->Put(kAnnotationKey | length << 8 | kNameKey << 16 | name << 24 | kValueKey << 32, 5);
  event->Varint(value);
}

void AnnotateInterned(Annotation name, uint64_t iid, ProtoBytes* event) {
  char* const annotation = event->Open(TrackEvent::kDebugAnnotations, 1);
  event->Number(DebugAnnotation::kNameIid, name);
  event->Number(DebugAnnotation::kStringValueIid, iid);
  event->CloseShort(annotation);
}

void AnnotateText(Annotation name, std::string_view text, ProtoBytes* event) {
  char* const annotation = event->Open(TrackEvent::kDebugAnnotations, 1);
  event->Number(DebugAnnotation::kNameIid, name);
  event->Text(DebugAnnotation::kStringValue, text.data(), text.size());
  event->CloseShort(annotation);
}

void AnnotateTriple(Annotation name, uint64_t iid, const Triple& triple, ProtoBytes* event) {
  if (iid != 0) return AnnotateInterned(name, iid, event);
  AnnotateText(name, TextOf(triple), event);
}

void AnnotateVariable(const KernelSlice& kernel, ProtoBytes* event) {
  const KernelRow& row = kernel.row;
  if (row.submit > 0 && row.submit <= row.start) Annotate(kWait, kernel.wait(), event);
  Annotate(kPacket, row.packet, event);
  Annotate(kDispatch, row.dispatch, event);
  if (row.correlation != 0) Annotate(kCorrelation, row.correlation, event);
  const Origin& origin = kernel.origin;
  if (origin.shown_id() != 0) Annotate(kCorrId, origin.shown_id(), event);
  if (origin.stream >= 0) Annotate(kStreamId, static_cast<uint64_t>(origin.stream), event);
  Annotate(kBeginNs, row.start, event);
  Annotate(kEndNs, row.end, event);
  Annotate(kDeltaNs, row.end - row.start, event);
  if (origin.range != 0) AnnotateInterned(kRange, ValueIid(origin.range), event);
  if (row.graph != 0) {
    Annotate(kGraph, static_cast<uint64_t>(row.graph), event);
    Annotate(kGraphLaunch, row.graph_launch, event);
    Annotate(kGraphNode, row.graph_node, event);
  }
}

uint64_t ProductOf(const uint32_t (&sizes)[3]) { return uint64_t{sizes[0]} * sizes[1] * sizes[2]; }

Triple ToTriple(const uint32_t (&values)[3]) { return {values[0], values[1], values[2]}; }

}  // namespace

KernelPackets::Launch& KernelPackets::LaunchOf(const KernelSlice& kernel) {
  const int64_t id = kernel.row.launch;
  Launch& launch = launches_[static_cast<uint64_t>(id) % kLaunches];
  if (launch.id != id || id == 0) [[unlikely]]
    Encode(kernel, &launch);
  return launch;
}

// Encodes what all events of a launch have in common.
void KernelPackets::Encode(const KernelSlice& kernel, Launch* launch) {
  static_assert(3 * kMaxNumberBytes + 2 * kMaxTripleBytes + 20 * kMaxNumberBytes +
                    ProtoBytes::kSlack <=
                kMaxConstantBytes);
  const KernelRow& row = kernel.row;
  launch->id = row.launch;
  launch->epoch = 0;
  launch->grid = stream_->TripleIid(ToTriple(row.grid));
  launch->workgroup = stream_->TripleIid(ToTriple(row.workgroup));
  ProtoBytes event(launch->bytes);
  event.Number(TrackEvent::kType, static_cast<uint64_t>(EventType::kSliceBegin));
  event.Number(TrackEvent::kNameIid, NameIid(row.name));
  event.Number(TrackEvent::kCategoryIids, kKernel);
  AnnotateTriple(kGrid, launch->grid, ToTriple(row.grid), &event);
  AnnotateTriple(kWorkgroup, launch->workgroup, ToTriple(row.workgroup), &event);
  Annotate(kLds, row.group_segment, &event);
  Annotate(kScratch, row.private_segment, &event);
  if (kernel.info != nullptr) {
    Annotate(kVgprs, kernel.info->vgprs, &event);
    Annotate(kSgprs, kernel.info->sgprs, &event);
    Annotate(kKernarg, kernel.info->kernarg_segment, &event);
    Annotate(kCodeObject, kernel.info->code_object, &event);
    if (kernel.info->mangled != 0) {
      AnnotateInterned(kMangled, ValueIid(kernel.info->mangled), &event);
    }
  }
  if (row.tid != 0) {
    Annotate(kSubmitThread, row.tid, &event);
    Annotate(kTid, row.tid, &event);
  }
  AnnotateInterned(kKernelName, ValueIid(row.name), &event);
  Annotate(kAgent, AgentOf(row.gpu), &event);
  AnnotateText(kAgentType, AgentTypeOf(row.gpu), &event);
  Annotate(kQueue, kernel.queue_number, &event);
  Annotate(kKernelId, static_cast<uint64_t>(row.kernel), &event);
  Annotate(kGridSize, ProductOf(row.grid), &event);
  Annotate(kWorkgroupSize, ProductOf(row.workgroup), &event);
  if (kernel.info != nullptr) {
    Annotate(kVgprCount, kernel.info->vgprs, &event);
    // zero, because the tracer does not distinguish these registers
    Annotate(kAccumVgprCount, 0, &event);
    Annotate(kSgprCount, kernel.info->sgprs, &event);
  }
  Annotate(kLdsBlockSize, row.group_segment, &event);
  Annotate(kScratchSize, row.private_segment, &event);
  launch->size = static_cast<uint32_t>(event.end() - launch->bytes);
}

// Introduces the names that the kernel's packet uses to the sequence.
Status KernelPackets::Introduce(const KernelSlice& kernel, Launch* launch, Sequence* sequence) {
  RTL_TRY(stream_->ShortName(sequence, kernel.row.name));
  RTL_TRY(stream_->Value(sequence, kernel.row.name));
  if (kernel.info != nullptr) RTL_TRY(stream_->Value(sequence, kernel.info->mangled));
  RTL_TRY(stream_->Value(sequence, kernel.origin.range));
  stream_->TripleValue(sequence, launch->grid);
  stream_->TripleValue(sequence, launch->workgroup);
  launch->epoch = sequence->epoch;
  sequence->range = kernel.origin.range;
  stream_->WriteInterned(sequence);
  return Status::Ok();
}

Status KernelPackets::OnSubmit(TrackId track, const Submission& submission) {
  Sequence* const sequence = stream_->Enter(track);
  ProtoBytes bytes(out_->Room(kMaxPacketBytes));
  char* const packet = bytes.Open(pf::Trace::kPacket, 1);
  stream_->PutHead(sequence, submission.time, &bytes);
  char* const event = bytes.Open(TracePacket::kTrackEvent, 1);
  bytes.Number(TrackEvent::kType, static_cast<uint64_t>(EventType::kInstant));
  bytes.Number(TrackEvent::kNameIid, kSubmitName);
  bytes.Number(TrackEvent::kCategoryIids, kSubmit);
  bytes.Fixed64(TrackEvent::kFlowIds, submission.link);
  bytes.CloseShort(event);
  bytes.CloseShort(packet);
  out_->Advance(bytes.end());
  return out_->result();
}

// A flow has the id of its call, which may have many kernels.
Status KernelPackets::OnKernel(TrackId track, const KernelSlice& kernel, std::string_view more) {
  const KernelRow& row = kernel.row;
  Sequence* const sequence = stream_->Enter(track);
  Launch& launch = LaunchOf(kernel);
  if (launch.epoch != sequence->epoch || kernel.origin.range != sequence->range) {
    RTL_TRY(Introduce(kernel, &launch, sequence));
  }
  ProtoBytes bytes(out_->Room(kMaxPacketBytes + more.size()));
  char* const packet = bytes.Open(pf::Trace::kPacket, 2);
  stream_->PutHead(sequence, row.start, &bytes);
  char* const event = bytes.Open(TracePacket::kTrackEvent, 2);
  bytes.Copy(launch.bytes, launch.size);
  if (kernel.origin.has_submit) {
    bytes.Fixed64(TrackEvent::kTerminatingFlowIds, kernel.origin.link);
  } else if (kernel.origin.has_call) {
    bytes.Fixed64(TrackEvent::kFlowIds, kernel.origin.link);
  }
  AnnotateVariable(kernel, &bytes);
  bytes.Copy(more.data(), more.size());
  bytes.Close(event);
  bytes.Close(packet);

  char* const end = bytes.Open(pf::Trace::kPacket, 1);
  stream_->PutHead(sequence, row.end, &bytes);
  char* const end_event = bytes.Open(TracePacket::kTrackEvent, 1);
  bytes.Number(TrackEvent::kType, static_cast<uint64_t>(EventType::kSliceEnd));
  bytes.CloseShort(end_event);
  bytes.CloseShort(end);
  out_->Advance(bytes.end());
  return out_->result();
}

}  // namespace rtl::exporting
