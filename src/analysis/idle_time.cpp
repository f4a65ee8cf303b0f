// SPDX-License-Identifier: MIT
#include "analysis/idle_time.h"

#include <algorithm>
#include <deque>
#include <map>
#include <string_view>
#include <unordered_map>

#include "analysis/work_by_start.h"

namespace rtl::analysis {
namespace {

struct CauseText {
  const char* name;
  const char* advice;
};
constexpr CauseText kCauses[kIdleCauseCount] = {
    {"host code",
     "The program computed, waited or slept between launches: do that elsewhere, or launch ahead."},
    {"synchronization",
     "The host waited for the GPU before it launched more: wait less often, or launch ahead."},
    {"blocking copy", "The host copied and waited: use asynchronous copies and pinned memory."},
    {"launching",
     "The host was still submitting while the GPU had nothing to do: launch ahead, launch larger "
     "work, or use a graph."},
    {"HIP call", "The host was in another HIP call: allocate, load and query outside the loop."},
    {"waiting for a barrier",
     "A barrier packet held the queue up while nothing ran: find what signals it, and when."},
    {"waiting for a copy",
     "The next work had been submitted and started only after a copy: copy a step ahead."},
    {"waiting for another queue",
     "The next work had been submitted and started only after a kernel of another queue: put "
     "dependent kernels on one stream."},
    {"order of work", "The next work had been submitted and waited in its queue."},
    {"launch latency",
     "The GPU was empty when the kernel was submitted: launch ahead, so that it always has work."},
    {"start of the program",
     "Before its first kernel or copy the program started, initialized HIP and loaded data."},
};

struct Span {
  uint64_t start = 0, end = 0;
  int64_t name = 0;
};

// The activity of one thread: its spans, cut into successive pieces. Each piece has the name of the
// innermost span. Between two pieces the thread was in no span.
class Pieces {
 public:
  // Add spans in the order of their starts, outer ones before inner ones. No query is about a time
  // before `needed_from`, so older pieces are dropped. Beyond kMost pieces, the oldest are dropped.
  void Add(const Span& span, uint64_t needed_from) {
    while (!pieces_.empty() && (pieces_.front().end <= needed_from || pieces_.size() >= kMost))
      pieces_.pop_front();
    if (span.end - span.start > longest_.end - longest_.start) longest_ = span;
    CutUntil(span.start);
    if (span.end > span.start) open_.push_back(span);
  }
  // Makes the pieces before `time`. Every span that begins before `time` must have been added.
  void CutUntil(uint64_t time) {
    while (!open_.empty()) {
      const Span& innermost = open_.back();
      const uint64_t from = std::max(until_, innermost.start), to = std::min(innermost.end, time);
      if (to > from) Append({from, to, innermost.name});
      until_ = std::max(until_, to);
      if (innermost.end > time) break;
      open_.pop_back();
    }
    until_ = std::max(until_, time);
  }
  // The first piece that ends after `time`.
  std::deque<Span>::const_iterator After(uint64_t time) const {
    return std::partition_point(pieces_.begin(), pieces_.end(),
                                [time](const Span& piece) { return piece.end <= time; });
  }
  std::deque<Span>::const_iterator end() const { return pieces_.end(); }
  // The longest of the added spans; empty: none was added.
  const Span& longest() const { return longest_; }

 private:
  static constexpr size_t kMost = size_t{1} << 22;
  void Append(const Span& piece) {
    if (!pieces_.empty() && pieces_.back().end == piece.start && pieces_.back().name == piece.name)
      pieces_.back().end = piece.end;
    else
      pieces_.push_back(piece);
  }

