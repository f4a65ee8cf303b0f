// SPDX-License-Identifier: MIT
#include "trace/collect/part_writer.h"

#include <unistd.h>

#include <algorithm>
#include <string>

#include "base/clock.h"
#include "spool/reader.h"

namespace rtl::store {
namespace {

constexpr size_t kCacheBytes = 2 << 20;  // a small cache, because a part is small

}  // namespace

Status PartWriter::Keep(CollectedProcess* process, const spool::RecordView& record) const {
  process->parts->events().Add(0, record);
  if (!process->parts->IsTooLarge()) return Status::Ok();
  // All counters of a kernel must be in the same part.
  const bool goes_on = record.head->type == RecordType::kCounter &&
                       (record.As<CounterRecord>().flags & kCounterFlagLast) == 0;
  if (goes_on) return Status::Ok();
  return Write(process, ProcessEnd::kAbandoned, false);
}

Status PartWriter::WriteDue(ProcessSet* processes) const {
  const uint64_t now = BootTimeNs();
  for (auto& [stem, process] : *processes) {
    if (process.parts == nullptr || !process.parts->IsDue(now)) continue;
    RTL_TRY(Write(&process, ProcessEnd::kAbandoned, false));
  }
  return options_.round_end == nullptr ? Status::Ok() : options_.round_end();
}

Status PartWriter::Fill(CollectedProcess* process, TraceWriter* writer) const {
  RTL_TRY(writer->Create(spool_.path() + "/part.db",
                         {.cache_bytes = kCacheBytes, .choice = options_.choice}));
  writer->AddProcess(process->reader->process(), &process->number);
  writer->process(process->number).streams = process->parts->streams();
  RTL_TRY(process->Replay(writer, process->number));
  return writer->Settle(process->number);
}

Status PartWriter::Write(CollectedProcess* process, ProcessEnd end, bool is_last) const {
  const Status written = Try(process, end, is_last);
  return written.ok() ? written : Status::Error("%s", spool_.Readable(written.message()).c_str());
}

Status PartWriter::Try(CollectedProcess* process, ProcessEnd end, bool is_last) const {
  TraceWriter writer;
  RTL_TRY(Fill(process, &writer));
  const bool holds = writer.process(process->number).holds();
  if (!is_last && holds && process->parts->Wait()) return Status::Ok();
  process->writer = &writer;
  // The process goes on, so the result and the warnings set here apply to this part only.
  const ProcessResult result = process->result;
  TraceSummary of_part = *summary_;
  // The clocks are not read here: datasets read them themselves.
  Status status = process->Close(end, !is_last, {}, is_last ? summary_ : &of_part);
  if (status.ok()) status = HandOver(process, &writer, is_last);
  process->writer = nullptr;
  if (is_last) return status;
  process->result = result;
  RTL_TRY(status);
  process->parts->Next(writer.process(process->number));
  return Status::Ok();
}

Status PartWriter::HandOver(CollectedProcess* process, TraceWriter* writer, bool is_last) const {
  const ProcessResult& result = process->result;
  // A kernel that is in no part yet is in flight, is not read yet, or will be submitted later. One
  // that is not read yet has ended after the previous part.
  uint64_t settled = process->parts->ended;
  process->parts->ended = result.ended;
  for (const spool::ProcessReader::InFlight& kernel : process->reader->KernelsInFlight()) {
    settled = std::min(settled, kernel.entry.submitted);
  }
  RTL_TRY(process->WriteMetadataOf(writer, options_.tool_version));
  Part part{.database = {},
            .process = process->order,
            .is_last = is_last,
            .read = process->parts->polls(),
            .whole = process->parts->whole_polls(),
            .settled = settled,
            .result = result};
  process->completed_rows += writer->rows();
  RTL_TRY(writer->Commit(&part.database));
  const Status taken = options_.take_part(part);
  (void)unlink(part.database.c_str());
  return taken;
}

}  // namespace rtl::store
