// SPDX-License-Identifier: MIT
#include "analysis/idle_time.h"

#include <algorithm>
#include <deque>
#include <map>
#include <string_view>
#include <unordered_map>

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
     "Launches and asynchronous copies took longer to submit than to run: make them larger, or use "
     "a graph."},
    {"HIP call", "The host was in another HIP call: allocate, load and query outside the loop."},
    {"waiting for a barrier",
     "A barrier packet held the queue up while nothing ran: find what signals it, and when."},
    {"waiting for a copy",
     "The next work had been submitted and started only after a copy: copy a step ahead."},
    {"waiting for another queue",
     "The next work had been submitted and started only after a kernel of another queue: put "
     "dependent kernels on one stream."},
    {"order of work",
     "The next work had been submitted and waited in its queue. Trace with --barriers to see "
     "whether "
     "barriers held it up."},
    {"launch latency", "The GPU was empty when the kernel was submitted."},
    {"start of the program",
     "Before its first kernel or copy the program started, initialized HIP and loaded data."},
};

// A kernel or a copy on a GPU.
struct Work {
  int32_t gpu = 0;
  int64_t process = 0;
  uint32_t pid = 0;
  uint32_t tid = 0;
  int64_t queue = 0;  // zero: a copy
  int64_t name = 0;
  uint64_t submit = 0;  // zero: not known
  uint64_t start = 0;
  uint64_t end = 0;

  bool is_copy() const { return queue == 0; }
};

// Kernels and copies in the order in which they started.
class WorkByStart {
 public:
  Status Open(query::TraceReader& trace) {
    RTL_TRY(trace.SpansByStart(&kernels_));
    RTL_TRY(trace.CopiesByStart(&copies_));
    RTL_TRY(kernels_.Next(&kernel_, &has_kernel_));
    return copies_.Next(&copy_, &has_copy_);
  }
  Status Next(Work* work, bool* has_work) {
    *has_work = has_kernel_ || has_copy_;
    if (has_kernel_ && (!has_copy_ || kernel_.start <= copy_.start)) {
      *work = {kernel_.gpu,  kernel_.process, kernel_.pid,   kernel_.tid, kernel_.queue,
               kernel_.name, kernel_.submit,  kernel_.start, kernel_.end};
      return kernels_.Next(&kernel_, &has_kernel_);
    }
    if (!has_copy_) return Status::Ok();
    *work = {copy_.dst_gpu >= 0 ? copy_.dst_gpu : copy_.src_gpu,
             copy_.process,
             copy_.pid,
             copy_.tid,
             0,
             copy_.name,
             copy_.submit,
             copy_.start,
             copy_.end};
    return copies_.Next(&copy_, &has_copy_);
  }

 private:
  query::KernelSpanCursor kernels_;
  query::CopyCursor copies_;
  query::KernelSpan kernel_;
  query::CopyRow copy_;
  bool has_kernel_ = false;
  bool has_copy_ = false;
};

struct Span {
  uint64_t start = 0, end = 0;
  int64_t name = 0;
};

// Spans of each thread that end after a moment, which only grows. Of very many spans the oldest are
// forgotten.
class SpansByThread {
 public:
  void Add(uint32_t pid, uint32_t tid, const Span& span, uint64_t needed_from) {
    Thread& thread = threads_[Key(pid, tid)];
    if (span.end - span.start > thread.longest.end - thread.longest.start) thread.longest = span;
    if (span.end <= needed_from) return;
    std::deque<Span>& spans = thread.spans;
    while (!spans.empty() && (spans.front().end <= needed_from || spans.size() >= kMost)) {
      spans.pop_front();
    }
    spans.push_back(span);
  }
  const std::deque<Span>& Of(uint32_t pid, uint32_t tid) const {
    static const std::deque<Span> kNone;
    const auto found = threads_.find(Key(pid, tid));
    return found == threads_.end() ? kNone : found->second.spans;
  }
  // The longest of the added spans; empty: none was added.
  Span Longest(uint32_t pid, uint32_t tid) const {
    const auto found = threads_.find(Key(pid, tid));
    return found == threads_.end() ? Span{} : found->second.longest;
  }

 private:
  struct Thread {
    std::deque<Span> spans;
    Span longest;
  };
  static constexpr size_t kMost = 4096;
  static uint64_t Key(uint32_t pid, uint32_t tid) { return uint64_t{pid} << 32 | tid; }
  std::unordered_map<uint64_t, Thread> threads_;
};

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

