// SPDX-License-Identifier: MIT
#include "trace/write/kernel_writer.h"

#include <algorithm>
#include <string>

#include "trace/schema/schema.h"
#include "trace/schema/tables.h"
#include "trace/write/demangle.h"

namespace rtl::store {
namespace {

// The prefix of HIP's own kernels. HIP launches one of them before a cooperative launch.
constexpr std::string_view kHelperPrefix = "__amd_rocclr_";

bool IsComplete(TracedProcess* process, const DispatchRecord& record) {
  if (process->FindKernel(record.kernel) == nullptr) return false;
  const StoredQueue* const queue = process->FindQueue(record.queue);
  return queue != nullptr && queue->agent != nullptr;
}

}  // namespace

Status KernelWriter::Prepare(const Database& database, Strings* strings, OpWriter* ops,
                             SampleWriter* samples, const Chooser* chooser, int64_t earlier) {
  strings_ = strings;
  ops_ = ops;
  samples_ = samples;
  chooser_ = chooser;
  next_ = earlier;
  RTL_TRY(strings->Intern(kOpTypeKernel, &type_));
  RTL_TRY(strings->Intern(kUnknownKernel, &unknown_name_));
  return kernel_.Prepare(database, InsertSql(kKernelTableDescription));
}

Status KernelWriter::AddKernel(TracedProcess* process, const KernelRecord& record,
                               std::string_view symbol) {
  const auto [kernel, inserted] = process->kernels.try_emplace(record.kernel);
  if (!inserted) return Status::Ok();
  TracedKernel& added = kernel->second;
  added.row = ++next_;
  added.flags = record.flags;
  added.helper = symbol.starts_with(kHelperPrefix);
  added.name = unknown_name_;
  if (!symbol.empty()) {
    const std::string name = DemangleKernel(symbol);
    added.is_chosen = chooser_->TakesKernel(name);
    RTL_TRY(strings_->Intern(name, &added.name));
  }
  KernelTable row;
  TakeFields(record, &row);
  row.id = added.row;
  row.process = process->row;
  row.pid = process->info.pid;
  row.name = added.name;
  RTL_TRY(strings_->Intern(symbol, &row.mangled));
  return kernel_.Add(row);
}

Status KernelWriter::Add(TracedProcess* process, const DispatchRecord& record) {
  if (!process->Plausible(record.start, record.end)) return Status::Ok();
  if (!IsComplete(process, record) && process->held_dispatches.Hold(record)) [[unlikely]] {
    return Status::Ok();
  }
  return Write(process, record);
}

Status KernelWriter::Settle(TracedProcess* process, bool is_end) {
  return process->held_dispatches.Release(
      [&](const DispatchRecord& record) { return is_end || IsComplete(process, record); },
      [&](const DispatchRecord& record) { return Write(process, record); });
}

Status KernelWriter::Write(TracedProcess* process, const DispatchRecord& record) {
  OpRow row;
  row.is_kernel = true;
  row.flags = record.flags;
  row.description = unknown_name_;
  const TracedKernel* const kernel = process->FindKernel(record.kernel);
  if (kernel != nullptr) {
    row.kernel = kernel->row;
    row.description = kernel->name;
  }
  if (row.description == unknown_name_) row.flags |= kOpFlagUnknownKernel;
  StoredQueue* const queue = process->FindQueue(record.queue);
  if (queue != nullptr) {
    row.queue = queue->row;
    row.hsa_queue = queue->record.hsa_id;
    if (queue->agent != nullptr) row.gpu = queue->agent->gpu;
  }
  const bool takes = (kernel == nullptr || kernel->is_chosen) && chooser_->TakesGpu(row.gpu);
  if (queue != nullptr) ++(takes ? queue->recorded : queue->left_out);
  if (!takes) {
    process->CountLeftOut(EventKind::kKernel);
    return Status::Ok();
  }
  row.sequence = static_cast<int64_t>(record.dispatch);
  row.op_type = type_;
  std::copy_n(record.grid, 3, row.grid);
  std::copy_n(record.workgroup, 3, row.workgroup);
  row.group_segment = record.group_segment;
  row.private_segment = record.private_segment;
  row.packet = static_cast<int64_t>(record.packet);
  RTL_TRY(samples_->NoteKernel(process->row, row.queue, row.kernel, record));
  const bool helper = kernel != nullptr && kernel->helper;
  return ops_->AddWork(process, EventKind::kKernel, record, row, helper ? 0 : row.description);
}

}  // namespace rtl::store
