// SPDX-License-Identifier: MIT
// A trace of jax.profiler has a process for each GPU ("/device:GPU:0"), with a thread for each
// stream ("Stream #7(Compute)"), and a process for the host. Further threads of a GPU ("XLA Ops")
// only summarize the events of its streams.
//
//   event                                 becomes
//   of a stream                           a kernel, or with memcpy_details a copy
//   of the host, "$file.py:12 function"   a Python function
//   of the host, with correlation_id      a call
//   of the host, with step_num            a range, named and numbered
//   of the host, other                    an operator
#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>

#include "import/chrome_json.h"
#include "import/chrome_values.h"
#include "import/readers.h"
#include "import/rocprofv3_records.h"
#include "import/xplane.h"

namespace rtl::import {
namespace {

constexpr std::string_view kDevice = "/device:";
constexpr std::string_view kStream = "Stream #";

// The value after `key` in "regs:32 grid:4,1,1 size:4096". Empty if there is none.
std::string_view Detail(std::string_view details, std::string_view key) {
  for (size_t at = details.find(key); at != std::string_view::npos;
       at = details.find(key, at + 1)) {
    if (at != 0 && details[at - 1] != ' ') continue;
    const std::string_view rest = details.substr(at + key.size());
    return rest.substr(0, rest.find(' '));
  }
  return {};
}

class Jax : public ChromeReader {
 public:
  explicit Jax(ImportedTrace* trace) : trace_(*trace) {}

  bool WantsArg(std::string_view key) const override {
    constexpr std::string_view kWanted[] = {"name",           "correlation_id", "kernel_details",
                                            "memcpy_details", "step_num",       "core_count"};
    return std::find(std::begin(kWanted), std::end(kWanted), key) != std::end(kWanted);
  }

  void TakeFlaws(const char* what, uint64_t count) override { trace_.Leave(what, count); }

  Status TakeFact(const std::string& key, const std::string& value) override {
    if (key == "hostname") trace_.facts().host = value;
    if (key == "profile_start_time") {
      (void)std::from_chars(value.data(), value.data() + value.size(),
                            trace_.facts().realtime_minus_clock);
    }
    return Status::Ok();
  }

  Status TakeEvent(const ChromeEvent& event) override {
    // The last object of the file is {}.
    if (event.phase.empty() && event.name.empty()) return Status::Ok();
    if (event.phase == "M") {
      TakeName(event);
      return Status::Ok();
    }
    ChromeEvent whole;
    const ChromeEvent* span = &event;
    if (event.phase == "B" || event.phase == "E") {
      if (!pairs_.Join(event, &whole)) return Status::Ok();
      span = &whole;
    } else if (event.phase != "X") {
      return trace_.Skip("an event of phase " + event.phase);
    }
    if (!span->has_start || !span->has_duration) return trace_.Skip("an event without its times");
    const auto device = devices_.find(span->pid);
    return device == devices_.end() ? TakeHost(*span) : TakeDevice(*span, device->second);
  }

  void End() {
    if (pairs_.unpaired() != 0) trace_.Leave("an event without a pair", pairs_.unpaired());
  }

 private:
  void TakeName(const ChromeEvent& event) {
    const std::string_view name = event.Arg("name");
    if (event.name == "thread_name") {
      threads_[{event.pid, event.tid}] = name;
      if (!devices_.contains(event.pid)) trace_.NameThread(event.tid, name);
    }
    if (event.name != "process_name") return;
    if (!name.starts_with(kDevice)) {
      if (trace_.facts().command.empty()) trace_.facts().command = name;
      return;
    }
    const std::string_view digits = name.substr(name.find_last_of(':') + 1);
    if (digits.find_first_not_of("0123456789") != std::string_view::npos) return;
    const uint64_t number = AnyNumber(digits);
    devices_[event.pid] = number;
    ImportedDevice about;
    about.name = name.substr(kDevice.size());
    about.compute_units = static_cast<uint32_t>(AnyNumber(event.Arg("core_count")));
    trace_.NameDevice(number, std::move(about));
  }

