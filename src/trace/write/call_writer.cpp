// SPDX-License-Identifier: MIT
#include "trace/write/call_writer.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "trace/schema/schema.h"
#include "trace/schema/tables.h"

namespace rtl::store {
namespace {

// True if the GPU may get work from this call. This is a guess that saves memory: unexpected work
// gets a row of its own.
bool MaySubmit(const ApiArguments& arguments, const Streams::Use& use) {
  if (!use.handle.has_value()) return false;
  const std::string_view name = arguments.call()->name;
  return !name.starts_with("hipStream") && !name.starts_with("hipEvent");
}

// For example "240 kernels and 4 copies".
std::string Listed(const uint64_t counts[kEventKindCount]) {
  std::vector<std::string> parts;
  for (const EventKind kind : kWithCalls) {
    const uint64_t count = counts[static_cast<size_t>(kind)];
    if (count != 0) parts.push_back(std::to_string(count) + " " + EventKindName(kind));
  }
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  }
  return text;
}

}  // namespace

Status CallWriter::Prepare(const Database& database, BulkTables* bulk, Strings* strings,
                           int64_t unknown_kernel, CallTable::Last last, size_t most_held) {
  strings_ = strings;
  RTL_TRY(copy_call_.Prepare(database, InsertSql(kCopyApiTableDescription)));
  return calls_.Prepare(database, bulk, unknown_kernel, last, most_held);
}

Status CallWriter::Name(TracedProcess* process, uint32_t api, int64_t* id) {
  const auto known = process->api_names.find(api);
  if (known != process->api_names.end()) {
    *id = known->second;
    return Status::Ok();
  }
  const ApiCall* const call = FindApiCall(api);
  RTL_TRY(strings_->Intern(
      call != nullptr ? std::string(call->name) : "(unknown call " + std::to_string(api) + ")",
      id));
  // Not stored for an unknown call, because a later record may still name it.
  if (call != nullptr) process->api_names.emplace(api, *id);
  return Status::Ok();
}

Status CallWriter::Add(TracedProcess* process, const spool::RecordView& view) {
  const auto& record = view.As<ApiCallRecord>();
  const std::optional<int64_t> id = process->ApiId(record.correlation);
  if (!id) {
    ++process->rejected;
    return Status::Ok();
  }
  if (!process->Plausible(record.start, record.end)) return Status::Ok();
  RecentCalls::Plan made;
  const CopyDetails* copy = nullptr;
  const RecentCalls::Plan* plan =
      recent_.Find(process->row, record, view.bytes / 8, calls_.generation());
  if (plan == nullptr) {
    RTL_TRY(Plan(process, view, &made, &copy));
    plan = &made;
  } else if (plan->first_use != nullptr) {
    *plan->first_use = std::min(*plan->first_use, record.start);
  }
  const CallTable::Call call = {.id = *id,
                                .start = static_cast<int64_t>(record.start),
                                .duration = static_cast<int64_t>(record.end - record.start),
                                .arguments = plan->arguments,
                                .described = plan->described};
  if (record.head.thread != process->last_caller) {
    process->last_caller = record.head.thread;
    process->callers.insert(record.head.thread);
  }
  bool added = false;
  RTL_TRY(calls_.Add(call, &added));
  const bool compiler = (record.flags & kApiFlagCompiler) != 0;
  const EventKind kind = compiler ? EventKind::kCompilerCall : EventKind::kHipCall;
  if (!added) [[unlikely]] {
    ++process->duplicates[static_cast<size_t>(kind)];
    return Status::Ok();
  }
  ++process->recorded[static_cast<size_t>(kind)];
  if (copy == nullptr) return Status::Ok();
  return copy_call_.Add(CopyApiTable{.api = call.id,
                                     .stream = Hex(copy->stream),
                                     .size = copy->bytes,
                                     .dst = Hex(copy->dst),
                                     .src = Hex(copy->src),
                                     .kind = copy->kind,
                                     .sync = copy->sync});
}

// Finds out what the record says, except its number and its times. *copy is null if the call does
// not copy.
Status CallWriter::Plan(TracedProcess* process, const spool::RecordView& view,
                        RecentCalls::Plan* plan, const CopyDetails** copy) {
  const auto& record = view.As<ApiCallRecord>();
  int64_t name = 0;
  RTL_TRY(Name(process, record.api, &name));
  const ApiArguments arguments(record, view.text);
  const CallArguments::Known* known = nullptr;
  RTL_TRY(arguments_.Find(record, view.text, arguments, strings_, &known));
  const bool has_result = (record.flags & kApiFlagNoResult) == 0;
  const Streams::Use use = process->streams.AddCall(record, arguments);
  const int32_t rank = process->info.rank;
  plan->arguments = known->text;
  plan->first_use = use.first_use;
  RTL_TRY(
      calls_.Describe({.pid = process->info.pid,
                       .tid = record.head.thread,
                       .name = name,
                       .result = has_result ? std::optional<int64_t>(record.result) : std::nullopt,
                       .process = process->row,
                       .rank = rank < 0 ? std::nullopt : std::optional<int64_t>(rank),
                       .stream = use.handle},
                      known->launch, MaySubmit(arguments, use), &plan->described));
  if (known->copy.has_value()) {
    *copy = &*known->copy;
    // stored only if the function is known, because a later record may still name it
  } else if (use.repeats && arguments.call() != nullptr) {
    recent_.Keep(process->row, record, view.bytes / 8, calls_.generation(), *plan);
  }
  return Status::Ok();
}

Status CallWriter::Link(TracedProcess* process, EventKind kind, uint32_t thread,
                        uint64_t correlation, int64_t op, int64_t kernel) {
  const std::optional<int64_t> call = process->ApiId(correlation);
  if (call) return calls_.AddOperation(*call, op, kernel);
  ++process->unlinked[thread].of[static_cast<size_t>(kind)];
  return Status::Ok();
}

TracedProcess::Unlinked WarnOfUnlinked(TracedProcess* process) {
  TracedProcess::Unlinked by_hip, by_program, all;
  for (const auto& [thread, unlinked] : process->unlinked) {
    // HIP's own threads make no calls, so their work is counted separately.
    TracedProcess::Unlinked& sum = process->callers.contains(thread) ? by_program : by_hip;
    for (size_t kind = 0; kind < kEventKindCount; ++kind) {
      sum.of[kind] += unlinked.of[kind];
      all.of[kind] += unlinked.of[kind];
    }
  }
  const auto warn = [&](const TracedProcess::Unlinked& unlinked, const char* by) {
    const std::string what = Listed(unlinked.of);
    if (what.empty()) return;
    process->warnings.push_back(
        "process " + std::to_string(process->info.pid) + ": " + what +
        " were submitted outside of any HIP call and are linked to none: by " + by);
  };
  warn(by_hip, "threads without calls, as HIP's own with AMD_DIRECT_DISPATCH=0");
  warn(by_program,
       "the program, through HSA or through functions of HIP that it found without dlsym");
  return all;
}

}  // namespace rtl::store