  std::deque<Span> pieces_;
  std::vector<Span> open_;  // spans that have begun, by start
  uint64_t until_ = 0;
  Span longest_;
};

using PiecesByThread = std::map<std::pair<int64_t, uint32_t>, Pieces>;  // by process and tid

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

IdleCause KindOfCall(std::string_view name) {
  if (Contains(name, "Synchronize")) return IdleCause::kSynchronized;
  if (Contains(name, "Launch") || Contains(name, "CallConfiguration")) return IdleCause::kLaunching;
  constexpr std::string_view kApis[] = {"hip", "cuda", "cu"};
  const bool copies = std::any_of(std::begin(kApis), std::end(kApis), [&](std::string_view api) {
    if (!name.starts_with(api)) return false;
    const std::string_view rest = name.substr(api.size());
    return rest.starts_with("Memcpy") || rest.starts_with("Memset");
  });
  if (!copies) return IdleCause::kCall;
  return Contains(name, "Async") ? IdleCause::kLaunching : IdleCause::kBlockingCopy;
}

// A part of a gap that has one cause.
struct Part {
  uint64_t start = 0, end = 0;
  IdleCause cause = IdleCause::kHostCode;
  int64_t place = 0;  // kOtherQueue: a queue; other causes: the id of a name, or zero
};

class Analyzer {
 public:
  Analyzer(query::TraceReader& trace, const IdleVisitor& visit) : trace_(trace), visit_(visit) {}

  Status Run(IdleAnalysis* out) {
    RTL_TRY(trace_.CallSpansByStart(&calls_));
    RTL_TRY(calls_.Next(&call_, &has_call_));
    RTL_TRY(out->requested.Load(trace_));
    out->has_calls = has_call_ || out->requested.Made(EventKind::kHipCall);
    RTL_TRY(trace_.MarkersByStart(&ranges_));
    RTL_TRY(ranges_.Next(&range_, &has_range_));
    RTL_TRY(trace_.BarriersByEnd(&barriers_));
    RTL_TRY(barriers_.Next(&barrier_, &has_barrier_));
    RTL_TRY(ReadProcesses());
    RTL_TRY(EachWorkByStart(trace_, [this](const Work& work) { return AddWork(work); }));
    for (auto& [number, gpu] : gpus_) {
      Advance(&gpu, gpu.time.last);
      RTL_TRY(Finish(&gpu));
      out->gpus.push_back(std::move(gpu.time));
    }
    return Status::Ok();
  }

 private:
  struct Cause {
    IdleTime idle;
    uint64_t gap = 0;  // number of the last gap with this cause, as GpuTime::gaps counts
  };
  struct Gpu {
    GpuTime time;
    uint64_t at = 0;  // time before this is counted
    uint64_t kernels_until = 0;
    uint64_t copies_until = 0;
    Work latest;  // the work that ended last
    SerialCopyFinder serial;
    std::unordered_map<int64_t, LaunchBound> launches;      // by name of the kernel
    std::map<std::pair<IdleCause, int64_t>, Cause> causes;  // by cause and Part::place
  };
  Status Finish(Gpu* gpu) {
    std::map<std::pair<IdleCause, std::string>, IdleTime> by_text;
    for (auto& [key, cause] : gpu->causes) {
      RTL_TRY(PlaceText(key.first, key.second, &cause.idle.where));
      IdleTime& idle = by_text[{key.first, cause.idle.where}];
      if (cause.idle.longest > idle.longest) {
        idle.longest = cause.idle.longest;
        idle.longest_at = cause.idle.longest_at;
      }
      idle.cause = key.first;
      idle.where = cause.idle.where;
      idle.total += cause.idle.total;
      idle.gaps += cause.idle.gaps;
    }
    for (auto& [key, idle] : by_text) gpu->time.causes.push_back(std::move(idle));
    std::stable_sort(gpu->time.causes.begin(), gpu->time.causes.end(),
                     [](const IdleTime& a, const IdleTime& b) { return a.total > b.total; });
    gpu->time.serial = gpu->serial.Finish();
    for (auto& [name, bound] : gpu->launches) {
      if (bound.idle <= bound.run) continue;
      RTL_TRY(trace_.Text(name, &bound.kernel));
      gpu->time.launch_bound.push_back(std::move(bound));
    }
    std::sort(gpu->time.launch_bound.begin(), gpu->time.launch_bound.end(),
              [](const LaunchBound& a, const LaunchBound& b) {
                return a.idle != b.idle ? a.idle > b.idle : a.kernel < b.kernel;
              });
    return Status::Ok();
  }

