// SPDX-License-Identifier: MIT
// Reads the output of `rtl convert --to chrome` (export/chrome_json.cpp). Its form is Kineto's,
// with additional arguments for what Kineto's form has no place for.
#include <rapidjson/document.h>

#include <charconv>
#include <map>
#include <unordered_map>

#include "import/chrome_json.h"
#include "import/chrome_values.h"
#include "import/own_values.h"
#include "import/readers.h"
#include "import/rocprofv3_records.h"

namespace rtl::import {
namespace {

constexpr std::string_view kSubmission = "submission";

class OwnChrome : public ChromeReader {
 public:
  OwnChrome(const ImportedProcess& known, ImportedTrace* trace) : known_(known), trace_(*trace) {}

  Status End() {
    if (processes_.empty()) Choose("0");
    for (const auto& [pid, process] : processes_) RTL_TRY(trace_.EndProcess(process));
    return Status::Ok();
  }

  void TakeFlaws(const char* what, uint64_t count) override {
    if (!processes_.empty()) trace_.Leave(what, count);
  }

  Status TakeFact(const std::string& key, const std::string& value) override {
    if (key == "baseTimeNanoseconds") {
      (void)std::from_chars(value.data(), value.data() + value.size(), base_);
      SetClock();
    } else if (key == "distributedInfo") {
      // The export writes a program outside of a job as rank 0 of 1.
      const Distributed info = ReadDistributed(value);
      if (info.world != 1) known_.rank = info.rank;
      if (info.world != 1) known_.world = info.world;
    } else if (key == "deviceProperties") {
      ReadDevices(value, &devices_);
    } else if (key == "otherData") {
      TakeMetadata(value);
    }
    return Status::Ok();
  }

  Status TakeEvent(const ChromeEvent& event) override {
    if (event.phase == "s" || event.phase == "f" || event.phase == "t") return Status::Ok();
    Choose(event.pid);
    if (event.phase == "M") return TakeName(event);
    if (!event.has_start) return trace_.Skip("an event without its times");
    if (event.phase == "i" && event.category == "user_annotation") {
      return trace_.Add(ImportedMark{event.name, event.tid, event.start});
    }
    const int64_t end = event.has_duration ? event.End() : event.start;
    if (event.category == "user_annotation") return TakeRange(event, end);
    if (event.category == "cuda_runtime") return TakeCall(event, end);
    if (event.category == "cpu_op" || event.category == "python_function")
      return AddOwnOperator(event, event.tid, end, &trace_);
    if (event.category == "kernel" || !event.Arg("kernel").empty()) return TakeKernel(event, end);
    if (event.category == "gpu_memcpy") return TakeCopy(event, end);
    return TakeOther(event, end);
  }

 private:
  void Choose(const std::string& pid) {
    const auto known = processes_.find(pid);
    if (known != processes_.end()) return trace_.Choose(known->second);
    ImportedProcess facts = known_;
    facts.pid = static_cast<uint32_t>(AnyNumber(pid));
    processes_.emplace(pid, trace_.BeginProcess(facts));
    for (const auto& [device, about] : devices_) trace_.NameDevice(device, about);
  }

  void TakeMetadata(const std::string& json) {
    rapidjson::Document data;
    if (data.Parse(json.c_str()).HasParseError() || !data.IsObject()) return;
    const auto text = [&](const char* name) -> std::string {
      const auto member = data.FindMember(name);
      return member != data.MemberEnd() && member->value.IsString() ? member->value.GetString()
                                                                    : "";
    };
    known_.host = text("host");
    known_.command = text("command");
    // Files of earlier versions have times since the boot.
    time_base = static_cast<int64_t>(AnyNumber(text("ts_base_boottime")));
    SetClock();
  }

  void SetClock() {
    if (base_ != 0) known_.realtime_minus_clock = base_ - time_base;
  }

