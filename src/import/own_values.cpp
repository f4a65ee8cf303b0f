// SPDX-License-Identifier: MIT
#include "import/own_values.h"

#include <map>
#include <string>

#include "import/rocprofv3_records.h"
#include "model/api_calls.h"

namespace rtl::import {
namespace {

// The result of a HIP call: "hipErrorInvalidValue", or a number.
int32_t OwnResult(std::string_view text) {
  static const std::map<std::string, int32_t, std::less<>> kResults = [] {
    constexpr int32_t kMostErrors = 2000;
    std::map<std::string, int32_t, std::less<>> results;
    for (int32_t value = 0; value < kMostErrors; ++value) {
      if (const char* const name = HipErrorName(value)) results.emplace(name, value);
    }
    return results;
  }();
  const auto known = kResults.find(text);
  return known != kResults.end() ? known->second : static_cast<int32_t>(AnyNumber(text));
}

}  // namespace

ImportedKernel OwnKernel(const ChromeEvent& event, std::string_view kernel, int64_t end) {
  const auto number = [&](std::string_view key) {
    return static_cast<uint32_t>(AnyNumber(event.Arg(key)));
  };
  ImportedKernel out;
  out.name = event.Arg("mangled_name");
  if (out.name.empty()) out.name = event.Arg(kernel);
  if (out.name.empty()) out.name = event.name;
  out.stream = AnyNumber(event.Arg("queue"));
  out.start = event.start;
  out.end = end;
  out.thread = number("submit_tid");
  out.group_segment = number("lds_bytes");
  out.private_segment = number("scratch_bytes");
  out.registers = number("vgprs");
  out.scalar_registers = number("sgprs");
  return out;
}

Status AddOwnCall(const ChromeEvent& event, std::string_view thread, int64_t end, uint64_t link,
                  ImportedTrace* trace) {
  ImportedCall call;
  call.name = event.name;
  call.thread = thread;
  call.arguments = event.Arg("args");
  if (const std::string_view result = event.Arg("result"); !result.empty()) {
    call.result = OwnResult(result);
  }
  call.correlation = link & kNumberInProcess;
  call.is_compiler = call.correlation >= kCompilerCorrelation;
  call.start = event.start;
  call.end = end;
  return trace->Add(call);
}

Status AddOwnOperator(const ChromeEvent& event, std::string_view thread, int64_t end,
                      ImportedTrace* trace) {
  return trace->Add(ImportedOperator{.is_function = event.category == "python_function",
                                     .name = event.name,
                                     .inputs = event.Arg("inputs"),
                                     .thread = thread,
                                     .start = event.start,
                                     .end = end});
}

Status AddOwnSpan(const SpanKind& kind, const ChromeEvent& event, std::string_view thread,
                  int64_t end, uint64_t correlation, ImportedTrace* trace) {
  ImportedSpan span;
  span.kind = kind.kind;
  span.name = event.name;
  span.thread = thread;
  span.arguments = event.Arg("args");
  span.correlation = correlation;
  span.start = event.start;
  span.end = end;
  const std::string_view device = event.Arg("device");
  if (!device.empty()) span.device = AnyNumber(device);
  uint64_t values[kMostEventFields] = {};
  for (uint32_t i = 0; i < kind.field_count; ++i) {
    const EventField& field = kind.fields[i];
    if (field.form == FieldForm::kAgent) continue;  // set from ImportedSpan::device
    const std::string_view text = event.Arg(field.name);
    values[i] = AnyNumber(text);
    if (field.form == FieldForm::kQueue && !text.empty()) ++values[i];  // zero means: not known
    if (field.form == FieldForm::kResult && !text.empty()) {
      span.result = static_cast<int32_t>(values[i]);
    }
  }
  span.values = {values, kind.field_count};
  return trace->Add(span);
}

}  // namespace rtl::import