  static void Advance(Gpu* gpu, uint64_t to) {
    if (to <= gpu->at) return;
    const auto active = [&](uint64_t until) {
      return until <= gpu->at ? 0 : std::min(until, to) - gpu->at;
    };
    const uint64_t kernels = active(gpu->kernels_until), copies = active(gpu->copies_until);
    const uint64_t both = std::min(kernels, copies);
    gpu->time.both += both;
    gpu->time.kernels += kernels - both;
    gpu->time.copies += copies - both;
    gpu->time.idle += to - gpu->at - std::max(kernels, copies);
    gpu->at = to;
  }

  Status AddWork(const Work& work) {
    if (work.gpu < 0) return Status::Ok();
    const auto [place, is_new] = gpus_.try_emplace(work.gpu);
    Gpu& gpu = place->second;
    if (is_new) {
      gpu.time.gpu = work.gpu;
      gpu.time.first = gpu.time.last = gpu.at = work.start;
      gpu.latest = work;
      RTL_TRY(FindStart(&gpu, work));
    }
    if (work.start > gpu.time.last) RTL_TRY(Attribute(&gpu, work));
    if (work.is_copy()) {
      gpu.serial.AddCopy(work.submit, work.start, work.end);
    } else {
      gpu.serial.AddKernel(work.submit, work.start, work.end);
      LaunchBound& bound = gpu.launches[work.name];
      ++bound.kernels;
      bound.run += work.end - std::min(work.start, work.end);
    }
    Advance(&gpu, work.start);
    uint64_t& until = work.is_copy() ? gpu.copies_until : gpu.kernels_until;
    until = std::max(until, work.end);
    if (work.end > gpu.time.last) {
      gpu.time.last = work.end;
      gpu.latest = work;
    }
    return Status::Ok();
  }

  // No later gap needs calls before this time. Gaps are found in the order of their ends, and the
  // longest gap that may be open began when the GPU that has been idle longest ran out of work.
  uint64_t NeededFrom() const {
    uint64_t from = UINT64_MAX;
    for (const auto& [number, gpu] : gpus_) from = std::min(from, gpu.time.last);
    return from;
  }

  Status ReadUntil(uint64_t time) {
    const uint64_t from = NeededFrom();
    for (; has_call_ && call_.start < time;) {
      calls_of_[{call_.process, call_.tid}].Add({call_.start, call_.end, call_.name}, from);
      RTL_TRY(calls_.Next(&call_, &has_call_));
    }
    for (; has_range_ && range_.start < time;) {
      if (!range_.is_mark && !range_.is_start_stop) {
        Pieces& ranges = ranges_of_[{range_.process, range_.tid}];
        ranges.Add({range_.start, range_.end, range_.name}, from);
      }
      RTL_TRY(ranges_.Next(&range_, &has_range_));
    }
    for (; has_barrier_ && barrier_.end <= time;) {
      opened_[barrier_.queue] = {barrier_.start, barrier_.end, barrier_.name};
      RTL_TRY(barriers_.Next(&barrier_, &has_barrier_));
    }
    return Status::Ok();
  }

  Status ReadProcesses() {
    std::vector<query::Process> processes;
    RTL_TRY(trace_.tables().Processes(&processes));
    for (const query::Process& process : processes) began_[process.id] = process.started;
    std::vector<query::Queue> queues;
    RTL_TRY(trace_.tables().Queues(&queues));
    for (const query::Queue& queue : queues) queue_numbers_[queue.id] = queue.queue;
    return Status::Ok();
  }

  // Counts the time before the first work of the GPU, and names the call that took most of it.
  Status FindStart(Gpu* gpu, const Work& first) {
    const auto began = began_.find(first.process);
    if (began == began_.end() || began->second >= first.start) return Status::Ok();
    RTL_TRY(ReadUntil(first.start));
    IdleTime& start = gpu->time.start;
    start = {IdleCause::kStart, "", 1, first.start - began->second, 0, began->second};
    start.longest = start.total;
    const Span longest = calls_of_[{first.process, first.tid}].longest();
    if (2 * (std::min(longest.end, first.start) - longest.start) > start.total) {
      RTL_TRY(trace_.Text(longest.name, &start.where));
    }
    if (visit_ && !trace_.has_selection())
      visit_({first.gpu, began->second, first.start, IdleCause::kStart, start.where, first.process,
              first.tid});
    return Status::Ok();
  }

