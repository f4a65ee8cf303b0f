// SPDX-License-Identifier: MIT
// Chrome's JSON, in the dialect of PyTorch's profiler where it has a word for something: times in
// microseconds, kernels of category "kernel", `grid` in workgroups.
#include <rapidjson/writer.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "export/event_arguments.h"
#include "export/exporter.h"
#include "export/utf8.h"
#include "model/api_calls.h"

namespace rtl::exporting {
namespace {

using query::ApiRow;
using query::KernelRow;
using query::MarkerRow;

// Tracks that are no thread get numbers that no thread has.
constexpr uint64_t kFirstInventedTid = 1'000'000'000;

// The stream that rapidjson wants.
struct JsonStream {
  using Ch = char;
  OutputFile* out;
  void Put(char c) { out->Put(c); }
  void Flush() {}
};
using Writer = rapidjson::Writer<JsonStream>;

class ChromeSink final : public TimelineSink {
 public:
  ChromeSink(query::TraceReader& trace, OutputFile* out)
      : trace_(trace), out_(out), stream_{out}, json_(stream_) {}

  void Start();
  void Finish();
  Status OnTrack(const Track& track) override;
  Status OnRangeBegin(TrackId track, const MarkerRow& row) override;
  Status OnRangeEnd(TrackId, uint64_t) override { return Status::Ok(); }  // known at the begin
  Status OnCallBegin(TrackId track, const ApiRow& row) override;
  Status OnCallEnd(TrackId, uint64_t) override { return Status::Ok(); }
  Status OnMark(TrackId track, const MarkerRow& row) override;
  Status OnBarrier(TrackId track, const query::BarrierRow& row) override;
  Status OnCopy(TrackId track, const query::CopyRow& row) override;
  Status OnEvent(TrackId track, const query::EventRow& row, bool nested) override;
  Status OnSubmit(TrackId track, const KernelSlice& kernel) override;
  Status OnKernel(TrackId track, const KernelSlice& kernel) override;

 private:
  struct Place {
    uint32_t pid = 0;
    uint64_t tid = 0;
  };

  void DistributedInfo();
  void Text(const char* key, std::string_view text);
  void Number(const char* key, uint64_t value);
  void Triple(const char* key, const uint32_t (&values)[3]);
  void Microseconds(const char* key, uint64_t nanoseconds);
  Status TextOf(const char* key, int64_t string_id);
  void Begin(const char* phase, const char* category, TrackId track, uint64_t time);
  Status End();
  void NameTrack(const char* what, const Track& track, const Place& place);
  Status KernelArguments(const KernelSlice& kernel);
  void Flow(const char* phase, TrackId track, const std::string& id, uint64_t time);

