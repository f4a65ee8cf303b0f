// SPDX-License-Identifier: MIT
#include "export/timeline.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "export/event_sources.h"
#include "export/fills.h"
#include "export/gpu_timeline.h"
#include "export/lanes.h"
#include "export/range_names.h"
#include "export/sample_events.h"
#include "export/timeline_counters.h"
#include "export/tracks.h"

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

// True if a submission of the row is drawn, because its call is not known.
template <typename Row>
bool IsSubmitted(const Row& row) {
  return row.tid != 0 && row.submit > 0 && row.submit <= row.start;
}
bool IsSubmitted(const BarrierRow&) { return false; }

// The time that determines the position of the work in the order of submission.
template <typename Row>
uint64_t SubmitTime(const Row& row) {
  return row.submit > 0 && row.submit < row.start ? row.submit : row.start;
}

// Identifies an API call whose work is not read completely.
struct CallKey {
  int64_t process = 0;
  uint64_t correlation = 0;
  bool operator==(const CallKey&) const = default;
};
struct HashOfCall {
  size_t operator()(const CallKey& key) const {
    return static_cast<size_t>(key.correlation * 0x9E3779B97F4A7C15u) ^
           static_cast<size_t>(key.process);
  }
};
struct OpenCall {
  int64_t api = 0;
  TrackId track = 0;
  uint64_t start = 0;
  int64_t stream = -1;
  uint64_t bytes = 0;
  int32_t copy_kind = -1;
  uint32_t work = 0;   // number of kernels, copies and barriers
  uint32_t left = 0;   // number of those that are not read yet
  bool split = false;  // the work has submissions of its own
  bool led = false;    // an arrow begins at the call
};

// What follows from the name of a call.
struct CallFacts {
  bool fills = false;   // IsFill
  bool splits = false;  // TimelineSink::SplitsCall
};

// Reads rows in the order of their times, and holds the next row.
template <typename Cursor, typename Row>
struct Source {
  Cursor cursor;
  Row row;
  bool has = false;

  Status Next() { return cursor.Next(&row, &has); }
};

// Finds the open range that began last. Each lane has its own innermost range, and ranges that do
// not nest are on different lanes.
int64_t InnermostRange(const std::vector<NestedLane>& lanes) {
  OpenSlice innermost;
  for (const NestedLane& lane : lanes) {
    const auto range = std::find_if(lane.rbegin(), lane.rend(),
                                    [](const OpenSlice& slice) { return slice.range != 0; });
    if (range != lane.rend() && range->start >= innermost.start) innermost = *range;
  }
  return innermost.range;
}

// The tracks on which the ranges of one thread, or of one process, nest.
struct RangeTracks {
  std::vector<TrackId> tracks;
  std::vector<NestedLane> lanes;
  RangeNames names;  // for a thread
};

// What the kernels of one launch on one stream have in common.
struct LaunchPlace {
  int64_t launch = 0;
  int64_t stream = -1;
  GpuTracks* tracks = nullptr;
  RangeTracks* thread = nullptr;  // null until the first submission with a known time
  const query::KernelInfo* info = nullptr;
  uint32_t queue_number = 0;
  KernelRole role = KernelRole::kKernel;
  GpuLoad* load = nullptr;  // null: the sink wants no counters
};
constexpr size_t kLaunchPlaces = 4096;

class Walk {
 public:
  Walk(query::TraceReader& trace, const Progress& progress, TimelineSink* sink)
      : trace_(trace), progress_(progress), sink_(sink), tracks_(trace, sink) {}
  Status Run();

