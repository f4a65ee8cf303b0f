// SPDX-License-Identifier: MIT
// Imports traces of torch.profiler, which Kineto writes as Chrome's JSON. The form is the same for
// GPUs of all vendors.
//
//   category              becomes
//   kernel, gpu_memset    a kernel
//   gpu_memcpy            a copy
//   *_runtime, *_driver   a call
//   user_annotation       a range
//   cpu_op                an operator
//   python_function       a Python function
//   others                counted as unused, by category
#include <charconv>
#include <map>
#include <utility>

#include "import/chrome_json.h"
#include "import/chrome_values.h"
#include "import/readers.h"
#include "import/rocprofv3_records.h"

namespace rtl::import {
namespace {

// The current name of a category. PyTorch 1.8 to 1.12 used other names for some.
std::string_view Category(std::string_view category) {
  constexpr std::pair<std::string_view, std::string_view> kEarlier[] = {
      {"Kernel", "kernel"},
      {"Memcpy", "gpu_memcpy"},
      {"Memset", "gpu_memset"},
      {"Runtime", "cuda_runtime"},
      {"Operator", "cpu_op"},
      {"User_annotation", "user_annotation"},
      {"Python function", "python_function"}};
  if (category.empty() || (category[0] >= 'a' && category[0] <= 'z')) return category;
  for (const auto& [earlier, now] : kEarlier) {
    if (category == earlier) return now;
  }
  return category;
}

// The mark of the file from which an event of a merged file came. TraceLens adds the rank as an
// argument, SGLang puts "[TP00] " before the pid. Empty if there is no mark.
std::string_view PartOf(const ChromeEvent& event) {
  if (event.pid.starts_with('[')) {
    return std::string_view(event.pid).substr(0, event.pid.find(']') + 1);
  }
  return event.Arg("pid_raw").empty() ? std::string_view() : event.Arg("rank");
}

// The rank in "3" or "[TP03]"; -1 for "[TP00-EP01]", which is not one rank.
int32_t RankOf(std::string_view part) {
  const size_t digits = part.find_first_of("0123456789");
  if (digits == std::string_view::npos || part.find('-') != std::string_view::npos) return -1;
  const uint64_t rank = AnyNumber(part.substr(digits));
  return rank <= INT32_MAX ? static_cast<int32_t>(rank) : -1;
}

class Kineto : public ChromeReader {
 public:
  Kineto(size_t process, ImportedTrace* trace)
      : trace_(*trace), first_(process), known_(trace->facts()) {}

  // Called for each argument of each event. The length of a key alone rejects most of them.
  bool WantsArg(std::string_view key) const override {
    switch (key.size()) {
      case 4:
        return key == "name" || key == "grid" || key == "kind" || key == "rank";
      case 5:
        return key == "block" || key == "bytes";
      case 6:
        return key == "device" || key == "stream";
      case 7:
        return key == "pid_raw";
      case 10:
        return key == "Input Dims" || key == "Input type";
      case 11:
        return key == "correlation";
      case 13:
        return key == "shared memory";
      case 20:
        return key == "registers per thread";
      default:
        return false;
    }
  }

  void TakeFlaws(const char* what, uint64_t count) override { trace_.Leave(what, count); }

  Status TakeFact(const std::string& key, const std::string& value) override {
    if (key == "baseTimeNanoseconds") {
      (void)std::from_chars(value.data(), value.data() + value.size(),
                            trace_.facts().realtime_minus_clock);
    } else if (key == "distributedInfo") {
      TakeRank(value);
    } else if (key == "deviceProperties") {
      TakeDevices(value);
    }
    return Status::Ok();
  }

  Status TakeEvent(const ChromeEvent& event) override {
    if (!is_decided_ || is_merged_) Choose(event);
    if (event.phase == "X") return TakeSpan(event);
    if (event.phase == "M") return TakeName(event);
    if (event.phase == "s" || event.phase == "f" || event.phase == "t") {
      return trace_.Skip("a flow, which repeats a correlation id");
    }
    if (event.phase == "B" || event.phase == "E") {
      return pairs_.Join(event, &whole_) ? TakeSpan(whole_) : Status::Ok();
    }
    const bool is_async = event.phase == "b" || event.phase == "e" || event.phase == "n";
    return trace_.Skip(event.phase.empty()  ? "an event without a phase"
                       : event.phase == "C" ? "a value of a counter"
                       : is_async           ? "an asynchronous event"
                       : event.name == "[memory]"
                           ? "an allocation or a release by PyTorch's allocator"
                           : "an instant without duration");
  }

  Status End() {
    if (pairs_.unpaired() != 0) trace_.Leave("an event without a pair", pairs_.unpaired());
    for (const auto& [part, process] : parts_) {
      if (process != first_) RTL_TRY(trace_.EndProcess(process));
    }
    trace_.Choose(first_);
    return Status::Ok();
  }