  query::TraceReader& trace_;
  OutputFile* out_;
  JsonStream stream_;
  Writer json_;
  std::string scratch_;
  std::unordered_map<TrackId, Place> places_;
  std::vector<EventArgument> arguments_;
};

// Correlation ids count up per process.
std::string CallFlow(uint32_t pid, uint64_t correlation) {
  return std::to_string(pid) + "." + std::to_string(correlation);
}

void ChromeSink::Text(const char* key, std::string_view text) {
  text = RepairUtf8(text, &scratch_);
  json_.Key(key);
  json_.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

void ChromeSink::Number(const char* key, uint64_t value) {
  json_.Key(key);
  json_.Uint64(value);
}

void ChromeSink::Triple(const char* key, const uint32_t (&values)[3]) {
  json_.Key(key);
  json_.StartArray();
  for (const uint32_t value : values) json_.Uint(value);
  json_.EndArray();
}

void ChromeSink::Microseconds(const char* key, uint64_t nanoseconds) {
  std::string number = std::to_string(nanoseconds / 1000);
  const std::string rest = std::to_string(nanoseconds % 1000);
  number += "." + std::string(3 - rest.size(), '0') + rest;
  json_.Key(key);
  json_.RawValue(number.data(), number.size(), rapidjson::kNumberType);
}

Status ChromeSink::TextOf(const char* key, int64_t string_id) {
  std::string_view text;
  RTL_TRY(trace_.Text(string_id, &text));
  Text(key, text);
  return Status::Ok();
}

// Which rank this is, for tools that put the traces of several together. A trace of several ranks
// is none of them.
void ChromeSink::DistributedInfo() {
  std::vector<query::Process> processes;
  if (!trace_.Processes(&processes).ok()) return;  // whatever reads on will say why
  const query::Process* of_rank = nullptr;
  for (const query::Process& process : processes) {
    if (process.rank < 0) continue;
    if (of_rank != nullptr && of_rank->rank != process.rank) return;
    of_rank = &process;
  }
  if (of_rank == nullptr) return;
  json_.Key("distributedInfo");
  json_.StartObject();
  Number("rank", static_cast<uint64_t>(of_rank->rank));
  if (of_rank->world != 0) Number("world_size", of_rank->world);
  json_.EndObject();
}

void ChromeSink::Start() {
  json_.StartObject();
  Number("schemaVersion", 1);
  Text("displayTimeUnit", "ns");
  const auto shift = trace_.metadata().find("realtime_minus_boottime");
  if (shift != trace_.metadata().end()) {
    json_.Key("baseTimeNanoseconds");
    json_.Int64(std::strtoll(shift->second.c_str(), nullptr, 10));
  }
  DistributedInfo();
  json_.Key("otherData");
  json_.StartObject();
  for (const auto& [tag, value] : trace_.metadata()) {
    std::string scratch;
    Text(std::string(RepairUtf8(tag, &scratch)).c_str(), value);
  }
  json_.EndObject();
  json_.Key("traceEvents");
  json_.StartArray();
}

void ChromeSink::Finish() {
  json_.EndArray();
  json_.EndObject();
  out_->Put('\n');
}

void ChromeSink::Begin(const char* phase, const char* category, TrackId track, uint64_t time) {
  const Place& place = places_[track];
  out_->Put('\n');
  json_.StartObject();
  Text("ph", phase);
  Text("cat", category);
  Number("pid", place.pid);
  Number("tid", place.tid);
  Microseconds("ts", time);
}

Status ChromeSink::End() {
  json_.EndObject();
  return out_->status();
}

void ChromeSink::NameTrack(const char* what, const Track& track, const Place& place) {
  out_->Put('\n');
  json_.StartObject();
  Text("ph", "M");
  Text("name", what);
  Number("pid", place.pid);
  if (track.kind != TrackKind::kProcess) Number("tid", place.tid);
  json_.Key("args");
  json_.StartObject();
  Text("name", track.name);
  json_.EndObject();
  json_.EndObject();
}

Status ChromeSink::OnTrack(const Track& track) {
  Place place;
  place.pid = track.pid;
  const bool is_thread = track.kind == TrackKind::kThread && track.lane == 0;
  place.tid = is_thread ? track.tid : kFirstInventedTid + track.id;
  places_.emplace(track.id, place);
  NameTrack(track.kind == TrackKind::kProcess ? "process_name" : "thread_name", track, place);
  return out_->status();
}

Status ChromeSink::OnRangeBegin(TrackId track, const MarkerRow& row) {
  Begin("X", "user_annotation", track, row.start);
  Microseconds("dur", row.end > row.start ? row.end - row.start : 0);
  RTL_TRY(TextOf("name", row.name));
  if (row.is_start_stop || row.is_unclosed) {
    json_.Key("args");
    json_.StartObject();
    if (row.is_start_stop) Number("range_id", row.range);
    if (row.is_start_stop) Number("tid", row.tid);
    if (row.is_unclosed) Number("unclosed", 1);
    json_.EndObject();
  }
  return End();
}

Status ChromeSink::OnCallBegin(TrackId track, const ApiRow& row) {
  Begin("X", "cuda_runtime", track, row.start);
  Microseconds("dur", row.end > row.start ? row.end - row.start : 0);
  RTL_TRY(TextOf("name", row.name));
  json_.Key("args");
  json_.StartObject();
  Number("correlation", row.correlation);
  RTL_TRY(TextOf("args", row.arguments));
  if (row.stream >= 0) Text("stream", StreamName(row));
  if (row.has_result) {
    const char* const error = HipErrorName(row.result);
    Text("result", error != nullptr ? std::string(error) : std::to_string(row.result));
  }
  json_.EndObject();
  RTL_TRY(End());
  Flow("s", track, CallFlow(row.pid, row.correlation), row.start);
  return out_->status();
}

Status ChromeSink::OnMark(TrackId track, const MarkerRow& row) {
  Begin("i", "user_annotation", track, row.start);
  Text("s", "t");
  RTL_TRY(TextOf("name", row.name));
  return End();
}

void ChromeSink::Flow(const char* phase, TrackId track, const std::string& id, uint64_t time) {
  Begin(phase, "ac2g", track, time);
  Text("name", "ac2g");
  Text("id", id);
  if (*phase == 'f') Text("bp", "e");
  json_.EndObject();
}

// A flow starts in the slice that encloses it; without one there is nothing to start from.
Status ChromeSink::OnSubmit(TrackId track, const KernelSlice& kernel) {
  if (kernel.range != 0) {
    Flow("s", track, std::to_string(kernel.row.id), kernel.row.submit);
  }
  return out_->status();
}

Status ChromeSink::KernelArguments(const KernelSlice& kernel) {
  const KernelRow& row = kernel.row;
  uint32_t groups[3];
  for (int axis = 0; axis < 3; ++axis) {
    const uint32_t size = row.workgroup[axis] == 0 ? 1 : row.workgroup[axis];
    groups[axis] = row.grid[axis] / size + (row.grid[axis] % size != 0 ? 1 : 0);
  }
  json_.Key("args");
  json_.StartObject();
  Number("device", static_cast<uint64_t>(row.gpu));
  Number("stream", kernel.queue_number);
  Number("correlation", row.correlation != 0 ? row.correlation : static_cast<uint64_t>(row.id));
  Triple("grid", groups);
  Triple("block", row.workgroup);
  Triple("work_items", row.grid);
  Number("lds_bytes", row.group_segment);
  Number("scratch_bytes", row.private_segment);
  if (kernel.info != nullptr) {
    Number("vgprs", kernel.info->vgprs);
    Number("sgprs", kernel.info->sgprs);
    Number("kernarg_bytes", kernel.info->kernarg_segment);
    if (kernel.info->mangled != 0) RTL_TRY(TextOf("mangled_name", kernel.info->mangled));
  }
  if (row.submit > 0 && row.submit <= row.start) Number("wait_ns", kernel.wait());
  Number("packet", row.packet);
  if (row.tid != 0) Number("submit_tid", row.tid);
  if (kernel.range != 0) RTL_TRY(TextOf("roctx_range", kernel.range));
  if (row.graph != 0) {
    Number("graph", static_cast<uint64_t>(row.graph));
    Number("graph_launch", row.graph_launch);
    Number("graph_node", row.graph_node);
  }
  json_.EndObject();
  return Status::Ok();
}

Status ChromeSink::OnKernel(TrackId track, const KernelSlice& kernel) {
  const KernelRow& row = kernel.row;
  Begin("X", "kernel", track, row.start);
  Microseconds("dur", row.end - row.start);
  RTL_TRY(TextOf("name", row.name));
  RTL_TRY(KernelArguments(kernel));
  json_.EndObject();
  if (kernel.has_call) {
    Flow("f", track, CallFlow(row.pid, row.correlation), row.start);
  } else if (kernel.range != 0 && kernel.has_submit) {
    Flow("f", track, std::to_string(row.id), row.start);
  }
  return out_->status();
}

Status ChromeSink::OnBarrier(TrackId track, const query::BarrierRow& row) {
  Begin("X", "barrier", track, row.start);
  Microseconds("dur", row.end - row.start);
  RTL_TRY(TextOf("name", row.name));
  json_.Key("args");
  json_.StartObject();
  Number("device", static_cast<uint64_t>(row.gpu));
  Number("dependencies", row.dependencies);
  Number("packet", row.packet);
  if (row.correlation != 0) Number("correlation", row.correlation);
  if (row.tid != 0) Number("submit_tid", row.tid);
  json_.EndObject();
  RTL_TRY(End());
  if (row.correlation != 0) Flow("f", track, CallFlow(row.pid, row.correlation), row.start);
  return out_->status();
}

Status ChromeSink::OnCopy(TrackId track, const query::CopyRow& row) {
  Begin("X", "gpu_memcpy", track, row.start);
  Microseconds("dur", row.end - row.start);
  RTL_TRY(TextOf("name", row.name));
  json_.Key("args");
  json_.StartObject();
  if (row.dst_gpu >= 0 || row.src_gpu >= 0) {
    Number("device", static_cast<uint64_t>(row.dst_gpu >= 0 ? row.dst_gpu : row.src_gpu));
  }
  Number("bytes", row.bytes);
  const uint64_t duration = row.end - row.start;
  if (duration != 0 && row.bytes != 0) {
    json_.Key("memory bandwidth (GB/s)");
    json_.Double(static_cast<double>(row.bytes) / static_cast<double>(duration));
  }
  if (row.correlation != 0) Number("correlation", row.correlation);
  if (row.tid != 0) Number("submit_tid", row.tid);
  json_.EndObject();
  RTL_TRY(End());
  if (row.correlation != 0) Flow("f", track, CallFlow(row.pid, row.correlation), row.start);
  return out_->status();
}

Status ChromeSink::OnEvent(TrackId track, const query::EventRow& row, bool) {
  const bool is_moment = row.end <= row.start;
  Begin(is_moment ? "i" : "X", row.kind->category, track, row.start);
  if (is_moment) {
    Text("s", "t");
  } else {
    Microseconds("dur", row.end - row.start);
  }
  RTL_TRY(TextOf("name", row.name));
  RTL_TRY(EventArguments(trace_, row, &arguments_));
  json_.Key("args");
  json_.StartObject();
  for (const EventArgument& argument : arguments_) {
    if (argument.is_text) {
      Text(argument.name, argument.text);
    } else {
      Number(argument.name, argument.value);
    }
  }
  if (row.correlation != 0) Number("correlation", row.correlation);
  json_.EndObject();
  return End();
}

}  // namespace

Status WriteChromeJson(query::TraceReader& trace, const Progress& progress, OutputFile* out) {
  ChromeSink sink(trace, out);
  sink.Start();
  RTL_TRY(WalkTimeline(trace, progress, &sink));
  sink.Finish();
  return out->status();
}

}  // namespace rtl::exporting
