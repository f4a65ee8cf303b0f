// SPDX-License-Identifier: MIT
// Traces of torch.profiler, which Kineto writes as Chrome's JSON: the same form for AMD's and other
// vendors' GPUs.
//
//   category              becomes
//   kernel, gpu_memset    a kernel
//   gpu_memcpy            a copy
//   *_runtime, *_driver   a call
//   user_annotation       a range
//   cpu_op                an operator
//   python_function       a Python function
//   others                counted as unused, by category
#include "import/kineto.h"

#include <charconv>
#include <utility>

#include "import/chrome_json.h"
#include "import/chrome_values.h"
#include "import/rocprofv3_records.h"

namespace rtl::import {
namespace {

// PyTorch 1.8 to 1.12 had other words for some.
std::string_view Category(std::string_view category) {
  constexpr std::pair<std::string_view, std::string_view> kEarlier[] = {
      {"Kernel", "kernel"},
      {"Memcpy", "gpu_memcpy"},
      {"Memset", "gpu_memset"},
      {"Runtime", "cuda_runtime"},
      {"Operator", "cpu_op"},
      {"User_annotation", "user_annotation"},
      {"Python function", "python_function"}};
  for (const auto& [earlier, now] : kEarlier) {
    if (category == earlier) return now;
  }
  return category;
}

class Kineto : public ChromeReader {
 public:
  explicit Kineto(ImportedTrace* trace) : trace_(*trace) {}

  void TakeRepaired(uint64_t halves) override { trace_.Leave(kHalfPair, halves); }

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
    if (event.phase == "M") return TakeName(event);
    if (event.phase == "s" || event.phase == "f" || event.phase == "t") {
      trace_.Leave("a flow, which repeats a correlation id");
      return Status::Ok();
    }
    if (event.phase == "B" || event.phase == "E") {
      return pairs_.Take(event, &whole_) ? TakeSpan(whole_) : Status::Ok();
    }
    if (event.phase == "X") return TakeSpan(event);
    const bool is_async = event.phase == "b" || event.phase == "e" || event.phase == "n";
    trace_.Leave(event.phase == "C" ? "a value of a counter"
                 : is_async         ? "an asynchronous event"
                                    : "an instant without duration");
    return Status::Ok();
  }

  void End() {
    if (pairs_.unpaired() != 0) trace_.Leave("an event without a pair", pairs_.unpaired());
  }

 private:
  void TakeRank(const std::string& json) {
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
      if (trace_.facts().pid == 0) trace_.facts().pid = static_cast<uint32_t>(AnyNumber(event.pid));
    }
    return Status::Ok();
  }

  Status TakeSpan(const ChromeEvent& event) {
    if (!event.has_start || !event.has_duration) {
      trace_.Leave("an event without its times");
      return Status::Ok();
    }
    const std::string_view category = Category(event.category);
    const int64_t end = event.End();
    if (category == "kernel" || category == "gpu_memset") return TakeKernel(event, end);
    if (category == "gpu_memcpy") return TakeCopy(event, end);
    if (category.ends_with("_runtime") || category.ends_with("_driver")) {
      if (trace_.facts().pid == 0) trace_.facts().pid = static_cast<uint32_t>(AnyNumber(event.pid));
      return trace_.Add(ImportedCall{.name = event.name,
                                     .thread = event.tid,
                                     .correlation = AnyNumber(event.Arg("correlation")),
                                     .start = event.start,
                                     .end = end});
    }
    if (category == "user_annotation") {
      trace_.Add(ImportedRange{event.name, event.tid, event.start, end});
      return Status::Ok();
    }
    if (category == "cpu_op") return TakeOperator(event, end, false);
    if (category == "python_function") return TakeOperator(event, end, true);
    trace_.Leave(category.empty() ? "an event without a category"
                                  : "an event of category " + event.category);
    return Status::Ok();
  }

  Status TakeOperator(const ChromeEvent& event, int64_t end, bool is_function) {
    const std::string_view shapes = event.Arg("Input Dims");
    const std::string_view types = event.Arg("Input type");
    inputs_.assign(shapes);
    if (!shapes.empty() && !types.empty()) inputs_.append(" ").append(types);
    return trace_.Add(ImportedOperator{
        .kind = is_function ? store::OperatorKind::kPythonFunction : store::OperatorKind::kOperator,
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
    // The file counts workgroups, a packet work-items.
    for (int i = 0; i < 3; ++i) kernel.grid[i] *= kernel.workgroup[i];
    return trace_.Add(kernel);
  }

  Status TakeCopy(const ChromeEvent& event, int64_t end) {
    ImportedCopy copy = CopyOf(event, end);
    copy.correlation = AnyNumber(event.Arg("correlation"));
    return trace_.Add(copy);
  }

  ImportedTrace& trace_;
  ChromePairs pairs_;
  ChromeEvent whole_;   // of two halves
  std::string inputs_;  // of an operator, as text
};

}  // namespace

Status ImportKineto(const std::string& path, ImportedTrace* trace) {
  Kineto reader(trace);
  RTL_TRY(ReadChromeJson(path, &reader));
  reader.End();
  return Status::Ok();
}

}  // namespace rtl::import
