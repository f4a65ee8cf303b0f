// SPDX-License-Identifier: MIT
#include "export/timeline.h"

#include <algorithm>
#include <map>
#include <optional>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "export/lanes.h"
#include "export/utf8.h"

namespace rtl::exporting {
namespace {

using query::ApiRow;
using query::CopyRow;
using query::KernelRow;
using query::MarkerRow;

constexpr uint64_t kEventsBetweenProgress = 4096;
constexpr uint64_t kEndOfTime = UINT64_MAX;

std::string Utf8(const std::string& text) {
  std::string scratch;
  return std::string(RepairUtf8(text, &scratch));
}

// The time at which a kernel takes its place in the order of KernelsBySubmit.
uint64_t SubmitTime(const KernelRow& row) {
  return row.submit > 0 && row.submit < row.start ? row.submit : row.start;
}

struct StartsLater {
  bool operator()(const KernelSlice& a, const KernelSlice& b) const {
    return a.row.start != b.row.start ? a.row.start > b.row.start : a.row.id > b.row.id;
  }
};

int64_t InnermostRange(const NestedLane& lane) {
  for (auto slice = lane.rbegin(); slice != lane.rend(); ++slice) {
    if (slice->range != 0) return slice->range;
  }
  return 0;
}

// The tracks on which one thread's, or one process's, ranges nest.
struct RangeTracks {
  std::vector<TrackId> tracks;
  std::vector<NestedLane> lanes;
};

struct QueueTracks {
  std::vector<TrackId> tracks;
  FlatLanes lanes;
};

class Walk {
 public:
  Walk(query::TraceReader& trace, const Progress& progress, TimelineSink* sink)
      : trace_(trace), progress_(progress), sink_(sink) {}
  Status Run();

 private:
  Status Load();
  Status Merge();
  Status Handle(const MarkerRow& row);
  Status Handle(const ApiRow& row);
  Status Handle(const KernelRow& row);
  Status EmitRange(RangeTracks* tracks, const MarkerRow& row);
  Status OpenLane(RangeTracks* tracks, const Track& like, uint64_t start, uint64_t end,
                  int64_t range, TrackId* track);
  Status CloseUntil(RangeTracks* tracks, uint64_t time);
  Status StartUntil(uint64_t time);
  Status EmitKernel(const KernelSlice& kernel);
  Status CloseAll();
  Status EmitCopies();

  Status ProcessTrack(uint32_t pid, TrackId* id);
  Status LaneTrack(std::vector<TrackId>* tracks, Track like, size_t lane);
  Status ThreadTrack(uint32_t pid, uint32_t tid, RangeTracks** out);
  Track ThreadLike(uint32_t pid, uint32_t tid) const;
  Track RangesLike(uint32_t pid) const;
  Track QueueLike(const KernelRow& row) const;
  static Track CopiesLike(const CopyRow& row);
  void CountEvent();

  query::TraceReader& trace_;
  const Progress& progress_;
  TimelineSink* sink_;
  uint64_t events_ = 0;
  TrackId last_track_ = 0;

  std::map<uint32_t, query::Process> processes_;
  std::map<uint32_t, TrackId> process_tracks_;
  std::unordered_map<int64_t, query::Queue> queues_;
  std::unordered_map<int64_t, query::KernelInfo> kernels_;

