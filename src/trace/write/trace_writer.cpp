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

// A field of fixed size, which a hostile writer may have left without its end.
template <size_t kSize>
std::string Text(const char (&field)[kSize]) {
  return CleanText(std::string_view(field, kSize));
}

// "None" in a record becomes NULL in a row.
std::optional<int64_t> Known(uint64_t value) {
  if (value == 0) return std::nullopt;
  return static_cast<int64_t>(value);
}

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
       {&agent_, &queue_, &queue_loss_, &kernel_, &process_, &counter_, &metadata_, &copy_,
        &copy_call_, &barrier_, &stream_, &name_, &property_, &value_, &counter_info_}) {
    statement->Finalize();
  }
  strings_.Finalize();
  ops_.Finalize();
  calls_.Finalize();
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
    for (const auto& [gpu, number] : earlier_.gpus) gpu_numbers_.Know(gpu, number);
    RTL_TRY(strings_.Load(database_));
  } else {
    RTL_TRY(CreateSchema(&database_));
  }
  RTL_TRY(bulk_.Begin(&database_, file_.temporary()));
  next_agent_ = earlier_.agents;
  next_queue_ = earlier_.queues;
  next_kernel_ = earlier_.kernels;
  next_stream_ = earlier_.streams;
  RTL_TRY(PrepareStatements());
  RTL_TRY(strings_.Intern(kOpTypeKernel, &kernel_type_));
  RTL_TRY(strings_.Intern(kOpTypeMarker, &marker_type_));
  RTL_TRY(strings_.Intern(kUnknownKernel, &unknown_kernel_));
  return calls_.Prepare(database_, &bulk_, unknown_kernel_,
                        {.site = earlier_.call_sites, .launch_call = earlier_.launch_calls},
                        std::min(CallTable::kMostHeld, options_.cache_bytes / 256));
}

