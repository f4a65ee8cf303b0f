// SPDX-License-Identifier: MIT
#include "trace/write/name_writer.h"

#include <iterator>
#include <utility>

#include "trace/schema/strings.h"
#include "trace/schema/tables.h"

namespace rtl::store {

Status NameWriter::Prepare(const Database& database, int64_t earlier) {
  next_stream_ = earlier;
  RTL_TRY(name_.Prepare(database, InsertSql(kNameTableDescription)));
  return stream_.Prepare(database, InsertSql(kStreamTableDescription));
}

Status NameWriter::Add(TracedProcess* process, const NameRecord& record, std::string_view text) {
  static constexpr const char* kKinds[] = {"", "thread", "agent", "device", "stream", "thread"};
  const auto what = static_cast<size_t>(record.what);
  if (what == 0 || what >= std::size(kKinds)) return Status::Ok();
  NameTable row;
  TakeFields(record, &row);
  row.process = process->row;
  row.pid = process->info.pid;
  row.kind = kKinds[what];
  row.name = CleanText(text);
  if (record.what == Named::kStream) process->streams.Name(record.target, record.time, row.name);
  if (record.what == Named::kThread) process->named_threads.insert(record.target);
  if (record.what == Named::kThreadInKernel) {
    process->names_in_kernel.insert_or_assign(record.target, std::move(row));
    return Status::Ok();
  }
  return name_.Add(row);
}

Status NameWriter::EndProcess(const TracedProcess& process) {
  for (const StreamRow& row : process.streams.Rows()) {
    RTL_TRY(stream_.Add(StreamTable{.id = ++next_stream_,
                                    .process = process.row,
                                    .pid = process.info.pid,
                                    .stream = row.number,
                                    .handle = row.handle,
                                    .name = row.name,
                                    .created = row.created,
                                    .destroyed = row.destroyed}));
  }
  // A name that the program gave with roctxNameOsThread has priority over the kernel's name.
  for (const auto& [thread, row] : process.names_in_kernel) {
    if (!process.named_threads.contains(thread)) RTL_TRY(name_.Add(row));
  }
  return Status::Ok();
}

}  // namespace rtl::store