 private:
  Status Load();
  Status CountSelected();
  uint32_t WorkOf(const ApiRow& row) const;
  Status Merge();
  Status Handle(const MarkerRow& row);
  Status Handle(const ApiRow& row);
  Status Handle(const EventRow& row);
  Status HandleKernel(GpuSlice* slice);
  Status HandleBarrier(GpuSlice* slice);
  Status HandleCopy(GpuSlice* slice);
  template <typename Row>
  Status OpenOnThread(const Row& row, TrackId* track, int64_t range = 0);
  Status OpenLane(RangeTracks* tracks, const Track& like, uint64_t start, uint64_t end,
                  int64_t range, TrackId* track);
  Status CloseUntil(RangeTracks* tracks, uint64_t time);
  template <typename Row>
  void FindOrigin(const Row& row, Origin* origin);
  Status PlaceOf(const KernelRow& row, int64_t stream, LaunchPlace** out);
  Status RoleOf(int64_t name, KernelRole* role);
  Status FactsOf(int64_t name, CallFacts* facts);
  Status FindFilledBytes(const ApiRow& row, uint64_t* bytes);
  template <typename Row>
  Status Submit(const Row& row, KernelRole role, RangeTracks* thread, Origin* origin);
  Status CloseAll();
  Status EmitEvents(EventKind kind);
  Status ThreadTrack(int64_t process, uint32_t pid, uint32_t tid, RangeTracks** out);
  void CountEvent();

  query::TraceReader& trace_;
  const Progress& progress_;
  TimelineSink* sink_;
  Tracks tracks_;
  GpuTimeline gpus_{&tracks_, sink_};
  BusyCounters busy_;
  uint64_t events_ = 0;
  // links of submissions are larger than this link, the largest one of a call
  uint64_t last_call_ = 0;
  query::WorkOfCalls work_of_calls_;
  // If rows are selected, used instead of work_of_calls_: only selected work counts for a call.
  std::unordered_map<CallKey, uint32_t, HashOfCall> selected_work_;
  std::unordered_map<CallKey, OpenCall, HashOfCall> calls_;
  std::unordered_map<int64_t, query::KernelInfo> kernels_;
  std::unordered_map<int64_t, KernelRole> roles_;      // indexed by name
  std::unordered_map<int64_t, CallFacts> call_facts_;  // indexed by the name of the call

  std::map<std::pair<int64_t, uint32_t>, RangeTracks> threads_;  // indexed by process and tid
  std::map<int64_t, RangeTracks> start_stop_;                    // indexed by process
  // indexed by id, modulo kLaunchPlaces
  std::vector<LaunchPlace> launches_ = std::vector<LaunchPlace>(kLaunchPlaces);
};

Status Walk::Run() {
  RTL_TRY(Load());
  RTL_TRY(Merge());
  RTL_TRY(gpus_.StartAll());
  RTL_TRY(CloseAll());
  for (size_t i = 0; i < kEventKindCount; ++i) {
    RTL_TRY(EmitEvents(static_cast<EventKind>(i)));
  }
  RTL_TRY(busy_.Emit(&tracks_, sink_));
  if (sink_->WantsCounters()) RTL_TRY(EmitStepCounters(trace_, &tracks_, sink_));
  if (sink_->WantsSamples()) RTL_TRY(EmitSamples(trace_, &tracks_, sink_));
  RTL_TRY(tracks_.Finish());
  if (progress_) progress_(events_);
  return Status::Ok();
}

Status Walk::Load() {
  RTL_TRY(tracks_.Load());
  std::vector<query::KernelInfo> kernels;
  RTL_TRY(trace_.tables().Kernels(&kernels));
  for (const query::KernelInfo& kernel : kernels) kernels_.emplace(kernel.id, kernel);
  RTL_TRY(trace_.calls().Last(&last_call_));
  return trace_.has_selection() ? CountSelected() : trace_.calls().Works(&work_of_calls_);
}