IdleCause KindOfCall(std::string_view name) {
  if (Contains(name, "Synchronize")) return IdleCause::kSynchronized;
  if (Contains(name, "Launch") || Contains(name, "CallConfiguration")) return IdleCause::kLaunching;
  const bool copies = name.starts_with("hipMemcpy") || name.starts_with("hipMemset");
  if (!copies) return IdleCause::kCall;
  return Contains(name, "Async") ? IdleCause::kLaunching : IdleCause::kBlockingCopy;
}

// The parts of one gap of one GPU.
struct Parts {
  uint64_t of[kIdleCauseCount] = {};
  int64_t name[kIdleCauseCount] = {};  // of the longest call of the kind
  uint64_t longest[kIdleCauseCount] = {};
  bool begins_in_wait = false;
  IdleCause wait = IdleCause::kSynchronized;

  uint64_t& At(IdleCause cause) { return of[static_cast<size_t>(cause)]; }
};

class Analyzer {
 public:
  Analyzer(query::TraceReader& trace, const GapVisitor& visit) : trace_(trace), visit_(visit) {}

  Status Run(IdleAnalysis* out) {
    WorkByStart works;
    RTL_TRY(works.Open(trace_));
    RTL_TRY(trace_.CallSpansByStart(&calls_));
    RTL_TRY(calls_.Next(&call_, &has_call_));
    const auto mode = trace_.metadata().find("mode");
    out->has_calls = has_call_ || (mode != trace_.metadata().end() && mode->second == "hip");
    RTL_TRY(trace_.MarkersByStart(&ranges_));
    RTL_TRY(ranges_.Next(&range_, &has_range_));
    RTL_TRY(trace_.BarriersByEnd(&barriers_));
    RTL_TRY(barriers_.Next(&barrier_, &has_barrier_));
    RTL_TRY(ReadProcesses());
    Work work;
    for (bool has_work = false;;) {
      RTL_TRY(works.Next(&work, &has_work));
      if (!has_work) break;
      RTL_TRY(Take(work));
    }
    for (auto& [number, gpu] : gpus_) {
      Advance(&gpu, gpu.time.last);
      RTL_TRY(Finish(&gpu));
      out->gpus.push_back(std::move(gpu.time));
    }
    return Status::Ok();
  }

 private:
  struct Gpu {
    GpuTime time;
    uint64_t at = 0;  // time before this is counted
    uint64_t kernels_until = 0;
    uint64_t copies_until = 0;
    Work latest;  // the work that ended last
    SerialCopyFinder serial;
    std::unordered_map<int64_t, LaunchBound> launches;  // by name of the kernel
    std::map<std::pair<IdleCause, std::string>, IdleTime> causes;
  };