  Status TakeDevice(const ChromeEvent& event, uint64_t device) {
    const auto thread = threads_.find({event.pid, event.tid});
    const std::string_view name =
        thread == threads_.end() ? std::string_view() : std::string_view(thread->second);
    // A thread without a name may be a stream, so its events are imported.
    if (!name.empty() && !name.starts_with(kStream)) {
      return trace_.Skip("an event of the GPU's line " + std::string(name));
    }
    const uint64_t stream =
        name.empty() ? AnyNumber(event.tid) : AnyNumber(name.substr(kStream.size()));
    const std::string_view copied = event.Arg("memcpy_details");
    if (!copied.empty() || event.name.starts_with("Memcpy")) return TakeCopy(event, device, copied);
    const std::string_view details = event.Arg("kernel_details");
    ImportedKernel kernel;
    kernel.name = WithoutKd(event.name);
    kernel.device = device;
    kernel.stream = stream;
    kernel.correlation = AnyNumber(event.Arg("correlation_id"));
    kernel.start = event.start;
    kernel.end = event.End();
    kernel.registers = static_cast<uint32_t>(AnyNumber(Detail(details, "regs:")));
    kernel.group_segment = static_cast<uint32_t>(AnyNumber(Detail(details, "static_shared:")) +
                                                 AnyNumber(Detail(details, "dynamic_shared:")) +
                                                 AnyNumber(Detail(details, "group_mem:")));
    kernel.private_segment = static_cast<uint32_t>(AnyNumber(Detail(details, "private_mem:")));
    ReadThree(Detail(details, "grid:"), kernel.grid);
    ReadThree(Detail(details, "block:"), kernel.workgroup);
    for (int i = 0; i < 3; ++i) kernel.grid[i] *= kernel.workgroup[i];
    return trace_.Add(kernel);
  }

  Status TakeCopy(const ChromeEvent& event, uint64_t device, std::string_view details) {
    const auto has = [&](std::string_view word) {
      return event.name.find(word) != std::string_view::npos;
    };
    ImportedCopy copy;
    copy.kind = has("H2D")                 ? CopyKind::kHostToDevice
                : has("D2H")               ? CopyKind::kDeviceToHost
                : has("D2D") || has("P2P") ? CopyKind::kDeviceToDevice
                                           : CopyKindOf(event.name);  // "CopyHostToDevice"
    if (copy.kind != CopyKind::kDeviceToHost) copy.target = device;
    if (copy.kind != CopyKind::kHostToDevice) copy.source = device;
    copy.bytes = AnyNumber(Detail(details, "size:"));
    copy.correlation = AnyNumber(event.Arg("correlation_id"));
    copy.start = event.start;
    copy.end = event.End();
    return trace_.Add(copy);
  }

  Status TakeHost(const ChromeEvent& event) {
    if (trace_.facts().pid == 0) trace_.facts().pid = static_cast<uint32_t>(AnyNumber(event.pid));
    const std::string_view correlation = event.Arg("correlation_id");
    const bool is_launch = event.name.starts_with("hip") || event.name.starts_with("cu");
    if (!correlation.empty() && is_launch) {
      return trace_.Add(ImportedCall{.name = event.name,
                                     .thread = event.tid,
                                     .correlation = AnyNumber(correlation),
                                     .start = event.start,
                                     .end = event.End()});
    }
    if (const std::string_view step = event.Arg("step_num"); !step.empty()) {
      return trace_.Add(
          ImportedRange{event.name + " " + std::string(step), event.tid, event.start, event.End()});
    }
    const bool is_function = event.name.starts_with('$');
    const std::string_view name(event.name);
    return trace_.Add(ImportedOperator{.is_function = is_function,
                                       .name = is_function ? name.substr(1) : name,
                                       .inputs = {},
                                       .thread = event.tid,
                                       .start = event.start,
                                       .end = event.End()});
  }

  ImportedTrace& trace_;
  ChromePairs pairs_;
  std::map<std::string, uint64_t> devices_;  // device by the file's pid
  std::map<std::pair<std::string, std::string>, std::string> threads_;
};

}  // namespace

Status ImportJax(const std::string& path, ImportedTrace* trace) {
  Jax reader(trace);
  RTL_TRY(ReadChromeJson(path, &reader));
  reader.End();
  return Status::Ok();
}

Status ImportXPlane(const std::string& path, ImportedTrace* trace) {
  Jax reader(trace);
  return ReadXPlane(path, &reader);
}

}  // namespace rtl::import
