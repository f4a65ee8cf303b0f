// SPDX-License-Identifier: MIT
// Writes Chrome's JSON in the form of Kineto (the profiler of PyTorch), for programs that read
// Kineto's traces: times in microseconds since `baseTimeNanoseconds`; `grid` in workgroups; on GPU
// work, `stream` and `correlation` as integers; on calls, `correlation` and no `stream`, so that
// readers can distinguish GPU work from calls; flows named "ac2g". docs/reference/exports.md says
// how each reader uses it.
#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "export/event_arguments.h"
#include "export/exporter.h"
#include "export/json_bytes.h"
#include "export/steps.h"
#include "export/utf8.h"
#include "model/api_calls.h"

namespace rtl::exporting {
namespace {

using query::ApiRow;
using query::CopyRow;
using query::KernelRow;
using query::MarkerRow;

// Tracks that are not threads get numbers from here on, which no thread has.
constexpr uint64_t kFirstInventedTid = 1'000'000'000;
// A submission takes no time. This is the length of its slice: the shortest one from which an arrow
// can start.
constexpr uint64_t kSubmissionNs = 1;
constexpr size_t kLaunches = 4096;

// Kineto's names of copies.
const char* CopyName(int32_t hip_memcpy_kind) {
  switch (hip_memcpy_kind) {
    case 0:
      return "Memcpy HtoH (Pinned -> Pinned)";
    case 1:
      return "Memcpy HtoD (Pinned -> Device)";
    case 2:
      return "Memcpy DtoH (Device -> Pinned)";
    case 3:
      return "Memcpy DtoD (Device -> Device)";
    default:
      return "Memcpy Unknown (Unknown -> Unknown)";
  }
}

const char* CopyName(const CopyRow& row) {
  if (row.src_gpu >= 0 && row.dst_gpu >= 0) {
    return row.src_gpu == row.dst_gpu ? CopyName(3) : "Memcpy PtoP (Device -> Device)";
  }
  if (row.dst_gpu >= 0) return CopyName(1);
  return row.src_gpu >= 0 ? CopyName(2) : CopyName(0);
}

class ChromeSink final : public TimelineSink {
 public:
  ChromeSink(query::TraceReader& trace, const ExportOptions& options, OutputFile* out)
      : trace_(trace), out_(out), steps_(options.steps) {}

  Status Start();
  Status Operators();
  void Finish();
  Status OnTrack(const Track& track) override;
  Status OnRangeBegin(TrackId track, const MarkerRow& row) override;
  Status OnCallBegin(TrackId track, const CallSlice& call) override;
  // Writes nothing, because the end was known at the beginning.
  Status OnSliceEnd(TrackId, uint64_t) override { return Status::Ok(); }
  bool SplitsCall(std::string_view name) const override;
  Status OnMark(TrackId track, const MarkerRow& row) override;
  Status OnBarrier(TrackId track, const BarrierSlice& barrier) override;
  Status OnCopy(TrackId track, const CopySlice& copy) override;
  Status OnEvent(TrackId track, const query::EventRow& row, bool nested) override;
  Status OnSubmit(TrackId track, const Submission& submission) override;
  Status OnKernel(TrackId track, const KernelSlice& kernel) override;

 private:
  // What all events of a track have in common.
  struct Place {
    std::string ids;  // for example `"pid":1,"tid":2`
    uint64_t process_pid = 0;
    uint64_t stream = 0;
    int32_t gpu = -1;
    int64_t process = 0;
  };
  // What all kernels of a launch have in common.
  struct Launch {
    int64_t id = 0;
    KernelRole role = KernelRole::kKernel;
    std::string head;       // the text up to the ids
    std::string arguments;  // the arguments that come first
  };

  Status Clock();
  Status Devices();
  Status DistributedInfo();
  void Text(std::string_view key, std::string_view text);
  Status TextOf(std::string_view key, int64_t string_id);
  void Moment(uint64_t time);
  void Begin(std::string_view head, const Place& place, uint64_t start, uint64_t end);
  Status End(std::string_view end);
  void NameTrack(const char* what, const Track& track, const Place& place);
  void SortTrack(const Track& track, const Place& place);
  void Flow(const Place& place, bool is_start, uint64_t link, uint64_t time);
  void Arrow(const Place& to, const Origin& origin, uint64_t time);
  void WorkArguments(const Place& place, const Origin& origin);
  void Bytes(uint64_t bytes, uint64_t duration);
  Status Encode(const KernelSlice& kernel, Launch* launch);

