// SPDX-License-Identifier: MIT
#include "import/imported_trace.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <set>

#include "base/text.h"
#include "trace/schema/api_text.h"
#include "trace/schema/schema.h"

namespace rtl::import {
namespace {

// Correlation ids of a foreign trace that are smaller than this are kept. Calls without one get ids
// from here on.
constexpr uint64_t kFirstOwnCorrelation = uint64_t{1} << 38;
constexpr uint32_t kMostApis = 0x7fff;  // kFirstUnknownApi and up, in 16 bits
constexpr size_t kLongestReason = 160, kMostReasons = 200;

template <size_t kSize>
void Put(std::string_view text, char (&field)[kSize]) {
  const size_t bytes = std::min(text.size(), kSize - 1);
  memcpy(field, text.data(), bytes);
  field[bytes] = '\0';
}

}  // namespace

struct ImportedTrace::Process {
  ImportedProcess facts;
  bool begun = false;  // the process has rows
  size_t number = 0;
  uint32_t pid_of_rows = 0;
  spool::ProcessInfo info;
  ImportReport report;
  // Entry of report.unused that was counted last.
  std::pair<const std::string, uint64_t>* last_unused = nullptr;
  int64_t first = 0, last = 0;  // times of the events
  bool has_time = false;

  std::map<uint64_t, uint32_t> agents;  // by device
  std::map<uint64_t, ImportedDevice> devices;
  std::map<std::pair<uint64_t, uint64_t>, uint32_t> queues;  // by device and stream
  struct KernelKey {
    uint32_t agent;
    std::string_view name;
    bool operator==(const KernelKey&) const = default;
  };
  struct KernelHash {
    size_t operator()(const KernelKey& key) const {
      return std::hash<std::string_view>()(key.name) + key.agent;
    }
  };
  std::unordered_map<KernelKey, uint32_t, KernelHash> kernels;
  std::deque<std::string> kernel_names;  // the texts that keys of `kernels` refer to
  std::map<std::string, uint32_t, std::less<>> threads, apis;
  std::map<std::string, std::string, std::less<>> thread_names;
  std::set<uint32_t> submitters;  // thread ids as the kernel of the system knows them
  struct Call {
    int64_t start = 0, end = 0;
    uint32_t thread = 0;
    bool is_shared = false;  // several calls have this correlation id
  };
  std::unordered_map<uint64_t, Call> calls;  // by foreign correlation
  // Kernels and copies that came before their call in the file.
  std::vector<DispatchRecord> held_kernels;
  std::vector<CopyRecord> held_copies;
  std::vector<uint64_t> wanted;  // correlation ids of kernels and copies
  std::vector<ImportedRange> ranges;
  uint64_t dispatches = 0, copies = 0, compiler_calls = 0;
  uint64_t own_correlation = kFirstOwnCorrelation;  // the last id given to a call without one
};

ImportedTrace::ImportedTrace() = default;
ImportedTrace::~ImportedTrace() = default;

void ImportReport::Add(const ImportReport& other) {
  kernels += other.kernels;
  copies += other.copies;
  calls += other.calls;
  ranges += other.ranges;
  operators += other.operators;
  functions += other.functions;
  spans += other.spans;
  early += other.early;
  for (const auto& [why, events] : other.unused) unused[why] += events;
}

size_t ImportedTrace::BeginProcess(const ImportedProcess& facts) {
  processes_.push_back(std::make_unique<Process>());
  now_ = processes_.back().get();
  now_->facts = facts;
  return processes_.size() - 1;
}

ImportedProcess& ImportedTrace::facts() { return now_->facts; }
int32_t ImportedTrace::rank_of_rows() const { return now_->info.rank; }
uint32_t ImportedTrace::pid_of_rows() const { return now_->pid_of_rows; }

void ImportedTrace::BeginRows() {
  now_->begun = true;
  now_->info.pid = now_->pid_of_rows = now_->facts.pid;
  now_->info.rank = now_->facts.rank;
  Put("foreign", now_->info.mode);
  writer_.AddProcess(now_->info, &now_->number);
}

template <typename Record>
Status ImportedTrace::Write(Record record, std::string_view text) {
  if (!now_->begun) BeginRows();
  if constexpr (requires { record.text_bytes; }) {
    record.text_bytes = static_cast<uint32_t>(text.size());
  }
  // A text follows its record, as in a spool. It is padded with zeros, because the writer compares
  // whole records.
  const size_t bytes = sizeof record + (text.size() + 7) / 8 * 8;
  record_.assign(bytes / 8, 0);
  char* const begin = reinterpret_cast<char*>(record_.data());
  memcpy(begin, &record, sizeof record);
  (void)text.copy(begin + sizeof record, text.size());  // memcpy needs a pointer, even for no bytes
  return writer_.Add(now_->number, {reinterpret_cast<const decltype(record.head)*>(begin),
                                    bytes,
                                    {begin + sizeof record, text.size()}});
}

void ImportedTrace::NameDevice(uint64_t device, ImportedDevice about) {
  now_->devices[device] = std::move(about);
}

void ImportedTrace::NameThread(std::string_view thread, std::string_view name) {
  now_->thread_names[std::string(thread)] = name;
}

// Most reasons are the same as that of the event before, so the last entry is kept at hand. A
// reason may contain text of the file, so its length and the number of reasons are limited.
void ImportedTrace::Leave(std::string_view why, uint64_t events) {
  why = why.substr(0, TextPrefix(why.data(), why.size(), kLongestReason));
  if (now_->last_unused == nullptr || now_->last_unused->first != why) {
    std::map<std::string, uint64_t>& unused = now_->report.unused;
    const bool has_place = unused.size() < kMostReasons;
    if (!has_place && !unused.contains(std::string(why))) why = "an event of other kinds";
    now_->last_unused = &*unused.try_emplace(std::string(why)).first;
  }
  now_->last_unused->second += events;
}

bool ImportedTrace::Sound(int64_t start, int64_t end) {
  if (start < 0 || end < start) {
    Leave(start < 0 ? "a time before the trace's clock began" : "a time that goes backwards");
    return false;
  }
  now_->first = now_->has_time ? std::min(now_->first, start) : start;
  now_->last = now_->has_time ? std::max(now_->last, end) : end;
  now_->has_time = true;
  return true;
}

Status ImportedTrace::AgentOf(uint64_t device, uint32_t* agent) {
  const auto [known, added] =
      now_->agents.try_emplace(device, static_cast<uint32_t>(now_->agents.size()) + 1);
  *agent = known->second;
  if (!added) return Status::Ok();
  AgentRecord record;
  record.head = {RecordType::kAgent, 0, 0};
  record.agent = *agent;
  record.is_gpu = 1;
  record.gpu = static_cast<uint32_t>(device);
  ImportedDevice about;
  const auto known_device = now_->devices.find(device);
  if (known_device != now_->devices.end()) about = known_device->second;
  record.compute_units = about.compute_units;
  Put(about.name.empty() ? "GPU" : about.name, record.name);
  Put(about.product, record.product);
  // If the file does not identify the chip, equal device numbers of two ranks are two GPUs.
  const int32_t rank = now_->facts.rank;
  const std::string of_rank = rank < 0 ? "" : "rank-" + std::to_string(rank) + "-";
  Put(about.uuid.empty() ? of_rank + "device-" + std::to_string(device) : about.uuid, record.uuid);
  return Write(record);
}

Status ImportedTrace::QueueOf(uint64_t device, uint64_t stream, uint32_t* queue) {
  const auto [known, added] =
      now_->queues.try_emplace({device, stream}, static_cast<uint32_t>(now_->queues.size()) + 1);
  *queue = known->second;
  if (!added) return Status::Ok();
  QueueRecord record;
  record.head = {RecordType::kQueue, 0, 0};
  record.queue = *queue;
  RTL_TRY(AgentOf(device, &record.agent));
  record.hsa_id = stream;
  return Write(record);
}

Status ImportedTrace::KernelOf(uint32_t agent, const ImportedKernel& kernel, uint32_t* number) {
  if (const auto known = now_->kernels.find({agent, kernel.name}); known != now_->kernels.end()) {
    *number = known->second;
    return Status::Ok();
  }
  *number = static_cast<uint32_t>(now_->kernels.size()) + 1;
  now_->kernels.emplace(Process::KernelKey{agent, now_->kernel_names.emplace_back(kernel.name)},
                        *number);
  KernelRecord record;
  record.head = {RecordType::kKernel, 0, 0};
  record.kernel = *number;
  record.agent = agent;
  record.vgprs = kernel.registers;
  record.sgprs = kernel.scalar_registers;
  record.private_segment = kernel.private_segment;
  record.group_segment = kernel.group_segment;
  return Write(record, kernel.name);
}

Status ImportedTrace::ThreadOf(std::string_view thread, uint32_t* number) {
  const auto known = now_->threads.find(thread);
  if (known != now_->threads.end()) {
    *number = known->second;
    return Status::Ok();
  }
  // A thread keeps its number if the trace has the id that the system's kernel gave it. Other ids
  // are replaced by numbers that no thread has.
  uint64_t id = 0;
  for (const char c : thread)
    id = c >= '0' && c <= '9' && id < UINT32_MAX ? id * 10 + (c - '0') : UINT64_MAX;
  constexpr uint32_t kFirstOther = 1u << 30;
  *number = id != 0 && id < kFirstOther ? static_cast<uint32_t>(id)
                                        : kFirstOther + static_cast<uint32_t>(now_->threads.size());
  now_->threads.emplace(thread, *number);
  return Status::Ok();
}

Status ImportedTrace::ApiOf(std::string_view name, uint32_t* api) {
  const auto known = now_->apis.find(name);
  if (known != now_->apis.end()) {
    *api = known->second;
    return Status::Ok();
  }
  const auto number = std::min(static_cast<uint32_t>(now_->apis.size()), kMostApis);
  *api = kFirstUnknownApi + number;
  now_->apis.emplace(name, *api);
  ApiNameRecord record;
  record.head = {RecordType::kApiName, 0, 0};
  record.api = *api;
  return Write(record, number == kMostApis ? "(other calls)" : name);
}

uint64_t ImportedTrace::Linked(uint64_t correlation) {
  if (correlation == 0 || correlation >= kFirstOwnCorrelation) {
    if (correlation != 0) Leave("a correlation id that is too large: its link");
    correlation = 0;
  }
  now_->wanted.push_back(correlation);
  return correlation;
}

// The time of submission. Zero: not known, or after the start, which is impossible.
uint64_t ImportedTrace::Submitted(int64_t submitted, int64_t start) {
  return submitted > 0 && submitted <= start ? static_cast<uint64_t>(submitted) : 0;
}

// Most formats do not say when work was submitted. It was submitted during its call, so the result
// is the end of the call, or the start of the work if that was earlier. False: the call is not
// known (yet).
template <typename Record>
bool ImportedTrace::SubmitByCall(Record* record) {
  const auto call = now_->calls.find(record->correlation);
  if (call == now_->calls.end() || call->second.is_shared) return false;
  if (record->head.thread == 0) record->head.thread = call->second.thread;
  if (record->start < static_cast<uint64_t>(call->second.start)) ++now_->report.early;
  record->submitted = std::min(static_cast<uint64_t>(call->second.end), record->start);
  return true;
}

// Writes the work that came before its call. Work whose call is not in the file is linked to no
// call.
Status ImportedTrace::WriteHeld() {
  for (DispatchRecord& record : now_->held_kernels) {
    if (!SubmitByCall(&record)) record.correlation = 0;
    RTL_TRY(Write(record));
  }
  for (CopyRecord& record : now_->held_copies) {
    if (!SubmitByCall(&record)) {
      record.submitted = record.start;
      record.correlation = 0;
    }
    RTL_TRY(Write(record));
  }
  now_->held_kernels = {};
  now_->held_copies = {};
  return Status::Ok();
}

Status ImportedTrace::Add(const ImportedKernel& kernel) {
  if (!Sound(kernel.start, kernel.end)) return Status::Ok();
  DispatchRecord record;
  record.head = {RecordType::kDispatch, 0, kernel.thread};
  now_->submitters.insert(kernel.thread);
  record.submitted = Submitted(kernel.submitted, kernel.start);
  record.private_segment = kernel.private_segment;
  record.dispatch = ++now_->dispatches;
  record.correlation = Linked(kernel.correlation);
  record.start = static_cast<uint64_t>(kernel.start);
  record.end = static_cast<uint64_t>(kernel.end);
  RTL_TRY(QueueOf(kernel.device, kernel.stream, &record.queue));
  RTL_TRY(KernelOf(now_->agents.at(kernel.device), kernel, &record.kernel));
  for (int i = 0; i < 3; ++i) {
    record.grid[i] = kernel.grid[i];
    record.workgroup[i] = static_cast<uint16_t>(std::min(kernel.workgroup[i], 65535u));
  }
  record.group_segment = kernel.group_segment;
  record.packet = now_->dispatches;
  ++now_->report.kernels;
  if (record.submitted == 0 && record.correlation != 0 && !SubmitByCall(&record)) {
    now_->held_kernels.push_back(record);
    return Status::Ok();
  }
  return Write(record);
}

Status ImportedTrace::Add(const ImportedCopy& copy) {
  if (!Sound(copy.start, copy.end)) return Status::Ok();
  CopyRecord record;
  record.head = {RecordType::kCopy, 0, copy.thread};
  now_->submitters.insert(copy.thread);
  record.copy = ++now_->copies;
  record.correlation = Linked(copy.correlation);
  record.start = static_cast<uint64_t>(copy.start);
  record.end = static_cast<uint64_t>(copy.end);
  record.submitted = Submitted(copy.submitted, copy.start);
  record.bytes = copy.bytes;
  record.kind = copy.kind;
  if (copy.target != kNoDevice) RTL_TRY(AgentOf(copy.target, &record.dst_agent));
  if (copy.source != kNoDevice) RTL_TRY(AgentOf(copy.source, &record.src_agent));
  ++now_->report.copies;
  if (record.submitted == 0 && record.correlation != 0 && !SubmitByCall(&record)) {
    now_->held_copies.push_back(record);
    return Status::Ok();
  }
  if (record.submitted == 0) record.submitted = record.start;
  return Write(record);
}

bool ImportedTrace::OperationOf(EventKind kind, std::string_view name, uint16_t* operation) {
  auto& known = operations_[static_cast<size_t>(kind)];
  if (known.empty()) {
    for (uint32_t i = 0; OperationName(kind, i) != nullptr; ++i) {
      known.emplace(OperationName(kind, i), static_cast<uint16_t>(i));
    }
  }
  const auto found = known.find(name);
  if (found == known.end()) return false;
  *operation = found->second;
  return true;
}

Status ImportedTrace::Add(const ImportedSpan& span) {
  EventRecord record;
  record.head = {RecordType::kEvent, 0, 0};
  if (!OperationOf(span.kind, span.name, &record.operation)) {
    return Skip(std::string("a ") + EventText(span.kind) + " that is not known");
  }
  if (!Sound(span.start, span.end)) return Status::Ok();
  RTL_TRY(ThreadOf(span.thread, &record.head.thread));
  record.correlation = span.correlation < kFirstOwnCorrelation ? span.correlation : 0;
  record.start = static_cast<uint64_t>(span.start);
  record.end = static_cast<uint64_t>(span.end);
  record.kind = span.kind;
  record.flags =
      span.result.has_value() ? store::kApiFlagText : store::kApiFlagText | kApiFlagNoResult;
  uint64_t values[kMostEventFields] = {};
  const SpanKind& kind = *FindSpanKind(span.kind);
  const bool is_call =
      kind.fields[0].form == FieldForm::kResult || span.kind == EventKind::kRcclCall;
  if (is_call) values[0] = static_cast<uint64_t>(int64_t{span.result.value_or(0)});
  std::copy(span.values.begin(), span.values.end(), values);
  // Agents are renumbered here. The agent of a device that is no GPU is not known.
  for (uint32_t i = 0; i < kind.field_count && span.device != kNoDevice; ++i) {
    uint32_t agent = 0;
    if (kind.fields[i].form != FieldForm::kAgent) continue;
    RTL_TRY(AgentOf(span.device, &agent));
    values[i] = agent;
  }
  const bool has_arguments = kind.fields[kind.field_count - 1].form == FieldForm::kCall;
  record.values = static_cast<uint8_t>(kind.field_count - (has_arguments ? 1 : 0));
  text_.assign(reinterpret_cast<const char*>(values), record.values * sizeof(uint64_t));
  if (has_arguments) text_ += span.arguments.substr(0, kMaxTextBytes);
  ++now_->report.spans;
  return Write(record, text_);
}

Status ImportedTrace::Add(const ImportedMark& mark) {
  if (!Sound(mark.time, mark.time)) return Status::Ok();
  MarkRecord record;
  record.head = {RecordType::kMark, 0, 0};
  RTL_TRY(ThreadOf(mark.thread, &record.head.thread));
  record.time = static_cast<uint64_t>(mark.time);
  ++now_->report.ranges;
  return Write(record, mark.name);
}

Status ImportedTrace::Add(const ImportedCall& call) {
  if (!Sound(call.start, call.end)) return Status::Ok();
  ApiCallRecord record;
  record.head = {RecordType::kApiCall, 0, 0};
  RTL_TRY(ThreadOf(call.thread, &record.head.thread));
  RTL_TRY(ApiOf(call.name, &record.api));
  if (call.is_compiler) {
    record.correlation = kCompilerCorrelation + ++now_->compiler_calls;
  }
  bool has_own = false;
  if (call.correlation != 0 && call.correlation < kFirstOwnCorrelation) {
    const auto [known, is_new] = now_->calls.try_emplace(
        call.correlation,
        Process::Call{.start = call.start, .end = call.end, .thread = record.head.thread});
    has_own = is_new;
    known->second.is_shared = !is_new;
  }
  if (!call.is_compiler) {
    record.correlation = has_own ? call.correlation : ++now_->own_correlation;
  }
  record.start = static_cast<uint64_t>(call.start);
  record.end = static_cast<uint64_t>(call.end);
  record.flags = call.is_compiler ? store::kApiFlagText | kApiFlagCompiler : store::kApiFlagText;
  if (call.result.has_value()) {
    record.result = *call.result;
  } else {
    record.flags |= kApiFlagNoResult;
  }
  ++now_->report.calls;
  return Write(record, call.arguments.substr(0, kMaxTextBytes));
}

Status ImportedTrace::Add(const ImportedOperator& one) {
  if (!Sound(one.start, one.end)) return Status::Ok();
  if (!now_->begun) BeginRows();
  store::OperatorSpan span;
  span.kind =
      one.is_function ? store::OperatorKind::kPythonFunction : store::OperatorKind::kOperator;
  RTL_TRY(ThreadOf(one.thread, &span.thread));
  span.name = one.name;
  span.inputs = one.inputs;
  span.start = static_cast<uint64_t>(one.start);
  span.end = static_cast<uint64_t>(one.end);
  ++(one.is_function ? now_->report.functions : now_->report.operators);
  return writer_.AddOperator(now_->number, span);
}

Status ImportedTrace::Add(ImportedRange range) {
  if (!Sound(range.start, range.end)) return Status::Ok();
  now_->ranges.push_back(std::move(range));
  ++now_->report.ranges;
  return Status::Ok();
}

// Ranges of a thread that nest are written as pushed and popped. A range that overlaps an earlier
// one only partly is written as started and stopped.
Status ImportedTrace::WriteRanges() {
  std::stable_sort(now_->ranges.begin(), now_->ranges.end(), [](const auto& a, const auto& b) {
    if (a.thread != b.thread) return a.thread < b.thread;
    return a.start != b.start ? a.start < b.start : a.end > b.end;
  });
  std::vector<int64_t> open;  // ends of the ranges that are open
  uint32_t thread = 0;
  uint64_t id = 0;
  const auto pop = [&](int64_t until) {
    while (!open.empty() && open.back() <= until) {
      RangeEndRecord end;
      end.head = {RecordType::kRangePop, 0, thread};
      end.time = static_cast<uint64_t>(open.back());
      RTL_TRY(Write(end));
      open.pop_back();
    }
    return Status::Ok();
  };
  for (size_t i = 0; i < now_->ranges.size(); ++i) {
    const ImportedRange& range = now_->ranges[i];
    if (i == 0 || range.thread != now_->ranges[i - 1].thread) {
      RTL_TRY(pop(INT64_MAX));
      RTL_TRY(ThreadOf(range.thread, &thread));
    }
    RTL_TRY(pop(range.start));
    const bool nests = !range.is_start_stop && (open.empty() || range.end <= open.back());
    RangeBeginRecord begin;
    begin.head = {nests ? RecordType::kRangePush : RecordType::kRangeStart, 0, thread};
    begin.time = static_cast<uint64_t>(range.start);
    begin.range = nests ? 0 : ++id;
    RTL_TRY(Write(begin, range.name));
    if (nests) {
      open.push_back(range.end);
      continue;
    }
    RangeEndRecord end;
    end.head = {RecordType::kRangeStop, 0, thread};
    end.time = static_cast<uint64_t>(range.end);
    end.range = id;
    RTL_TRY(Write(end));
  }
  return pop(INT64_MAX);
}

Status ImportedTrace::WriteNames() {
  for (const auto& [thread, name] : now_->thread_names) {
    const bool has_calls = now_->threads.contains(thread);
    uint32_t number = 0;
    RTL_TRY(ThreadOf(thread, &number));
    if (!has_calls && !now_->submitters.contains(number)) continue;
    NameRecord record;
    record.head = {RecordType::kName, 0, number};
    record.time = static_cast<uint64_t>(now_->first);
    record.target = number;
    record.what = Named::kThread;
    RTL_TRY(Write(record, name));
  }
  return Status::Ok();
}

void ImportedTrace::CountUnlinked() {
  if (now_->report.calls == 0) return;
  uint64_t without = 0, shared = 0;
  for (const uint64_t correlation : now_->wanted) {
    const auto call = now_->calls.find(correlation);
    if (call == now_->calls.end()) {
      ++without;
    } else if (call->second.is_shared) {
      ++shared;
    }
  }
  if (shared != 0) {
    now_->report.unused["a correlation id that several calls have: the link to the one"] += shared;
  }
  if (without != 0)
    now_->report.unused["a call that is not in the file: the link to it"] += without;
}

Status ImportedTrace::EndProcess(size_t number) {
  Choose(number);
  const ImportedProcess process = now_->facts;
  if (!now_->begun) BeginRows();
  if (!now_->has_time) now_->first = now_->last = 0;
  RTL_TRY(WriteHeld());
  RTL_TRY(WriteRanges());
  RTL_TRY(WriteNames());
  CountUnlinked();
  now_->info.pid = process.pid;
  now_->info.world = process.world;
  now_->info.opened = static_cast<uint64_t>(now_->first);
  now_->info.realtime_minus_boottime = process.realtime_minus_clock;
  Put(process.host, now_->info.host);
  Put(process.command, now_->info.command);
  Put(process.format, now_->info.loaded_by);
  Put(process.file, now_->info.executable);
  RTL_TRY(writer_.EndProcess(now_->number, now_->info, static_cast<uint64_t>(now_->last), {}));
  for (size_t k = 0; k < kEventKindCount; ++k) {
    const auto kind = static_cast<EventKind>(k);
    const uint64_t recorded = writer_.process(now_->number).recorded[static_cast<size_t>(kind)];
    totals_[k] += recorded;
    RTL_TRY(writer_.AddCounter(now_->number, EventKindName(kind), "recorded", recorded));
  }
  trace_first_ = std::min(trace_first_, now_->first);
  trace_last_ = std::max(trace_last_, now_->last);
  ended_.push_back(process);
  report_.Add(now_->report);
  // Frees everything but the facts that Commit needs.
  Process rest;
  rest.facts = process;
  rest.info = now_->info;
  rest.pid_of_rows = now_->pid_of_rows;
  *now_ = std::move(rest);
  return Status::Ok();
}

Status ImportedTrace::Commit(const std::string& tool_version, const std::string& command,
                             std::string* written) {
  const ImportedProcess none;
  const ImportedProcess& first = ended_.empty() ? none : ended_.front();
  const auto add = [&](const char* tag, std::string_view value) {
    return writer_.AddMetadata(tag, value);
  };
  RTL_TRY(writer_.AddMetadata("schema_version", store::kSchemaVersion));
  RTL_TRY(add("rtl_version", tool_version));
  RTL_TRY(add("host", first.host));
  RTL_TRY(add("boot_id", ""));
  RTL_TRY(add("pid", std::to_string(first.pid)));
  RTL_TRY(add("command", command));
  RTL_TRY(add("mode", "foreign"));
  RTL_TRY(add("mode_reason", "imported from a trace of " + first.format));
  RTL_TRY(add("loaded_by", first.format));
  RTL_TRY(add("runtime", ""));
  RTL_TRY(add("clock", "the clock of " + first.format + ", ns"));
  RTL_TRY(add("realtime_minus_boottime", std::to_string(first.realtime_minus_clock)));
  RTL_TRY(writer_.AddMetadata("started", ended_.empty() ? 0 : trace_first_));
  RTL_TRY(writer_.AddMetadata("ended", trace_last_));
  RTL_TRY(add(store::kSourceTag, first.format));
  for (size_t k = 0; k < kEventKindCount; ++k) {
    const std::string kind = EventKindName(static_cast<EventKind>(k));
    RTL_TRY(writer_.AddMetadata("recorded." + kind, static_cast<int64_t>(totals_[k])));
  }
  return writer_.Commit(written);
}

}  // namespace rtl::import
