// SPDX-License-Identifier: MIT
#include "trace/write/trace_writer.h"

#include <algorithm>
#include <bit>

#include "trace/schema/schema.h"
#include "trace/schema/tables.h"
#include "trace/write/demangle.h"

namespace rtl::store {
namespace {

// HIP's own kernels. A cooperative launch is preceded by one of them.
constexpr std::string_view kHelperPrefix = "__amd_rocclr_";
// A kernel whose record was lost must not hold back its dispatches for ever.
constexpr uint32_t kMaxSettled = 64;

// After so many records, which are a few hundred kilobytes of rows, the database may have to grow.
constexpr uint64_t kRecordsPerGrowth = 4096;

// "kernels,markers", from EventSet::bits.
std::string Words(uint32_t events) {
  std::string words;
  for (size_t k = 0; k < kEventKindCount; ++k) {
    if ((events >> k & 1) == 0) continue;
    words += (words.empty() ? "" : ",") + std::string(EventWord(static_cast<EventKind>(k)));
  }
  return words;
}

// "None" in a record becomes NULL in a row.
std::optional<int64_t> NotNegative(int32_t value) {
  if (value < 0) return std::nullopt;
  return value;
}

}  // namespace

TraceWriter::~TraceWriter() { Drop(); }

void TraceWriter::Drop() {
  CloseDatabase();
  file_.Drop();
}

void TraceWriter::FinalizeStatements() {
  for (Statement* statement :
       {&kernel_, &process_, &counter_, &metadata_, &copy_, &barrier_, &stream_, &name_}) {
    statement->Finalize();
  }
  strings_.Finalize();
  ops_.Finalize();
  calls_.Finalize();
  agents_.Finalize();
  queues_.Finalize();
  counters_.Finalize();
  spans_.Finalize();
  samples_.Finalize();
  operators_.Finalize();
}

void TraceWriter::CloseDatabase() {
  FinalizeStatements();
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
  next_kernel_ = earlier_.kernels;
  next_stream_ = earlier_.streams;
  RTL_TRY(PrepareStatements());
  RTL_TRY(strings_.Intern(kOpTypeKernel, &kernel_type_));
  RTL_TRY(strings_.Intern(kOpTypeMarker, &marker_type_));
  RTL_TRY(strings_.Intern(kUnknownKernel, &unknown_kernel_));
  return calls_.Prepare(database_, &bulk_, &strings_, unknown_kernel_,
                        {.site = earlier_.call_sites, .launch_call = earlier_.launch_calls},
                        std::min(CallTable::kMostHeld, options_.cache_bytes / 256));
}

Status TraceWriter::PrepareStatements() {
  RTL_TRY(strings_.Prepare(database_));
  RTL_TRY(ops_.Prepare(database_, &bulk_, earlier_.ops, earlier_.launches));
  RTL_TRY(agents_.Prepare(database_, earlier_));
  RTL_TRY(queues_.Prepare(database_, earlier_.queues));
  RTL_TRY(counters_.Prepare(database_, &strings_));
  RTL_TRY(spans_.Prepare(database_, &strings_));
  samples_.Use(&database_);
  operators_.Use(&database_, &strings_);
  const std::pair<Statement*, const TableDescription*> inserts[] = {
      {&kernel_, &kKernelTableDescription},
      {&process_, &kProcessTableDescription},
      {&copy_, &kCopyTableDescription},
      {&barrier_, &kBarrierTableDescription},
      {&counter_, &kProcessCounterTableDescription},
      {&stream_, &kStreamTableDescription},
      {&name_, &kNameTableDescription},
      {&metadata_, &kMetadataTableDescription},
  };
  for (const auto& [statement, table] : inserts)
    RTL_TRY(statement->Prepare(database_, InsertSql(*table)));
  return Status::Ok();
}

void TraceWriter::AddProcess(const spool::ProcessInfo& info, size_t* process) {
  *process = processes_.size();
  auto added = std::make_unique<Process>([this, number = *process](const MarkerSpan& span) {
    Process& owner = *processes_[number];
    const Status written = WriteMarker(owner, span);
    if (!written.ok() && owner.failure.ok()) owner.failure = written;
  });
  added->row = earlier_.processes + static_cast<int64_t>(*process) + 1;
  added->info = info;
  added->is_chosen = chooser_.TakesRank(info.rank);
  added->last_time = info.opened;
  processes_.push_back(std::move(added));
}

void TraceWriter::LeaveOut(Process& process, EventKind kind) {
  ++process.left_out[static_cast<size_t>(kind)];
}

// True for a record of an unselected process. Its processes and queues are kept.
bool TraceWriter::LeaveOut(Process& process, const spool::RecordView& record) {
  switch (record.head->type) {
    case RecordType::kDispatch: {
      const auto queue = process.queues.find(record.As<DispatchRecord>().queue);
      if (queue != process.queues.end()) ++queue->second.left_out;
      LeaveOut(process, EventKind::kKernel);
      return true;
    }
    case RecordType::kCopy:
      LeaveOut(process, EventKind::kCopy);
      return true;
    case RecordType::kBarrier:
      LeaveOut(process, EventKind::kBarrier);
      return true;
    case RecordType::kMark:
    case RecordType::kRangePush:
    case RecordType::kRangeStart:
      LeaveOut(process, EventKind::kMarker);
      return true;
    case RecordType::kRangePop:
    case RecordType::kRangeStop:
      return true;  // counted at its beginning
    case RecordType::kApiCall: {
      const bool compiler = (record.As<ApiCallRecord>().flags & kApiFlagCompiler) != 0;
      LeaveOut(process, compiler ? EventKind::kCompilerCall : EventKind::kHipCall);
      return true;
    }
    case RecordType::kEvent:
      LeaveOut(process, record.As<EventRecord>().kind);
      return true;
    case RecordType::kCounter:
      if ((record.As<CounterRecord>().flags & kCounterFlagLast) != 0)
        LeaveOut(process, EventKind::kCounter);
      return true;
    case RecordType::kPcSample:
      LeaveOut(process, EventKind::kPcSample);
      return true;
    default:
      return false;
  }
}

Status TraceWriter::Add(size_t number, const spool::RecordView& record) {
  Process& process = *processes_[number];
  if (++added_ % kRecordsPerGrowth == 0) RTL_TRY(bulk_.GrowPages());
  if (!process.is_chosen && LeaveOut(process, record)) return Status::Ok();
  switch (record.head->type) {
    case RecordType::kAgent:
      return agents_.Add(&process, record.As<AgentRecord>());
    case RecordType::kQueue:
      queues_.Add(&process, record.As<QueueRecord>());
      return Status::Ok();
    case RecordType::kQueueEnd: {
      const auto& end = record.As<QueueEndRecord>();
      const auto queue = process.queues.find(end.queue);
      if (queue == process.queues.end()) return Status::Ok();
      queue->second.end = end;
      return Status::Ok();
    }
    case RecordType::kKernel:
      return AddKernel(process, record.As<KernelRecord>(), record.text);
    case RecordType::kDispatch:
      return AddDispatch(process, record.As<DispatchRecord>());
    case RecordType::kMark:
      return AddMark(process, record.As<MarkRecord>(), record.text);
    case RecordType::kRangePush:
    case RecordType::kRangeStart:
      return AddRangeBegin(process, record.As<RangeBeginRecord>(), record.text);
    case RecordType::kRangePop:
    case RecordType::kRangeStop:
      AddRangeEnd(process, record.As<RangeEndRecord>());
      return process.failure;
    case RecordType::kApiCall:
      return calls_.Add(&process, record);
    case RecordType::kApiName: {
      int64_t name = 0;
      RTL_TRY(strings_.Intern(record.text, &name));
      process.api_names.try_emplace(record.As<ApiNameRecord>().api, name);
      return Status::Ok();
    }
    case RecordType::kCopy:
      return AddCopy(process, record.As<CopyRecord>());
    case RecordType::kBarrier:
      return AddBarrier(process, record.As<BarrierRecord>());
    case RecordType::kEvent:
      return AddEvent(process, record.As<EventRecord>(), record.text);
    case RecordType::kName:
      return AddName(process, record.As<NameRecord>(), record.text);
    case RecordType::kCounter:
      return counters_.Add(&process, record.As<CounterRecord>(), record.text);
    case RecordType::kCounterInfo:
      return counters_.AddInfo(process, record.As<CounterInfoRecord>(), record.text);
    case RecordType::kCodeObject:
      return samples_.AddCodeObject(process.row, record.As<CodeObjectRecord>(), record.text);
    case RecordType::kCodeBytes:
      return samples_.AddCodeBytes(record.As<CodeBytesRecord>(), record.text);
    case RecordType::kPcSample:
      return AddSample(process, record.As<PcSampleRecord>());
    case RecordType::kAgentProperties:
      return agents_.AddProperties(process, record.As<AgentPropertiesRecord>(), record.text);
    case RecordType::kFault:
      return AddFault(process, record.As<FaultRecord>());
    case RecordType::kWarning:
      process.warnings.push_back(CleanText(record.text));
      return Status::Ok();
    case RecordType::kNone:
    case RecordType::kPad:
      return Status::Ok();
  }
  return Status::Ok();  // the reader lets no other type pass
}

Status TraceWriter::AddKernel(Process& process, const KernelRecord& record,
                              std::string_view symbol) {
  const auto [kernel, inserted] = process.kernels.try_emplace(record.kernel);
  if (!inserted) return Status::Ok();
  Kernel& added = kernel->second;
  added.row = ++next_kernel_;
  added.flags = record.flags;
  added.helper = symbol.starts_with(kHelperPrefix);
  added.name = unknown_kernel_;
  if (!symbol.empty()) {
    const std::string name = DemangleKernel(symbol);
    added.is_chosen = chooser_.TakesKernel(name);
    RTL_TRY(strings_.Intern(name, &added.name));
  }
  KernelTable row;
  TakeFields(record, &row);
  row.id = added.row;
  row.process = process.row;
  row.pid = process.info.pid;
  row.name = added.name;
  RTL_TRY(strings_.Intern(symbol, &row.mangled));
  return kernel_.Add(row);
}

TraceWriter::Queue* TraceWriter::FindQueue(Process& process, uint32_t number) {
  Queue* const queue = process.recent_queues.Find(process.queues, number);
  if (queue == nullptr || queue->agent != nullptr) return queue;
  const auto agent = process.agents.find(queue->record.agent);
  if (agent == process.agents.end()) return nullptr;
  queue->agent = &agent->second;
  return queue;
}

const TraceWriter::Kernel* TraceWriter::FindKernel(Process& process, uint32_t number) {
  return process.recent_kernels.Find(process.kernels, number);
}

bool TraceWriter::IsComplete(Process& process, const DispatchRecord& record) {
  return FindKernel(process, record.kernel) != nullptr &&
         FindQueue(process, record.queue) != nullptr;
}

Status TraceWriter::AddDispatch(Process& process, const DispatchRecord& record) {
  if (!process.Plausible(record.start, record.end)) return Status::Ok();
  if (!IsComplete(process, record) && process.pending.size() < kMaxPending) [[unlikely]] {
    process.pending.push_back({record});
    return Status::Ok();
  }
  return WriteDispatch(process, record);
}

void TraceWriter::SetProcess(const Process& process, OpRow* row) {
  row->process = process.row;
  row->pid = process.info.pid;
  row->rank = process.info.rank;
  row->opened = static_cast<int64_t>(process.info.opened);
}

Status TraceWriter::AddRow(Process& process, const OpRow& row) {
  RTL_TRY(ops_.Add(row));
  ++process.rows;
  ++rows_;
  return Status::Ok();
}

Status TraceWriter::Link(Process* process, EventKind kind, uint32_t thread, uint64_t correlation,
                         int64_t kernel) {
  return calls_.Link(process, kind, thread, correlation, earlier_.ops + static_cast<int64_t>(rows_),
                     kernel);
}

Status TraceWriter::WriteDispatch(Process& process, const DispatchRecord& record) {
  OpRow row;
  row.is_kernel = true;
  row.flags = record.flags;
  row.description = unknown_kernel_;
  const Kernel* const kernel = FindKernel(process, record.kernel);
  if (kernel != nullptr) {
    row.kernel = kernel->row;
    row.description = kernel->name;
  }
  if (row.description == unknown_kernel_) row.flags |= kOpFlagUnknownKernel;
  Queue* const queue = process.recent_queues.Find(process.queues, record.queue);
  if (queue != nullptr) {
    row.queue = queue->row;
    row.hsa_queue = queue->record.hsa_id;
    if (FindQueue(process, record.queue) != nullptr) row.gpu = queue->agent->gpu;
  }
  const bool takes = (kernel == nullptr || kernel->is_chosen) && chooser_.TakesGpu(row.gpu);
  if (queue != nullptr) ++(takes ? queue->recorded : queue->left_out);
  if (!takes) {
    LeaveOut(process, EventKind::kKernel);
    return Status::Ok();
  }
  row.sequence = static_cast<int64_t>(record.dispatch);
  row.op_type = kernel_type_;
  SetProcess(process, &row);
  SetTimes(record, &row);
  for (int i = 0; i < 3; ++i) {
    row.grid[i] = record.grid[i];
    row.workgroup[i] = record.workgroup[i];
  }
  row.group_segment = record.group_segment;
  row.private_segment = record.private_segment;
  row.packet = static_cast<int64_t>(record.packet);
  RTL_TRY(AddRow(process, row));
  RTL_TRY(samples_.NoteKernel(process.row, row.queue, row.kernel, record));
  ++process.recorded[static_cast<size_t>(EventKind::kKernel)];
  const bool helper = kernel != nullptr && kernel->helper;
  return Link(&process, EventKind::kKernel, record.head.thread, record.correlation,
              helper ? 0 : row.description);
}

bool TraceWriter::AgentsKnown(const Process& process, const CopyRecord& record) {
  return (record.dst_agent == 0 || process.agents.contains(record.dst_agent)) &&
         (record.src_agent == 0 || process.agents.contains(record.src_agent));
}

Status TraceWriter::AddCopy(Process& process, const CopyRecord& record) {
  if (!process.Plausible(record.start, record.end)) return Status::Ok();
  if (!AgentsKnown(process, record) && process.pending_copies.size() < kMaxPending) {
    process.pending_copies.push_back(record);
    return Status::Ok();
  }
  return WriteCopy(process, record);
}

Status TraceWriter::WriteCopy(Process& process, const CopyRecord& record) {
  const auto gpu_of = [&](uint32_t number) -> int64_t {
    const auto agent = process.agents.find(number);
    return agent != process.agents.end() && agent->second.is_gpu != 0
               ? static_cast<int64_t>(agent->second.gpu)
               : -1;
  };
  const int64_t dst_gpu = gpu_of(record.dst_agent);
  const int64_t src_gpu = gpu_of(record.src_agent);
  if (!chooser_.TakesGpu(dst_gpu) && !chooser_.TakesGpu(src_gpu)) {
    LeaveOut(process, EventKind::kCopy);
    return Status::Ok();
  }
  const size_t named = static_cast<size_t>(record.kind);
  const size_t kind = named < std::size(copy_types_) ? named : 0;
  int64_t& type = copy_types_[kind];
  if (type == 0) RTL_TRY(strings_.Intern(kOpTypeCopies[kind], &type));
  OpRow row;
  row.gpu = dst_gpu >= 0 ? dst_gpu : src_gpu;
  row.sequence = static_cast<int64_t>(record.copy);
  row.description = row.op_type = type;
  SetProcess(process, &row);
  SetTimes(record, &row);
  RTL_TRY(AddRow(process, row));
  ++process.recorded[static_cast<size_t>(EventKind::kCopy)];
  RTL_TRY(Link(&process, EventKind::kCopy, record.head.thread, record.correlation));
  CopyTable copy;
  TakeFields(record, &copy);
  copy.op = earlier_.ops + static_cast<int64_t>(rows_);
  copy.process = process.row;
  copy.pid = process.info.pid;
  copy.kind = static_cast<uint32_t>(kind);
  copy.dst_gpu = static_cast<int32_t>(dst_gpu);
  copy.src_gpu = static_cast<int32_t>(src_gpu);
  return copy_.Add(copy);
}

Status TraceWriter::AddBarrier(Process& process, const BarrierRecord& record) {
  if (!process.Plausible(record.start, record.end)) return Status::Ok();
  if (FindQueue(process, record.queue) == nullptr &&
      process.pending_barriers.size() < kMaxPending) {
    process.pending_barriers.push_back(record);
    return Status::Ok();
  }
  return WriteBarrier(process, record);
}

Status TraceWriter::WriteBarrier(Process& process, const BarrierRecord& record) {
  const size_t named = static_cast<size_t>(record.kind);
  const size_t kind = named < std::size(kBarrierNames) ? named : 0;
  if (barrier_type_ == 0) RTL_TRY(strings_.Intern(kOpTypeBarrier, &barrier_type_));
  int64_t& name = barrier_names_[kind];
  if (name == 0) RTL_TRY(strings_.Intern(kBarrierNames[kind], &name));
  OpRow row;
  const auto queue = process.queues.find(record.queue);
  if (queue != process.queues.end()) {
    row.queue = queue->second.row;
    const auto agent = process.agents.find(queue->second.record.agent);
    if (agent != process.agents.end()) row.gpu = agent->second.gpu;
  }
  if (!chooser_.TakesGpu(row.gpu)) {
    LeaveOut(process, EventKind::kBarrier);
    return Status::Ok();
  }
  row.sequence = static_cast<int64_t>(record.barrier);
  row.description = name;
  row.op_type = barrier_type_;
  SetProcess(process, &row);
  SetTimes(record, &row);
  row.packet = static_cast<int64_t>(record.packet);
  row.flags = record.flags;
  RTL_TRY(ops_.Add(row));
  ++rows_;
  ++process.recorded[static_cast<size_t>(EventKind::kBarrier)];
  RTL_TRY(Link(&process, EventKind::kBarrier, record.head.thread, record.correlation));
  return barrier_.Add(BarrierTable{.op = earlier_.ops + static_cast<int64_t>(rows_),
                                   .process = process.row,
                                   .pid = process.info.pid,
                                   .kind = static_cast<uint32_t>(kind),
                                   .dependencies = record.dependencies});
}

Status TraceWriter::AddMark(Process& process, const MarkRecord& record, std::string_view text) {
  if (!process.Plausible(record.time, record.time)) return Status::Ok();
  MarkerSpan mark;
  mark.start = record.time;
  mark.end = record.time;
  mark.thread = record.head.thread;
  mark.flags = kOpFlagMark;
  if ((record.flags & kTextFlagTruncated) != 0) mark.flags |= kOpFlagTruncated;
  RTL_TRY(strings_.Intern(text, &mark.text_id));
  return WriteMarker(process, mark);
}

Status TraceWriter::AddRangeBegin(Process& process, const RangeBeginRecord& record,
                                  std::string_view text) {
  if (!process.Plausible(record.time, record.time)) return Status::Ok();
  MarkerSpan begin;
  begin.start = record.time;
  begin.thread = record.head.thread;
  if ((record.flags & kTextFlagTruncated) != 0) begin.flags |= kOpFlagTruncated;
  RTL_TRY(strings_.Intern(text, &begin.text_id));
  if (record.head.type == RecordType::kRangePush) {
    process.markers.Push(begin);
  } else {
    begin.range = record.range;
    process.markers.Start(begin, (record.flags & kRangeFlagPushed) != 0);
  }
  return process.failure;
}

void TraceWriter::AddRangeEnd(Process& process, const RangeEndRecord& record) {
  if (record.time > static_cast<uint64_t>(INT64_MAX)) return;
  process.last_time = std::max(process.last_time, record.time);
  if (record.head.type == RecordType::kRangePop) {
    process.markers.Pop(record.head.thread, record.time);
  } else {
    process.markers.Stop(record.range, record.time);
  }
}

Status TraceWriter::WriteMarker(Process& process, const MarkerSpan& span) {
  OpRow row;
  row.is_marker = true;
  row.gpu = -1;
  row.start = static_cast<int64_t>(span.start);
  row.end = static_cast<int64_t>(span.end);
  row.description = span.text_id;
  row.op_type = marker_type_;
  row.roctx = static_cast<int64_t>(span.range);
  SetProcess(process, &row);
  row.tid = span.thread;
  row.flags = span.flags;
  RTL_TRY(AddRow(process, row));
  ++process.recorded[static_cast<size_t>(EventKind::kMarker)];
  return Status::Ok();
}

Status TraceWriter::AddEvent(Process& process, const EventRecord& record, std::string_view text) {
  if (!SpanTables::IsSound(record, text)) {
    ++process.rejected;
    return Status::Ok();
  }
  if (!process.Plausible(record.start, record.end)) return Status::Ok();
  RTL_TRY(spans_.Add({process.row, process.info.pid, process.info.rank, process.info.opened},
                     record, text));
  ++process.recorded[static_cast<size_t>(record.kind)];
  return Status::Ok();
}

Status TraceWriter::AddName(Process& process, const NameRecord& record, std::string_view text) {
  static constexpr const char* kKinds[] = {"", "thread", "agent", "device", "stream", "thread"};
  const auto what = static_cast<size_t>(record.what);
  if (what == 0 || what >= std::size(kKinds)) return Status::Ok();
  NameTable row;
  TakeFields(record, &row);
  row.process = process.row;
  row.pid = process.info.pid;
  row.kind = kKinds[what];
  row.name = CleanText(text);
  if (record.what == Named::kStream) process.streams.Name(record.target, record.time, row.name);
  if (record.what == Named::kThread) process.named_threads.insert(record.target);
  if (record.what == Named::kThreadInKernel) {
    process.names_in_kernel.insert_or_assign(record.target, std::move(row));
    return Status::Ok();
  }
  return name_.Add(row);
}

// The name that the program gave with roctxNameOsThread goes before the kernel's.
Status TraceWriter::WriteNamesInKernel(Process& process) {
  for (const auto& [thread, row] : process.names_in_kernel) {
    if (!process.named_threads.contains(thread)) RTL_TRY(name_.Add(row));
  }
  process.names_in_kernel.clear();
  return Status::Ok();
}

Status TraceWriter::AddSample(Process& process, const PcSampleRecord& record) {
  if (!process.Plausible(record.time, record.time)) return Status::Ok();
  ++process.recorded[static_cast<size_t>(EventKind::kPcSample)];
  const auto queue = process.queues.find(record.queue);
  return samples_.AddSample(process.row, queue == process.queues.end() ? 0 : queue->second.row,
                            record);
}

Status TraceWriter::Settle(size_t number) {
  Process& process = *processes_[number];
  std::vector<CopyRecord> copies;
  copies.swap(process.pending_copies);
  for (const CopyRecord& copy : copies) RTL_TRY(AddCopy(process, copy));
  std::vector<BarrierRecord> barriers;
  barriers.swap(process.pending_barriers);
  for (const BarrierRecord& barrier : barriers) RTL_TRY(AddBarrier(process, barrier));
  if (process.pending.empty()) return Status::Ok();
  std::vector<Pending> pending;
  pending.swap(process.pending);
  for (Pending& held : pending) {
    if (IsComplete(process, held.record) || ++held.settled >= kMaxSettled) {
      RTL_TRY(WriteDispatch(process, held.record));
    } else {
      process.pending.push_back(held);
    }
  }
  return Status::Ok();
}

bool TraceWriter::HasPending(size_t number) const {
  const Process& process = *processes_[number];
  return !process.pending.empty() || !process.pending_copies.empty() ||
         !process.pending_barriers.empty();
}

Status TraceWriter::EndProcess(size_t number, const spool::ProcessInfo& info, uint64_t ended,
                               const Unsaid& unsaid) {
  Process& process = *processes_[number];
  RTL_TRY(Settle(number));
  for (const CopyRecord& copy : process.pending_copies) RTL_TRY(WriteCopy(process, copy));
  process.pending_copies.clear();
  for (const BarrierRecord& held : process.pending_barriers) RTL_TRY(WriteBarrier(process, held));
  process.pending_barriers.clear();
  for (const Pending& held : process.pending) RTL_TRY(WriteDispatch(process, held.record));
  process.pending.clear();
  const uint64_t orphans = process.markers.orphans();
  if (orphans != 0) {
    process.warnings.push_back("process " + std::to_string(process.info.pid) + ": " +
                               std::to_string(orphans) +
                               " ends of roctx ranges had no beginning and were ignored");
  }
  process.markers.End(ended);
  RTL_TRY(process.failure);
  RTL_TRY(queues_.Write(process, unsaid));
  RTL_TRY(WriteStreams(process));
  RTL_TRY(WriteUnlinked(number));
  RTL_TRY(WriteNamesInKernel(process));
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

void TraceWriter::SetOutOfWindow(size_t number, const std::map<uint32_t, uint64_t>& kernels) {
  for (const auto& [id, events] : kernels) {
    const auto queue = processes_[number]->queues.find(id);
    if (queue != processes_[number]->queues.end()) queue->second.out_of_window = events;
  }
}

// Only where calls were recorded.
Status TraceWriter::WriteUnlinked(size_t number) {
  Process& process = *processes_[number];
  if (process.recorded[static_cast<size_t>(EventKind::kHipCall)] == 0) return Status::Ok();
  const Process::Unlinked unlinked = WarnOfUnlinked(&process);
  for (const EventKind kind : kWithCalls)
    RTL_TRY(AddCounter(number, EventKindName(kind), "unlinked",
                       unlinked.of[static_cast<size_t>(kind)]));
  return Status::Ok();
}

Status TraceWriter::WriteStreams(Process& process) {
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

Status TraceWriter::AddMetadata(std::string_view tag, std::string_view value) {
  return metadata_.Add(MetadataTable{.tag = std::string(tag), .value = CleanText(value)});
}

Status TraceWriter::AddMetadata(std::string_view tag, int64_t value) {
  return metadata_.Add(MetadataTable{.tag = std::string(tag), .value = std::to_string(value)});
}

uint64_t TraceWriter::recorded(size_t process, EventKind kind) const {
  return processes_[process]->recorded[static_cast<size_t>(kind)];
}

std::vector<AgentRecord> TraceWriter::gpus(size_t process) const {
  std::vector<AgentRecord> gpus;
  for (const auto& [number, agent] : processes_[process]->agents) {
    if (agent.is_gpu != 0) gpus.push_back(agent);
  }
  std::sort(gpus.begin(), gpus.end(),
            [](const AgentRecord& a, const AgentRecord& b) { return a.gpu < b.gpu; });
  return gpus;
}

Status TraceWriter::Commit(std::string* written, std::string* note) {
  RTL_TRY(calls_.Settle());
  RTL_TRY(samples_.Finish());
  RTL_TRY(bulk_.Finish());
  RTL_TRY(database_.Execute("COMMIT"));
  FinalizeStatements();
  CloseDatabase();
  return file_.Publish(written, note);
}

}  // namespace rtl::store