  Status Finish(Gpu* gpu) {
    for (auto& [key, idle] : gpu->causes) gpu->time.causes.push_back(idle);
    std::sort(gpu->time.causes.begin(), gpu->time.causes.end(),
              [](const IdleTime& a, const IdleTime& b) { return a.total > b.total; });
    gpu->time.serial = gpu->serial.Finish();
    for (auto& [name, bound] : gpu->launches) {
      if (bound.idle <= bound.run) continue;
      std::string_view text;
      RTL_TRY(trace_.Text(name, &text));
      bound.kernel = std::string(text);
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

  Status Take(const Work& work) {
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

  // No gap needs anything earlier: gaps are found in the order of their ends, and the longest gap
  // that may be open began when the GPU that has been idle longest ran out of work.
  uint64_t NeededFrom() const {
    uint64_t from = UINT64_MAX;
    for (const auto& [number, gpu] : gpus_) from = std::min(from, gpu.time.last);
    return from;
  }

  Status ReadUntil(uint64_t time) {
    const uint64_t from = NeededFrom();
    for (; has_call_ && call_.start < time;) {
      open_calls_.Add(call_.pid, call_.tid, {call_.start, call_.end, call_.name}, from);
      RTL_TRY(calls_.Next(&call_, &has_call_));
    }
    for (; has_range_ && range_.start < time;) {
      if (!range_.is_mark && !range_.is_start_stop)
        open_ranges_.Add(range_.pid, range_.tid, {range_.start, range_.end, range_.name}, from);
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
    RTL_TRY(trace_.Processes(&processes));
    for (const query::Process& process : processes) began_[process.id] = process.started;
    std::vector<query::Queue> queues;
    RTL_TRY(trace_.Queues(&queues));
    for (const query::Queue& queue : queues) queue_numbers_[queue.id] = queue.queue;
    return Status::Ok();
  }

  // The time before the first work of the GPU. Names the call that took most of it.
  Status FindStart(Gpu* gpu, const Work& first) {
    const auto began = began_.find(first.process);
    if (began == began_.end() || began->second >= first.start) return Status::Ok();
    RTL_TRY(ReadUntil(first.start));
    IdleTime& start = gpu->time.start;
    start = {IdleCause::kStart, "", 1, first.start - began->second, 0, began->second};
    start.longest = start.total;
    const Span longest = open_calls_.Longest(first.pid, first.tid);
    if (2 * (std::min(longest.end, first.start) - longest.start) > start.total) {
      std::string_view name;
      RTL_TRY(trace_.Text(longest.name, &name));
      start.where = std::string(name);
    }
    if (visit_ && !trace_.has_selection())
      visit_({first.gpu, began->second, first.start, IdleCause::kStart, start.where});
    return Status::Ok();
  }

  // The gap before `next`.
  Status Attribute(Gpu* gpu, const Work& next) {
    const uint64_t begin = gpu->time.last;
    RTL_TRY(ReadUntil(next.start));
    Parts parts;
    const uint64_t submit = next.submit == 0 ? next.start : std::min(next.submit, next.start);
    if (submit <= begin) {
      SplitWait(gpu->latest, next, begin, &parts);
    } else {
      if (!next.is_copy()) CountLaunching(next, begin, submit, &gpu->launches[next.name]);
      RTL_TRY(Split(next, begin, submit, &parts));
      BlameWaitForLaunching(gpu->latest.end - gpu->latest.start, &parts);
      AddLatency(next.start - AddBarrier(next, submit, &parts), &parts);
    }
    IdleCause cause = IdleCause::kHostCode;
    for (size_t i = 0; i < kIdleCauseCount; ++i) {
      if (parts.of[i] > parts.At(cause)) cause = static_cast<IdleCause>(i);
    }
    std::string where;
    if (cause == IdleCause::kOtherQueue) {
      where = "queue " + std::to_string(queue_numbers_[gpu->latest.queue]);
    } else {
      RTL_TRY(WhereOf(cause, parts, next, begin, &where));
    }
    IdleTime& idle = gpu->causes[{cause, where}];
    const uint64_t length = next.start - begin;
    idle.cause = cause;
    idle.where = where;
    ++idle.gaps;
    idle.total += length;
    if (length > idle.longest) {
      idle.longest = length;
      idle.longest_at = begin;
    }
    ++gpu->time.gaps;
    if (visit_) visit_({gpu->time.gpu, begin, next.start, cause, where});
    return Status::Ok();
  }

  // Adds the barrier that opened last, if it held up this work after `from`. Returns the time when
  // it no longer did.
  uint64_t AddBarrier(const Work& next, uint64_t from, Parts* parts) {
    const auto opened = opened_.find(next.queue);
    if (next.is_copy() || opened == opened_.end() || opened->second.end <= from) return from;
    parts->At(IdleCause::kBarrier) = opened->second.end - from;
    parts->name[static_cast<size_t>(IdleCause::kBarrier)] = opened->second.name;
    return opened->second.end;
  }

  // Splits the time for which submitted work was held up: first by a barrier, if one of its queue
  // opened in the gap, then by the work that ended last.
  void SplitWait(const Work& latest, const Work& next, uint64_t begin, Parts* parts) {
    const uint64_t from = AddBarrier(next, begin, parts);
    const bool other = !next.is_copy() && !latest.is_copy() && next.queue != latest.queue;
    const IdleCause rest = latest.is_copy() ? IdleCause::kCopied
                           : other          ? IdleCause::kOtherQueue
                                            : IdleCause::kOrdered;
    parts->At(rest) = next.start - from;
    if (latest.is_copy()) parts->name[static_cast<size_t>(rest)] = latest.name;
  }

  // Counts a gap in which the GPU ran out of work while the call was open that submits `next`.
  void CountLaunching(const Work& next, uint64_t begin, uint64_t submit, LaunchBound* bound) {
    const std::deque<Span>& calls = open_calls_.Of(next.pid, next.tid);
    const bool launching = std::any_of(calls.begin(), calls.end(), [&](const Span& call) {
      return call.start <= begin && call.end >= submit;
    });
    if (!launching) return;
    ++bound->gaps;
    bound->idle += next.start - begin;
  }

  // Splits the time from `begin` to `submit` by the activity of the submitting thread.
  Status Split(const Work& next, uint64_t begin, uint64_t submit, Parts* parts) {
    uint64_t in_calls = 0;
    for (const Span& call : open_calls_.Of(next.pid, next.tid)) {
      const uint64_t from = std::max(call.start, begin), to = std::min(call.end, submit);
      if (to <= from) continue;
      std::string_view name;
      RTL_TRY(trace_.Text(call.name, &name));
      const IdleCause kind = KindOfCall(name);
      const auto index = static_cast<size_t>(kind);
      const bool waits = kind == IdleCause::kSynchronized || kind == IdleCause::kBlockingCopy;
      if (waits && call.start <= begin) {
        parts->begins_in_wait = true;
        parts->wait = kind;
      }
      parts->of[index] += to - from;
      in_calls += to - from;
      if (to - from >= parts->longest[index]) {
        parts->longest[index] = to - from;
        parts->name[index] = call.name;
      }
    }
    const uint64_t host = submit - begin;
    parts->At(IdleCause::kHostCode) = host - std::min(host, in_calls);
    return Status::Ok();
  }

  // A host that had not waited would have submitted while the previous work still ran. That part of
  // the launching time counts for the wait.
  static void BlameWaitForLaunching(uint64_t previous_length, Parts* parts) {
    if (!parts->begins_in_wait) return;
    uint64_t& launching = parts->At(IdleCause::kLaunching);
    const uint64_t overlappable = std::min(launching, previous_length);
    launching -= overlappable;
    parts->At(parts->wait) += overlappable;
  }

  // The latency to the GPU counts for the wait, or for launching one by one.
  static void AddLatency(uint64_t latency, Parts* parts) {
    const bool launches = parts->At(IdleCause::kLaunching) != 0;
    const IdleCause cause = parts->begins_in_wait ? parts->wait
                            : launches            ? IdleCause::kLaunching
                                                  : IdleCause::kLatency;
    parts->At(cause) += latency;
  }

  Status WhereOf(IdleCause cause, const Parts& parts, const Work& next, uint64_t begin,
                 std::string* where) {
    int64_t name = parts.name[static_cast<size_t>(cause)];
    if (cause == IdleCause::kHostCode) {
      const uint64_t middle = begin + (next.start - begin) / 2;
      for (const Span& range : open_ranges_.Of(next.pid, next.tid)) {
        if (range.start <= middle && range.end > middle)
          name = range.name;  // the innermost is the last
      }
    }
    std::string_view text;
    if (name != 0) RTL_TRY(trace_.Text(name, &text));
    *where = std::string(text);
    return Status::Ok();
  }

  query::TraceReader& trace_;
  const GapVisitor& visit_;
  query::CallSpanCursor calls_;
  query::CallSpan call_;
  bool has_call_ = false;
  query::MarkerCursor ranges_;
  query::MarkerRow range_;
  bool has_range_ = false;
  query::BarrierCursor barriers_;
  query::BarrierRow barrier_;
  bool has_barrier_ = false;
  std::unordered_map<int64_t, Span> opened_;             // by queue: the barrier that opened last
  std::unordered_map<int64_t, uint64_t> began_;          // by process
  std::unordered_map<int64_t, uint32_t> queue_numbers_;  // in its process
  SpansByThread open_calls_;
  SpansByThread open_ranges_;
  std::map<int32_t, Gpu> gpus_;
};

}  // namespace

const char* IdleCauseName(IdleCause cause) { return kCauses[static_cast<size_t>(cause)].name; }

const char* IdleCauseAdvice(IdleCause cause) { return kCauses[static_cast<size_t>(cause)].advice; }

Status AnalyzeIdleTime(query::TraceReader& trace, IdleAnalysis* out, const GapVisitor& visit) {
  *out = {};
  return Analyzer(trace, visit).Run(out);
}

}  // namespace rtl::analysis
