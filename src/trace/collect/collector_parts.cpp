// SPDX-License-Identifier: MIT
// rtl trace --dataset: the events of a process as databases one after the other. Descriptions and
// open ranges are repeated in each, so that every part can be read alone.
#include <unistd.h>

#include <algorithm>

#include "trace/collect/collector_impl.h"
#include "trace/collect/trace_metadata.h"

namespace rtl::store {
namespace {

constexpr size_t kCacheBytes = 2 << 20;  // a part is small
// Parts are made between two calls of Poll. Only one that has grown to this many times its size is cut
// sooner.
constexpr size_t kMostGrowth = 8;

}  // namespace

void Collector::Impl::BeginParts(Process* process) const {
  process->writer = nullptr;
  process->result.output.clear();
  // It is emptied before it is full.
  process->part = std::make_unique<RecordRing>(2 * kMostGrowth * options_.part_bytes);
  process->part_limit = options_.part_bytes;
  process->part_began = BootTimeNs();
}

Status Collector::Impl::KeepForPart(Process& process, const spool::RecordView& record) {
  if (Cancelled()) return Status::Error("interrupted");
  process.part->Add(0, record);
  if (process.part->bytes() < kMostGrowth * options_.part_bytes) return Status::Ok();
  // The counters of a kernel belong together.
  const bool goes_on = record.head->type == RecordType::kCounter &&
                       (record.As<CounterRecord>().flags & kCounterFlagLast) == 0;
  if (goes_on) return Status::Ok();
  return WritePart(process, ProcessEnd::kAbandoned, false);
}

// After a round over every process.
Status Collector::Impl::WriteParts() {
  const uint64_t now = BootTimeNs();
  for (auto& [stem, process] : processes_) {
    if (process.part == nullptr) continue;
    // An empty part says that the one before it has all its ranges.
    if (process.part->events() == 0 && !process.part_waits) continue;
    const bool is_due =
        process.part->bytes() >= process.part_limit || now - process.part_began >= options_.part_ns;
    if (!is_due) continue;
    RTL_TRY(WritePart(process, ProcessEnd::kAbandoned, false));
  }
  return options_.round_end == nullptr ? Status::Ok() : options_.round_end();
}

Status Collector::Impl::FillPart(Process& process, TraceWriter* writer) const {
  RTL_TRY(
      writer->Create(spool_ + "/part.db", {.cache_bytes = kCacheBytes, .choice = options_.choice}));
  writer->AddProcess(process.reader->process(), &process.number);
  writer->process(process.number).streams = process.streams;
  RTL_TRY(process.part->Replay(
      0, [&](const spool::RecordView& record) { return writer->Add(process.number, record); }));
  return writer->Settle(process.number);
}

Status Collector::Impl::WritePart(Process& process, ProcessEnd end, bool is_last) {
  const Status written = TryPart(process, end, is_last);
  return written.ok() ? written : Status::Error("%s", Readable(written.message()).c_str());
}

Status Collector::Impl::TryPart(Process& process, ProcessEnd end, bool is_last) {
  TraceWriter writer;
  RTL_TRY(FillPart(process, &writer));
  const size_t most = kMostGrowth * options_.part_bytes;
  if (!is_last && writer.process(process.number).holds() && process.part_limit < most) {
    // The descriptions are still to be read: another thread wrote them.
    process.part_limit += options_.part_bytes / 4;
    return Status::Ok();
  }
  process.writer = &writer;
  // The process goes on: its result and warnings apply to the part alone.
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
  const TracedProcess& traced = writer.process(process.number);
  process.streams = traced.streams;
  process.earlier.rejected += traced.rejected;
  for (size_t k = 0; k < kEventKindCount; ++k) {
    process.earlier_recorded[k] += traced.recorded[k];
    process.earlier.duplicates[k] += traced.duplicates[k];
    process.earlier.left_out[k] += traced.left_out[k];
  }
  process.part_waits = process.part->events() != 0;
  process.part->Clear();
  // They are in the next part again.
  uint64_t& markers = process.earlier_recorded[static_cast<size_t>(EventKind::kMarker)];
  markers -= std::min<uint64_t>(markers, process.part->open_ranges(0));
  process.part_began = BootTimeNs();
  process.part_limit = options_.part_bytes;
  return Status::Ok();
}

Status Collector::Impl::HandOver(Process& process, TraceWriter* writer, bool is_last) {
  const ProcessResult& result = process.result;
  // A kernel that is in no part yet is in flight, unread, or will be submitted. An unread one has
  // ended after the part before this one.
  uint64_t settled = process.part_ended;
  process.part_ended = result.ended;
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
                                 .unseen = result.unseen,
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