 private:
  // The first span shows whether the file was merged. Names that come before it go to the first
  // process.
  void Choose(const ChromeEvent& event) {
    const std::string_view part = PartOf(event);
    if (!is_decided_) {
      is_decided_ = event.phase == "X";
      is_merged_ = is_decided_ && !part.empty();
    }
    if (!is_merged_ || part.empty() || part == part_) return;
    part_ = part;
    const auto known = parts_.find(part_);
    if (known != parts_.end()) return trace_.Choose(known->second);
    const size_t process = parts_.empty() ? first_ : trace_.BeginProcess(known_);
    trace_.Choose(process);
    trace_.facts().rank = RankOf(part_);
    if (process != first_) trace_.facts().pid = 0;
    trace_.facts().world = 0;
    parts_.emplace(part_, process);
  }
  static std::string_view PidOf(const ChromeEvent& event) {
    const std::string_view raw = event.Arg("pid_raw");
    if (!raw.empty()) return raw;
    const size_t part = event.pid.find("] ");
    return part == std::string::npos ? event.pid : std::string_view(event.pid).substr(part + 2);
  }
  void TakePid(const ChromeEvent& event) {
    if (trace_.facts().pid != 0) return;
    trace_.facts().pid = static_cast<uint32_t>(AnyNumber(PidOf(event)));
  }

  void TakeRank(const std::string& json) {
    if (is_merged_) return;  // of a merged file, this is the rank of one of its files
    const Distributed info = ReadDistributed(json);
    if (info.rank >= 0) trace_.facts().rank = info.rank;
    trace_.facts().world = info.world;
  }

  void TakeDevices(const std::string& json) {
    std::map<uint64_t, ImportedDevice> devices;
    ReadDevices(json, &devices);
    for (auto& [device, about] : devices) trace_.NameDevice(device, std::move(about));
  }

  Status TakeName(const ChromeEvent& event) {
    const std::string_view name = event.Arg("name");
    if (event.name == "thread_name") trace_.NameThread(event.tid, name);
    if (event.name == "process_name" && trace_.facts().command.empty() && !name.empty()) {
      trace_.facts().command = name;
      TakePid(event);
    }
    return Status::Ok();
  }

  Status TakeSpan(const ChromeEvent& event) {
    if (!event.has_start || !event.has_duration) return trace_.Skip("an event without its times");
    const std::string_view category = Category(event.category);
    const int64_t end = event.End();
    if (category == "kernel" || category == "gpu_memset") return TakeKernel(event, end);
    if (category == "gpu_memcpy") return TakeCopy(event, end);
    const bool is_call = category.ends_with("_runtime") || category.ends_with("_driver");
    if (is_call || category == "user_annotation" || category == "cpu_op" ||
        category == "python_function") {
      TakePid(event);  // only these events have a pid; that of other events is a GPU's number
    }
    if (is_call) {
      return trace_.Add(ImportedCall{.name = event.name,
                                     .thread = event.tid,
                                     .correlation = AnyNumber(event.Arg("correlation")),
                                     .start = event.start,
                                     .end = end});
    }
    if (category == "user_annotation") {
      return trace_.Add(ImportedRange{event.name, event.tid, event.start, end});
    }
    if (category == "cpu_op") return TakeOperator(event, end, false);
    if (category == "python_function") return TakeOperator(event, end, true);
    return trace_.Skip(category.empty() ? "an event without a category"
                                        : "an event of category " + event.category);
  }

  Status TakeOperator(const ChromeEvent& event, int64_t end, bool is_function) {
    const std::string_view shapes = event.Arg("Input Dims");
    const std::string_view types = event.Arg("Input type");
    inputs_.assign(shapes);
    if (!shapes.empty() && !types.empty()) inputs_.append(" ").append(types);
    return trace_.Add(ImportedOperator{.is_function = is_function,
                                       .name = event.name,
                                       .inputs = inputs_,
                                       .thread = event.tid,
                                       .start = event.start,
                                       .end = end});
  }

  Status TakeKernel(const ChromeEvent& event, int64_t end) {
    ImportedKernel kernel;
    kernel.name = event.name;
    kernel.device = DeviceOf(event);
    kernel.stream = AnyNumber(event.Arg("stream"));
    kernel.correlation = AnyNumber(event.Arg("correlation"));
    kernel.start = event.start;
    kernel.end = end;
    kernel.registers = static_cast<uint32_t>(AnyNumber(event.Arg("registers per thread")));
    kernel.group_segment = static_cast<uint32_t>(AnyNumber(event.Arg("shared memory")));
    ReadThree(event.Arg("grid"), kernel.grid);
    ReadThree(event.Arg("block"), kernel.workgroup);
    // The file has the grid in workgroups, a dispatch packet in work-items.
    for (int i = 0; i < 3; ++i) kernel.grid[i] *= kernel.workgroup[i];
    return trace_.Add(kernel);
  }

  Status TakeCopy(const ChromeEvent& event, int64_t end) {
    ImportedCopy copy = CopyOf(event, end);
    copy.correlation = AnyNumber(event.Arg("correlation"));
    return trace_.Add(copy);
  }

  ImportedTrace& trace_;
  const size_t first_;           // the process for all events, if the file was not merged
  const ImportedProcess known_;  // facts that were known before the file was read
  bool is_decided_ = false, is_merged_ = false;
  std::string part_;                                  // mark of the chosen process
  std::map<std::string, size_t, std::less<>> parts_;  // process by mark
  ChromePairs pairs_;
  ChromeEvent whole_;   // joined from a begin and an end
  std::string inputs_;  // inputs of an operator, as text
};

}  // namespace

Status ImportKineto(const std::string& path, size_t process, ImportedTrace* trace) {
  Kineto reader(process, trace);
  RTL_TRY(ReadChromeJson(path, &reader));
  return reader.End();
}

}  // namespace rtl::import
