// SPDX-License-Identifier: MIT
#include "export/pftrace_stream.h"

#include <cstdlib>
#include <cstring>
#include <protozero/pbf_builder.hpp>

#include "export/kernel_names.h"
#include "export/utf8.h"

namespace rtl::exporting {
namespace {

namespace pf = perfetto;
using pf::InternedData;
using pf::TracePacket;
using protozero::pbf_builder;

// The sequence for packets without a track. The sequences of the tracks follow.
constexpr uint32_t kFirstSequence = 1;

std::string ClockReading(uint32_t id, uint64_t time, bool incremental) {
  std::string bytes;
  pbf_builder<pf::Clock> writer(bytes);
  writer.add_uint32(pf::Clock::kClockId, id);
  writer.add_uint64(pf::Clock::kTimestamp, time);
  if (incremental) writer.add_bool(pf::Clock::kIsIncremental, true);
  return bytes;
}

}  // namespace

std::string TextOf(const Triple& triple) {
  return std::to_string(triple[0]) + "," + std::to_string(triple[1]) + "," +
         std::to_string(triple[2]);
}

void AnnotateInterned(Annotation name, uint64_t iid, std::string* event) {
  pbf_builder<pf::TrackEvent> writer(*event);
  pbf_builder<pf::DebugAnnotation> annotation(writer, pf::TrackEvent::kDebugAnnotations);
  annotation.add_uint64(pf::DebugAnnotation::kNameIid, name);
  annotation.add_uint64(pf::DebugAnnotation::kStringValueIid, iid);
}

void AddInterned(InternedData field, uint64_t iid, std::string_view text, std::string* interned) {
  pbf_builder<InternedData> data(*interned);
  pbf_builder<pf::Interned> entry(data, field);
  entry.add_uint64(pf::Interned::kIid, iid);
  entry.add_string(pf::Interned::kText, text.data(), text.size());
}

void PftraceStream::WriteClocks() {
  started_ = trace_.version().Number("started");
  const auto offset = trace_.metadata().find("realtime_minus_boottime");
  const int64_t shift = offset == trace_.metadata().end() ? 0 : std::atoll(offset->second.c_str());
  std::string snapshot;
  pbf_builder<pf::ClockSnapshot> writer(snapshot);
  writer.add_message(pf::ClockSnapshot::kClocks, ClockReading(pf::kClockBootTime, started_, false));
  if (shift != 0) {
    const uint64_t realtime = started_ + static_cast<uint64_t>(shift);
    writer.add_message(pf::ClockSnapshot::kClocks,
                       ClockReading(pf::kClockRealtime, realtime, false));
  }
  writer.add_uint32(pf::ClockSnapshot::kPrimaryTraceClock, pf::kClockBootTime);
  pbf_builder<TracePacket> packet(packet_);
  packet.add_message(TracePacket::kClockSnapshot, snapshot);
  packet.add_uint32(TracePacket::kTrustedPacketSequenceId, kFirstSequence);
  WritePacket();
}

void PftraceStream::WriteTrack(const Track& track) {
  std::string descriptor;
  pbf_builder<pf::TrackDescriptor> writer(descriptor);
  writer.add_uint64(pf::TrackDescriptor::kUuid, track.id);
  if (track.parent != 0) {
    writer.add_uint64(pf::TrackDescriptor::kParentUuid, track.parent);
    writer.add_int32(pf::TrackDescriptor::kSiblingOrderRank, track.order);
  }
  if (track.kind == TrackKind::kProcess || track.kind == TrackKind::kGpu) {
    writer.add_int32(pf::TrackDescriptor::kChildOrdering, pf::kChildrenInOrderOfRank);
  }
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
  if (track.kind == TrackKind::kCounter) {
    std::string unit;
    pbf_builder<pf::CounterDescriptor>(unit).add_string(pf::CounterDescriptor::kUnitName,
                                                        track.detail);
    writer.add_message(pf::TrackDescriptor::kCounter, unit);
  }
  pbf_builder<TracePacket> packet(packet_);
  packet.add_uint32(TracePacket::kTrustedPacketSequenceId, kFirstSequence);
  packet.add_message(TracePacket::kTrackDescriptor, descriptor);
  WritePacket();
}

Sequence* PftraceStream::Enter(TrackId track) {
  if (track >= sequences_.size()) sequences_.resize(track + 1);
  if (remembered_ >= max_remembered_) ForgetAll();
  Sequence* const sequence = &sequences_[track];
  if (sequence->epoch == 0) Begin(sequence, track);
  return sequence;
}

void PftraceStream::ForgetAll() {
  for (Sequence& sequence : sequences_) sequence = {};
  remembered_ = 0;
}

// The clock of each sequence begins at the beginning of the trace, because a reading of the trace's
// clock must not be less than the previous one.
void PftraceStream::Begin(Sequence* sequence, TrackId track) {
  sequence->id = kFirstSequence + static_cast<uint32_t>(track);
  sequence->epoch = ++last_epoch_;
  sequence->time = started_;
  char bytes[kMaxHeadBytes] = {};
  ProtoBytes mark(bytes);
  mark.Number(TracePacket::kTrustedPacketSequenceId, sequence->id);
  mark.Number(TracePacket::kSequenceFlags, pf::kSeqNeedsIncrementalState);
  std::memcpy(&sequence->mark, bytes, sizeof sequence->mark);
  sequence->mark_bytes = static_cast<uint32_t>(mark.end() - bytes);
  std::string of_events;
  pbf_builder<pf::TrackEventDefaults>(of_events).add_uint64(pf::TrackEventDefaults::kTrackUuid,
                                                            track);
  std::string defaults;
  pbf_builder<pf::TracePacketDefaults> writer(defaults);
  writer.add_message(pf::TracePacketDefaults::kTrackEventDefaults, of_events);
  writer.add_uint32(pf::TracePacketDefaults::kTimestampClockId, pf::kClockOfSequence);
  {
    pbf_builder<TracePacket> packet(packet_);
    packet.add_uint32(TracePacket::kTrustedPacketSequenceId, sequence->id);
    packet.add_message(TracePacket::kInternedData, fixed_names_);
    packet.add_uint32(TracePacket::kSequenceFlags, pf::kSeqIncrementalStateCleared);
    packet.add_bool(TracePacket::kIncrementalStateCleared, true);
    packet.add_message(TracePacket::kTracePacketDefaults, defaults);
  }
  WritePacket();
  std::string snapshot;
  pbf_builder<pf::ClockSnapshot> clocks(snapshot);
  clocks.add_message(pf::ClockSnapshot::kClocks, ClockReading(pf::kClockBootTime, started_, false));
  clocks.add_message(pf::ClockSnapshot::kClocks,
                     ClockReading(pf::kClockOfSequence, started_, true));
  pbf_builder<TracePacket> packet(packet_);
  packet.add_message(TracePacket::kClockSnapshot, snapshot);
  packet.add_uint32(TracePacket::kTrustedPacketSequenceId, sequence->id);
  WritePacket();
}

// True if the id is new.
bool PftraceStream::Remember(std::unordered_set<uint64_t>* ids, uint64_t id) {
  const bool is_new = ids->insert(id).second;
  remembered_ += is_new ? 1 : 0;
  return is_new;
}

Status PftraceStream::Intern(InternedData field, uint64_t iid, int64_t string_id) {
  std::string_view text;
  RTL_TRY(trace_.Text(string_id, &text));
  AddInterned(field, iid, RepairUtf8(text, &scratch_), &interned_);
  return Status::Ok();
}

Status PftraceStream::Name(Sequence* sequence, int64_t string_id) {
  const uint64_t iid = NameIid(string_id);
  if (!Remember(&sequence->names, iid)) return Status::Ok();
  return Intern(InternedData::kEventNames, iid, string_id);
}

// Called for a track of a GPU; other events on the track have fixed names, or names of barriers.
Status PftraceStream::ShortName(Sequence* sequence, int64_t string_id) {
  const uint64_t iid = NameIid(string_id);
  if (!Remember(&sequence->names, iid)) return Status::Ok();
  std::string_view text;
  RTL_TRY(trace_.Text(string_id, &text));
  AddInterned(InternedData::kEventNames, iid, RepairUtf8(ShortKernelName(text), &scratch_),
              &interned_);
  return Status::Ok();
}

Status PftraceStream::Value(Sequence* sequence, int64_t string_id) {
  const uint64_t iid = ValueIid(string_id);
  if (string_id == 0 || !Remember(&sequence->values, iid)) return Status::Ok();
  return Intern(InternedData::kDebugAnnotationStringValues, iid, string_id);
}

void PftraceStream::TripleValue(Sequence* sequence, uint64_t iid) {
  if (iid == 0 || !Remember(&sequence->values, iid)) return;
  AddInterned(InternedData::kDebugAnnotationStringValues, iid, triples_[iid - 1], &interned_);
}

uint64_t PftraceStream::TripleIid(const Triple& triple) {
  const auto known = triple_iids_.find(triple);
  if (known != triple_iids_.end()) return known->second;
  if (triples_.size() == kMaxTriples) return 0;
  triples_.push_back(TextOf(triple));
  triple_iids_.emplace(triple, triples_.size());
  return triples_.size();
}

void PftraceStream::WriteInterned(Sequence* sequence) {
  if (interned_.empty()) return;
  pbf_builder<TracePacket> packet(packet_);
  packet.add_uint32(TracePacket::kTrustedPacketSequenceId, sequence->id);
  packet.add_message(TracePacket::kInternedData, interned_);
  packet.add_uint32(TracePacket::kSequenceFlags, pf::kSeqNeedsIncrementalState);
  interned_.clear();
  WritePacket();
}

// Needed because the clock of a sequence never goes back.
ProtoBytes PftraceStream::PutTimeBefore(uint64_t time, ProtoBytes packet) {
  packet.Number(TracePacket::kTimestamp, time);
  packet.Number(TracePacket::kTimestampClockId, pf::kClockBootTime);
  return packet;
}

void PftraceStream::WriteEvent(Sequence* sequence, uint64_t time, std::string_view event) {
  WriteInterned(sequence);
  char head[kMaxHeadBytes];
  ProtoBytes writer(head);
  PutHead(sequence, time, &writer);
  writer.Key(TracePacket::kTrackEvent, Wire::kBytes);
  writer.Varint(event.size());
  packet_.append(head, static_cast<size_t>(writer.end() - head));
  packet_.append(event);
  WritePacket();
}

// A Trace is a series of packets: the key and the length of the field, then the packet.
void PftraceStream::WritePacket() {
  char head[kMaxHeadBytes];
  ProtoBytes writer(head);
  writer.Key(pf::Trace::kPacket, Wire::kBytes);
  writer.Varint(packet_.size());
  out_->Append({head, static_cast<size_t>(writer.end() - head)});
  out_->Append(packet_);
  packet_.clear();
}

}  // namespace rtl::exporting