  std::map<std::pair<uint32_t, uint32_t>, RangeTracks> threads_;  // by pid and tid
  std::map<uint32_t, RangeTracks> start_stop_;                    // by pid
  std::map<std::pair<uint32_t, int64_t>, QueueTracks> queue_tracks_;
  std::priority_queue<KernelSlice, std::vector<KernelSlice>, StartsLater> in_flight_;
};

Status Walk::Run() {
  RTL_TRY(Load());
  RTL_TRY(Merge());
  RTL_TRY(StartUntil(kEndOfTime));
  RTL_TRY(CloseAll());
  RTL_TRY(EmitCopies());
  if (progress_) progress_(events_);
  return Status::Ok();
}

Status Walk::Load() {
  std::vector<query::Process> processes;
  RTL_TRY(trace_.Processes(&processes));
  for (query::Process& process : processes) {
    const uint32_t pid = process.pid;
    processes_.insert_or_assign(pid, std::move(process));
    TrackId id = 0;
    RTL_TRY(ProcessTrack(pid, &id));
  }
  std::vector<query::Queue> queues;
  RTL_TRY(trace_.Queues(&queues));
  for (const query::Queue& queue : queues) queues_.emplace(queue.id, queue);
  std::vector<query::KernelInfo> kernels;
  RTL_TRY(trace_.Kernels(&kernels));
  for (const query::KernelInfo& kernel : kernels) kernels_.emplace(kernel.id, kernel);
  return Status::Ok();
}

Status Walk::Merge() {
  query::MarkerCursor marker_cursor;
  query::ApiCursor api_cursor;
  query::KernelCursor kernel_cursor;
  RTL_TRY(trace_.MarkersByStart(&marker_cursor));
  RTL_TRY(trace_.ApisByStart(&api_cursor));
  RTL_TRY(trace_.KernelsBySubmit(&kernel_cursor));
  MarkerRow marker;
  ApiRow api;
  KernelRow kernel;
  bool has_marker = false;
  bool has_api = false;
  bool has_kernel = false;
  RTL_TRY(marker_cursor.Next(&marker, &has_marker));
  RTL_TRY(api_cursor.Next(&api, &has_api));
  RTL_TRY(kernel_cursor.Next(&kernel, &has_kernel));
  while (has_marker || has_api || has_kernel) {
    CountEvent();
    const uint64_t marker_time = has_marker ? marker.start : kEndOfTime;
    const uint64_t api_time = has_api ? api.start : kEndOfTime;
    const uint64_t kernel_time = has_kernel ? SubmitTime(kernel) : kEndOfTime;
    if (has_marker && marker_time <= api_time && marker_time <= kernel_time) {
      RTL_TRY(Handle(marker));
      RTL_TRY(marker_cursor.Next(&marker, &has_marker));
    } else if (has_api && api_time <= kernel_time) {
      RTL_TRY(Handle(api));
      RTL_TRY(api_cursor.Next(&api, &has_api));
    } else {
      RTL_TRY(Handle(kernel));
      RTL_TRY(kernel_cursor.Next(&kernel, &has_kernel));
    }
  }
  return Status::Ok();
}

void Walk::CountEvent() {
  ++events_;
  if (progress_ && events_ % kEventsBetweenProgress == 0) progress_(events_);
}

Status Walk::Handle(const MarkerRow& row) {
  if (row.is_start_stop) return EmitRange(&start_stop_[row.pid], row);
  RangeTracks* thread = nullptr;
  RTL_TRY(ThreadTrack(row.pid, row.tid, &thread));
  if (!row.is_mark) return EmitRange(thread, row);
  RTL_TRY(CloseUntil(thread, row.start));
  return sink_->OnMark(thread->tracks.front(), row);
}

Status Walk::Handle(const ApiRow& row) {
  RangeTracks* thread = nullptr;
  RTL_TRY(ThreadTrack(row.pid, row.tid, &thread));
  TrackId track = 0;
  RTL_TRY(OpenLane(thread, ThreadLike(row.pid, row.tid), row.start, row.end, 0, &track));
  return sink_->OnCallBegin(track, row);
}

Status Walk::EmitRange(RangeTracks* tracks, const MarkerRow& row) {
  const Track like = row.is_start_stop ? RangesLike(row.pid) : ThreadLike(row.pid, row.tid);
  TrackId track = 0;
  RTL_TRY(OpenLane(tracks, like, row.start, row.end, row.name, &track));
  return sink_->OnRangeBegin(track, row);
}

// Finds a place for a slice, on the first track where it nests.
Status Walk::OpenLane(RangeTracks* tracks, const Track& like, uint64_t start, uint64_t end,
                      int64_t range, TrackId* track) {
  RTL_TRY(CloseUntil(tracks, start));
  end = std::max(start, end);
  size_t lane = 0;
  while (lane < tracks->lanes.size() && !FitsInto(tracks->lanes[lane], end)) ++lane;
  lane = std::min(lane, kMaxLanes - 1);
  if (lane >= tracks->tracks.size()) RTL_TRY(LaneTrack(&tracks->tracks, like, lane));
  if (lane >= tracks->lanes.size()) tracks->lanes.resize(lane + 1);
  tracks->lanes[lane].push_back({end, range});
  *track = tracks->tracks[lane];
  return Status::Ok();
}

Status Walk::CloseUntil(RangeTracks* tracks, uint64_t time) {
  for (size_t i = 0; i < tracks->lanes.size(); ++i) {
    NestedLane& lane = tracks->lanes[i];
    while (!lane.empty() && lane.back().end <= time) {
      const OpenSlice slice = lane.back();
      lane.pop_back();
      RTL_TRY(slice.range != 0 ? sink_->OnRangeEnd(tracks->tracks[i], slice.end)
                               : sink_->OnCallEnd(tracks->tracks[i], slice.end));
    }
  }
  return Status::Ok();
}

Status Walk::CloseAll() {
  for (auto& [ids, tracks] : threads_) RTL_TRY(CloseUntil(&tracks, kEndOfTime));
  for (auto& [pid, tracks] : start_stop_) RTL_TRY(CloseUntil(&tracks, kEndOfTime));
  return Status::Ok();
}

Status Walk::Handle(const KernelRow& row) {
  const uint64_t time = SubmitTime(row);
  RTL_TRY(StartUntil(time));
  KernelSlice kernel;
  kernel.row = row;
  kernel.row.end = std::max(row.start, row.end);
  kernel.has_call = row.correlation != 0;
  const auto info = kernels_.find(row.kernel);
  if (info != kernels_.end()) kernel.info = &info->second;
  const auto queue = queues_.find(row.queue);
  if (queue != queues_.end()) kernel.queue_number = queue->second.queue;
  if (row.tid != 0 && row.submit > 0 && row.submit <= row.start) {
    RangeTracks* thread = nullptr;
    RTL_TRY(ThreadTrack(row.pid, row.tid, &thread));
    RTL_TRY(CloseUntil(thread, time));
    if (!thread->lanes.empty()) kernel.range = InnermostRange(thread->lanes.front());
    // Its call is where it comes from.
    kernel.has_submit = !kernel.has_call;
    if (kernel.has_submit) RTL_TRY(sink_->OnSubmit(thread->tracks.front(), kernel));
  }
  in_flight_.push(kernel);
  if (in_flight_.size() <= kMaxInFlight) return Status::Ok();
  const KernelSlice first = in_flight_.top();
  in_flight_.pop();
  return EmitKernel(first);
}

// Whatever comes later was submitted at `time` or after it, so it also starts no earlier.
Status Walk::StartUntil(uint64_t time) {
  while (!in_flight_.empty() && in_flight_.top().row.start <= time) {
    const KernelSlice kernel = in_flight_.top();
    in_flight_.pop();
    RTL_TRY(EmitKernel(kernel));
  }
  return Status::Ok();
}

Status Walk::EmitKernel(const KernelSlice& kernel) {
  const KernelRow& row = kernel.row;
  QueueTracks& queue = queue_tracks_[{row.pid, row.queue}];
  const size_t lane = queue.lanes.Place(row.start, row.end);
  if (lane >= queue.tracks.size()) RTL_TRY(LaneTrack(&queue.tracks, QueueLike(row), lane));
  return sink_->OnKernel(queue.tracks[lane], kernel);
}

// On tracks of their own, so they need not be merged with anything.
Status Walk::EmitCopies() {
  query::CopyCursor cursor;
  RTL_TRY(trace_.CopiesByStart(&cursor));
  std::map<std::tuple<uint32_t, int32_t, int32_t>, QueueTracks> places;
  while (true) {
    CopyRow row;
    bool has_row = false;
    RTL_TRY(cursor.Next(&row, &has_row));
    if (!has_row) return Status::Ok();
    CountEvent();
    row.end = std::max(row.start, row.end);
    QueueTracks& place = places[{row.pid, row.src_gpu, row.dst_gpu}];
    const size_t lane = place.lanes.Place(row.start, row.end);
    if (lane >= place.tracks.size()) RTL_TRY(LaneTrack(&place.tracks, CopiesLike(row), lane));
    RTL_TRY(sink_->OnCopy(place.tracks[lane], row));
  }
}

Track Walk::CopiesLike(const CopyRow& row) {
  const auto place = [](int32_t gpu) {
    return gpu < 0 ? std::string("host") : "GPU " + std::to_string(gpu);
  };
  Track track;
  track.kind = TrackKind::kCopies;
  track.pid = row.pid;
  track.name = "copies " + place(row.src_gpu) + " to " + place(row.dst_gpu);
  return track;
}

Status Walk::ProcessTrack(uint32_t pid, TrackId* id) {
  const auto known = process_tracks_.find(pid);
  if (known != process_tracks_.end()) {
    *id = known->second;
    return Status::Ok();
  }
  Track track;
  track.id = ++last_track_;
  track.pid = pid;
  const auto process = processes_.find(pid);
  if (process != processes_.end()) {
    const std::string& executable = process->second.executable;
    track.name = Utf8(executable.substr(executable.rfind('/') + 1));
    track.detail = Utf8(process->second.command);
    if (process->second.rank >= 0) {
      track.name = "rank " + std::to_string(process->second.rank) + ": " + track.name;
    }
  }
  if (track.name.empty()) track.name = "process " + std::to_string(pid);
  *id = track.id;
  process_tracks_.emplace(pid, track.id);
  return sink_->OnTrack(track);
}

// Makes the lane's track, and those before it, when they do not exist yet.
Status Walk::LaneTrack(std::vector<TrackId>* tracks, Track like, size_t lane) {
  if (lane < tracks->size()) return Status::Ok();
  RTL_TRY(ProcessTrack(like.pid, &like.parent));
  const std::string name = like.name;
  for (size_t made = tracks->size(); made <= lane; ++made) {
    like.id = ++last_track_;
    like.lane = static_cast<uint32_t>(made);
    like.name = made == 0 ? name : name + " (" + std::to_string(made + 1) + ")";
    tracks->push_back(like.id);
    RTL_TRY(sink_->OnTrack(like));
  }
  return Status::Ok();
}

Status Walk::ThreadTrack(uint32_t pid, uint32_t tid, RangeTracks** out) {
  RangeTracks& thread = threads_[{pid, tid}];
  *out = &thread;
  if (!thread.tracks.empty()) return Status::Ok();
  return LaneTrack(&thread.tracks, ThreadLike(pid, tid), 0);
}

Track Walk::ThreadLike(uint32_t pid, uint32_t tid) const {
  Track track;
  track.kind = TrackKind::kThread;
  track.pid = pid;
  track.tid = tid;
  track.name = "thread " + std::to_string(tid);
  return track;
}

Track Walk::RangesLike(uint32_t pid) const {
  Track track;
  track.kind = TrackKind::kRanges;
  track.pid = pid;
  track.name = "roctx ranges";
  return track;
}

Track Walk::QueueLike(const KernelRow& row) const {
  Track track;
  track.kind = TrackKind::kQueue;
  track.pid = row.pid;
  track.name = "GPU " + std::to_string(row.gpu);
  const auto queue = queues_.find(row.queue);
  if (queue == queues_.end()) {
    track.name += " unknown queue " + std::to_string(row.queue);
  } else {
    track.name += " queue " + std::to_string(queue->second.queue) + " (hsa " +
                  std::to_string(queue->second.hsa_id) + ")";
  }
  return track;
}

}  // namespace

Status WalkTimeline(query::TraceReader& trace, const Progress& progress, TimelineSink* sink) {
  return Walk(trace, progress, sink).Run();
}

}  // namespace rtl::exporting
