// SPDX-License-Identifier: MIT
#include "import/imported_trace.h"

#include <algorithm>
#include <cstring>

#include "trace/schema/schema.h"

namespace rtl::import {
namespace {

// Foreign correlations below this are used as they are; calls without one get numbers above it.
constexpr uint64_t kFirstOwnCorrelation = uint64_t{1} << 38;
constexpr uint32_t kMostApis = 0x7fff;  // kFirstUnknownApi and up, in 16 bits

template <size_t kSize>
void Put(std::string_view text, char (&field)[kSize]) {
  const size_t bytes = std::min(text.size(), kSize - 1);
  memcpy(field, text.data(), bytes);
  field[bytes] = '\0';
}

}  // namespace

void ImportedTrace::BeginRows() {
  begun_ = true;
  info_.pid = process_->pid;
  info_.rank = process_->rank;
  Put("foreign", info_.mode);
  writer_.AddProcess(info_, &number_);
}

template <typename Record>
Status ImportedTrace::Write(Record record, std::string_view text) {
  if (!begun_) BeginRows();
  if constexpr (requires { record.text_bytes; }) {
    record.text_bytes = static_cast<uint32_t>(text.size());
  }
  return writer_.Add(number_, {&record.head, sizeof record + (text.size() + 7) / 8 * 8, text});
}

void ImportedTrace::BeginProcess(const ImportedProcess* process) {
  process_ = process;
  begun_ = false;
  info_ = {};
  report_ = {};
  has_time_ = false;
  agents_.clear();
  device_names_.clear();
  queues_.clear();
  kernels_.clear();
  threads_.clear();
  apis_.clear();
  thread_names_.clear();
  calls_.clear();
  wanted_.clear();
  ranges_.clear();
  dispatches_ = copies_ = 0;
  own_correlation_ = kFirstOwnCorrelation;
}

void ImportedTrace::NameDevice(uint64_t device, std::string_view name) {
  device_names_[device] = name;
}

void ImportedTrace::NameThread(std::string_view thread, std::string_view name) {
  thread_names_[std::string(thread)] = name;
}

bool ImportedTrace::Sound(int64_t start, int64_t end) {
  if (start < 0 || end < start) {
    Leave(start < 0 ? "a time before the trace's clock began" : "a time that goes backwards");
    return false;
  }
  first_ = has_time_ ? std::min(first_, start) : start;
  last_ = has_time_ ? std::max(last_, end) : end;
  has_time_ = true;
  return true;
}

Status ImportedTrace::AgentOf(uint64_t device, uint32_t* agent) {
  const auto known = agents_.find(device);
  if (known != agents_.end()) {
    *agent = known->second;
    return Status::Ok();
  }
  *agent = static_cast<uint32_t>(agents_.size()) + 1;
  agents_.emplace(device, *agent);
  AgentRecord record;
  record.head = {RecordType::kAgent, 0, 0};
  record.agent = *agent;
  record.is_gpu = 1;
  record.gpu = static_cast<uint32_t>(device);
  const auto name = device_names_.find(device);
  Put(name != device_names_.end() ? name->second : "GPU", record.name);
  Put(name != device_names_.end() ? name->second : "", record.product);
  // Nothing in these files identifies the chip: a device of another rank is another GPU.
  const int32_t rank = process_->rank;
  Put((rank < 0 ? "" : "rank-" + std::to_string(rank) + "-") + "device-" + std::to_string(device),
      record.uuid);
  return Write(record);
}

Status ImportedTrace::QueueOf(uint64_t device, uint64_t stream, uint32_t* queue) {
  const auto [known, added] =
      queues_.try_emplace({device, stream}, static_cast<uint32_t>(queues_.size()) + 1);
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
  const auto [known, added] = kernels_.try_emplace({agent, std::string(kernel.name)},
                                                   static_cast<uint32_t>(kernels_.size()) + 1);
  *number = known->second;
  if (!added) return Status::Ok();
  KernelRecord record;
  record.head = {RecordType::kKernel, 0, 0};
  record.kernel = *number;
  record.agent = agent;
  record.vgprs = kernel.registers;
  record.group_segment = kernel.group_segment;
  return Write(record, kernel.name);
}

Status ImportedTrace::ThreadOf(std::string_view thread, uint32_t* number) {
  const auto known = threads_.find(thread);
  if (known != threads_.end()) {
    *number = known->second;
    return Status::Ok();
  }
  // The kernel's id where the trace has it. Other ids get numbers that no thread has.
  uint64_t id = 0;
  for (const char c : thread)
    id = c >= '0' && c <= '9' && id < UINT32_MAX ? id * 10 + (c - '0') : UINT64_MAX;
  constexpr uint32_t kFirstOther = 1u << 30;
  *number = id != 0 && id < kFirstOther ? static_cast<uint32_t>(id)
                                        : kFirstOther + static_cast<uint32_t>(threads_.size());
  threads_.emplace(thread, *number);
  return Status::Ok();
}

Status ImportedTrace::ApiOf(std::string_view name, uint32_t* api) {
  const auto known = apis_.find(name);
  if (known != apis_.end()) {
    *api = known->second;
    return Status::Ok();
  }
  const auto number = std::min(static_cast<uint32_t>(apis_.size()), kMostApis);
  *api = kFirstUnknownApi + number;
  apis_.emplace(name, *api);
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
  wanted_.push_back(correlation);
  return correlation;
}

Status ImportedTrace::Add(const ImportedKernel& kernel) {
  if (!Sound(kernel.start, kernel.end)) return Status::Ok();
  DispatchRecord record;
  record.head = {RecordType::kDispatch, 0, 0};
  record.dispatch = ++dispatches_;
  record.correlation = Linked(kernel.correlation);
  record.start = static_cast<uint64_t>(kernel.start);
  record.end = static_cast<uint64_t>(kernel.end);
  RTL_TRY(QueueOf(kernel.device, kernel.stream, &record.queue));
  RTL_TRY(KernelOf(agents_.at(kernel.device), kernel, &record.kernel));
  for (int i = 0; i < 3; ++i) {
    record.grid[i] = kernel.grid[i];
    record.workgroup[i] = static_cast<uint16_t>(std::min(kernel.workgroup[i], 65535u));
  }
  record.group_segment = kernel.group_segment;
  record.packet = dispatches_;
  ++report_.kernels;
  return Write(record);
}

Status ImportedTrace::Add(const ImportedCopy& copy) {
  if (!Sound(copy.start, copy.end)) return Status::Ok();
  CopyRecord record;
  record.head = {RecordType::kCopy, 0, 0};
  record.copy = ++copies_;
  record.correlation = Linked(copy.correlation);
  record.start = static_cast<uint64_t>(copy.start);
  record.end = static_cast<uint64_t>(copy.end);
  record.submitted = record.start;
  record.bytes = copy.bytes;
  record.kind = copy.kind;
  uint32_t agent = 0;
  RTL_TRY(AgentOf(copy.device, &agent));
  if (copy.kind == CopyKind::kHostToDevice || copy.kind == CopyKind::kDeviceToDevice)
    record.dst_agent = agent;
  if (copy.kind == CopyKind::kDeviceToHost || copy.kind == CopyKind::kDeviceToDevice)
    record.src_agent = agent;
  ++report_.copies;
  return Write(record);
}

Status ImportedTrace::Add(const ImportedCall& call) {
  if (!Sound(call.start, call.end)) return Status::Ok();
  ApiCallRecord record;
  record.head = {RecordType::kApiCall, 0, 0};
  RTL_TRY(ThreadOf(call.thread, &record.head.thread));
  RTL_TRY(ApiOf(call.name, &record.api));
  const bool has_own = call.correlation != 0 && call.correlation < kFirstOwnCorrelation &&
                       calls_.insert(call.correlation).second;
  record.correlation = has_own ? call.correlation : ++own_correlation_;
  record.start = static_cast<uint64_t>(call.start);
  record.end = static_cast<uint64_t>(call.end);
  record.flags = kApiFlagNoResult;
  ++report_.calls;
  return Write(record);
}

Status ImportedTrace::Add(const ImportedOperator& one) {
  if (!Sound(one.start, one.end)) return Status::Ok();
  if (!begun_) BeginRows();
  store::OperatorSpan span;
  span.kind = one.kind;
  RTL_TRY(ThreadOf(one.thread, &span.thread));
  span.name = one.name;
  span.inputs = one.inputs;
  span.start = static_cast<uint64_t>(one.start);
  span.end = static_cast<uint64_t>(one.end);
  ++(one.kind == store::OperatorKind::kOperator ? report_.operators : report_.functions);
  return writer_.AddOperator(number_, span);
}

void ImportedTrace::Add(ImportedRange range) {
  if (!Sound(range.start, range.end)) return;
  ranges_.push_back(std::move(range));
  ++report_.ranges;
}

// Ranges of a thread that lie in each other are pushed and popped; one that only overlaps an earlier
// one is a range of its own.
Status ImportedTrace::WriteRanges() {
  std::stable_sort(ranges_.begin(), ranges_.end(), [](const auto& a, const auto& b) {
    if (a.thread != b.thread) return a.thread < b.thread;
    return a.start != b.start ? a.start < b.start : a.end > b.end;
  });
  std::vector<int64_t> open;  // ends of the ranges around
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
  for (size_t i = 0; i < ranges_.size(); ++i) {
    const ImportedRange& range = ranges_[i];
    if (i == 0 || range.thread != ranges_[i - 1].thread) {
      RTL_TRY(pop(INT64_MAX));
      RTL_TRY(ThreadOf(range.thread, &thread));
    }
    RTL_TRY(pop(range.start));
    const bool nests = open.empty() || range.end <= open.back();
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
  for (const auto& [thread, name] : thread_names_) {
    const auto known = threads_.find(thread);
    if (known == threads_.end()) continue;
    NameRecord record;
    record.head = {RecordType::kName, 0, known->second};
    record.time = static_cast<uint64_t>(first_);
    record.target = known->second;
    record.what = Named::kThread;
    RTL_TRY(Write(record, name));
  }
  return Status::Ok();
}

void ImportedTrace::CountUnlinked() {
  if (report_.calls == 0) return;
  uint64_t without = 0;
  for (const uint64_t correlation : wanted_) without += calls_.contains(correlation) ? 0 : 1;
  if (without != 0) report_.unused["a call that is not in the file: the link to it"] += without;
}

Status ImportedTrace::EndProcess() {
  const ImportedProcess& process = *process_;
  if (!begun_) BeginRows();
  if (!has_time_) first_ = last_ = 0;
  RTL_TRY(WriteRanges());
  RTL_TRY(WriteNames());
  CountUnlinked();
  info_.pid = process.pid;
  info_.world = process.world;
  info_.opened = static_cast<uint64_t>(first_);
  info_.realtime_minus_boottime = process.realtime_minus_clock;
  Put(process.host, info_.host);
  Put(process.command, info_.command);
  Put(process.format, info_.door);
  Put(process.file, info_.executable);
  RTL_TRY(writer_.EndProcess(number_, info_, static_cast<uint64_t>(last_)));
  for (size_t k = 0; k < kEventKindCount; ++k) {
    const auto kind = static_cast<EventKind>(k);
    const uint64_t recorded = writer_.recorded(number_, kind);
    totals_[k] += recorded;
    RTL_TRY(writer_.AddCounter(number_, EventKindName(kind), "recorded", recorded));
  }
  trace_first_ = std::min(trace_first_, first_);
  trace_last_ = std::max(trace_last_, last_);
  processes_.push_back(process);
  return Status::Ok();
}

Status ImportedTrace::Commit(const std::string& tool_version, const std::string& command,
                             std::string* written) {
  const ImportedProcess none;
  const ImportedProcess& first = processes_.empty() ? none : processes_.front();
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
  RTL_TRY(add("door", first.format));
  RTL_TRY(add("runtime", ""));
  RTL_TRY(add("clock", "the clock of " + first.format + ", ns"));
  RTL_TRY(add("realtime_minus_boottime", std::to_string(first.realtime_minus_clock)));
  RTL_TRY(writer_.AddMetadata("started", processes_.empty() ? 0 : trace_first_));
  RTL_TRY(writer_.AddMetadata("ended", trace_last_));
  RTL_TRY(add(store::kSourceTag, first.format));
  for (size_t k = 0; k < kEventKindCount; ++k) {
    const std::string kind = EventKindName(static_cast<EventKind>(k));
    RTL_TRY(writer_.AddMetadata("recorded." + kind, static_cast<int64_t>(totals_[k])));
  }
  return writer_.Commit(written);
}

}  // namespace rtl::import
