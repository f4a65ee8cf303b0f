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

class GpuStacks {
 public:
  explicit GpuStacks(query::TraceReader& trace) : trace_(trace) {}

  Status Read() {
    std::vector<query::Process> processes;
    RTL_TRY(trace_.Processes(&processes));
    for (const query::Process& process : processes) {
      std::string name = process.rank >= 0 ? "rank " + std::to_string(process.rank)
                                           : "process " + std::to_string(process.pid);
      roots_[process.id] = processes.size() > 1 ? FrameOf(name) : kNone;
    }
    RTL_TRY(trace_.HostWork([&](const HostWorkRow& row) { Take(row); }));
    RTL_TRY(failure_);
    return AddOthers();
  }

  const std::vector<std::string>& frames() const { return frames_; }
  const std::map<std::vector<uint32_t>, uint64_t>& stacks() const { return stacks_; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Open {
    uint32_t frame;
    uint64_t end;
  };

  uint32_t FrameOf(std::string_view name) {
    const auto [known, is_new] =
        numbers_.try_emplace(std::string(name), static_cast<uint32_t>(frames_.size()));
    if (is_new) frames_.emplace_back(name);
    return known->second;
  }
  uint32_t FrameOfText(int64_t id) {
    const auto [known, is_new] = of_texts_.try_emplace(id);
    if (is_new) {
      std::string_view text;
      const Status read = trace_.Text(id, &text);
      if (!read.ok() && failure_.ok()) failure_ = read;
      known->second = FrameOf(text);
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
    const uint32_t frame = FrameOfText(row.name);
    if (row.kind != HostWorkRow::Kind::kKernel) {
      return open_.push_back({frame, row.start + row.duration});
    }
    std::vector<uint32_t> stack = Root(row.process);
    for (const Open& open : open_) stack.push_back(open.frame);
    stack.push_back(frame);
    stacks_[stack] += row.duration;
    linked_[{row.process, row.name}] += row.duration;
  }

  std::vector<uint32_t> Root(int64_t process) const {
    const auto root = roots_.find(process);
    if (root == roots_.end() || root->second == kNone) return {};
    return {root->second};
  }

  // Kernels whose call is not in the trace: all of a name, less those above.
  Status AddOthers() {
    query::KernelSpanCursor kernels;
    RTL_TRY(trace_.SpansByStart(&kernels));
    std::map<std::pair<int64_t, int64_t>, uint64_t> all;
    query::KernelSpan kernel;
    for (bool has_row = false;;) {
      RTL_TRY(kernels.Next(&kernel, &has_row));
      if (!has_row) break;
      all[{kernel.process, kernel.name}] += kernel.end - std::min(kernel.start, kernel.end);
    }
    for (const auto& [key, time] : all) {
      const auto known = linked_.find(key);
      const uint64_t linked = known == linked_.end() ? 0 : known->second;
      if (time <= linked) continue;
      std::vector<uint32_t> stack = Root(key.first);
      stack.push_back(FrameOf(kNoCall));
      stack.push_back(FrameOfText(key.second));
      stacks_[stack] += time - linked;
    }
    return failure_;
  }

  query::TraceReader& trace_;
  Status failure_ = Status::Ok();
  std::vector<std::string> frames_;
  std::unordered_map<std::string, uint32_t> numbers_;  // of frames, by name
  std::unordered_map<int64_t, uint32_t> of_texts_;
  std::unordered_map<int64_t, uint32_t> roots_;  // by process; kNone: there is one process
  int64_t process_ = 0;
  uint32_t thread_ = 0;
  std::vector<Open> open_;
  std::map<std::vector<uint32_t>, uint64_t> stacks_;        // nanoseconds
  std::map<std::pair<int64_t, int64_t>, uint64_t> linked_;  // by process and kernel
};

// A frame between semicolons, on one line.
std::string FoldedName(const std::string& name) {
  std::string folded = name.empty() ? "(no name)" : name;
  for (char& c : folded) {
    if (c == ';') c = ':';
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return folded;
}

}  // namespace

Status WriteFolded(query::TraceReader& trace, OutputFile* out) {
  GpuStacks stacks(trace);
  RTL_TRY(stacks.Read());
  for (const auto& [stack, time] : stacks.stacks()) {
    std::string line;
    for (const uint32_t frame : stack)
      line += (line.empty() ? "" : ";") + FoldedName(stacks.frames()[frame]);
    out->Append(line + " " + std::to_string(time) + "\n");
  }
  return out->result();
}

Status WriteSpeedscope(query::TraceReader& trace, OutputFile* out) {
  GpuStacks stacks(trace);
  RTL_TRY(stacks.Read());
  JsonBytes json;
  std::string scratch;
  json.Raw(
      "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"rtl\","
      "\"name\":\"GPU time by stack\",\"shared\":{\"frames\":[");
  const auto flush = [&] {
    out->Append(json.text());
    json.Clear();
  };
  bool is_first = true;
  for (const std::string& frame : stacks.frames()) {
    json.Raw(is_first ? "{\"name\":" : ",{\"name\":");
    json.Quoted(RepairUtf8(frame, &scratch));
    json.Raw("}");
    is_first = false;
    flush();
  }
  uint64_t total = 0;
  for (const auto& [stack, time] : stacks.stacks()) total += time;
  json.Field(
      "]},\"profiles\":[{\"type\":\"sampled\",\"name\":\"GPU time\",\"unit\":\"nanoseconds\","
      "\"startValue\":0,\"endValue\":",
      total);
  json.Raw(",\"samples\":[");
  is_first = true;
  for (const auto& [stack, time] : stacks.stacks()) {
    json.Raw(is_first ? "[" : ",[");
    for (size_t i = 0; i < stack.size(); ++i) json.Field(i == 0 ? "" : ",", stack[i]);
    json.Raw("]");
    is_first = false;
    flush();
  }
  json.Raw("],\"weights\":[");
  is_first = true;
  for (const auto& [stack, time] : stacks.stacks()) {
    json.Field(is_first ? "" : ",", time);
    is_first = false;
    flush();
  }
  json.Raw("]}]}\n");
  flush();
  return out->result();
}

}  // namespace rtl::exporting