  // Splits the gap before `next` into parts, and counts each under its cause.
  Status Attribute(Gpu* gpu, const Work& next) {
    const uint64_t begin = gpu->time.last;
    RTL_TRY(ReadUntil(next.start));
    parts_.clear();
    const uint64_t submit = next.submit == 0 ? next.start : std::min(next.submit, next.start);
    const bool ahead = submit <= begin;
    if (!ahead) {
      RTL_TRY(SplitByHost(next, begin, submit));
      if (!next.is_copy()) CountLaunching(next, begin, &gpu->launches[next.name]);
    }
    const uint64_t open = AddBarrier(next, std::max(begin, submit));
    Part rest{open, next.start, IdleCause::kLatency};
    if (ahead) BlameLatest(gpu->latest, next, &rest);
    Add(rest);
    ++gpu->time.gaps;
    for (const Part& part : parts_) RTL_TRY(Count(gpu, part, next));
    return Status::Ok();
  }

  void Add(const Part& part) {
    if (part.end <= part.start) return;
    Part* const last = parts_.empty() ? nullptr : &parts_.back();
    if (last != nullptr && last->cause == part.cause && last->place == part.place)
      last->end = part.end;  // parts follow each other
    else
      parts_.push_back(part);
  }

  Status Count(Gpu* gpu, const Part& part, const Work& next) {
    Cause& cause = gpu->causes[{part.cause, part.place}];
    const uint64_t length = part.end - part.start;
    cause.idle.gaps += cause.gap == gpu->time.gaps ? 0 : 1;
    cause.gap = gpu->time.gaps;
    cause.idle.total += length;
    if (length > cause.idle.longest) {
      cause.idle.longest = length;
      cause.idle.longest_at = part.start;
    }
    if (!visit_) return Status::Ok();
    std::string where;
    RTL_TRY(PlaceText(part.cause, part.place, &where));
    visit_({gpu->time.gpu, part.start, part.end, part.cause, where, next.process, next.tid});
    return Status::Ok();
  }

  Status PlaceText(IdleCause cause, int64_t place, std::string* text) {
    text->clear();
    if (cause == IdleCause::kOtherQueue) {
      *text = "queue " + std::to_string(queue_numbers_[place]);
    } else if (place != 0) {
      return trace_.Text(place, text);
    }
    return Status::Ok();
  }

  // If the queue's last barrier opened after `from`, adds the time from `from` until then as a
  // part. Returns the time from which no barrier holds `next` up.
  uint64_t AddBarrier(const Work& next, uint64_t from) {
    const auto opened = opened_.find(next.queue);
    if (next.is_copy() || opened == opened_.end() || opened->second.end <= from) return from;
    Add({from, opened->second.end, IdleCause::kBarrier, opened->second.name});
    return opened->second.end;
  }

  // The cause of a wait of submitted work that no barrier holds up: the work that ended last.
  static void BlameLatest(const Work& latest, const Work& next, Part* rest) {
    const bool other = !next.is_copy() && next.queue != latest.queue;
    rest->cause = latest.is_copy() ? IdleCause::kCopied
                  : other          ? IdleCause::kOtherQueue
                                   : IdleCause::kOrdered;
    if (latest.is_copy()) rest->place = latest.name;
    if (rest->cause == IdleCause::kOtherQueue) rest->place = latest.queue;
  }

  // Counts a gap during which the submitting thread of `next` was in calls all the time: the GPU
  // ran out of work while the launch of `next` was under way.
  void CountLaunching(const Work& next, uint64_t begin, LaunchBound* bound) {
    const bool in_calls = std::none_of(parts_.begin(), parts_.end(), [](const Part& part) {
      return part.cause == IdleCause::kHostCode;
    });
    if (!in_calls) return;
    ++bound->gaps;
    bound->idle += next.start - begin;
  }

