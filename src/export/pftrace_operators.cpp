// SPDX-License-Identifier: MIT
#include "export/pftrace_operators.h"

#include <algorithm>
#include <protozero/pbf_builder.hpp>

#include "export/perfetto_fields.h"
#include "export/pftrace_names.h"

namespace rtl::exporting {
namespace {

namespace pf = perfetto;
using pf::EventType;
using pf::TrackEvent;
using protozero::pbf_builder;

}  // namespace

void OperatorPackets::OnTrack(const Track& track) {
  last_ = std::max(last_, track.id);
  if (track.kind == TrackKind::kProcess) processes_[track.process] = track;
  if (track.kind == TrackKind::kThread && track.lane == 0) {
    threads_[{track.process, track.tid}] = track;
  }
}

void OperatorPackets::AddTrack(Track* track) {
  track->id = ++last_;
  stream_.WriteTrack(*track);
}

// The timeline has made the tracks of all processes that the trace lists.
const Track& OperatorPackets::Process(int64_t process) {
  const auto [known, is_new] = processes_.try_emplace(process);
  Track& track = known->second;
  if (!is_new) return track;
  track.process = process;
  track.name = "process";
  AddTrack(&track);
  return track;
}

void OperatorPackets::EnterThread(int64_t process, uint32_t tid) {
  for (Lane& lane : lanes_) Close(&lane, UINT64_MAX);
  lanes_.clear();
  process_ = process;
  tid_ = tid;
  const auto known = threads_.find({process, tid});
  if (known != threads_.end()) {
    thread_ = known->second;
    return;
  }
  const Track& parent = Process(process);
  thread_ = {};
  thread_.kind = TrackKind::kThread;
  thread_.parent = parent.id;
  thread_.process = process;
  thread_.pid = parent.pid;
  thread_.tid = tid;
  thread_.name = "thread " + std::to_string(tid);
  AddTrack(&thread_);
  threads_[{process, tid}] = thread_;
}

void OperatorPackets::Close(Lane* lane, uint64_t until) {
  while (!lane->open.empty() && lane->open.back() <= until) {
    std::string event;
    pbf_builder<TrackEvent>(event).add_enum(TrackEvent::kType,
                                            static_cast<int32_t>(EventType::kSliceEnd));
    stream_.WriteEvent(stream_.Enter(lane->track), lane->open.back(), event);
    lane->open.pop_back();
  }
}

OperatorPackets::Lane& OperatorPackets::LaneFor(uint64_t start, uint64_t end) {
  for (Lane& lane : lanes_) {
    Close(&lane, start);
    if (lane.open.empty() || end <= lane.open.back()) return lane;
  }
  Track track;
  track.kind = TrackKind::kEvents;
  track.parent = thread_.id;
  track.process = process_;
  track.order = static_cast<int32_t>(lanes_.size());
  track.name = "operators";
  if (!lanes_.empty()) track.name += " (" + std::to_string(lanes_.size() + 1) + ")";
  AddTrack(&track);
  return lanes_.emplace_back(Lane{track.id});
}

Status OperatorPackets::Take(const query::HostWorkRow& row) {
  if (lanes_.empty() || row.process != process_ || row.thread != tid_) {
    EnterThread(row.process, row.thread);
  }
  const uint64_t end = row.start + row.duration;
  Lane& lane = LaneFor(row.start, end);
  Sequence* const sequence = stream_.Enter(lane.track);
  RTL_TRY(stream_.Name(sequence, row.name));
  RTL_TRY(stream_.Value(sequence, row.inputs));
  const bool is_function = row.kind == query::HostWorkRow::Kind::kPythonFunction;
  std::string event;
  pbf_builder<TrackEvent> writer(event);
  writer.add_enum(TrackEvent::kType, static_cast<int32_t>(EventType::kSliceBegin));
  writer.add_uint64(TrackEvent::kNameIid, NameIid(row.name));
  writer.add_uint64(TrackEvent::kCategoryIids, is_function ? kPythonSpan : kOperatorSpan);
  if (row.inputs != 0) AnnotateInterned(kInputs, ValueIid(row.inputs), &event);
  stream_.WriteEvent(sequence, row.start, event);
  lane.open.push_back(end);
  return out_.result();
}

Status OperatorPackets::Write() {
  query::OperatorCursor cursor;
  RTL_TRY(trace_.Operators(&cursor));
  RTL_TRY(cursor.Each([&](const query::HostWorkRow& row) { return Take(row); }));
  for (Lane& lane : lanes_) Close(&lane, UINT64_MAX);
  return out_.result();
}

}  // namespace rtl::exporting
