// SPDX-License-Identifier: MIT
#include "export/timeline.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "export/in_flight.h"
#include "export/lanes.h"
#include "export/utf8.h"

namespace rtl::exporting {
namespace {

using query::ApiRow;
using query::BarrierRow;
using query::CopyRow;
using query::EventRow;
using query::KernelRow;
using query::MarkerRow;

constexpr uint64_t kEventsBetweenProgress = 4096;
constexpr uint64_t kEndOfTime = UINT64_MAX;

std::string Utf8(const std::string& text) {
  std::string scratch;
  return std::string(RepairUtf8(text, &scratch));
}

// The time at which a kernel takes its place in the order of KernelsBySubmit.
template <typename Row>
uint64_t SubmitTime(const Row& row) {
  return row.submit > 0 && row.submit < row.start ? row.submit : row.start;
}

// What waits for its turn on a queue's track: a kernel or a barrier.
struct QueueSlice {
  uint64_t start = 0;
  int64_t id = 0;
  bool is_kernel = true;
  KernelSlice kernel;
  BarrierRow barrier;
};

struct StartsBefore {
  bool operator()(const QueueSlice* a, const QueueSlice* b) const {
    return a->start != b->start ? a->start < b->start : a->id < b->id;
  }
};

// The open range that began last. Each lane has its own innermost; what does not nest is on several.
int64_t InnermostRange(const std::vector<NestedLane>& lanes) {
  OpenSlice innermost;
  for (const NestedLane& lane : lanes) {
    const auto range = std::find_if(lane.rbegin(), lane.rend(),
                                    [](const OpenSlice& slice) { return slice.range != 0; });
    if (range != lane.rend() && range->start >= innermost.start) innermost = *range;
  }
  return innermost.range;
}

// The tracks on which one thread's, or one process's, ranges nest.
struct RangeTracks {
  std::vector<TrackId> tracks;
  std::vector<NestedLane> lanes;
};

struct FlatTracks {
  std::vector<TrackId> tracks;
  FlatLanes lanes;
};

struct QueueTracks {
  FlatTracks flat;
  InFlight<QueueSlice*, StartsBefore> in_flight;
};

// What the rows of one launch have in common here.
struct LaunchPlace {
  int64_t launch = 0;
  QueueTracks* queue = nullptr;
  RangeTracks* thread = nullptr;  // null until the first submission of a known time
  const query::KernelInfo* info = nullptr;
  uint32_t queue_number = 0;
};
constexpr size_t kLaunchPlaces = 4096;

// The events of one kind that lie on threads' tracks.
struct EventSource {
  query::EventCursor cursor;
  EventRow row;
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
  Status Handle(const EventRow& row);
  Status HandleKernel(QueueSlice* slice);
  Status HandleBarrier(QueueSlice* slice);
  Status EmitRange(RangeTracks* tracks, const MarkerRow& row);
  Status OpenLane(RangeTracks* tracks, const Track& like, uint64_t start, uint64_t end,
                  int64_t range, TrackId* track);
  Status CloseUntil(RangeTracks* tracks, uint64_t time);
  LaunchPlace* PlaceOf(const KernelRow& row);
  Status Submit(LaunchPlace* place, KernelSlice* kernel);
  Status StartUntil(QueueTracks* queue, uint64_t time);
  Status AddInFlight(QueueTracks* queue, QueueSlice* slice);
  Status EmitFirst(QueueTracks* queue);
  template <typename Row>
  Status PlaceOnQueue(const Row& row, FlatTracks* queue, TrackId* track);
  Status StartAll();
  Status CloseAll();
  Status EmitCopies();
  Status EmitEvents(EventKind kind);
  Status OpenEvents();
  EventSource* FirstEvent();
  Status Advance(EventSource* source);

  Status ProcessTrack(uint32_t pid, TrackId* id);
  Status LaneTrack(std::vector<TrackId>* tracks, Track like, size_t lane);
  Status ThreadTrack(uint32_t pid, uint32_t tid, RangeTracks** out);
  Track ThreadLike(uint32_t pid, uint32_t tid) const;
  Track RangesLike(uint32_t pid) const;
  Track QueueLike(uint32_t pid, int32_t gpu, int64_t queue) const;
  static Track CopiesLike(const CopyRow& row);
  std::string NameOf(uint32_t pid, const char* kind, uint64_t target) const;
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
  std::map<std::tuple<uint32_t, std::string, uint64_t>, std::string> names_;  // pid, kind, target