  // Splits the time from `begin` to `submit` by the activity of the submitting thread.
  Status SplitByHost(const Work& next, uint64_t begin, uint64_t submit) {
    Pieces& calls = calls_of_[{next.process, next.tid}];
    Pieces& ranges = ranges_of_[{next.process, next.tid}];
    calls.CutUntil(next.start);
    ranges.CutUntil(next.start);
    uint64_t at = begin;
    for (auto call = calls.After(begin); call != calls.end() && call->start < submit; ++call) {
      SplitByRanges(ranges, at, call->start);
      IdleCause kind = IdleCause::kCall;
      RTL_TRY(KindOf(call->name, &kind));
      Add({std::max(call->start, begin), std::min(call->end, submit), kind, call->name});
      at = call->end;
    }
    SplitByRanges(ranges, at, submit);
    return Status::Ok();
  }

  // Adds host code as parts, each with the range that the thread was in.
  void SplitByRanges(const Pieces& ranges, uint64_t from, uint64_t to) {
    if (from >= to) return;
    for (auto range = ranges.After(from); range != ranges.end() && range->start < to; ++range) {
      Add({from, std::max(from, range->start), IdleCause::kHostCode});
      from = std::max(from, range->start);
      Add({from, std::min(range->end, to), IdleCause::kHostCode, range->name});
      from = std::min(range->end, to);
    }
    Add({from, to, IdleCause::kHostCode});
  }

  Status KindOf(int64_t call, IdleCause* kind) {
    const auto [known, is_new] = kinds_.try_emplace(call);
    if (is_new) {
      std::string_view name;
      RTL_TRY(trace_.Text(call, &name));
      known->second = KindOfCall(name);
    }
    *kind = known->second;
    return Status::Ok();
  }

  query::TraceReader& trace_;
  const IdleVisitor& visit_;
  query::CallSpanCursor calls_;
  query::CallSpan call_;
  bool has_call_ = false;
  query::MarkerCursor ranges_;
  query::MarkerRow range_;
  bool has_range_ = false;
  query::BarrierCursor barriers_;
  query::BarrierRow barrier_;
  bool has_barrier_ = false;
  std::unordered_map<int64_t, Span> opened_;             // by queue: its last barrier that opened
  std::unordered_map<int64_t, uint64_t> began_;          // start of a process, by its id
  std::unordered_map<int64_t, uint32_t> queue_numbers_;  // number of a queue in its process, by id
  std::unordered_map<int64_t, IdleCause> kinds_;         // by the name of the call
  PiecesByThread calls_of_;
  PiecesByThread ranges_of_;
  std::vector<Part> parts_;  // parts of the current gap, in the order of time
  std::map<int32_t, Gpu> gpus_;
};

}  // namespace

const char* IdleCauseName(IdleCause cause) { return kCauses[static_cast<size_t>(cause)].name; }

std::string IdleCauseAdvice(const IdleTime& idle, const query::RequestedEvents& requested) {
  constexpr uint64_t kNoLatency = 10'000'000;  // ns; a GPU begins work far sooner
  const bool is_latency = idle.cause == IdleCause::kLatency;
  std::string advice =
      is_latency && idle.longest > kNoLatency
          ? "A submitted kernel did not start for long: an event, a callback or other work held it "
            "up that is not in the trace."
          : kCauses[static_cast<size_t>(idle.cause)].advice;
  const bool may_be_held = is_latency || idle.cause == IdleCause::kOrdered;
  if (may_be_held && requested.ToAdvise(EventKind::kBarrier))
    advice += " Trace with --barriers to see whether a barrier, as of a callback, held it up.";
  return advice;
}

Status AnalyzeIdleTime(query::TraceReader& trace, IdleAnalysis* out, const IdleVisitor& visit) {
  *out = {};
  return Analyzer(trace, visit).Run(out);
}

}  // namespace rtl::analysis
