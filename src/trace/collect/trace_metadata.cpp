// SPDX-License-Identifier: MIT
#include "trace/collect/trace_metadata.h"

#include <stdlib.h>

#include <algorithm>

#include "base/clock.h"
#include "spool/process_stat.h"
#include "trace/schema/schema.h"

namespace rtl::store {
namespace {

constexpr char kMostBacklog[] = "spool_most_percent";

// Limited, because an inconsistent page may state more than 100 %.
uint64_t Percent(double part) { return static_cast<uint64_t>(std::min(part, 1.0) * 100); }

class Metadata {
 public:
  Metadata(TraceWriter* writer, const TraceFacts& facts) : writer_(*writer), facts_(facts) {}
  Status Write();

 private:
  Status WriteFirst();
  Status WriteExit();
  Status WriteTotals();
  Status WriteWarnings();
  Status AddFirst(const std::string& tag, const std::string& value);
  Status AddTotal(const std::string& tag, uint64_t value);
  Status AddMost(const std::string& tag, uint64_t value);

  TraceWriter& writer_;
  const TraceFacts& facts_;
};

// Adds a value, unless the first part of the job has one: that value holds for the whole job.
Status Metadata::AddFirst(const std::string& tag, const std::string& value) {
  const auto& earlier = writer_.earlier_metadata();
  const auto found = earlier.find(tag);
  return writer_.AddMetadata(tag, found == earlier.end() ? value : found->second);
}

Status Metadata::AddTotal(const std::string& tag, uint64_t value) {
  auto total = static_cast<int64_t>(value);
  const auto& earlier = writer_.earlier_metadata();
  const auto found = earlier.find(tag);
  if (found != earlier.end()) total += strtoll(found->second.c_str(), nullptr, 10);
  return writer_.AddMetadata(tag, total);
}

Status Metadata::AddMost(const std::string& tag, uint64_t value) {
  const auto& earlier = writer_.earlier_metadata();
  const auto found = earlier.find(tag);
  if (found != earlier.end()) {
    value = std::max(value, uint64_t{strtoull(found->second.c_str(), nullptr, 10)});
  }
  return writer_.AddMetadata(tag, static_cast<int64_t>(value));
}

Status Metadata::WriteFirst() {
  const spool::ProcessInfo* const first = facts_.first;
  spool::ProcessInfo self;
  if (first == nullptr) spool::DescribeThisProcess(&self);
  const spool::ProcessInfo& host = first != nullptr ? *first : self;
  RTL_TRY(AddFirst("host", host.host));
  RTL_TRY(AddFirst("boot_id", host.boot_id));
  if (first != nullptr) RTL_TRY(AddFirst("pid", std::to_string(first->pid)));
  RTL_TRY(AddFirst("command",
                   facts_.command.empty() && first != nullptr ? first->command : facts_.command));
  RTL_TRY(AddFirst("mode", first != nullptr ? first->mode : ""));
  RTL_TRY(AddFirst("mode_reason", first != nullptr ? first->mode_reason : ""));
  RTL_TRY(AddFirst("loaded_by", first != nullptr ? first->loaded_by : ""));
  RTL_TRY(AddFirst("runtime", first != nullptr ? first->runtime : ""));
  RTL_TRY(writer_.AddMetadata("clock", "CLOCK_BOOTTIME ns"));
  RTL_TRY(AddFirst("realtime_minus_boottime", std::to_string(host.realtime_minus_boottime)));
  return AddFirst("started", std::to_string(first != nullptr ? first->opened : facts_.started));
}

Status Metadata::WriteExit() {
  const uint64_t ended = facts_.first != nullptr ? facts_.ended : BootTimeNs();
  RTL_TRY(writer_.AddMetadata("ended", static_cast<int64_t>(ended)));
  switch (facts_.exit.how) {
    case ExitStatus::How::kUnknown:
      return Status::Ok();
    case ExitStatus::How::kExited:
      return writer_.AddMetadata("exit_code", facts_.exit.number);
    case ExitStatus::How::kSignalled:
      return writer_.AddMetadata("signal", facts_.exit.number);
  }
  return Status::Ok();
}

Status Metadata::WriteTotals() {
  for (size_t k = 0; k < kEventKindCount; ++k) {
    const std::string kind = EventKindName(static_cast<EventKind>(k));
    const KindTotals& totals = facts_.kinds[k];
    RTL_TRY(AddTotal("submitted." + kind, totals.submitted));
    RTL_TRY(AddTotal("recorded." + kind, totals.recorded));
    for (size_t loss = 0; loss < kLossCount; ++loss) {
      const std::string tag = std::string("loss.") + LossName(static_cast<Loss>(loss)) + "." + kind;
      RTL_TRY(AddTotal(tag, totals.losses[loss]));
    }
    const std::string not_counted = "not_counted." + kind;
    const bool before = writer_.earlier_metadata().contains(not_counted);
    if (before || !facts_.not_counted[k].empty())
      RTL_TRY(AddFirst(not_counted, facts_.not_counted[k]));
  }
  return Status::Ok();
}

// Writes the warnings, those of earlier parts first.
Status Metadata::WriteWarnings() {
  constexpr std::string_view kPrefix = "warning.";
  int number = 0;
  const auto& earlier = writer_.earlier_metadata();
  for (auto tag = earlier.lower_bound(std::string(kPrefix)); tag != earlier.end(); ++tag) {
    if (!tag->first.starts_with(kPrefix)) break;
    RTL_TRY(writer_.AddMetadata("warning." + std::to_string(++number), tag->second));
  }
  for (const std::string& sentence : *facts_.warnings) {
    RTL_TRY(writer_.AddMetadata("warning." + std::to_string(++number), sentence));
  }
  return Status::Ok();
}

Status Metadata::Write() {
  RTL_TRY(writer_.AddMetadata("schema_version", kSchemaVersion));
  RTL_TRY(writer_.AddMetadata("rtl_version", facts_.tool_version));
  RTL_TRY(WriteFirst());
  RTL_TRY(WriteExit());
  RTL_TRY(WriteTotals());
  RTL_TRY(AddMost(kMostBacklog, Percent(facts_.most_backlog)));
  return WriteWarnings();
}

}  // namespace

Status WriteMetadata(TraceWriter* writer, const TraceFacts& facts) {
  return Metadata(writer, facts).Write();
}

Status WriteCounters(TraceWriter* writer, size_t number, const spool::ControlPage& page,
                     const ProcessResult& process) {
  for (size_t k = 0; k < kEventKindCount; ++k) {
    const std::string kind = EventKindName(static_cast<EventKind>(k));
    const KindTotals& totals = process.kinds[k];
    RTL_TRY(writer->AddCounter(number, kind, kSubmittedCounter, totals.submitted));
    RTL_TRY(writer->AddCounter(number, kind, kEarlierSubmittedCounter, totals.submitted));
    RTL_TRY(writer->AddCounter(number, kind, "recorded", totals.recorded));
    for (size_t loss = 0; loss < kLossCount; ++loss) {
      if (totals.losses[loss] == 0) continue;
      const std::string counter = std::string("loss.") + LossName(static_cast<Loss>(loss));
      RTL_TRY(writer->AddCounter(number, kind, counter, totals.losses[loss]));
    }
  }
  const struct {
    const char* name;
    const std::atomic<uint64_t>& value;
  } counters[] = {
      {"signals_created", page.signals_created}, {"signals_destroyed", page.signals_destroyed},
      {"queues_created", page.queues_created},   {"queues_destroyed", page.queues_destroyed},
      {"other_packets", page.other_packets},
  };
  for (const auto& counter : counters) {
    const uint64_t value = counter.value.load(std::memory_order_relaxed);
    RTL_TRY(writer->AddCounter(number, "tracer", counter.name, value));
  }
  return writer->AddCounter(number, "tracer", kMostBacklog, Percent(process.most_backlog));
}

}  // namespace rtl::store