Status Walk::CountSelected() {
  const auto count = [this](const auto& row) {
    if (row.correlation != 0) ++selected_work_[{row.process, row.correlation}];
  };
  query::KernelCursor kernels;
  query::CopyCursor copies;
  query::BarrierCursor barriers;
  RTL_TRY(trace_.KernelsBySubmit(&kernels));
  RTL_TRY(kernels.Each(count));
  RTL_TRY(trace_.CopiesBySubmit(&copies));
  RTL_TRY(copies.Each(count));
  RTL_TRY(trace_.BarriersBySubmit(&barriers));
  return barriers.Each(count);
}

uint32_t Walk::WorkOf(const ApiRow& row) const {
  if (!trace_.has_selection()) {
    const uint32_t work = work_of_calls_.Of(row.id);
    if (work != 0 || work_of_calls_.many.empty()) return work;
    const auto far = work_of_calls_.many.find(row.id);
    return far == work_of_calls_.many.end() ? 0 : far->second;
  }
  const auto found = selected_work_.find({row.process, row.correlation});
  return found == selected_work_.end() ? 0 : found->second;
}

Status Walk::Merge() {
  Source<query::MarkerCursor, MarkerRow> marker;
  Source<query::ApiCursor, ApiRow> api;
  Source<query::BarrierCursor, BarrierRow> barrier;
  Source<query::CopyCursor, CopyRow> copy;
  query::KernelCursor kernel_cursor;
  RTL_TRY(trace_.MarkersByStart(&marker.cursor));
  RTL_TRY(trace_.ApisByStart(&api.cursor));
  RTL_TRY(trace_.KernelsBySubmit(&kernel_cursor));
  RTL_TRY(trace_.BarriersBySubmit(&barrier.cursor));
  RTL_TRY(trace_.CopiesBySubmit(&copy.cursor));
  GpuSlice* kernel = gpus_.Take();  // read into its final address, because there are millions
  bool has_kernel = false;
  RTL_TRY(marker.Next());
  RTL_TRY(api.Next());
  RTL_TRY(barrier.Next());
  RTL_TRY(copy.Next());
  RTL_TRY(kernel_cursor.Next(&kernel->kernel.row, &has_kernel));
  EventSources events;
  RTL_TRY(events.Open(trace_));
  while (marker.has || api.has || has_kernel || barrier.has || copy.has || events.First()) {
    CountEvent();
    EventSource* const event = events.First();
    const uint64_t event_time = event != nullptr ? event->row.start : kEndOfTime;
    const uint64_t kernel_time = has_kernel ? SubmitTime(kernel->kernel.row) : kEndOfTime;
    const uint64_t barrier_time = barrier.has ? SubmitTime(barrier.row) : kEndOfTime;
    const uint64_t copy_time = copy.has ? SubmitTime(copy.row) : kEndOfTime;
    const uint64_t gpu_time = std::min({kernel_time, barrier_time, copy_time});
    const uint64_t api_time = api.has ? api.row.start : kEndOfTime;
    if (marker.has && marker.row.start <= std::min({api_time, event_time, gpu_time})) {
      RTL_TRY(Handle(marker.row));
      RTL_TRY(marker.Next());
    } else if (api.has && api_time <= std::min(event_time, gpu_time)) {
      RTL_TRY(Handle(api.row));
      RTL_TRY(api.Next());
    } else if (event != nullptr && event_time <= gpu_time) {
      RTL_TRY(Handle(event->row));
      RTL_TRY(events.Advance(event));
    } else if (copy.has && copy_time == gpu_time) {
      GpuSlice* const slice = gpus_.Take();
      slice->copy.row = copy.row;
      RTL_TRY(HandleCopy(slice));
      RTL_TRY(copy.Next());
    } else if (barrier.has && barrier_time == gpu_time) {
      GpuSlice* const slice = gpus_.Take();
      slice->barrier.row = barrier.row;
      RTL_TRY(HandleBarrier(slice));
      RTL_TRY(barrier.Next());
    } else {
      RTL_TRY(HandleKernel(kernel));
      kernel = gpus_.Take();
      RTL_TRY(kernel_cursor.Next(&kernel->kernel.row, &has_kernel));
    }
  }
  return Status::Ok();
}

