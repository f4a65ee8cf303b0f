// SPDX-License-Identifier: MIT
#include "trace/write/trace_writer.h"

#include <algorithm>

#include "trace/schema/schema.h"
#include "trace/schema/tables.h"

namespace rtl::store {
namespace {

// After this many records, which are a few hundred kilobytes of rows, the pages may have to grow.
constexpr uint64_t kRecordsPerGrowth = 4096;

// Makes a text such as "kernels,markers" from EventSet::bits.
std::string Words(uint32_t events) {
  std::string words;
  for (size_t k = 0; k < kEventKindCount; ++k) {
    if ((events >> k & 1) == 0) continue;
    words += (words.empty() ? "" : ",") + std::string(EventWord(static_cast<EventKind>(k)));
  }
  return words;
}

// A negative number in a record means "none" and becomes NULL in a row.
std::optional<int64_t> NotNegative(int32_t value) {
  if (value < 0) return std::nullopt;
  return value;
}

// Counts a record of a process that is not selected. True if it has no row; descriptions of the
// process and its queues are kept.
bool LeaveOut(TracedProcess* process, const spool::RecordView& record) {
  switch (record.head->type) {
    case RecordType::kDispatch: {
      const auto queue = process->queues.find(record.As<DispatchRecord>().queue);
      if (queue != process->queues.end()) ++queue->second.left_out;
      process->CountLeftOut(EventKind::kKernel);
      return true;
    }
    case RecordType::kCopy:
      process->CountLeftOut(EventKind::kCopy);
      return true;
    case RecordType::kBarrier:
      process->CountLeftOut(EventKind::kBarrier);
      return true;
    case RecordType::kMark:
    case RecordType::kRangePush:
    case RecordType::kRangeStart:
      process->CountLeftOut(EventKind::kMarker);
      return true;
    case RecordType::kRangePop:
    case RecordType::kRangeStop:
      return true;  // counted at the beginning of the range
    case RecordType::kApiCall: {
      const bool compiler = (record.As<ApiCallRecord>().flags & kApiFlagCompiler) != 0;
      process->CountLeftOut(compiler ? EventKind::kCompilerCall : EventKind::kHipCall);
      return true;
    }
    case RecordType::kEvent:
      process->CountLeftOut(record.As<EventRecord>().kind);
      return true;
    case RecordType::kCounter:
      if ((record.As<CounterRecord>().flags & kCounterFlagLast) != 0)
        process->CountLeftOut(EventKind::kCounter);
      return true;
    case RecordType::kPcSample:
      process->CountLeftOut(EventKind::kPcSample);
      return true;
    default:
      return false;
  }
}

}  // namespace

TraceWriter::~TraceWriter() { Drop(); }

void TraceWriter::Drop() {
  CloseDatabase();
  file_.Drop();
}

void TraceWriter::CloseDatabase() {
  bulk_.Close();
  database_.Close();
}

Status TraceWriter::Create(const std::string& output, const Options& options) {
  RTL_TRY(Reserve(output, options));
  return Begin();
}

Status TraceWriter::Reserve(const std::string& output, const Options& options) {
  options_ = options;
  output_ = output;
  chooser_.Set(options.choice);
  RTL_TRY(file_.Make(output));
  return options.go_on ? file_.CopyEarlier() : Status::Ok();
}

Status TraceWriter::Begin() {
  RTL_TRY(database_.Open(file_.temporary(), output_));
  RTL_TRY(database_.BeginBuilding(options_.cache_bytes, Database::Pages::kSmallAtFirst));
  if (options_.go_on) {
    RTL_TRY(TakeOver(&database_, &earlier_));
    RTL_TRY(strings_.Load(database_));
  } else {
    RTL_TRY(CreateSchema(&database_));
  }
  RTL_TRY(bulk_.Begin(&database_, file_.temporary()));
  return PrepareWriters();
}

Status TraceWriter::PrepareWriters() {
  RTL_TRY(strings_.Prepare(database_));
  RTL_TRY(ops_.Prepare(database_, &bulk_, &calls_, earlier_));
  RTL_TRY(agents_.Prepare(database_, earlier_));
  RTL_TRY(queues_.Prepare(database_, earlier_.queues));
  RTL_TRY(kernels_.Prepare(database_, &strings_, &ops_, &samples_, &chooser_, earlier_.kernels));
  RTL_TRY(copies_.Prepare(database_, &strings_, &ops_, &chooser_));
  RTL_TRY(barriers_.Prepare(database_, &strings_, &ops_, &chooser_));
  RTL_TRY(markers_.Prepare(&strings_, &ops_));
  RTL_TRY(names_.Prepare(database_, earlier_.streams));
  RTL_TRY(counters_.Prepare(database_, &strings_));
  RTL_TRY(spans_.Prepare(database_, &strings_));
  samples_.Use(&database_);
  operators_.Use(&database_, &bulk_, &strings_);
  in_flight_.Use(&database_, &strings_, &calls_, kernels_.unknown_name());
  RTL_TRY(process_.Prepare(database_, InsertSql(kProcessTableDescription)));
  RTL_TRY(counter_.Prepare(database_, InsertSql(kProcessCounterTableDescription)));
  RTL_TRY(clock_.Prepare(database_, InsertSql(kClockTableDescription)));
  RTL_TRY(metadata_.Prepare(database_, InsertSql(kMetadataTableDescription)));
  return calls_.Prepare(database_, &bulk_, &strings_, kernels_.unknown_name(),
                        {.site = earlier_.call_sites, .launch_call = earlier_.launch_calls},
                        std::min(CallTable::kMostHeld, options_.cache_bytes / 256));
}

void TraceWriter::AddProcess(const spool::ProcessInfo& info, size_t* process) {
  *process = processes_.size();
  auto added = std::make_unique<TracedProcess>([this, number = *process](const MarkerSpan& span) {
    markers_.Emit(processes_[number].get(), span);
  });
  added->row = earlier_.processes + static_cast<int64_t>(*process) + 1;
  added->info = info;
  added->is_chosen = chooser_.TakesRank(info.rank);
  added->last_time = info.opened;
  processes_.push_back(std::move(added));
}

Status TraceWriter::Add(size_t number, const spool::RecordView& record) {
  TracedProcess* const process = processes_[number].get();
  if (++added_ % kRecordsPerGrowth == 0) RTL_TRY(bulk_.GrowPages());
  if (!process->is_chosen && LeaveOut(process, record)) return Status::Ok();
  switch (record.head->type) {
    case RecordType::kAgent:
      return agents_.Add(process, record.As<AgentRecord>());
    case RecordType::kQueue:
      queues_.Add(process, record.As<QueueRecord>());
      return Status::Ok();
    case RecordType::kQueueEnd:
      QueueWriter::AddEnd(process, record.As<QueueEndRecord>());
      return Status::Ok();
    case RecordType::kKernel:
      return kernels_.AddKernel(process, record.As<KernelRecord>(), record.text);
    case RecordType::kDispatch:
      return kernels_.Add(process, record.As<DispatchRecord>());
    case RecordType::kMark:
      return markers_.Add(process, record.As<MarkRecord>(), record.text);
    case RecordType::kRangePush:
    case RecordType::kRangeStart:
      return markers_.Begin(process, record.As<RangeBeginRecord>(), record.text);
    case RecordType::kRangePop:
    case RecordType::kRangeStop:
      return markers_.End(process, record.As<RangeEndRecord>());
    case RecordType::kApiCall:
      return calls_.Add(process, record);
    case RecordType::kApiName: {
      int64_t name = 0;
      RTL_TRY(strings_.Intern(record.text, &name));
      process->api_names.try_emplace(record.As<ApiNameRecord>().api, name);
      return Status::Ok();
    }
    case RecordType::kCopy:
      return copies_.Add(process, record.As<CopyRecord>());
    case RecordType::kBarrier:
      return barriers_.Add(process, record.As<BarrierRecord>());
    case RecordType::kEvent:
      return AddEvent(process, record.As<EventRecord>(), record.text);
    case RecordType::kName:
      return names_.Add(process, record.As<NameRecord>(), record.text);
    case RecordType::kCounter:
      return counters_.Add(process, record.As<CounterRecord>(), record.text);
    case RecordType::kCounterInfo:
      return counters_.AddInfo(*process, record.As<CounterInfoRecord>(), record.text);
    case RecordType::kCodeObject:
      return samples_.AddCodeObject(process->row, record.As<CodeObjectRecord>(), record.text);
    case RecordType::kCodeBytes:
      return samples_.AddCodeBytes(record.As<CodeBytesRecord>(), record.text);
    case RecordType::kPcSample:
      return AddSample(process, record.As<PcSampleRecord>());
    case RecordType::kAgentProperties:
      return agents_.AddProperties(*process, record.As<AgentPropertiesRecord>(), record.text);
    case RecordType::kFault:
      return AddFault(process, record.As<FaultRecord>());
    case RecordType::kWarning:
      process->warnings.push_back(CleanText(record.text));
      return Status::Ok();
    case RecordType::kNone:
    case RecordType::kPad:
      return Status::Ok();
  }
  return Status::Ok();  // the reader passes no other type on
}

Status TraceWriter::AddEvent(TracedProcess* process, const EventRecord& record,
                             std::string_view text) {
  if (!SpanTables::IsSound(record, text)) {
    ++process->rejected;
    return Status::Ok();
  }
  if (!process->Plausible(record.start, record.end)) return Status::Ok();
  RTL_TRY(spans_.Add({process->row, process->info.pid, process->info.rank, process->info.opened},
                     record, text));
  process->CountRecorded(record.kind);
  return Status::Ok();
}

Status TraceWriter::AddSample(TracedProcess* process, const PcSampleRecord& record) {
  if (!process->Plausible(record.time, record.time)) return Status::Ok();
  process->CountRecorded(EventKind::kPcSample);
  const auto queue = process->queues.find(record.queue);
  return samples_.AddSample(process->row, queue == process->queues.end() ? 0 : queue->second.row,
                            record);
}

Status TraceWriter::AddFault(TracedProcess* process, const FaultRecord& record) {
  RTL_TRY(database_.Execute(CreateSql(kFaultTableDescription).c_str()));
  Statement insert;
  RTL_TRY(insert.Prepare(database_, InsertSql(kFaultTableDescription)));
  FaultTable row;
  TakeFields(record, &row);
  row.process = process->row;
  row.pid = process->info.pid;
  row.time = std::min(record.time, static_cast<uint64_t>(INT64_MAX));
  const auto agent = process->agents.find(record.agent);
  if (agent != process->agents.end()) row.gpu = agent->second.gpu;
  ++process->faults;
  process->last_time = std::max(process->last_time, row.time);
  return insert.Add(row);
}

Status TraceWriter::Settle(size_t number) { return Settle(processes_[number].get(), false); }

Status TraceWriter::Settle(TracedProcess* process, bool is_end) {
  RTL_TRY(copies_.Settle(process, is_end));
  RTL_TRY(barriers_.Settle(process, is_end));
  return kernels_.Settle(process, is_end);
}

Status TraceWriter::EndProcess(size_t number, const spool::ProcessInfo& info, uint64_t ended,
                               const Unsaid& unsaid) {
  TracedProcess* const process = processes_[number].get();
  RTL_TRY(Settle(process, true));
  RTL_TRY(markers_.EndProcess(process, ended));
  RTL_TRY(queues_.Write(*process, unsaid));
  RTL_TRY(names_.EndProcess(*process));
  RTL_TRY(WriteUnlinked(number));
  return WriteProcess(*process, info, ended);
}

Status TraceWriter::WriteProcess(const TracedProcess& process, const spool::ProcessInfo& info,
                                 uint64_t ended) {
  ProcessTable row;
  TakeFields(info, &row);
  row.id = process.row;
  row.host = CleanField(info.host);
  row.boot_id = CleanField(info.boot_id);
  row.executable = CleanField(info.executable);
  row.command = CleanField(info.command);
  row.started = info.opened;
  row.ended = ended;
  row.mode = CleanField(info.mode);
  row.loaded_by = CleanField(info.loaded_by);
  row.runtime = CleanField(info.runtime);
  row.mode_reason = CleanField(info.mode_reason);
  row.process_group = info.group;
  row.rank = NotNegative(info.rank);
  row.local_rank = NotNegative(info.local_rank);
  if (info.world != 0) row.world = info.world;
  row.job = CleanField(info.job);
  if (process.events != 0) row.events = Words(process.events);
  row.ending = process.ending;
  return process_.Add(row);
}

// Writes work without a call, only if calls were recorded.
Status TraceWriter::WriteUnlinked(size_t number) {
  TracedProcess& process = *processes_[number];
  if (process.recorded[static_cast<size_t>(EventKind::kHipCall)] == 0) return Status::Ok();
  const TracedProcess::Unlinked unlinked = WarnOfUnlinked(&process);
  for (const EventKind kind : kWithCalls)
    RTL_TRY(AddCounter(number, EventKindName(kind), "unlinked",
                       unlinked.of[static_cast<size_t>(kind)]));
  return Status::Ok();
}

Status TraceWriter::AddCounter(size_t process, std::string_view kind, std::string_view counter,
                               uint64_t value) {
  return counter_.Add(ProcessCounterTable{.process = processes_[process]->row,
                                          .pid = processes_[process]->info.pid,
                                          .kind = std::string(kind),
                                          .counter = std::string(counter),
                                          .value = value});
}

Status TraceWriter::AddClock(size_t process, ClockTable reading) {
  reading.process = processes_[process]->row;
  reading.pid = processes_[process]->info.pid;
  return clock_.Add(reading);
}

Status TraceWriter::AddMetadata(std::string_view tag, std::string_view value) {
  RTL_TRY(metadata_.Add(MetadataTable{.tag = std::string(tag), .value = CleanText(value)}));
  const std::string alias = EarlierTag(tag);
  if (alias.empty()) return Status::Ok();
  return metadata_.Add(MetadataTable{.tag = alias, .value = CleanText(value)});
}

Status TraceWriter::AddMetadata(std::string_view tag, int64_t value) {
  return AddMetadata(tag, std::to_string(value));
}

Status TraceWriter::Commit(std::string* written, std::string* note) {
  RTL_TRY(calls_.Settle());
  RTL_TRY(samples_.Finish());
  RTL_TRY(bulk_.Finish());
  RTL_TRY(database_.Execute("COMMIT"));
  CloseDatabase();
  return file_.Publish(written, note);
}

}  // namespace rtl::store
