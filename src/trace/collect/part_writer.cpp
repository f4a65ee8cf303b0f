// SPDX-License-Identifier: MIT
// rtl trace --dataset: writes the events of a process as a sequence of databases. Descriptions and
// open ranges are repeated in each part, so that every part can be read alone.
#include <unistd.h>

#include <algorithm>

#include "trace/collect/collector_impl.h"
#include "trace/collect/trace_metadata.h"

namespace rtl::store {
namespace {

constexpr size_t kCacheBytes = 2 << 20;  // a small cache, because a part is small

}  // namespace

Status Collector::Impl::KeepForPart(Process& process, const spool::RecordView& record) {
  if (Cancelled()) return Status::Error("interrupted");
  process.parts->events().Add(0, record);
  if (!process.parts->IsTooLarge()) return Status::Ok();
  // All counters of a kernel must be in the same part.
  const bool goes_on = record.head->type == RecordType::kCounter &&
                       (record.As<CounterRecord>().flags & kCounterFlagLast) == 0;
  if (goes_on) return Status::Ok();
  return WritePart(process, ProcessEnd::kAbandoned, false);
}

// Called after a round over every process: writes the parts that are due.
Status Collector::Impl::WriteParts() {
  const uint64_t now = BootTimeNs();
  for (auto& [stem, process] : processes_) {
    if (process.parts == nullptr || !process.parts->IsDue(now)) continue;
    RTL_TRY(WritePart(process, ProcessEnd::kAbandoned, false));
  }
  return options_.round_end == nullptr ? Status::Ok() : options_.round_end();
}

Status Collector::Impl::FillPart(Process& process, TraceWriter* writer) const {
  RTL_TRY(writer->Create(spool_.path() + "/part.db",
                         {.cache_bytes = kCacheBytes, .choice = options_.choice}));
  writer->AddProcess(process.reader->process(), &process.number);
  writer->process(process.number).streams = process.parts->streams();
  RTL_TRY(process.parts->events().Replay(
      0, [&](const spool::RecordView& record) { return writer->Add(process.number, record); }));
  return writer->Settle(process.number);
}

Status Collector::Impl::WritePart(Process& process, ProcessEnd end, bool is_last) {
  const Status written = TryPart(process, end, is_last);
  return written.ok() ? written : Status::Error("%s", spool_.Readable(written.message()).c_str());
}

Status Collector::Impl::TryPart(Process& process, ProcessEnd end, bool is_last) {
  TraceWriter writer;
  RTL_TRY(FillPart(process, &writer));
  const bool holds = writer.process(process.number).holds();
  if (!is_last && holds && process.parts->Wait()) return Status::Ok();
  process.writer = &writer;
  // The process goes on, so the result and the warnings set here apply to this part only.
  const ProcessResult result = process.result;
  const std::vector<std::string> warnings = warnings_;
  const uint64_t ended_at = ended_at_;
  process.goes_on = !is_last;
  Status status = CloseProcess(process, end);
  if (status.ok()) status = HandOver(process, &writer, is_last);
  process.writer = nullptr;
  if (is_last) return status;
  process.result = result;
  warnings_ = warnings;
  ended_at_ = ended_at;
  RTL_TRY(status);
  process.parts->Next(writer.process(process.number));
  return Status::Ok();
}

Status Collector::Impl::HandOver(Process& process, TraceWriter* writer, bool is_last) {
  const ProcessResult& result = process.result;
  // A kernel that is in no part yet is in flight, is not read yet, or will be submitted later. One
  // that is not read yet has ended after the previous part.
  uint64_t settled = process.parts->ended;
  process.parts->ended = result.ended;
  for (const spool::ProcessReader::InFlight& kernel : process.reader->KernelsInFlight()) {
    settled = std::min(settled, kernel.entry.submitted);
  }
  RTL_TRY(WriteMetadata(writer, {.first = &process.reader->process(),
                                 .tool_version = options_.tool_version,
                                 .command = {},
                                 .ended = result.ended,
                                 .exit = {},
                                 .kinds = result.kinds,
                                 .most_backlog = result.most_backlog,
                                 .not_counted = result.not_counted,
                                 .warnings = &result.warnings}));
  Part part{.database = {},
            .process = process.order,
            .is_last = is_last,
            .read = process.polls,
            .whole = process.polls - (process.is_polling ? 1 : 0),
            .settled = settled,
            .result = result};
  completed_rows_ += writer->rows();
  RTL_TRY(writer->Commit(&part.database));
  const Status taken = options_.take_part(part);
  (void)unlink(part.database.c_str());
  return taken;
}

}  // namespace rtl::store