  query::TraceReader& trace_;
  OutputFile* const out_;
  Steps steps_;
  uint64_t base_ = 0;  // the CLOCK_BOOTTIME that is time 0 of the file
  JsonBytes json_;
  JsonBytes constant_;  // used while a constant part is built
  std::string scratch_;
  std::unordered_map<TrackId, Place> places_;
  // For example `"pid":1`, indexed by process. The timeline has a track for each process.
  std::unordered_map<int64_t, std::string> pids_;
  std::vector<EventArgument> arguments_;
  // indexed by id, modulo kLaunches
  std::vector<Launch> launches_ = std::vector<Launch>(kLaunches);
};

void ChromeSink::Text(std::string_view key, std::string_view text) {
  json_.Raw(key);
  json_.Quoted(RepairUtf8(text, &scratch_));
}

Status ChromeSink::TextOf(std::string_view key, int64_t string_id) {
  std::string_view text;
  RTL_TRY(trace_.Text(string_id, &text));
  Text(key, text);
  return Status::Ok();
}

Status ChromeSink::Devices() {
  std::vector<query::Agent> agents;
  RTL_TRY(trace_.tables().Agents(&agents));
  json_.Raw(",\n\"deviceProperties\":[");
  std::set<int32_t> known;
  for (const query::Agent& agent : agents) {
    if (!agent.is_gpu || agent.gpu < 0 || agent.gpu > 255) continue;
    if (!known.insert(agent.gpu).second) continue;
    const bool is_first = known.size() == 1;
    json_.Field(is_first ? "{\"id\":" : ",{\"id\":", static_cast<uint64_t>(agent.gpu));
    Text(",\"name\":", agent.product.empty() ? agent.name : agent.product);
    Text(",\"gcnArchName\":", agent.name);
    Text(",\"uuid\":", agent.uuid);
    json_.Field(",\"numSms\":", agent.compute_units);
    json_.Raw("}");
  }
  json_.Raw("]");
  return Status::Ok();
}

// Writes the rank of the trace, for tools that combine the traces of several ranks. A trace with
// several ranks has none. A single process outside a job counts as the only rank of a job of its
// own.
Status ChromeSink::DistributedInfo() {
  std::vector<query::Process> processes;
  RTL_TRY(trace_.tables().Processes(&processes));
  const query::Process* of_rank = nullptr;
  for (const query::Process& process : processes) {
    if (process.rank < 0) continue;
    if (of_rank != nullptr && of_rank->rank != process.rank) return Status::Ok();
    of_rank = &process;
  }
  if (of_rank == nullptr && processes.size() != 1) return Status::Ok();
  std::vector<query::KernelInfo> kernels;
  RTL_TRY(trace_.tables().Kernels(&kernels));
  bool has_collectives = false;
  for (const query::KernelInfo& kernel : kernels) {
    std::string_view name;
    RTL_TRY(trace_.Text(kernel.mangled, &name));
    has_collectives = has_collectives || name.find("nccl") != std::string_view::npos;
  }
  const auto rank = of_rank != nullptr ? static_cast<uint64_t>(of_rank->rank) : 0;
  json_.Field(",\n\"distributedInfo\":{\"rank\":", rank);
  const uint32_t world = of_rank != nullptr ? of_rank->world : 1;
  if (world != 0) json_.Field(",\"world_size\":", world);
  json_.Raw(has_collectives ? ",\"backend\":\"nccl\"}" : ",\"backend\":\"\"}");
  return Status::Ok();
}

// Readers store times as doubles in microseconds. Times since the boot lose nanoseconds after some
// weeks; times since the start of the first process do not.
Status ChromeSink::Clock() {
  constexpr uint64_t kSecond = 1'000'000'000;
  std::vector<query::Process> processes;
  RTL_TRY(trace_.tables().Processes(&processes));
  for (const query::Process& process : processes) {
    if (process.started == 0) continue;
    base_ = base_ == 0 ? process.started : std::min(base_, process.started);
  }
  base_ -= base_ % kSecond;
  const auto shift = trace_.metadata().find("realtime_minus_boottime");
  if (shift == trace_.metadata().end()) return Status::Ok();
  const int64_t base = std::strtoll(shift->second.c_str(), nullptr, 10);
  json_.Raw(",\"baseTimeNanoseconds\":" + std::to_string(base + static_cast<int64_t>(base_)));
  return Status::Ok();
}

Status ChromeSink::Start() {
  json_.Raw("{\"schemaVersion\":1,\"displayTimeUnit\":\"ns\"");
  RTL_TRY(Clock());
  RTL_TRY(Devices());
  RTL_TRY(DistributedInfo());
  json_.Field(",\n\"otherData\":{\n\"ts_base_boottime\":\"", base_);
  json_.Raw("\"");
  for (const auto& [tag, value] : trace_.metadata()) {
    Text(",\n", tag);
    Text(":", value);
  }
  json_.Raw("},\n\"traceEvents\":[");
  out_->Append(json_.text());
  json_.Clear();
  return out_->result();
}

Status ChromeSink::Operators() {
  query::OperatorCursor cursor;
  RTL_TRY(trace_.Operators(&cursor));
  return cursor.Each([&](const query::HostWorkRow& row) {
    Place place;
    place.ids = pids_[row.process] + ",\"tid\":" + std::to_string(row.thread);
    const bool is_function = row.kind == query::HostWorkRow::Kind::kPythonFunction;
    Begin(is_function ? "\"cat\":\"python_function\"," : "\"cat\":\"cpu_op\",", place, row.start,
          row.start + row.duration);
    RTL_TRY(TextOf(",\"name\":", row.name));
    if (row.inputs != 0) {
      RTL_TRY(TextOf(",\"args\":{\"inputs\":", row.inputs));
      json_.Raw("}");
    }
    return End("}");
  });
}

void ChromeSink::Finish() { out_->Append("\n]}\n"); }

void ChromeSink::Moment(uint64_t time) {
  json_.Raw(time < base_ ? ",\"ts\":-" : ",\"ts\":");
  json_.Time(time < base_ ? base_ - time : time - base_);
}

// A comma precedes every event, because the first event of the file follows the first track.
void ChromeSink::Begin(std::string_view head, const Place& place, uint64_t start, uint64_t end) {
  json_.Raw(",\n{\"ph\":\"X\",");
  json_.Raw(head);
  json_.Raw(place.ids);
  Moment(start);
  json_.Raw(",\"dur\":");
  json_.Time(end > start ? end - start : 0);
}

Status ChromeSink::End(std::string_view end) {
  json_.Raw(end);
  out_->Append(json_.text());
  json_.Clear();
  return out_->result();
}

void ChromeSink::NameTrack(const char* what, const Track& track, const Place& place) {
  json_.Raw(track.id == 1 ? "\n{\"ph\":\"M\",\"name\":\"" : ",\n{\"ph\":\"M\",\"name\":\"");
  json_.Raw(what);
  json_.Raw("\",");
  json_.Raw(place.ids);
  Text(",\"args\":{\"name\":", track.title);
  json_.Raw("}}");
}

// Sorts streams by their numbers instead of their names, and GPU tracks after the threads.
void ChromeSink::SortTrack(const Track& track, const Place& place) {
  json_.Raw(",\n{\"ph\":\"M\",\"name\":\"thread_sort_index\",");
  json_.Raw(place.ids);
  json_.Field(",\"args\":{\"sort_index\":", kFirstInventedTid + track.stream);
  json_.Raw("}}");
}

Status ChromeSink::OnTrack(const Track& track) {
  // the names of its streams contain its name
  if (track.kind == TrackKind::kGpu) return out_->result();
  Place place;
  place.stream = track.stream;
  place.gpu = track.gpu;
  place.process = track.process;
  const bool is_thread = track.kind == TrackKind::kThread && track.lane == 0;
  const uint64_t tid = is_thread ? track.tid : kFirstInventedTid + track.id;
  place.ids = "\"pid\":" + std::to_string(track.unique_pid);
  if (track.kind == TrackKind::kProcess) pids_[track.process] = place.ids;
  if (track.kind != TrackKind::kProcess) place.ids += ",\"tid\":" + std::to_string(tid);
  NameTrack(track.kind == TrackKind::kProcess ? "process_name" : "thread_name", track, place);
  if (track.gpu >= 0) SortTrack(track, place);
  if (track.unique_pid != track.pid && track.kind == TrackKind::kProcess) {
    json_.Raw(",\n{\"ph\":\"M\",\"name\":\"process_labels\",");
    json_.Raw(place.ids);
    json_.Field(",\"args\":{\"labels\":\"pid ", track.pid);
    json_.Raw("\"}}");
  }
  places_.emplace(track.id, std::move(place));
  return End("");
}

Status ChromeSink::OnRangeBegin(TrackId track, const MarkerRow& row) {
  const Place& place = places_[track];
  std::string_view name;
  RTL_TRY(trace_.Text(row.name, &name));
  uint64_t step = 0;
  const bool is_step = steps_.IsStep(place.process, name, &step);
  Begin("\"cat\":\"user_annotation\",", place, row.start, row.end);
  if (is_step) {
    json_.Field(",\"name\":\"ProfilerStep#", step);
    Text("\",\"args\":{\"range\":", name);
  } else {
    Text(",\"name\":", name);
    if (!row.is_start_stop && !row.is_unclosed) return End("}");
    json_.Field(",\"args\":{\"range_id\":", row.range);
  }
  if (row.is_start_stop) json_.Field(",\"tid\":", row.tid);
  if (row.is_unclosed) json_.Raw(",\"unclosed\":1");
  return End("}}");
}

Status ChromeSink::OnCallBegin(TrackId track, const CallSlice& call) {
  const ApiRow& row = call.row;
  Begin("\"cat\":\"cuda_runtime\",", places_[track], row.start, row.end);
  RTL_TRY(TextOf(",\"name\":", row.name));
  json_.Field(",\"args\":{\"correlation\":", call.link);
  RTL_TRY(TextOf(",\"args\":", row.arguments));
  if (row.stream >= 0) Text(",\"hip_stream\":", StreamName(row));
  if (row.has_result) {
    const char* const error = HipErrorName(row.result);
    Text(",\"result\":", error != nullptr ? std::string(error) : std::to_string(row.result));
  }
  return End("}}");
}

Status ChromeSink::OnMark(TrackId track, const MarkerRow& row) {
  json_.Raw(",\n{\"ph\":\"i\",\"cat\":\"user_annotation\",");
  json_.Raw(places_[track].ids);
  Moment(row.start);
  json_.Raw(",\"s\":\"t\"");
  RTL_TRY(TextOf(",\"name\":", row.name));
  return End("}");
}

void ChromeSink::Flow(const Place& place, bool is_start, uint64_t link, uint64_t time) {
  json_.Raw(is_start ? ",\n{\"ph\":\"s\",\"cat\":\"ac2g\",\"name\":\"ac2g\","
                     : ",\n{\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"ac2g\",\"name\":\"ac2g\",");
  json_.Raw(place.ids);
  Moment(time);
  json_.Field(",\"id\":", link);
  json_.Raw("}");
}

// Draws an arrow from the call to its GPU work. If there is a submission, its arrow has begun at
// the submission.
void ChromeSink::Arrow(const Place& to, const Origin& origin, uint64_t time) {
  if (origin.has_call && origin.first) {
    Flow(places_[origin.call_track], true, origin.link, origin.call_start);
  }
  if (origin.has_call || origin.has_submit) Flow(to, false, origin.link, time);
}

// HolisticTraceAnalysis knows only these two launch functions, and takes one kernel for each call
// of them.
bool ChromeSink::SplitsCall(std::string_view name) const {
  if (name == "hipLaunchKernel" || name == "hipExtModuleLaunchKernel") return false;
  return name.find("Launch") != std::string_view::npos;
}

// A submission gets the name of a launch function that readers know, because the call was not
// recorded, or has another name.
Status ChromeSink::OnSubmit(TrackId track, const Submission& submission) {
  const Place& place = places_[track];
  constexpr std::string_view kHead[] = {
      "\"cat\":\"cuda_runtime\",\"name\":\"hipLaunchKernel\",",
      "\"cat\":\"cuda_runtime\",\"name\":\"hipMemsetAsync\",",
      "\"cat\":\"cuda_runtime\",\"name\":\"hipMemcpyAsync\",",
  };
  Begin(kHead[static_cast<size_t>(submission.role)], place, submission.time,
        submission.time + kSubmissionNs);
  json_.Field(",\"args\":{\"correlation\":", submission.link);
  if (submission.call != 0) json_.Field(",\"call\":", submission.call);
  json_.Raw(",\"recorded\":\"submission\"}}");
  Flow(place, true, submission.link, submission.time);
  return End("");
}

// To be written after other arguments.
void ChromeSink::WorkArguments(const Place& place, const Origin& origin) {
  json_.Field(",\"stream\":", place.stream);
  if (origin.link != 0) json_.Field(",\"correlation\":", origin.link);
  if (origin.stream >= 0) {
    json_.Field(",\"hip_stream\":", static_cast<uint64_t>(origin.stream));
  }
}

void ChromeSink::Bytes(uint64_t bytes, uint64_t duration) {
  json_.Field(",\"bytes\":", bytes);
  if (duration == 0 || bytes == 0) return;
  char rate[40];
  snprintf(rate, sizeof rate, "%.6g", static_cast<double>(bytes) / static_cast<double>(duration));
  json_.Raw(",\"memory bandwidth (GB/s)\":");
  json_.Raw(rate);
}

Status ChromeSink::Encode(const KernelSlice& kernel, Launch* launch) {
  const KernelRow& row = kernel.row;
  launch->id = row.launch;
  launch->role = kernel.role;
  std::swap(json_, constant_);
  json_.Clear();
  if (kernel.role == KernelRole::kKernel) {
    json_.Raw("\"cat\":\"kernel\"");
    RTL_TRY(TextOf(",\"name\":", row.name));
    json_.Raw(",");
  } else if (kernel.role == KernelRole::kFill) {
    json_.Raw("\"cat\":\"gpu_memset\",\"name\":\"Memset (Device)\",");
  } else {
    json_.Raw("\"cat\":\"gpu_memcpy\",\"name\":\"");
  }
  launch->head = json_.text();
  json_.Clear();
  json_.Field(",\"args\":{\"device\":", static_cast<uint64_t>(row.gpu));
  json_.Field(",\"queue\":", kernel.queue_number);
  if (kernel.role != KernelRole::kKernel) RTL_TRY(TextOf(",\"kernel\":", row.name));
  uint32_t groups[3];
  for (int axis = 0; axis < 3; ++axis) {
    const uint32_t size = row.workgroup[axis] == 0 ? 1 : row.workgroup[axis];
    groups[axis] = row.grid[axis] / size + (row.grid[axis] % size != 0 ? 1 : 0);
  }
  const auto triple = [&](std::string_view key, const uint32_t(&values)[3]) {
    json_.Field(key, values[0]);
    json_.Field(",", values[1]);
    json_.Field(",", values[2]);
    json_.Raw("]");
  };
  triple(",\"grid\":[", groups);
  triple(",\"block\":[", row.workgroup);
  triple(",\"work_items\":[", row.grid);
  json_.Field(",\"shared memory\":", row.group_segment);
  json_.Field(",\"lds_bytes\":", row.group_segment);
  json_.Field(",\"scratch_bytes\":", row.private_segment);
  if (kernel.info != nullptr) {
    json_.Field(",\"registers per thread\":", kernel.info->vgprs);
    json_.Field(",\"vgprs\":", kernel.info->vgprs);
    json_.Field(",\"sgprs\":", kernel.info->sgprs);
    json_.Field(",\"kernarg_bytes\":", kernel.info->kernarg_segment);
    if (kernel.info->mangled != 0) RTL_TRY(TextOf(",\"mangled_name\":", kernel.info->mangled));
  }
  if (row.tid != 0) json_.Field(",\"submit_tid\":", row.tid);
  launch->arguments = json_.text();
  json_.Clear();
  std::swap(json_, constant_);
  return Status::Ok();
}

Status ChromeSink::OnKernel(TrackId track, const KernelSlice& kernel) {
  const KernelRow& row = kernel.row;
  const Origin& origin = kernel.origin;
  const Place& place = places_[track];
  Launch& launch = launches_[static_cast<uint64_t>(row.launch) % kLaunches];
  if (launch.id != row.launch || row.launch == 0) RTL_TRY(Encode(kernel, &launch));
  if (launch.role == KernelRole::kCopy) {
    scratch_ = launch.head + CopyName(origin.copy_kind) + "\",";
    Begin(scratch_, place, row.start, row.end);
  } else {
    Begin(launch.head, place, row.start, row.end);
  }
  json_.Raw(launch.arguments);
  WorkArguments(place, origin);
  if (launch.role != KernelRole::kKernel && origin.call_bytes != 0) {
    Bytes(origin.call_bytes, row.end - row.start);
  }
  if (row.submit > 0 && row.submit <= row.start) json_.Field(",\"wait_ns\":", kernel.wait());
  json_.Field(",\"packet\":", row.packet);
  if (origin.range != 0) RTL_TRY(TextOf(",\"roctx_range\":", origin.range));
  if (row.graph != 0) {
    json_.Field(",\"graph\":", static_cast<uint64_t>(row.graph));
    json_.Field(",\"graph_launch\":", row.graph_launch);
    json_.Field(",\"graph_node\":", row.graph_node);
  }
  json_.Raw("}}");
  Arrow(place, origin, row.start);
  return End("");
}

Status ChromeSink::OnBarrier(TrackId track, const BarrierSlice& barrier) {
  const query::BarrierRow& row = barrier.row;
  const Place& place = places_[track];
  Begin("\"cat\":\"barrier\",", place, row.start, row.end);
  RTL_TRY(TextOf(",\"name\":", row.name));
  // Without `stream`, because a barrier that waits is not work.
  json_.Field(",\"args\":{\"device\":", static_cast<uint64_t>(row.gpu));
  json_.Field(",\"dependencies\":", row.dependencies);
  json_.Field(",\"packet\":", row.packet);
  if (barrier.origin.link != 0) json_.Field(",\"correlation\":", barrier.origin.link);
  if (row.tid != 0) json_.Field(",\"submit_tid\":", row.tid);
  json_.Raw("}}");
  Arrow(place, barrier.origin, row.start);
  return End("");
}

Status ChromeSink::OnCopy(TrackId track, const CopySlice& copy) {
  const CopyRow& row = copy.row;
  const Place& place = places_[track];
  Begin("\"cat\":\"gpu_memcpy\",", place, row.start, row.end);
  Text(",\"name\":", CopyName(row));
  json_.Raw(",\"args\":{\"recorded\":\"copy\"");
  if (place.gpu >= 0) json_.Field(",\"device\":", static_cast<uint64_t>(place.gpu));
  WorkArguments(place, copy.origin);
  Bytes(row.bytes, row.end - row.start);
  if (row.submit > 0 && row.submit <= row.start)
    json_.Field(",\"wait_ns\":", row.start - row.submit);
  if (row.tid != 0) json_.Field(",\"submit_tid\":", row.tid);
  if (copy.origin.range != 0) RTL_TRY(TextOf(",\"roctx_range\":", copy.origin.range));
  json_.Raw("}}");
  Arrow(place, copy.origin, row.start);
  return End("");
}

// The id is written as `call`, not as `correlation`, because readers take an event with a
// correlation and without a stream for the launch of GPU work.
Status ChromeSink::OnEvent(TrackId track, const query::EventRow& row, bool) {
  const Place& place = places_[track];
  const bool is_moment = row.end <= row.start;
  json_.Raw(is_moment ? ",\n{\"ph\":\"i\",\"s\":\"t\",\"cat\":" : ",\n{\"ph\":\"X\",\"cat\":");
  json_.Quoted(row.kind->category);
  json_.Raw(",");
  json_.Raw(place.ids);
  Moment(row.start);
  if (!is_moment) {
    json_.Raw(",\"dur\":");
    json_.Time(row.end - row.start);
  }
  RTL_TRY(TextOf(",\"name\":", row.name));
  RTL_TRY(EventArguments(trace_, row, &arguments_));
  json_.Raw(",\"args\":{");
  for (const EventArgument& argument : arguments_) {
    if (!json_.text().ends_with('{')) json_.Raw(",");
    json_.Quoted(argument.name);
    if (argument.is_text) {
      Text(":", argument.text);
    } else {
      json_.Field(":", argument.value);
    }
  }
  if (row.correlation != 0) {
    const int64_t first = (row.process - 1) * query::WorkOfCalls::kIdsOfAProcess;
    const std::string_view key = json_.text().ends_with('{') ? "\"call\":" : ",\"call\":";
    json_.Field(key, static_cast<uint64_t>(first) + row.correlation);
  }
  return End("}}");
}

}  // namespace

Status WriteChromeJson(query::TraceReader& trace, const ExportOptions& options,
                       const Progress& progress, OutputFile* out) {
  ChromeSink sink(trace, options, out);
  RTL_TRY(sink.Start());
  RTL_TRY(WalkTimeline(trace, progress, &sink));
  RTL_TRY(sink.Operators());
  sink.Finish();
  return out->result();
}

}  // namespace rtl::exporting