  std::map<std::pair<uint32_t, uint32_t>, RangeTracks> threads_;  // by pid and tid
  std::map<uint32_t, RangeTracks> start_stop_;                    // by pid
  std::map<std::pair<uint32_t, int64_t>, QueueTracks> queue_tracks_;
  std::vector<std::unique_ptr<EventSource>> event_sources_;  // that have a row
  Pool<QueueSlice> slices_;
  std::vector<LaunchPlace> launches_ = std::vector<LaunchPlace>(kLaunchPlaces);  // by id, modulo
};

Status Walk::Run() {
  RTL_TRY(Load());
  RTL_TRY(Merge());
  RTL_TRY(StartAll());
  RTL_TRY(CloseAll());
  RTL_TRY(EmitCopies());
  for (size_t i = 0; i < kEventKindCount; ++i) {
    RTL_TRY(EmitEvents(static_cast<EventKind>(i)));
  }
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
  std::vector<query::GivenName> names;
  RTL_TRY(trace_.GivenNames(&names));
  for (const query::GivenName& given : names) {
    names_.insert_or_assign({given.pid, given.kind, given.target}, " \"" + Utf8(given.name) + '"');
  }
  return Status::Ok();
}

// ` "name"` as the application gave it; empty when it gave none.
std::string Walk::NameOf(uint32_t pid, const char* kind, uint64_t target) const {
  const auto name = names_.find({pid, kind, target});
  return name == names_.end() ? std::string() : name->second;
}

Status Walk::Merge() {
  query::MarkerCursor marker_cursor;
  query::ApiCursor api_cursor;
  query::KernelCursor kernel_cursor;
  query::BarrierCursor barrier_cursor;
  RTL_TRY(trace_.MarkersByStart(&marker_cursor));
  RTL_TRY(trace_.ApisByStart(&api_cursor));
  RTL_TRY(trace_.KernelsBySubmit(&kernel_cursor));
  RTL_TRY(trace_.BarriersBySubmit(&barrier_cursor));
  MarkerRow marker;
  ApiRow api;
  QueueSlice* kernel = slices_.Take();
  QueueSlice* barrier = slices_.Take();
  bool has_marker = false;
  bool has_api = false;
  bool has_kernel = false;
  bool has_barrier = false;
  RTL_TRY(marker_cursor.Next(&marker, &has_marker));
  RTL_TRY(api_cursor.Next(&api, &has_api));
  RTL_TRY(kernel_cursor.Next(&kernel->kernel.row, &has_kernel));
  RTL_TRY(barrier_cursor.Next(&barrier->barrier, &has_barrier));
  RTL_TRY(OpenEvents());
  while (has_marker || has_api || has_kernel || has_barrier || !event_sources_.empty()) {
    CountEvent();
    EventSource* const event = FirstEvent();
    const uint64_t event_time = event != nullptr ? event->row.start : kEndOfTime;
    const uint64_t marker_time = has_marker ? marker.start : kEndOfTime;
    const uint64_t api_time = has_api ? api.start : kEndOfTime;
    const uint64_t kernel_time = has_kernel ? SubmitTime(kernel->kernel.row) : kEndOfTime;
    const uint64_t barrier_time = has_barrier ? SubmitTime(barrier->barrier) : kEndOfTime;
    const uint64_t queue_time = std::min(kernel_time, barrier_time);
    const uint64_t call_time = std::min(api_time, event_time);
    if (has_marker && marker_time <= call_time && marker_time <= queue_time) {
      RTL_TRY(Handle(marker));
      RTL_TRY(marker_cursor.Next(&marker, &has_marker));
    } else if (has_api && api_time <= event_time && api_time <= queue_time) {
      RTL_TRY(Handle(api));
      RTL_TRY(api_cursor.Next(&api, &has_api));
    } else if (event != nullptr && event_time <= queue_time) {
      RTL_TRY(Handle(event->row));
      RTL_TRY(Advance(event));
    } else if (has_barrier && barrier_time <= kernel_time) {
      RTL_TRY(HandleBarrier(barrier));
      barrier = slices_.Take();
      RTL_TRY(barrier_cursor.Next(&barrier->barrier, &has_barrier));
    } else {
      RTL_TRY(HandleKernel(kernel));
      kernel = slices_.Take();
      RTL_TRY(kernel_cursor.Next(&kernel->kernel.row, &has_kernel));
    }
  }
  return Status::Ok();
}

Status Walk::OpenEvents() {
  for (size_t i = 0; i < kEventKindCount; ++i) {
    const auto kind = static_cast<EventKind>(i);
    const SpanKind* const span = FindSpanKind(kind);
    if (span == nullptr || span->track != SpanTrack::kThread) continue;
    auto source = std::make_unique<EventSource>();
    RTL_TRY(trace_.EventsByStart(kind, &source->cursor));
    event_sources_.push_back(std::move(source));
    RTL_TRY(Advance(event_sources_.back().get()));
  }
  return Status::Ok();
}

// Null: there are none.
EventSource* Walk::FirstEvent() {
  EventSource* first = nullptr;
  for (const auto& source : event_sources_) {
    if (first == nullptr || source->row.start < first->row.start) first = source.get();
  }
  return first;
}

// A source without rows is dropped.
Status Walk::Advance(EventSource* source) {
  bool has_row = false;
  RTL_TRY(source->cursor.Next(&source->row, &has_row));
  if (!has_row) std::erase_if(event_sources_, [&](const auto& s) { return s.get() == source; });
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

Status Walk::Handle(const EventRow& row) {
  RangeTracks* thread = nullptr;
  RTL_TRY(ThreadTrack(row.pid, row.tid, &thread));
  TrackId track = 0;
  RTL_TRY(OpenLane(thread, ThreadLike(row.pid, row.tid), row.start, row.end, 0, &track));
  return sink_->OnEvent(track, row, true);
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
  tracks->lanes[lane].push_back({end, range, start});
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

LaunchPlace* Walk::PlaceOf(const KernelRow& row) {
  LaunchPlace& place = launches_[static_cast<uint64_t>(row.launch) % kLaunchPlaces];
  if (place.launch == row.launch && row.launch != 0) return &place;
  place = {};
  place.launch = row.launch;
  place.queue = &queue_tracks_[{row.pid, row.queue}];
  const auto info = kernels_.find(row.kernel);
  if (info != kernels_.end()) place.info = &info->second;
  const auto queue = queues_.find(row.queue);
  if (queue != queues_.end()) place.queue_number = queue->second.queue;
  return &place;
}

Status Walk::HandleKernel(QueueSlice* slice) {
  KernelSlice& kernel = slice->kernel;
  KernelRow& row = kernel.row;
  LaunchPlace* const place = PlaceOf(row);
  RTL_TRY(StartUntil(place->queue, SubmitTime(row)));
  row.end = std::max(row.start, row.end);
  kernel.info = place->info;
  kernel.queue_number = place->queue_number;
  kernel.range = 0;
  kernel.has_submit = false;
  kernel.has_call = row.correlation != 0;
  if (row.tid != 0 && row.submit > 0 && row.submit <= row.start) RTL_TRY(Submit(place, &kernel));
  slice->start = row.start;
  slice->id = row.id;
  slice->is_kernel = true;
  return AddInFlight(place->queue, slice);
}

Status Walk::Submit(LaunchPlace* place, KernelSlice* kernel) {
  const KernelRow& row = kernel->row;
  if (place->thread == nullptr) RTL_TRY(ThreadTrack(row.pid, row.tid, &place->thread));
  RangeTracks& thread = *place->thread;
  RTL_TRY(CloseUntil(&thread, SubmitTime(row)));
  kernel->range = InnermostRange(thread.lanes);
  // Its call is where it comes from.
  kernel->has_submit = !kernel->has_call;
  return kernel->has_submit ? sink_->OnSubmit(thread.tracks.front(), *kernel) : Status::Ok();
}

Status Walk::HandleBarrier(QueueSlice* slice) {
  BarrierRow& row = slice->barrier;
  QueueTracks& queue = queue_tracks_[{row.pid, row.queue}];
  RTL_TRY(StartUntil(&queue, SubmitTime(row)));
  row.end = std::max(row.start, row.end);
  slice->start = row.start;
  slice->id = row.id;
  slice->is_kernel = false;
  return AddInFlight(&queue, slice);
}

Status Walk::AddInFlight(QueueTracks* queue, QueueSlice* slice) {
  queue->in_flight.Push(slice);
  return queue->in_flight.size() <= kMaxInFlight ? Status::Ok() : EmitFirst(queue);
}

// Whatever comes later was submitted at `time` or after it, so it also starts no earlier.
Status Walk::StartUntil(QueueTracks* queue, uint64_t time) {
  while (!queue->in_flight.empty() && queue->in_flight.First()->start <= time) {
    RTL_TRY(EmitFirst(queue));
  }
  return Status::Ok();
}

Status Walk::StartAll() {
  for (auto& [ids, queue] : queue_tracks_) RTL_TRY(StartUntil(&queue, kEndOfTime));
  return Status::Ok();
}

Status Walk::EmitFirst(QueueTracks* queue) {
  QueueSlice* const slice = queue->in_flight.First();
  queue->in_flight.Pop();
  TrackId track = 0;
  if (slice->is_kernel) {
    RTL_TRY(PlaceOnQueue(slice->kernel.row, &queue->flat, &track));
    RTL_TRY(sink_->OnKernel(track, slice->kernel));
  } else {
    RTL_TRY(PlaceOnQueue(slice->barrier, &queue->flat, &track));
    RTL_TRY(sink_->OnBarrier(track, slice->barrier));
  }
  slices_.Give(slice);
  return Status::Ok();
}

template <typename Row>
Status Walk::PlaceOnQueue(const Row& row, FlatTracks* queue, TrackId* track) {
  const size_t lane = queue->lanes.Place(row.start, row.end);
  if (lane >= queue->tracks.size()) {
    RTL_TRY(LaneTrack(&queue->tracks, QueueLike(row.pid, row.gpu, row.queue), lane));
  }
  *track = queue->tracks[lane];
  return Status::Ok();
}

// On tracks of their own, so they need not be merged with anything.
Status Walk::EmitCopies() {
  query::CopyCursor cursor;
  RTL_TRY(trace_.CopiesByStart(&cursor));
  std::map<std::tuple<uint32_t, int32_t, int32_t>, FlatTracks> places;
  while (true) {
    CopyRow row;
    bool has_row = false;
    RTL_TRY(cursor.Next(&row, &has_row));
    if (!has_row) return Status::Ok();
    CountEvent();
    row.end = std::max(row.start, row.end);
    FlatTracks& place = places[{row.pid, row.src_gpu, row.dst_gpu}];
    const size_t lane = place.lanes.Place(row.start, row.end);
    if (lane >= place.tracks.size()) RTL_TRY(LaneTrack(&place.tracks, CopiesLike(row), lane));
    RTL_TRY(sink_->OnCopy(place.tracks[lane], row));
  }
}

Status Walk::EmitEvents(EventKind kind) {
  const SpanKind* const span = FindSpanKind(kind);
  if (span == nullptr || span->track != SpanTrack::kOwn) return Status::Ok();
  query::EventCursor cursor;
  RTL_TRY(trace_.EventsByStart(kind, &cursor));
  std::map<uint32_t, FlatTracks> places;  // by pid
  while (true) {
    EventRow row;
    bool has_row = false;
    RTL_TRY(cursor.Next(&row, &has_row));
    if (!has_row) return Status::Ok();
    CountEvent();
    row.end = std::max(row.start, row.end);
    FlatTracks& place = places[row.pid];
    const size_t lane = place.lanes.Place(row.start, row.end);
    if (lane >= place.tracks.size()) {
      Track like;
      like.kind = TrackKind::kEvents;
      like.pid = row.pid;
      like.name = span->category;
      RTL_TRY(LaneTrack(&place.tracks, like, lane));
    }
    RTL_TRY(sink_->OnEvent(place.tracks[lane], row, false));
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
  track.name = "thread " + std::to_string(tid) + NameOf(pid, "thread", tid);
  return track;
}

Track Walk::RangesLike(uint32_t pid) const {
  Track track;
  track.kind = TrackKind::kRanges;
  track.pid = pid;
  track.name = "roctx ranges";
  return track;
}

Track Walk::QueueLike(uint32_t pid, int32_t gpu, int64_t id) const {
  Track track;
  track.kind = TrackKind::kQueue;
  track.pid = pid;
  track.name = "GPU " + std::to_string(gpu) + NameOf(pid, "device", static_cast<uint32_t>(gpu));
  const auto queue = queues_.find(id);
  if (queue == queues_.end()) {
    track.name += " unknown queue " + std::to_string(id);
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
