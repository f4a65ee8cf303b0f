// SPDX-License-Identifier: MIT
// Reads the form that export/pftrace.cpp and export/kernel_packets.cpp write.
#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "import/chrome_values.h"
#include "import/own_values.h"
#include "import/perfetto_events.h"
#include "import/readers.h"
#include "import/rocprofv3_records.h"
#include "model/upstream_category.h"

namespace rtl::import {
namespace {

constexpr int kDeepestTrack = 16;

class OwnPerfetto : public PerfettoReader {
 public:
  OwnPerfetto(const ImportedProcess& known, ImportedTrace* trace) : known_(known), trace_(*trace) {}

  void TakeRealtime(int64_t minus_boottime) override {
    known_.realtime_minus_clock = minus_boottime;
  }

  Status TakeTrack(uint64_t uuid, const PerfettoTrack& track) override {
    tracks_[uuid] = track;
    if (!track.is_process) {
      // The export writes the name that a program gave thread 12 as: "thread 12 \\"worker\\"".
      const size_t open = track.name.find(" \"");
      const bool is_named =
          track.is_thread && open != std::string::npos && track.name.ends_with('"');
      if (is_named && Choose(uuid)) {
        trace_.NameThread(
            std::to_string(track.tid),
            std::string_view(track.name).substr(open + 2, track.name.size() - open - 3));
      }
      return Status::Ok();
    }
    ImportedProcess facts = known_;
    facts.pid = track.pid;
    facts.command = track.command.empty() ? track.name : track.command;
    if (track.name.starts_with("rank ")) {
      facts.rank = static_cast<int32_t>(AnyNumber(track.name.substr(5)));
    }
    processes_.emplace(uuid, trace_.BeginProcess(facts));
    return Status::Ok();
  }

  Status TakeSlice(const PerfettoSlice& slice) override {
    if (!Choose(slice.track)) {
      trace_.BeginProcess(known_);
      processes_.emplace(slice.track, 0);
    }
    const ChromeEvent& event = slice.event;
    const int64_t end = event.End();
    const std::string_view category = event.category;
    if (category == "kernel_dispatch") return TakeKernel(slice, end);
    if (category == "memory_copy") return TakeCopy(slice, end);
    if (category == "hip_api") {
      return AddOwnCall(event, event.Arg("tid"), end, AnyNumber(event.Arg("corr_id")), &trace_);
    }
    if (category == "marker_api") return TakeMarker(event, end);
    if (category == "cpu_op" || category == "python_function") {
      return AddOwnOperator(event, ThreadOf(slice.track), end, &trace_);
    }
    // The kernel itself has the time of its submission.
    if (category == "submit") return Status::Ok();
    for (size_t k = 0; k < kEventKindCount; ++k) {
      const SpanKind* const kind = FindSpanKind(static_cast<EventKind>(k));
      if (kind == nullptr || category != UpstreamCategory(*kind)) continue;
      return AddOwnSpan(*kind, event, event.Arg("tid"), end, AnyNumber(event.Arg("correlation_id")),
                        &trace_);
    }
    return trace_.Skip("an event of category " + event.category);
  }

  Status End(const PerfettoContents& contents) {
    if (processes_.empty()) processes_.emplace(0, trace_.BeginProcess(known_));
    bool is_first = true;
    for (const auto& [uuid, process] : processes_) {
      trace_.Choose(process);
      if (std::exchange(is_first, false)) {
        if (contents.counters != 0) trace_.Leave("a value of a counter", contents.counters);
        if (contents.unfinished != 0) trace_.Leave("an event without a pair", contents.unfinished);
      }
      trace_.facts().realtime_minus_clock = known_.realtime_minus_clock;
      RTL_TRY(trace_.EndProcess(process));
    }
    return Status::Ok();
  }

 private:
  // Chooses the process of a track. False: the file does not describe its process.
  bool Choose(uint64_t track) {
    for (int depth = 0; depth < kDeepestTrack; ++depth) {
      const auto process = processes_.find(track);
      if (process != processes_.end()) {
        trace_.Choose(process->second);
        return true;
      }
      const auto known = tracks_.find(track);
      if (known == tracks_.end()) return false;
      track = known->second.parent;
    }
    return false;
  }

