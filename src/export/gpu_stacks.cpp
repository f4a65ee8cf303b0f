// SPDX-License-Identifier: MIT
#include "export/gpu_stacks.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "export/json_bytes.h"
#include "export/utf8.h"

namespace rtl::exporting {
namespace {

using query::HostWorkRow;

constexpr char kNoCall[] = "(no call in the trace)";

class StackReader {
 public:
  StackReader(query::TraceReader& trace, GpuStacks* out) : trace_(trace), out_(*out) {}

  Status Read() {
    std::vector<query::Process> processes;
    RTL_TRY(trace_.tables().Processes(&processes));
    for (const query::Process& process : processes) {
      std::string name = process.rank >= 0 ? "rank " + std::to_string(process.rank)
                                           : "process " + std::to_string(process.pid);
      roots_[process.id] = processes.size() > 1 ? FrameOf(name, Kind::kRoot) : kNone;
    }
    RTL_TRY(trace_.HostWork([&](const HostWorkRow& row) { Take(row); }));
    RTL_TRY(failure_);
    return AddOthers();
  }

 private:
  using Kind = GpuStacks::Kind;
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Open {
    uint32_t frame;
    uint64_t end;
  };

  uint32_t FrameOf(std::string_view name, Kind kind) {
    const auto [known, is_new] =
        numbers_.try_emplace(std::string(name), static_cast<uint32_t>(out_.frames.size()));
    if (is_new) out_.frames.push_back({std::string(name), kind});
    return known->second;
  }
  static Kind KindOf(HostWorkRow::Kind kind, std::string_view name) {
    if (kind == HostWorkRow::Kind::kKernel) return Kind::kKernel;
    if (kind == HostWorkRow::Kind::kOperator) return Kind::kOperator;
    return name.starts_with("nn.Module: ") ? Kind::kModule : Kind::kFunction;
  }
  uint32_t FrameOfText(int64_t id, HostWorkRow::Kind kind) {
    const auto [known, is_new] = of_texts_.try_emplace(id);
    if (is_new) {
      std::string_view text;
      const Status read = trace_.Text(id, &text);
      if (!read.ok() && failure_.ok()) failure_ = read;
      known->second = FrameOf(text, KindOf(kind, text));
    }
    return known->second;
  }

  void Take(const HostWorkRow& row) {
    if (row.process != process_ || row.thread != thread_) {
      open_.clear();
      process_ = row.process;
      thread_ = row.thread;
    }
    while (!open_.empty() && open_.back().end <= row.start) open_.pop_back();
    const uint32_t frame = FrameOfText(row.name, row.kind);
    if (row.kind != HostWorkRow::Kind::kKernel) {
      return open_.push_back({frame, row.start + row.duration});
    }
    std::vector<uint32_t> stack = Root(row.process);
    for (const Open& open : open_) stack.push_back(open.frame);
    stack.push_back(frame);
    AddTo(&out_.stacks[stack], {row.duration, 1});
    AddTo(&linked_[{row.process, row.name}], {row.duration, 1});
  }

  static void AddTo(GpuStacks::Work* sum, const GpuStacks::Work& more) {
    sum->time += more.time;
    sum->kernels += more.kernels;
  }

  std::vector<uint32_t> Root(int64_t process) const {
    const auto root = roots_.find(process);
    if (root == roots_.end() || root->second == kNone) return {};
    return {root->second};
  }

  // Adds the kernels whose call is not in the trace: all kernels of a name, minus those that were
  // added with their call.
  Status AddOthers() {
    query::KernelSpanCursor kernels;
    RTL_TRY(trace_.SpansByStart(&kernels));
    std::map<std::pair<int64_t, int64_t>, GpuStacks::Work> all;
    RTL_TRY(kernels.Each([&](const query::KernelSpan& kernel) {
      AddTo(&all[{kernel.process, kernel.name}],
            {kernel.end - std::min(kernel.start, kernel.end), 1});
    }));
    for (const auto& [key, work] : all) {
      const GpuStacks::Work linked = linked_[key];
      if (work.kernels <= linked.kernels) continue;
      std::vector<uint32_t> stack = Root(key.first);
      stack.push_back(FrameOf(kNoCall, Kind::kRoot));
      stack.push_back(FrameOfText(key.second, HostWorkRow::Kind::kKernel));
      AddTo(&out_.stacks[stack],
            {work.time - std::min(work.time, linked.time), work.kernels - linked.kernels});
    }
    return failure_;
  }

  query::TraceReader& trace_;
  GpuStacks& out_;
  Status failure_ = Status::Ok();
  std::unordered_map<std::string, uint32_t> numbers_;  // numbers of frames, by name
  std::unordered_map<int64_t, uint32_t> of_texts_;
  // indexed by process; kNone: there is only one process
  std::unordered_map<int64_t, uint32_t> roots_;
  int64_t process_ = 0;
  uint32_t thread_ = 0;
  std::vector<Open> open_;
  std::map<std::pair<int64_t, int64_t>, GpuStacks::Work> linked_;  // indexed by process and kernel
};

// A frame's name without semicolons and line breaks.
std::string FoldedName(const std::string& name) {
  std::string folded = name.empty() ? "(no name)" : name;
  for (char& c : folded) {
    if (c == ';') c = ':';
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return folded;
}

}  // namespace

Status ReadGpuStacks(query::TraceReader& trace, GpuStacks* out) {
  *out = {};
  return StackReader(trace, out).Read();
}

Status WriteFolded(query::TraceReader& trace, OutputFile* out) {
  GpuStacks stacks;
  RTL_TRY(ReadGpuStacks(trace, &stacks));
  for (const auto& [stack, work] : stacks.stacks) {
    std::string line;
    for (const uint32_t frame : stack)
      line += (line.empty() ? "" : ";") + FoldedName(stacks.frames[frame].name);
    out->Append(line + " " + std::to_string(work.time) + "\n");
  }
  return out->result();
}

Status WriteSpeedscope(query::TraceReader& trace, OutputFile* out) {
  GpuStacks stacks;
  RTL_TRY(ReadGpuStacks(trace, &stacks));
  JsonBytes json;
  std::string scratch;
  json.Raw(
      "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"rtl\","
      "\"name\":\"GPU time by stack\",\"shared\":{\"frames\":[");
  const auto flush = [&] {
    out->Append(json.text());
    json.Clear();
  };
  const auto elements = [&](const auto& items, const auto& write) {
    const char* comma = "";
    for (const auto& item : items) {
      json.Raw(comma);
      write(item);
      flush();
      comma = ",";
    }
  };
  elements(stacks.frames, [&](const GpuStacks::Frame& frame) {
    json.Raw("{\"name\":");
    json.Quoted(RepairUtf8(frame.name, &scratch));
    json.Raw("}");
  });
  uint64_t total = 0;
  for (const auto& [stack, work] : stacks.stacks) total += work.time;
  json.Field(
      "]},\"profiles\":[{\"type\":\"sampled\",\"name\":\"GPU time\",\"unit\":\"nanoseconds\","
      "\"startValue\":0,\"endValue\":",
      total);
  json.Raw(",\"samples\":[");
  elements(stacks.stacks, [&](const auto& each) {
    const std::vector<uint32_t>& stack = each.first;
    json.Raw("[");
    for (size_t i = 0; i < stack.size(); ++i) json.Field(i == 0 ? "" : ",", stack[i]);
    json.Raw("]");
  });
  json.Raw("],\"weights\":[");
  elements(stacks.stacks, [&](const auto& each) { json.Number(each.second.time); });
  json.Raw("]}]}\n");
  flush();
  return out->result();
}

}  // namespace rtl::exporting
