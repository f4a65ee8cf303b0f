// SPDX-License-Identifier: MIT
// The part of the trace writer that links GPU work to the call that submitted it.
#include "trace/write/trace_writer.h"

namespace rtl::store {
namespace {

constexpr EventKind kWithCalls[] = {EventKind::kKernel, EventKind::kCopy, EventKind::kBarrier};

// "240 kernels and 4 copies".
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

// Links the row just added to its call. `kernel`: the name of the kernel that the call launches.
Status TraceWriter::LinkToCall(Process& process, EventKind kind, uint32_t thread,
                               uint64_t correlation, int64_t kernel) {
  if (correlation == 0 || correlation >> kApiIdBits != 0) {
    ++process.unlinked[thread].of[static_cast<size_t>(kind)];
    return Status::Ok();
  }
  return calls_.AddOperation(process.first_api + static_cast<int64_t>(correlation),
                             earlier_.ops + static_cast<int64_t>(rows_), kernel);
}

// Reports rows without a call only where calls were recorded. HIP's own threads make no calls.
Status TraceWriter::WriteUnlinked(size_t number) {
  Process& process = *processes_[number];
  if (process.recorded[static_cast<size_t>(EventKind::kHipCall)] == 0) return Status::Ok();
  TracedProcess::Unlinked by_hip, by_program;
  for (const auto& [thread, unlinked] : process.unlinked) {
    TracedProcess::Unlinked& sum = process.callers.contains(thread) ? by_program : by_hip;
    for (size_t kind = 0; kind < kEventKindCount; ++kind) sum.of[kind] += unlinked.of[kind];
  }
  for (const EventKind kind : kWithCalls) {
    const auto k = static_cast<size_t>(kind);
    RTL_TRY(AddCounter(number, EventKindName(kind), "unlinked", by_hip.of[k] + by_program.of[k]));
  }
  const auto warn = [&](const TracedProcess::Unlinked& unlinked, const char* by) {
    const std::string what = Listed(unlinked.of);
    if (what.empty()) return;
    process.warnings.push_back(
        "process " + std::to_string(process.info.pid) + ": " + what +
        " were submitted outside of any HIP call and are linked to none: by " + by);
  };
  warn(by_hip, "threads without calls, as HIP's own with AMD_DIRECT_DISPATCH=0");
  warn(by_program,
       "the program, through HSA or through functions of HIP that it found without dlsym");
  return Status::Ok();
}

}  // namespace rtl::store