  std::string ThreadOf(uint64_t track) const {
    for (int depth = 0; depth < kDeepestTrack; ++depth) {
      const auto known = tracks_.find(track);
      if (known == tracks_.end()) break;
      if (known->second.is_thread) return std::to_string(known->second.tid);
      track = known->second.parent;
    }
    return "";
  }

  static int64_t SubmittedOf(const ChromeEvent& event) {
    const std::string_view waited = event.Arg("wait_ns");
    return waited.empty() ? 0 : event.start - static_cast<int64_t>(AnyNumber(waited));
  }
  // The call that submitted a kernel or copy; zero: only its submission is in the file.
  static uint64_t CallOf(const PerfettoSlice& slice) {
    return slice.flow_ends ? 0 : slice.flow & kNumberInProcess;
  }

  Status TakeKernel(const PerfettoSlice& slice, int64_t end) {
    const ChromeEvent& event = slice.event;
    ImportedKernel kernel = OwnKernel(event, "kernel_name", end);
    kernel.device = std::max<uint64_t>(AnyNumber(event.Arg("agent")), 1) - 1;
    kernel.correlation = CallOf(slice);
    kernel.submitted = SubmittedOf(event);
    ReadThree(event.Arg("grid"), kernel.grid);
    ReadThree(event.Arg("workgroup"), kernel.workgroup);
    return trace_.Add(kernel);
  }

  Status TakeCopy(const PerfettoSlice& slice, int64_t end) {
    const ChromeEvent& event = slice.event;
    ImportedCopy copy;
    copy.kind = CopyKindOf(event.name);
    copy.correlation = CallOf(slice);
    copy.bytes = AnyNumber(event.Arg("bytes"));
    const uint64_t source = AnyNumber(event.Arg("src_agent"));
    const uint64_t target = AnyNumber(event.Arg("dst_agent"));
    if (source != 0) copy.source = source - 1;
    if (target != 0) copy.target = target - 1;
    copy.start = event.start;
    copy.end = end;
    copy.submitted = SubmittedOf(event);
    copy.thread = static_cast<uint32_t>(AnyNumber(event.Arg("submit_tid")));
    return trace_.Add(copy);
  }

  Status TakeMarker(const ChromeEvent& event, int64_t end) {
    if (event.phase == "i") {
      return trace_.Add(ImportedMark{event.name, event.Arg("tid"), event.start});
    }
    return trace_.Add(ImportedRange{event.name, std::string(event.Arg("tid")), event.start, end,
                                    !event.Arg("range_id").empty()});
  }

  ImportedProcess known_;
  ImportedTrace& trace_;
  std::unordered_map<uint64_t, PerfettoTrack> tracks_;
  std::map<uint64_t, size_t> processes_;  // process by track
};

// Describes a foreign file: "1,204 slices of categories sched, gfx; 88 packets of other kinds".
std::string TextOf(const PerfettoContents& contents) {
  std::string text = std::to_string(contents.slices) + " slices";
  std::vector<std::pair<uint64_t, std::string>> categories;
  for (const auto& [name, slices] : contents.categories) {
    if (!name.empty()) categories.emplace_back(slices, name);
  }
  std::sort(categories.rbegin(), categories.rend());
  constexpr size_t kMostNamed = 5;
  for (size_t i = 0; i < std::min(categories.size(), kMostNamed); ++i) {
    text += (i == 0 ? " (" : ", ") + categories[i].second;
    if (i + 1 == std::min(categories.size(), kMostNamed)) {
      text += categories.size() > kMostNamed ? ", …)" : ")";
    }
  }
  text += ", " + std::to_string(contents.counters) + " values of counters";
  uint64_t others = 0;
  for (const auto& [field, packets] : contents.others) others += packets;
  return text + ", " + std::to_string(others) + " packets of other kinds";
}

}  // namespace

Status ImportOwnPerfetto(const std::string& path, const ImportedProcess& known,
                         ImportedTrace* trace) {
  OwnPerfetto reader(known, trace);
  PerfettoContents contents;
  RTL_TRY(ReadPerfetto(path, &reader, &contents));
  if (!contents.is_own) {
    return Status::Error(
        "%s: a trace of Perfetto that rtl did not write: it holds %s; only exports of rtl can be"
        " imported in this format",
        known.file.c_str(), TextOf(contents).c_str());
  }
  return reader.End(contents);
}

}  // namespace rtl::import