void Walk::CountEvent() {
  ++events_;
  if (progress_ && events_ % kEventsBetweenProgress == 0) progress_(events_);
}

Status Walk::Handle(const MarkerRow& row) {
  TrackId track = 0;
  if (row.is_start_stop) {
    RTL_TRY(OpenLane(&start_stop_[row.process], Tracks::RangesLike(row.process, row.pid), row.start,
                     row.end, row.name, &track));
    return sink_->OnRangeBegin(track, row);
  }
  RangeTracks* thread = nullptr;
  RTL_TRY(ThreadTrack(row.process, row.pid, row.tid, &thread));
  if (row.is_mark) {
    thread->names.Mark(row.name, row.start);
    RTL_TRY(CloseUntil(thread, row.start));
    return sink_->OnMark(thread->tracks.front(), row);
  }
  thread->names.Begin(row.name, row.start, row.end);
  RTL_TRY(OpenOnThread(row, &track, row.name));
  return sink_->OnRangeBegin(track, row);
}

Status Walk::Handle(const ApiRow& row) {
  TrackId track = 0;
  RTL_TRY(OpenOnThread(row, &track));
  const uint32_t work = WorkOf(row);
  if (work != 0 && row.correlation != 0) {
    CallFacts facts;
    RTL_TRY(FactsOf(row.name, &facts));
    uint64_t bytes = row.copied;
    if (bytes == 0 && facts.fills) RTL_TRY(FindFilledBytes(row, &bytes));
    calls_.insert_or_assign({row.process, row.correlation}, OpenCall{.api = row.id,
                                                                     .track = track,
                                                                     .start = row.start,
                                                                     .stream = row.stream,
                                                                     .bytes = bytes,
                                                                     .copy_kind = row.copy_kind,
                                                                     .work = work,
                                                                     .left = work,
                                                                     .split = facts.splits});
  }
  return sink_->OnCallBegin(track, {row, static_cast<uint64_t>(row.id), work != 0});
}

Status Walk::FactsOf(int64_t name, CallFacts* facts) {
  const auto [known, is_new] = call_facts_.try_emplace(name);
  if (is_new) {
    std::string_view text;
    RTL_TRY(trace_.Text(name, &text));
    known->second = {.fills = IsFill(text), .splits = sink_->SplitsCall(text)};
  }
  *facts = known->second;
  return Status::Ok();
}

Status Walk::FindFilledBytes(const ApiRow& row, uint64_t* bytes) {
  std::string_view text;
  RTL_TRY(trace_.Text(row.name, &text));
  const std::string call(text);
  RTL_TRY(trace_.Text(row.arguments, &text));
  *bytes = FilledBytes(call, text);
  return Status::Ok();
}

Status Walk::Handle(const EventRow& row) {
  TrackId track = 0;
  RTL_TRY(OpenOnThread(row, &track));
  return sink_->OnEvent(track, row, true);
}

template <typename Row>
Status Walk::OpenOnThread(const Row& row, TrackId* track, int64_t range) {
  RangeTracks* thread = nullptr;
  RTL_TRY(ThreadTrack(row.process, row.pid, row.tid, &thread));
  return OpenLane(thread, tracks_.ThreadLike(row.process, row.pid, row.tid), row.start, row.end,
                  range, track);
}

// Finds the first track on which the slice nests.
Status Walk::OpenLane(RangeTracks* tracks, const Track& like, uint64_t start, uint64_t end,
                      int64_t range, TrackId* track) {
  RTL_TRY(CloseUntil(tracks, start));
  end = std::max(start, end);
  size_t lane = 0;
  while (lane < tracks->lanes.size() && !FitsInto(tracks->lanes[lane], end)) ++lane;
  lane = std::min(lane, kMaxLanes - 1);
  RTL_TRY(tracks_.Lane(&tracks->tracks, like, lane));
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
      RTL_TRY(sink_->OnSliceEnd(tracks->tracks[i], slice.end));
    }
  }
  return Status::Ok();
}