Status TraceWriter::PrepareStatements() {
  RTL_TRY(strings_.Prepare(database_));
  RTL_TRY(ops_.Prepare(database_, &bulk_, earlier_.ops, earlier_.launches));
  RTL_TRY(spans_.Prepare(database_, &strings_));
  samples_.Use(&database_);
  operators_.Use(&database_, &strings_);
  const std::pair<Statement*, const TableDescription*> inserts[] = {
      {&agent_, &kAgentTableDescription},
      {&queue_, &kQueueTableDescription},
      {&queue_loss_, &kQueueLossTableDescription},
      {&kernel_, &kKernelTableDescription},
      {&process_, &kProcessTableDescription},
      {&copy_, &kCopyTableDescription},
      {&barrier_, &kBarrierTableDescription},
      {&counter_, &kProcessCounterTableDescription},
      {&stream_, &kStreamTableDescription},
      {&name_, &kNameTableDescription},
      {&property_, &kAgentPropertyTableDescription},
      {&value_, &kCounterValueTableDescription},
      {&counter_info_, &kCounterInfoTableDescription},
      {&copy_call_, &kCopyApiTableDescription},
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
  added->first_api = (added->row - 1) << kApiIdBits;
  processes_.push_back(std::move(added));
}

Status TraceWriter::Add(size_t number, const spool::RecordView& record) {
  Process& process = *processes_[number];
  if (++added_ % kRecordsPerGrowth == 0) RTL_TRY(bulk_.GrowPages());
  if (!process.is_chosen && LeaveOut(process, record)) return Status::Ok();
  switch (record.head->type) {
    case RecordType::kAgent:
      return AddAgent(process, record.As<AgentRecord>());
    case RecordType::kQueue:
      return AddQueue(process, record.As<QueueRecord>());
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
      return AddApiCall(process, record);
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
      return AddCounter(process, record.As<CounterRecord>(), record.text);
    case RecordType::kCounterInfo:
      return AddCounterInfo(process, record.As<CounterInfoRecord>(), record.text);
    case RecordType::kCodeObject:
      return samples_.AddCodeObject(process.row, record.As<CodeObjectRecord>(), record.text);
    case RecordType::kCodeBytes:
      return samples_.AddCodeBytes(record.As<CodeBytesRecord>(), record.text);
    case RecordType::kPcSample:
      return AddSample(process, record.As<PcSampleRecord>());
    case RecordType::kAgentProperties:
      return AddAgentProperties(process, record.As<AgentPropertiesRecord>(), record.text);
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

// The agents of CPUs come first, and nodes are numbered over both.
uint32_t TraceWriter::NumberOfGpu(const Process& process, const AgentRecord& record) {
  uint32_t before = 0;
  for (const auto& [number, agent] : process.agents) {
    if (agent.is_gpu == 0 && agent.node < record.node) ++before;
  }
  const spool::ProcessInfo& info = process.info;
  return gpu_numbers_.Of({.host = info.boot_id[0] != '\0' ? info.boot_id : info.host,
                          .uuid = Text(record.uuid),
                          .bdf = record.bdf,
                          .node = record.node,
                          .own = record.gpu,
                          .of_host = before != 0 ? record.node - before : record.gpu,
                          .of_a_rank = info.rank >= 0});
}

Status TraceWriter::AddAgent(Process& process, const AgentRecord& record) {
  const auto [agent, is_new] = process.agents.try_emplace(record.agent, record);
  if (!is_new) return Status::Ok();
  if (record.is_gpu != 0) agent->second.gpu = NumberOfGpu(process, record);
  AgentTable row;
  TakeFields(record, &row);
  row.id = ++next_agent_;
  row.process = process.row;
  row.pid = process.info.pid;
  row.gpu = static_cast<int32_t>(agent->second.gpu);
  row.timestamp_hz = Known(record.timestamp_hz);
  row.name = Text(record.name);
  row.product = Text(record.product);
  row.uuid = Text(record.uuid);
  return agent_.Add(row);
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

bool TraceWriter::Plausible(Process& process, uint64_t start, uint64_t end) {
  if (start > end || end > static_cast<uint64_t>(INT64_MAX)) {
    ++process.rejected;
    return false;
  }
  process.last_time = std::max(process.last_time, end);
  return true;
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
  if (!Plausible(process, record.start, record.end)) return Status::Ok();
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
  return LinkToCall(process, EventKind::kKernel, record.head.thread, record.correlation,
                    helper ? 0 : row.description);
}

Status TraceWriter::AddName(Process& process, const NameRecord& record, std::string_view text) {
  static constexpr const char* kKinds[] = {"", "thread", "agent", "device", "stream"};
  const auto what = static_cast<size_t>(record.what);
  if (what == 0 || what >= std::size(kKinds)) return Status::Ok();
  NameTable row;
  TakeFields(record, &row);
  row.process = process.row;
  row.pid = process.info.pid;
  row.kind = kKinds[what];
  row.name = CleanText(text);
  if (record.what == Named::kStream) process.streams.Name(record.target, record.time, row.name);
  return name_.Add(row);
}

Status TraceWriter::AddCounter(Process& process, const CounterRecord& record,
                               std::string_view text) {
  int64_t name = 0;
  RTL_TRY(strings_.Intern(CleanText(text), &name));
  if ((record.flags & kCounterFlagLast) != 0)
    ++process.recorded[static_cast<size_t>(EventKind::kCounter)];
  const auto dispatch = static_cast<int64_t>(record.dispatch);
  const auto position = static_cast<int64_t>(record.position);
  const std::optional<int64_t> none;  // SQLite numbers the row
  if ((record.flags & kCounterFlagReal) != 0)
    return value_.Insert(none, process.row, dispatch, name, position,
                         std::bit_cast<double>(record.value), record.flags);
  return value_.Insert(none, process.row, dispatch, name, position,
                       static_cast<int64_t>(record.value), record.flags);
}

Status TraceWriter::AddSample(Process& process, const PcSampleRecord& record) {
  if (!Plausible(process, record.time, record.time)) return Status::Ok();
  ++process.recorded[static_cast<size_t>(EventKind::kPcSample)];
  const auto queue = process.queues.find(record.queue);
  return samples_.AddSample(process.row, queue == process.queues.end() ? 0 : queue->second.row,
                            record);
}

Status TraceWriter::AddCounterInfo(Process& process, const CounterInfoRecord& record,
                                   std::string_view text) {
  CounterInfoTable row;
  TakeFields(record, &row);
  row.process = process.row;
  for (std::string* part : {&row.name, &row.block, &row.expression, &row.description}) {
    const size_t end = std::min(text.find('\0'), text.size());
    *part = CleanText(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return counter_info_.Add(row);
}

Status TraceWriter::AddAgentProperties(Process& process, const AgentPropertiesRecord& record,
                                       std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const size_t blank = line.find(' ');
    if (blank == 0 || blank == std::string_view::npos) continue;
    RTL_TRY(property_.Add(AgentPropertyTable{.process = process.row,
                                             .pid = process.info.pid,
                                             .agent = record.agent,
                                             .name = CleanText(line.substr(0, blank)),
                                             .value = CleanText(line.substr(blank + 1))}));
  }
  return Status::Ok();
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
  RTL_TRY(WriteQueues(process, unsaid));
  RTL_TRY(WriteStreams(process));
  RTL_TRY(WriteUnlinked(number));
  ProcessTable row;
  TakeFields(info, &row);
  row.id = process.row;
  row.host = Text(info.host);
  row.boot_id = Text(info.boot_id);
  row.executable = Text(info.executable);
  row.command = Text(info.command);
  row.started = info.opened;
  row.ended = ended;
  row.mode = Text(info.mode);
  row.loaded_by = Text(info.loaded_by);
  row.runtime = Text(info.runtime);
  row.mode_reason = Text(info.mode_reason);
  row.process_group = info.group;
  row.rank = NotNegative(info.rank);
  row.local_rank = NotNegative(info.local_rank);
  row.world = Known(info.world);
  row.job = Text(info.job);
  return process_.Add(row);
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
