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

#include <rapidjson/document.h>

#include <charconv>

#include "import/chrome_json.h"

namespace rtl::import {
namespace {

uint64_t Number(std::string_view text) {
  uint64_t value = 0;
  (void)std::from_chars(text.data(), text.data() + text.size(), value);  // otherwise 0
  return value;
}

// "[82944, 1, 1]".
void ReadThree(std::string_view text, uint32_t out[3]) {
  size_t at = 0;
  for (int i = 0; i < 3; ++i) {
    at = text.find_first_of("0123456789", at);
    if (at == std::string_view::npos) return;
    const char* const end = text.data() + text.size();
    at = static_cast<size_t>(std::from_chars(text.data() + at, end, out[i]).ptr - text.data());
  }
}

CopyKind KindOfCopy(const ChromeEvent& event) {
  constexpr struct {
    std::string_view word;
    CopyKind kind;
  } kKinds[] = {{"HtoD", CopyKind::kHostToDevice},
                {"DtoH", CopyKind::kDeviceToHost},
                {"DtoD", CopyKind::kDeviceToDevice},
                {"PtoP", CopyKind::kDeviceToDevice},
                {"HtoH", CopyKind::kHostToHost}};
  for (const auto& [word, kind] : kKinds) {
    if (event.name.find(word) != std::string::npos || event.Arg("kind") == word) return kind;
  }
  return CopyKind::kUnknown;
}

class Kineto : public ChromeReader {
 public:
  Kineto(ImportedTrace* trace, ImportedProcess* process) : trace_(*trace), process_(*process) {}

  Status TakeFact(const std::string& key, const std::string& value) override {
    if (key == "baseTimeNanoseconds") {
      (void)std::from_chars(value.data(), value.data() + value.size(),
                            process_.realtime_minus_clock);
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
    if (event.phase != "X") {
      const bool half = event.phase == "B" || event.phase == "E";
      trace_.Leave(half ? "an event in two halves" : "an instant without duration");
      return Status::Ok();
    }
    if (!event.has_start || !event.has_duration) {
      trace_.Leave("an event without its times");
      return Status::Ok();
    }
    return TakeSpan(event);
  }

 private:
  void TakeRank(const std::string& json) {
    rapidjson::Document info;
    if (info.Parse(json.c_str()).HasParseError() || !info.IsObject()) return;
    const auto number = [&](const char* name, int64_t otherwise) {
      const auto member = info.FindMember(name);
      const bool is_number = member != info.MemberEnd() && member->value.IsInt64();
      return is_number ? member->value.GetInt64() : otherwise;
    };
    process_.rank = static_cast<int32_t>(number("rank", -1));
    process_.world = static_cast<uint32_t>(number("world_size", 0));
  }

  void TakeDevices(const std::string& json) {
    rapidjson::Document devices;
    if (devices.Parse(json.c_str()).HasParseError() || !devices.IsArray()) return;
    for (const auto& device : devices.GetArray()) {
      if (!device.IsObject()) continue;
      const auto id = device.FindMember("id");
      const auto name = device.FindMember("name");
      if (id == device.MemberEnd() || !id->value.IsUint64()) continue;
      if (name == device.MemberEnd() || !name->value.IsString()) continue;
      trace_.NameDevice(id->value.GetUint64(), name->value.GetString());
    }
  }

  Status TakeName(const ChromeEvent& event) {
    const std::string_view name = event.Arg("name");
    if (event.name == "thread_name") trace_.NameThread(event.tid, name);
    if (event.name == "process_name" && process_.command.empty() && name != "") {
      process_.command = name;
      if (process_.pid == 0) process_.pid = static_cast<uint32_t>(Number(event.pid));
    }
    return Status::Ok();
  }

  Status TakeSpan(const ChromeEvent& event) {
    const std::string_view category = event.category;
    const int64_t end = event.start + event.duration;
    if (category == "kernel" || category == "gpu_memset") return TakeKernel(event, end);
    if (category == "gpu_memcpy") return TakeCopy(event, end);
    if (category.ends_with("_runtime") || category.ends_with("_driver")) {
      if (process_.pid == 0) process_.pid = static_cast<uint32_t>(Number(event.pid));
      return trace_.Add(ImportedCall{.name = event.name,
                                     .thread = event.tid,
                                     .correlation = Number(event.Arg("correlation")),
                                     .start = event.start,
                                     .end = end});
    }
    if (category == "user_annotation") {
      trace_.Add(ImportedRange{event.name, event.tid, event.start, end});
      return Status::Ok();
    }
    if (category == "cpu_op" || category == "python_function") return TakeOperator(event, end);
    trace_.Leave(category.empty() ? "an event without a category"
                                  : "an event of category " + event.category);
    return Status::Ok();
  }

  Status TakeOperator(const ChromeEvent& event, int64_t end) {
    const bool is_function = event.category == "python_function";
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
    kernel.device = Device(event);
    kernel.stream = Number(event.Arg("stream"));
    kernel.correlation = Number(event.Arg("correlation"));
    kernel.start = event.start;
    kernel.end = end;
    kernel.registers = static_cast<uint32_t>(Number(event.Arg("registers per thread")));
    kernel.group_segment = static_cast<uint32_t>(Number(event.Arg("shared memory")));
    ReadThree(event.Arg("grid"), kernel.grid);
    ReadThree(event.Arg("block"), kernel.workgroup);
    // The file counts workgroups, a packet work-items.
    for (int i = 0; i < 3; ++i) kernel.grid[i] *= kernel.workgroup[i];
    return trace_.Add(kernel);
  }

  Status TakeCopy(const ChromeEvent& event, int64_t end) {
    return trace_.Add(ImportedCopy{.kind = KindOfCopy(event),
                                   .device = Device(event),
                                   .correlation = Number(event.Arg("correlation")),
                                   .bytes = Number(event.Arg("bytes")),
                                   .start = event.start,
                                   .end = end});
  }

  static uint64_t Device(const ChromeEvent& event) {
    const std::string_view device = event.Arg("device");
    return Number(device.empty() ? std::string_view(event.pid) : device);
  }

  ImportedTrace& trace_;
  ImportedProcess& process_;
  std::string inputs_;  // of an operator, as text
};

}  // namespace

Status ImportKineto(const std::string& path, ImportedTrace* trace, ImportedProcess* process) {
  Kineto reader(trace, process);
  return ReadChromeJson(path, &reader);
}

}  // namespace rtl::import
