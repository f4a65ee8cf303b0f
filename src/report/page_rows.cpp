// SPDX-License-Identifier: MIT
#include "report/page_rows.h"

#include <algorithm>
#include <string_view>

namespace rtl::report {

using exporting::KernelRole;
using exporting::KernelSlice;
using exporting::Track;
using exporting::TrackId;
using exporting::TrackKind;

namespace {

SliceKind KindOf(KernelRole role) {
  if (role == KernelRole::kFill) return SliceKind::kFill;
  return role == KernelRole::kCopy ? SliceKind::kCopy : SliceKind::kKernel;
}

uint64_t Since(uint64_t submit, uint64_t start) {
  return submit == 0 || submit > start ? 0 : start - submit;
}

bool IsOfGpu(TrackKind kind) {
  return kind == TrackKind::kStream || kind == TrackKind::kQueue || kind == TrackKind::kCopies;
}

const char* WordOf(TrackKind kind) {
  if (IsOfGpu(kind)) return "gpu";
  if (kind == TrackKind::kThread) return "thread";
  return kind == TrackKind::kRanges ? "ranges" : "events";
}

}  // namespace

Status PageRows::OnTrack(const Track& track) {
  if (track.kind == TrackKind::kProcess) {
    order_.push_back(track.id);
    processes_.push_back(track.name + ", pid " + std::to_string(track.pid));
  }
  places_[track.id] = {.track = track, .set = IsOfGpu(track.kind) ? RowSet::kGpu : RowSet::kHost};
  return Status::Ok();
}

void PageRows::Add(Place* place, size_t depth, const Slice& slice) {
  while (place->rows.size() <= depth) place->rows.push_back(Set(place->set).AddRow());
  Set(place->set).Add(place->rows[depth], slice);
}

void PageRows::Open(Place* place, const Slice& slice) {
  Add(place, place->open, slice);
  ++place->open;
}

Status PageRows::OnRangeBegin(TrackId track, const query::MarkerRow& row) {
  Slice slice{.start = row.start, .end = row.end};
  RTL_TRY(shapes_->Of({.kind = SliceKind::kRange}, row.name, &slice.what));
  Open(&places_[track], slice);
  return Status::Ok();
}

Status PageRows::OnSliceEnd(TrackId track, uint64_t) {
  Place& place = places_[track];
  place.open -= std::min<size_t>(place.open, 1);
  return Status::Ok();
}

Status PageRows::OnCallBegin(TrackId track, const exporting::CallSlice& call) {
  Slice slice{.start = call.row.start, .end = call.row.end};
  RTL_TRY(shapes_->Of({.kind = SliceKind::kHipCall}, call.row.name, &slice.what));
  Open(&places_[track], slice);
  return Status::Ok();
}

Status PageRows::OnMark(TrackId track, const query::MarkerRow& row) {
  Slice slice{.start = row.start, .end = row.start};
  RTL_TRY(shapes_->Of({.kind = SliceKind::kMark}, row.name, &slice.what));
  Place& place = places_[track];
  Add(&place, place.open, slice);
  return Status::Ok();
}

Status PageRows::OnSubmit(TrackId track, const exporting::Submission& submission) {
  Place& place = places_[track];
  if (place.submits == kNoRow) place.submits = Set(RowSet::kHost).AddRow(kSubmitResolution);
  constexpr std::string_view kNames[] = {"kernel submitted", "fill submitted", "copy submitted"};
  const auto role = static_cast<size_t>(submission.role);
  Set(RowSet::kHost)
      .Add(place.submits, {.start = submission.time,
                           .end = submission.time,
                           .what = shapes_->Of({.kind = SliceKind::kSubmit}, kNames[role])});
  return Status::Ok();
}

Status PageRows::ShapeOf(const KernelSlice& kernel, uint32_t* shape) {
  const query::KernelRow& row = kernel.row;
  Known& known = known_[static_cast<uint64_t>(row.launch) % kLaunches];
  if (row.launch == 0 || known.launch != row.launch) {
    Shape made{.kind = KindOf(kernel.role),
               .group_segment = row.group_segment,
               .private_segment = row.private_segment};
    std::copy(std::begin(row.grid), std::end(row.grid), made.grid);
    std::copy(std::begin(row.workgroup), std::end(row.workgroup), made.workgroup);
    RTL_TRY(shapes_->Of(made, row.name, &known.shape));
    known.launch = row.launch;
  }
  *shape = known.shape;
  return Status::Ok();
}

// Empty if the page cannot represent the origin: a call that began after the submission, or more
// than 4 seconds before it.
Link PageRows::LinkOf(const exporting::Origin& origin, uint64_t submit) {
  Link link{.track = static_cast<uint32_t>(origin.call_track)};
  if (submit == 0 || link.track != origin.call_track) return {};
  if (!origin.has_call) return link;
  const uint64_t lead = submit - std::min(submit, origin.call_start);
  if (origin.call_start > submit || lead >= UINT32_MAX) return {};
  link.lead = static_cast<uint32_t>(lead) + 1;
  return link;
}

Status PageRows::OnKernel(TrackId track, const KernelSlice& kernel) {
  const query::KernelRow& row = kernel.row;
  Slice slice{.start = row.start,
              .end = row.end,
              .wait = Since(row.submit, row.start),
              .link = LinkOf(kernel.origin, row.submit)};
  RTL_TRY(ShapeOf(kernel, &slice.what));
  Add(&places_[track], 0, slice);
  run_.Add(row.end - row.start);
  if (row.submit == 0) return Status::Ok();
  queue_.Add(slice.wait);
  if (kernel.origin.has_call) launch_.Add(Since(kernel.origin.call_start, row.submit));
  return Status::Ok();
}

Status PageRows::OnBarrier(TrackId track, const exporting::BarrierSlice& barrier) {
  const query::BarrierRow& row = barrier.row;
  Slice slice{.start = row.start,
              .end = row.end,
              .wait = Since(row.submit, row.start),
              .link = LinkOf(barrier.origin, row.submit)};
  RTL_TRY(shapes_->Of({.kind = SliceKind::kBarrier}, row.name, &slice.what));
  Add(&places_[track], 0, slice);
  return Status::Ok();
}

Status PageRows::OnCopy(TrackId track, const exporting::CopySlice& copy) {
  const query::CopyRow& row = copy.row;
  Slice slice{.start = row.start,
              .end = row.end,
              .wait = Since(row.submit, row.start),
              .link = LinkOf(copy.origin, row.submit)};
  RTL_TRY(shapes_->Of({.kind = SliceKind::kCopy, .bytes = row.bytes}, row.name, &slice.what));
  Add(&places_[track], 0, slice);
  return Status::Ok();
}

Status PageRows::OnEvent(TrackId track, const query::EventRow& row, bool nested) {
  const bool is_allocation = row.kind->kind == EventKind::kAllocation;
  const uint64_t bytes = is_allocation ? row.As<AllocationValues>().bytes : 0;
  Slice slice{.start = row.start, .end = row.end};
  RTL_TRY(shapes_->Of({.kind = SliceKind::kEvent, .bytes = bytes}, row.name, &slice.what));
  Place& place = places_[track];
  nested ? Open(&place, slice) : Add(&place, 0, slice);
  return is_allocation ? TakeAllocation(row) : Status::Ok();
}

Status PageRows::TakeAllocation(const query::EventRow& row) {
  const auto values = row.As<AllocationValues>();
  std::string_view name;
  RTL_TRY(trace_.Text(row.name, &name));
  if (values.status != 0 || values.address == 0) return Status::Ok();
  if (name.ends_with("free")) {
    memory_.Free(row.process, row.start, values.address);
  } else {
    memory_.Allocate({row.process, row.gpu}, row.start, values.address, values.bytes);
  }
  return Status::Ok();
}

void PageRows::OnGap(const analysis::IdlePart& gap) {
  const auto [row, is_new] = idle_rows_.try_emplace(gap.gpu);
  if (is_new) row->second = Set(RowSet::kIdle).AddRow();
  const Shape shape{.kind = SliceKind::kIdle, .cause = static_cast<uint8_t>(gap.cause)};
  Set(RowSet::kIdle)
      .Add(row->second,
           {.start = gap.start, .end = gap.end, .what = shapes_->Of(shape, gap.where)});
}

// The place of a thread. If the timeline has no track for the thread or its process, makes one: it
// has tracks only for threads with calls or ranges, and for processes with events.
PageRows::Place* PageRows::PlaceOf(int64_t process, uint32_t thread, const std::string& program) {
  bool has_process = false;
  TrackId last = 0;
  int32_t order = 0;
  for (auto& [id, place] : places_) {
    const Track& track = place.track;
    last = std::max(last, id);
    if (track.process != process) continue;
    has_process = has_process || track.kind == TrackKind::kProcess;
    if (track.kind != TrackKind::kThread) continue;
    if (track.tid == thread && track.lane == 0) return &place;
    order = std::max(order, track.order);
  }
  if (!has_process) {
    Track& track = places_[++last].track;
    track.id = last;
    track.kind = TrackKind::kProcess;
    track.process = process;
    order_.push_back(last);
    processes_.push_back(program);
  }
  Place& place = places_[++last];
  place.track.id = last;
  place.track.kind = TrackKind::kThread;
  place.track.process = process;
  place.track.tid = thread;
  place.track.order = order;
  place.track.title = "thread " + std::to_string(thread);
  return &place;
}

Status PageRows::ReadOperators() {
  std::vector<query::Process> processes;
  RTL_TRY(trace_.tables().Processes(&processes));
  std::map<int64_t, std::string> programs;
  for (const query::Process& process : processes) {
    programs[process.id] = (process.command.empty() ? process.executable : process.command) +
                           ", pid " + std::to_string(process.pid);
  }
  int64_t process = 0;
  uint32_t thread = 0;
  Place* place = nullptr;
  std::vector<uint64_t> open;  // ends of the operators around the current one
  RunRows& set = Set(RowSet::kOperators);
  query::OperatorCursor cursor;
  RTL_TRY(trace_.Operators(&cursor));
  return cursor.Each([&](const query::HostWorkRow& row) {
    if (place == nullptr || row.process != process || row.thread != thread) {
      process = row.process;
      thread = row.thread;
      place = PlaceOf(process, thread, programs[process]);
      open.clear();
    }
    while (!open.empty() && open.back() <= row.start) open.pop_back();
    const bool is_function = row.kind == query::HostWorkRow::Kind::kPythonFunction;
    Shape shape{.kind = is_function ? SliceKind::kFunction : SliceKind::kOperator};
    if (row.inputs != 0) {
      RTL_TRY(shapes_->NameOf(row.inputs, &shape.inputs));
      ++shape.inputs;
    }
    Slice slice{.start = row.start, .end = row.start + row.duration};
    RTL_TRY(shapes_->Of(shape, row.name, &slice.what));
    while (place->operators.size() <= open.size()) place->operators.push_back(set.AddRow());
    set.Add(place->operators[open.size()], slice);
    open.push_back(slice.end);
    return Status::Ok();
  });
}

void PageRows::AddRows(const Place& place, size_t process, std::vector<PageRow>* out) {
  for (size_t depth = 0; depth < place.operators.size(); ++depth) {
    out->push_back({RowSet::kOperators, place.operators[depth],
                    depth == 0 ? place.track.title + ", operators" : "", "operators", process});
  }
  const char* const role = WordOf(place.track.kind);
  for (size_t depth = 0; depth < place.rows.size(); ++depth) {
    out->push_back({place.set, place.rows[depth], depth == 0 ? place.track.title : "", role,
                    process, place.track.id});
  }
  if (place.submits == kNoRow) return;
  out->push_back({RowSet::kHost, place.submits,
                  place.rows.empty() ? place.track.title + ", submissions" : "submissions",
                  "submissions", process, place.track.id});
}

std::vector<PageRow> PageRows::Rows() const {
  std::vector<PageRow> rows;
  for (const auto& [gpu, row] : idle_rows_) {
    rows.push_back({RowSet::kIdle, row, "GPU " + std::to_string(gpu), "idle", SIZE_MAX});
  }
  for (size_t i = 0; i < order_.size(); ++i) {
    std::vector<const Place*> places;
    for (const auto& [id, place] : places_) {
      if (place.track.process == places_.at(order_[i]).track.process) places.push_back(&place);
    }
    const auto key = [](const Place* place) {
      const Track& track = place->track;
      return std::tuple(track.gpu < 0, track.gpu, track.order, track.id);
    };
    std::sort(places.begin(), places.end(),
              [&](const Place* a, const Place* b) { return key(a) < key(b); });
    for (const Place* place : places) AddRows(*place, i, &rows);
  }
  return rows;
}

bool PageRows::Coarsen() {
  std::vector<RunRows*> sets;
  for (RunRows& set : sets_) sets.push_back(&set);
  std::sort(sets.begin(), sets.end(),
            [](const RunRows* a, const RunRows* b) { return a->size() > b->size(); });
  return std::any_of(sets.begin(), sets.end(), [](RunRows* set) { return set->Coarsen(); });
}

void PageRows::Bounds(uint64_t* first, uint64_t* last) const {
  *first = UINT64_MAX;
  *last = 0;
  for (const RunRows& set : sets_) {
    for (size_t i = 0; i < set.rows(); ++i) {
      if (set.row(i).empty()) continue;
      *first = std::min(*first, set.row(i).front().start);
      *last = std::max(*last, set.row(i).back().end);
    }
  }
  *first = std::min(*first, *last);
}

}  // namespace rtl::report
