// SPDX-License-Identifier: MIT
// TraceWriter: calls of HIP and its compiler.
#include <algorithm>
#include <optional>
#include <string>

#include "trace/write/trace_writer.h"

namespace rtl::store {
namespace {

// Whether the GPU may get work from the call. A guess, which saves memory: what comes unexpectedly
// has a row of its own.
bool MaySubmit(const ApiArguments& arguments, const Streams::Use& use) {
  if (!use.handle.has_value()) return false;
  const std::string_view name = arguments.call()->name;
  return !name.starts_with("hipStream") && !name.starts_with("hipEvent");
}

}  // namespace

Status TraceWriter::ApiName(Process& process, uint32_t api, int64_t* id) {
  const auto known = process.api_names.find(api);
  if (known != process.api_names.end()) {
    *id = known->second;
    return Status::Ok();
  }
  const ApiCall* const call = FindApiCall(api);
  RTL_TRY(strings_.Intern(
      call != nullptr ? std::string(call->name) : "(unknown call " + std::to_string(api) + ")",
      id));
  // A later record may still name an unknown call.
  if (call != nullptr) process.api_names.emplace(api, *id);
  return Status::Ok();
}

Status TraceWriter::AddApiCall(Process& process, const spool::RecordView& view) {
  const auto& record = view.As<ApiCallRecord>();
  const bool sound = record.correlation != 0 && record.correlation >> kApiIdBits == 0;
  if (!sound || !Plausible(process, record.start, record.end)) {
    if (!sound) ++process.rejected;
    return Status::Ok();
  }
  RecentCalls::Plan made;
  const CopyDetails* copy = nullptr;
  const RecentCalls::Plan* plan =
      recent_calls_.Find(process.row, record, view.bytes / 8, calls_.generation());
  if (plan == nullptr) {
    RTL_TRY(PlanCall(process, view, &made, &copy));
    plan = &made;
  } else if (plan->first_use != nullptr) {
    *plan->first_use = std::min(*plan->first_use, record.start);
  }
  const CallTable::Call call = {.id = process.first_api + static_cast<int64_t>(record.correlation),
                                .start = static_cast<int64_t>(record.start),
                                .duration = static_cast<int64_t>(record.end - record.start),
                                .arguments = plan->arguments,
                                .described = plan->described};
  if (record.head.thread != process.last_caller) {
    process.last_caller = record.head.thread;
    process.callers.insert(record.head.thread);
  }
  bool added = false;
  RTL_TRY(calls_.Add(call, &added));
  const bool compiler = (record.flags & kApiFlagCompiler) != 0;
  const EventKind kind = compiler ? EventKind::kCompilerCall : EventKind::kHipCall;
  if (!added) [[unlikely]] {
    ++process.duplicates[static_cast<size_t>(kind)];
    return Status::Ok();
  }
  ++process.recorded[static_cast<size_t>(kind)];
  if (copy == nullptr) return Status::Ok();
  return copy_call_.Add(CopyApiTable{.api = call.id,
                                     .stream = Hex(copy->stream),
                                     .size = copy->bytes,
                                     .dst = Hex(copy->dst),
                                     .src = Hex(copy->src),
                                     .kind = copy->kind,
                                     .sync = copy->sync});
}

// What the record says beside its number and its times. *copy: null unless it is a copy.
Status TraceWriter::PlanCall(Process& process, const spool::RecordView& view,
                             RecentCalls::Plan* plan, const CopyDetails** copy) {
  const auto& record = view.As<ApiCallRecord>();
  int64_t name = 0;
  RTL_TRY(ApiName(process, record.api, &name));
  const ApiArguments arguments(record, view.text);
  const CallArguments::Known* known = nullptr;
  RTL_TRY(arguments_.Find(record, view.text, arguments, &strings_, &known));
  const bool has_result = (record.flags & kApiFlagNoResult) == 0;
  const Streams::Use use = process.streams.AddCall(record, arguments);
  const int32_t rank = process.info.rank;
  plan->arguments = known->text;
  plan->first_use = use.first_use;
  RTL_TRY(
      calls_.Describe({.pid = process.info.pid,
                       .tid = record.head.thread,
                       .name = name,
                       .result = has_result ? std::optional<int64_t>(record.result) : std::nullopt,
                       .process = process.row,
                       .rank = rank < 0 ? std::nullopt : std::optional<int64_t>(rank),
                       .stream = use.handle},
                      known->launch, MaySubmit(arguments, use), &plan->described));
  if (known->copy.has_value()) {
    *copy = &*known->copy;
  } else if (use.repeats && arguments.call() != nullptr) {  // a later record may name the function
    recent_calls_.Keep(process.row, record, view.bytes / 8, calls_.generation(), *plan);
  }
  return Status::Ok();
}

}  // namespace rtl::store