Status Walk::CloseAll() {
  for (auto& [ids, tracks] : threads_) RTL_TRY(CloseUntil(&tracks, kEndOfTime));
  for (auto& [process, tracks] : start_stop_) RTL_TRY(CloseUntil(&tracks, kEndOfTime));
  return Status::Ok();
}

// Finds the call of the row, while some of the call's work is not read yet.
template <typename Row>
void Walk::FindOrigin(const Row& row, Origin* origin) {
  *origin = {};
  if (row.correlation == 0) return;
  const auto found = calls_.find({row.process, row.correlation});
  if (found == calls_.end()) return;
  OpenCall& call = found->second;
  origin->has_call = !call.split || !IsSubmitted(row);
  origin->link = static_cast<uint64_t>(call.api);
  origin->stream = call.stream;
  origin->call_track = call.track;
  origin->call_start = call.start;
  origin->copy_kind = call.copy_kind;
  if (call.work == 1) origin->call_bytes = call.bytes;
  origin->first = origin->has_call && !call.led;
  call.led = call.led || origin->has_call;
  if (--call.left == 0) calls_.erase(found);
}

Status Walk::RoleOf(int64_t name, KernelRole* role) {
  const auto [known, is_new] = roles_.try_emplace(name, KernelRole::kKernel);
  if (is_new) {
    std::string_view text;
    RTL_TRY(trace_.Text(name, &text));
    if (text.starts_with("__amd_rocclr_fillBuffer")) known->second = KernelRole::kFill;
    if (text.starts_with("__amd_rocclr_copyBuffer")) known->second = KernelRole::kCopy;
  }
  *role = known->second;
  return Status::Ok();
}

Status Walk::PlaceOf(const KernelRow& row, int64_t stream, LaunchPlace** out) {
  LaunchPlace& place = launches_[static_cast<uint64_t>(row.launch) % kLaunchPlaces];
  *out = &place;
  if (place.launch == row.launch && place.stream == stream && row.launch != 0) return Status::Ok();
  place = {};
  place.launch = row.launch;
  place.stream = stream;
  place.tracks = stream >= 0 ? gpus_.Stream(row.process, row.pid, row.gpu, stream)
                             : gpus_.Queue(row.process, row.pid, row.gpu, row.queue);
  if (sink_->WantsCounters() && row.gpu >= 0) place.load = busy_.Of(row.process, row.gpu, row.pid);
  const auto info = kernels_.find(row.kernel);
  if (info != kernels_.end()) place.info = &info->second;
  const query::Queue* const queue = tracks_.FindQueue(row.queue);
  if (queue != nullptr) place.queue_number = queue->queue;
  return RoleOf(row.name, &place.role);
}

Status Walk::HandleKernel(GpuSlice* slice) {
  KernelSlice& kernel = slice->kernel;
  KernelRow& row = kernel.row;
  FindOrigin(row, &kernel.origin);
  LaunchPlace* place = nullptr;
  RTL_TRY(PlaceOf(row, kernel.origin.stream, &place));
  RTL_TRY(gpus_.StartUntil(place->tracks, SubmitTime(row)));
  row.end = std::max(row.start, row.end);
  if (place->load != nullptr) place->load->Add(SubmitTime(row), row.start, row.end);
  kernel.info = place->info;
  kernel.queue_number = place->queue_number;
  kernel.role = place->role;
  if (IsSubmitted(row)) {
    if (place->thread == nullptr) {
      RTL_TRY(ThreadTrack(row.process, row.pid, row.tid, &place->thread));
    }
    RTL_TRY(Submit(row, place->role, place->thread, &kernel.origin));
  }
  return gpus_.Add(place->tracks, GpuSlice::What::kKernel, row, slice);
}