  Status TakeName(const ChromeEvent& event) {
    const std::string_view label = event.Arg("labels");
    if (event.name == "process_labels" && label.starts_with("pid ")) {
      trace_.facts().pid = static_cast<uint32_t>(AnyNumber(label.substr(4)));
    }
    // The export writes the name that a program gave thread 12 as: thread 12 "worker".
    const std::string_view name = event.Arg("name");
    const size_t open = name.find(" \"");
    if (event.name == "thread_name" && name.starts_with("thread ") && name.ends_with('"') &&
        open + 2 < name.size()) {
      trace_.NameThread(event.tid, name.substr(open + 2, name.size() - open - 3));
    }
    return Status::Ok();
  }

  Status TakeRange(const ChromeEvent& event, int64_t end) {
    const std::string_view thread = event.Arg("tid"), name = event.Arg("range");
    return trace_.Add(ImportedRange{name.empty() ? event.name : std::string(name),
                                    thread.empty() ? event.tid : std::string(thread), event.start,
                                    end});
  }

  Status TakeCall(const ChromeEvent& event, int64_t end) {
    const uint64_t link = AnyNumber(event.Arg("correlation"));
    if (event.Arg("recorded") == kSubmission) {
      submissions_[link] = {event.start, AnyNumber(event.Arg("call"))};
      return Status::Ok();
    }
    return AddOwnCall(event, event.tid, end, link, &trace_);
  }

  // The call that submitted a kernel or copy, and the time of submission.
  struct Origin {
    uint64_t correlation = 0;
    int64_t submitted = 0;
  };
  Origin OriginOf(const ChromeEvent& event) {
    Origin origin;
    const uint64_t link = AnyNumber(event.Arg("correlation"));
    const std::string_view waited = event.Arg("wait_ns");
    if (!waited.empty()) origin.submitted = event.start - static_cast<int64_t>(AnyNumber(waited));
    const auto submission = submissions_.find(link);
    if (link == 0 || submission == submissions_.end()) {
      origin.correlation = link & kNumberInProcess;
      return origin;
    }
    origin.correlation = submission->second.call & kNumberInProcess;
    if (origin.submitted == 0) origin.submitted = submission->second.time;
    submissions_.erase(submission);
    return origin;
  }

  Status TakeKernel(const ChromeEvent& event, int64_t end) {
    const Origin origin = OriginOf(event);
    ImportedKernel kernel = OwnKernel(event, "kernel", end);
    kernel.device = AnyNumber(event.Arg("device"));
    kernel.correlation = origin.correlation;
    kernel.submitted = origin.submitted;
    ReadThree(event.Arg("work_items"), kernel.grid);
    ReadThree(event.Arg("block"), kernel.workgroup);
    return trace_.Add(kernel);
  }

  Status TakeCopy(const ChromeEvent& event, int64_t end) {
    const Origin origin = OriginOf(event);
    ImportedCopy copy = CopyOf(event, end);
    copy.correlation = origin.correlation;
    copy.submitted = origin.submitted;
    copy.thread = static_cast<uint32_t>(AnyNumber(event.Arg("submit_tid")));
    return trace_.Add(copy);
  }

  // Takes an event of a span kind.
  Status TakeOther(const ChromeEvent& event, int64_t end) {
    for (size_t k = 0; k < kEventKindCount; ++k) {
      const SpanKind* const kind = FindSpanKind(static_cast<EventKind>(k));
      if (kind == nullptr || event.category != kind->category) continue;
      const uint64_t call = AnyNumber(event.Arg("call")) & kNumberInProcess;
      return AddOwnSpan(*kind, event, event.tid, end, call, &trace_);
    }
    return trace_.Skip("an event of category " + event.category);
  }

  struct Submission {
    int64_t time = 0;
    uint64_t call = 0;
  };

  ImportedProcess known_;
  int64_t base_ = 0;  // the time of day at the file's time 0; 0: not known
  ImportedTrace& trace_;
  std::map<std::string, size_t> processes_;  // process by the file's pid
  std::map<uint64_t, ImportedDevice> devices_;
  // Submissions of kernels and copies that are still to come.
  std::unordered_map<uint64_t, Submission> submissions_;
};

}  // namespace

Status ImportOwnChrome(const std::string& path, const ImportedProcess& known,
                       ImportedTrace* trace) {
  OwnChrome reader(known, trace);
  RTL_TRY(ReadChromeJson(path, &reader));
  return reader.End();
}

}  // namespace rtl::import
