// SPDX-License-Identifier: MIT
#include "export/tool/tool_choice.h"

namespace rtl::exporting::tool {

Status ToolChoice::ShowsName(int64_t name, bool* shown) {
  std::string_view text;
  RTL_TRY(trace_.reader().Text(name, &text));
  const ApiFamily* const family = FamilyOf(text);
  *shown = family != nullptr && options_.wants(family->domain) && options_.wants(*family);
  return Status::Ok();
}

Status ToolChoice::ShowsCall(const query::ApiRow& row, bool* shown) {
  if (!trace_.InPeriods(row.start, row.end)) return Status::Ok();
  return ShowsName(row.name, shown);
}

Status ToolChoice::ShowsEvent(const query::EventRow& row, bool* shown) {
  if (!trace_.InPeriods(row.start, row.end)) return Status::Ok();
  switch (row.kind->kind) {
    case EventKind::kHsaCall:
    case EventKind::kRcclCall:
      return ShowsName(row.name, shown);
    case EventKind::kAllocation:
      *shown = options_.wants(Domain::kAllocation);
      return Status::Ok();
    case EventKind::kScratch:
      *shown = options_.wants(Domain::kScratch);
      return Status::Ok();
    default:
      *shown = true;
      return Status::Ok();
  }
}

bool ToolChoice::ShowsMarker(const query::MarkerRow& row) const {
  return options_.wants(Domain::kMarker) && trace_.InPeriods(row.start, row.end);
}

bool ToolChoice::ShowsSubmission(const Submission& submission) const {
  const bool wanted = options_.wants(Domain::kKernel) || options_.wants(Domain::kCopy);
  return wanted && trace_.InPeriods(submission.time, submission.time);
}

bool ToolChoice::Shows(KernelSlice* kernel) const {
  query::KernelRow& row = kernel->row;
  kernel->origin.id = trace_.IdOf(row.correlation, row.id);
  if (options_.kernel_rename && kernel->origin.kernel_name != 0) {
    row.name = kernel->origin.kernel_name;
    row.launch = 0;  // the kernels of the launch may have different names now
  }
  return options_.wants(Domain::kKernel) && trace_.InPeriods(row.start, row.end);
}

bool ToolChoice::Shows(CopySlice* copy) const {
  const query::CopyRow& row = copy->row;
  copy->origin.id = trace_.IdOf(row.correlation, row.id);
  return options_.wants(Domain::kCopy) && trace_.InPeriods(row.start, row.end);
}

uint64_t ToolChoice::IdOf(const query::EventRow& row) const {
  switch (row.kind->kind) {
    case EventKind::kHsaCall:
      return trace_.OwnIdOf(Domain::kHsa, row.id);
    case EventKind::kRcclCall:
      return trace_.OwnIdOf(Domain::kRccl, row.id);
    case EventKind::kAllocation:
      return row.correlation != 0 ? row.correlation : trace_.OwnIdOf(Domain::kAllocation, row.id);
    case EventKind::kScratch:
      return row.correlation != 0 ? row.correlation : trace_.OwnIdOf(Domain::kScratch, row.id);
    default:
      return row.correlation;
  }
}

}  // namespace rtl::exporting::tool