template <typename Row>
Status Walk::Submit(const Row& row, KernelRole role, RangeTracks* thread, Origin* origin) {
  RTL_TRY(CloseUntil(thread, SubmitTime(row)));
  origin->range = InnermostRange(thread->lanes);
  origin->kernel_name = thread->names.At(SubmitTime(row));
  if (origin->has_call) return Status::Ok();
  const uint64_t call = origin->link;
  origin->has_submit = true;
  origin->call_track = thread->tracks.front();
  origin->link = last_call_ + static_cast<uint64_t>(row.id);
  return sink_->OnSubmit(thread->tracks.front(),
                         {row.submit, origin->link, role, origin->range, call});
}

Status Walk::HandleBarrier(GpuSlice* slice) {
  BarrierRow& row = slice->barrier.row;
  Origin& origin = slice->barrier.origin;
  FindOrigin(row, &origin);
  GpuTracks* const tracks = origin.stream >= 0
                                ? gpus_.Stream(row.process, row.pid, row.gpu, origin.stream)
                                : gpus_.Queue(row.process, row.pid, row.gpu, row.queue);
  RTL_TRY(gpus_.StartUntil(tracks, SubmitTime(row)));
  row.end = std::max(row.start, row.end);
  return gpus_.Add(tracks, GpuSlice::What::kBarrier, row, slice);
}

Status Walk::HandleCopy(GpuSlice* slice) {
  CopyRow& row = slice->copy.row;
  Origin& origin = slice->copy.origin;
  FindOrigin(row, &origin);
  const int32_t gpu = row.dst_gpu >= 0 ? row.dst_gpu : row.src_gpu;
  GpuTracks* const tracks = origin.stream >= 0 && gpu >= 0
                                ? gpus_.Stream(row.process, row.pid, gpu, origin.stream)
                                : gpus_.Copies(row);
  RTL_TRY(gpus_.StartUntil(tracks, SubmitTime(row)));
  row.end = std::max(row.start, row.end);
  if (IsSubmitted(row)) {
    RangeTracks* thread = nullptr;
    RTL_TRY(ThreadTrack(row.process, row.pid, row.tid, &thread));
    RTL_TRY(Submit(row, KernelRole::kCopy, thread, &origin));
  }
  return gpus_.Add(tracks, GpuSlice::What::kCopy, row, slice);
}

// For kinds with tracks of their own, whose events need not be merged with others.
Status Walk::EmitEvents(EventKind kind) {
  const SpanKind* const span = FindSpanKind(kind);
  if (span == nullptr || span->track != SpanTrack::kOwn) return Status::Ok();
  query::EventCursor cursor;
  RTL_TRY(trace_.EventsByStart(kind, &cursor));
  std::map<int64_t, FlatTracks> places;  // indexed by process
  return cursor.Each([&](EventRow& row) {
    CountEvent();
    row.end = std::max(row.start, row.end);
    FlatTracks& place = places[row.process];
    const size_t lane = place.lanes.Place(row.start, row.end);
    if (lane >= place.tracks.size()) {
      RTL_TRY(tracks_.Lane(&place.tracks,
                           Tracks::EventsLike(row.process, row.pid, kind, span->category), lane));
    }
    return sink_->OnEvent(place.tracks[lane], row, false);
  });
}

Status Walk::ThreadTrack(int64_t process, uint32_t pid, uint32_t tid, RangeTracks** out) {
  RangeTracks& thread = threads_[{process, tid}];
  *out = &thread;
  if (!thread.tracks.empty()) return Status::Ok();
  return tracks_.Lane(&thread.tracks, tracks_.ThreadLike(process, pid, tid), 0);
}

}  // namespace

Status WalkTimeline(query::TraceReader& trace, const Progress& progress, TimelineSink* sink) {
  return Walk(trace, progress, sink).Run();
}

}  // namespace rtl::exporting
