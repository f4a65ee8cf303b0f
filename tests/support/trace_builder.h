// SPDX-License-Identifier: MIT
// trace_builder.h: a spool or a database with known contents, made by the real writer and the real
// collector.
//
//   TraceBuilder::ThreeKernelsOnTwoQueues().WriteDatabase(path);
//
//   TraceBuilder trace;
//   const uint32_t queue = trace.Queue(trace.Gpu("gfx906"));
//   trace.Dispatch(queue, trace.Kernel("_Z4gemmPf"), {.start = 100, .end = 250});
//   trace.Mark(7, 90, "begin");
//
// The contents of the database are the same on every run and every machine.
#pragma once

#include <string.h>

#include <bit>
#include <cstdio>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "model/api_calls.h"
#include "model/event_kinds.h"
#include "model/hsa_calls.h"
#include "model/in_flight.h"
#include "model/records.h"
#include "spool/writer.h"
#include "tests/support/temp_dir.h"
#include "trace/collect/collector.h"

namespace rtl::test {

struct DispatchOptions {
  uint64_t start = 0;
  uint64_t end = 0;
  uint32_t thread = 101;
  uint64_t submitted = 0;    // zero: 50 before `start`
  bool unsubmitted = false;  // the time of submission is unknown
  uint64_t correlation = 0;
  uint32_t grid[3] = {256, 1, 1};
  uint32_t workgroup[3] = {64, 1, 1};
  uint32_t group_segment = 0;
  uint32_t private_segment = 0;
  uint16_t flags = 0;
};

struct CallOptions {
  uint64_t start = 0;
  uint64_t end = 0;
  uint32_t thread = 101;
  uint64_t correlation = 0;
  int32_t result = 0;
  uint16_t flags = kApiFlagOutputs;
};

struct EventOptions {
  uint64_t start = 0;
  uint64_t end = 0;
  uint32_t thread = 101;
  uint64_t correlation = 0;
  std::vector<uint64_t> slots = {};  // of a call's arguments
  std::string texts = {};            // among them
  uint16_t flags = kApiFlagOutputs;
};

class TraceBuilder {
 public:
  static constexpr uint32_t kFirstPid = 1000;
  static constexpr uint64_t kOpened = 10;      // when the first process begins
  static constexpr uint64_t kFinished = 9000;  // when every process ends

  TraceBuilder() { NextProcess(); }

  // Two kernels on the first queue, one on the second, of one GPU; a range around the first.
  static TraceBuilder ThreeKernelsOnTwoQueues() {
    TraceBuilder trace;
    const uint32_t gpu = trace.Gpu("gfx906");
    const uint32_t first = trace.Queue(gpu);
    const uint32_t second = trace.Queue(gpu);
    const uint32_t gemm = trace.Kernel("_Z4gemmPfS_S_i");
    const uint32_t copy = trace.Kernel("_Z4copyPKfPf");
    trace.Push(101, 900, "step");
    trace.Dispatch(first, gemm, {.start = 1000, .end = 2000});
    trace.Pop(101, 2100);
    trace.Dispatch(second, copy, {.start = 1500, .end = 1700, .thread = 102});
    trace.Dispatch(first, gemm, {.start = 2500, .end = 3000});
    return trace;
  }

  // All that follows belongs to another process (pid 1001, 1002, …).
  TraceBuilder& NextProcess() {
    processes_.emplace_back();
    processes_.back().pid = kFirstPid + static_cast<uint32_t>(processes_.size()) - 1;
    return *this;
  }

  // All that follows belongs to the program that the process becomes by exec.
  TraceBuilder& Exec() {
    const uint32_t pid = processes_.back().pid;
    processes_.emplace_back();
    processes_.back().pid = pid;
    return *this;
  }
  TraceBuilder& Mode(std::string_view mode, std::string_view reason) {
    processes_.back().mode = mode;
    processes_.back().mode_reason = reason;
    return *this;
  }
  TraceBuilder& LoadedBy(std::string_view loaded_by) {
    processes_.back().loaded_by = loaded_by;
    return *this;
  }
  TraceBuilder& Rank(int32_t rank, uint32_t world, std::string_view job) {
    processes_.back().rank = rank;
    processes_.back().world = world;
    processes_.back().job = job;
    return *this;
  }

  // Each returns the new id, 1-based within the process.
  uint32_t Gpu(std::string_view name, uint64_t timestamp_hz = 100'000'000) {
    Process& process = processes_.back();
    AgentRecord record;
    record.head = {RecordType::kAgent, 0, process.pid};
    record.agent = ++process.agents;
    record.is_gpu = 1;
    record.gpu = record.agent - 1;
    record.node = record.agent;
    record.bdf = (record.agent << 8);
    record.compute_units = 60;
    record.timestamp_hz = timestamp_hz;
    snprintf(record.name, sizeof record.name, "%.*s", static_cast<int>(name.size()), name.data());
    snprintf(record.product, sizeof record.product, "Test GPU");
    snprintf(record.uuid, sizeof record.uuid, "GPU-%04u", record.agent);
    Append(&record, sizeof record);
    return record.agent;
  }

  uint32_t Queue(uint32_t agent) {
    Process& process = processes_.back();
    QueueRecord record;
    record.head = {RecordType::kQueue, 0, process.pid};
    record.queue = ++process.queues;
    record.agent = agent;
    record.hsa_id = 0x10 + record.queue;
    record.created = kOpened + record.queue;
    record.size = 1024;
    Append(&record, sizeof record);
    return record.queue;
  }

  uint32_t Kernel(std::string_view mangled, uint32_t agent = 1) {
    Process& process = processes_.back();
    KernelRecord record;
    record.head = {RecordType::kKernel, 0, process.pid};
    record.kernel = ++process.kernels;
    record.agent = agent;
    record.kernel_object = 0x1000 * record.kernel;
    record.code_object = 1;
    record.kernarg_segment = 64;
    record.vgprs = 32;
    record.sgprs = 16;
    if (mangled.empty()) record.flags = kKernelFlagUnknown;
    record.text_bytes = static_cast<uint32_t>(mangled.size());
    Append(&record, sizeof record, mangled);
    return record.kernel;
  }

  TraceBuilder& Dispatch(uint32_t queue, uint32_t kernel, const DispatchOptions& options) {
    Process& process = processes_.back();
    DispatchRecord record;
    record.head = {RecordType::kDispatch, 0, options.thread};
    record.dispatch = ++process.dispatches;
    record.correlation = options.correlation;
    record.start = options.start;
    record.end = options.end;
    record.start_ticks = options.start / 10;
    record.end_ticks = options.end / 10;
    record.submitted = options.submitted != 0 ? options.submitted : options.start - 50;
    if (options.unsubmitted) record.submitted = 0;
    record.packet = record.dispatch - 1;
    record.kernel = kernel;
    record.queue = queue;
    for (int i = 0; i < 3; ++i) {
      record.grid[i] = options.grid[i];
      record.workgroup[i] = static_cast<uint16_t>(options.workgroup[i]);
    }
    record.group_segment = options.group_segment;
    record.private_segment = options.private_segment;
    record.flags = options.flags;
    Append(&record, sizeof record);
    return Count(EventKind::kKernel);
  }

  // The number of a call; zero when no call has this name.
  static uint32_t CallNumber(std::string_view name) {
    for (uint32_t number = 1; FindApiCall(number) != nullptr; ++number) {
      if (name == FindApiCall(number)->name) return number;
    }
    return 0;
  }

  TraceBuilder& Call(uint32_t number, std::initializer_list<uint64_t> slots,
                     const CallOptions& options) {
    ApiCallRecord record;
    record.head = {RecordType::kApiCall, 0, options.thread};
    record.correlation = options.correlation;
    record.start = options.start;
    record.end = options.end;
    record.api = number;
    record.result = options.result;
    record.flags = options.flags;
    record.slots = static_cast<uint16_t>(slots.size());
    const std::string_view payload(reinterpret_cast<const char*>(slots.begin()),
                                   slots.size() * sizeof(uint64_t));
    record.text_bytes = static_cast<uint32_t>(payload.size());
    Append(&record, sizeof record, payload);
    return Count(EventKind::kHipCall);
  }

  TraceBuilder& CallName(uint32_t number, std::string_view name) {
    ApiNameRecord record;
    record.head = {RecordType::kApiName, 0, processes_.back().pid};
    record.api = number;
    record.text_bytes = static_cast<uint32_t>(name.size());
    Append(&record, sizeof record, name);
    return *this;
  }

  // An event of a span kind. `values`: as AllocationValues, of the kind's own type.
  template <typename Values>
  TraceBuilder& Event(EventKind kind, uint16_t operation, const Values& values,
                      const EventOptions& options) {
    const uint32_t fields = FindSpanKind(kind)->field_count;
    const bool is_call = FindSpanKind(kind)->fields[fields - 1].form == FieldForm::kCall;
    EventRecord record;
    record.head = {RecordType::kEvent, 0, options.thread};
    record.correlation = options.correlation;
    record.start = options.start;
    record.end = options.end;
    record.kind = kind;
    record.values = static_cast<uint8_t>(fields - (is_call ? 1 : 0));
    record.operation = operation;
    record.flags = options.flags;
    record.slots = static_cast<uint16_t>(options.slots.size());
    std::string payload(reinterpret_cast<const char*>(&values), record.values * sizeof(uint64_t));
    payload.append(reinterpret_cast<const char*>(options.slots.data()),
                   options.slots.size() * sizeof(uint64_t));
    payload += options.texts;
    return RawEvent(record, payload);
  }
  // The same as it is, valid or not.
  TraceBuilder& RawEvent(EventRecord record, std::string_view payload) {
    record.text_bytes = static_cast<uint32_t>(payload.size());
    Append(&record, sizeof record, payload);
    return Count(record.kind);
  }
  // The operation of an HSA function.
  static uint16_t HsaOperation(std::string_view name) {
    uint16_t operation = 0;
    while (FindHsaCall(operation) != nullptr && name != FindHsaCall(operation)->name) ++operation;
    return operation;
  }

  TraceBuilder& Copy(const CopyRecord& copy) {
    CopyRecord record = copy;
    record.head = {RecordType::kCopy, 0, processes_.back().pid};
    Append(&record, sizeof record);
    return Count(EventKind::kCopy);
  }

  // One value of a hardware counter. `flags`: kCounterFlag...; with kCounterFlagReal `value` is a
  // double's bits.
  TraceBuilder& Counter(uint64_t dispatch, std::string_view name, double value, uint32_t flags) {
    CounterRecord record;
    record.head = {RecordType::kCounter, 0, processes_.back().pid};
    record.dispatch = dispatch;
    record.value = (flags & kCounterFlagReal) != 0 ? std::bit_cast<uint64_t>(value)
                                                   : static_cast<uint64_t>(value);
    record.flags = flags;
    record.text_bytes = static_cast<uint32_t>(name.size());
    Append(&record, sizeof record, name);
    return *this;
  }

  TraceBuilder& Barrier(const BarrierRecord& barrier) {
    BarrierRecord record = barrier;
    record.head = {RecordType::kBarrier, 0, processes_.back().pid};
    Append(&record, sizeof record);
    return Count(EventKind::kBarrier);
  }

  TraceBuilder& Name(Named what, uint64_t target, uint64_t time, std::string_view text) {
    NameRecord record;
    record.head = {RecordType::kName, 0, processes_.back().pid};
    record.time = time;
    record.target = target;
    record.what = what;
    record.text_bytes = static_cast<uint32_t>(text.size());
    Append(&record, sizeof record, text);
    return *this;
  }

  TraceBuilder& Mark(uint32_t thread, uint64_t time, std::string_view text) {
    MarkRecord record;
    record.head = {RecordType::kMark, 0, thread};
    record.time = time;
    record.text_bytes = static_cast<uint32_t>(text.size());
    Append(&record, sizeof record, text);
    return Count(EventKind::kMarker);
  }

  TraceBuilder& Push(uint32_t thread, uint64_t time, std::string_view text) {
    return Begin(RecordType::kRangePush, thread, time, 0, text);
  }
  TraceBuilder& Pop(uint32_t thread, uint64_t time) {
    return End(RecordType::kRangePop, thread, time, 0);
  }
  TraceBuilder& Start(uint32_t thread, uint64_t time, uint64_t range, std::string_view text) {
    return Begin(RecordType::kRangeStart, thread, time, range, text);
  }
  TraceBuilder& Stop(uint32_t thread, uint64_t time, uint64_t range) {
    return End(RecordType::kRangeStop, thread, time, range);
  }

  TraceBuilder& QueueEnd(uint32_t queue, uint64_t destroyed, uint64_t submitted,
                         std::initializer_list<std::pair<Loss, uint64_t>> losses = {}) {
    QueueEndRecord record;
    record.head = {RecordType::kQueueEnd, 0, processes_.back().pid};
    record.queue = queue;
    record.destroyed = destroyed;
    record.submitted = submitted;
    for (const auto& [why, events] : losses) record.losses[static_cast<size_t>(why)] = events;
    Append(&record, sizeof record);
    return *this;
  }

  TraceBuilder& Warning(std::string_view text) {
    WarningRecord record;
    record.head = {RecordType::kWarning, 0, processes_.back().pid};
    record.text_bytes = static_cast<uint32_t>(text.size());
    Append(&record, sizeof record, text);
    return *this;
  }

  // Events that were submitted and never recorded.
  TraceBuilder& Lose(EventKind kind, Loss why, uint64_t events) {
    processes_.back().submitted[static_cast<size_t>(kind)] += events;
    processes_.back().losses[static_cast<size_t>(kind)][static_cast<size_t>(why)] += events;
    return *this;
  }

  // Events that began and never ended.
  TraceBuilder& Open(EventKind kind, uint64_t events) {
    processes_.back().submitted[static_cast<size_t>(kind)] += events;
    return *this;
  }

  TraceBuilder& Fault(uint32_t agent, uint64_t time, uint64_t address, uint32_t reason) {
    FaultRecord record;
    record.head = {RecordType::kFault, 0, processes_.back().pid};
    record.time = time;
    record.address = address;
    record.agent = agent;
    record.reason = reason;
    Append(&record, sizeof record);
    return *this;
  }

  // A kernel that was submitted and has not ended. One queue in flight for each process.
  TraceBuilder& InFlight(uint32_t queue, uint32_t kernel, uint64_t packet,
                         const DispatchOptions& options) {
    InFlightEntry entry = {};
    entry.submitted = options.submitted;
    entry.packet = packet;
    for (int i = 0; i < 3; ++i) {
      entry.grid[i] = options.grid[i];
      entry.workgroup[i] = static_cast<uint16_t>(options.workgroup[i]);
    }
    entry.kernel = kernel;
    entry.thread = options.thread;
    entry.flags = options.flags;
    entry.correlated = options.correlation != 0;
    entry.correlation = options.correlation;
    processes_.back().in_flight.emplace_back(queue, entry);
    return Open(EventKind::kKernel, 1);
  }

  // The signal of the last kernel in flight is this one of the tracer's.
  TraceBuilder& On(uint64_t signal) {
    processes_.back().in_flight.back().second.signal = signal;
    return *this;
  }

  // As InFlight, of a kernel that has ended: the process died while a thread wrote its record.
  TraceBuilder& BeingRecorded(uint32_t queue, uint32_t kernel, uint64_t packet, bool recorded) {
    InFlight(queue, kernel, packet, {.submitted = 100});
    processes_.back().in_flight.back().second.accounted = Accounted::kBeing;
    if (!recorded) return *this;
    --processes_.back().submitted[static_cast<size_t>(EventKind::kKernel)];
    return Dispatch(queue, kernel, {.start = 110, .end = 120, .submitted = 100});
  }

  // As InFlight, of a kernel that was not submitted: the process died while a thread was to do it.
  TraceBuilder& BeingSubmitted(uint32_t queue, uint32_t kernel, uint64_t packet, uint64_t time) {
    InFlight(queue, kernel, packet, {.submitted = time});
    --processes_.back().submitted[static_cast<size_t>(EventKind::kKernel)];
    processes_.back().counts_by_queue = true;
    return *this;
  }

  // A barrier packet of the in-flight queue, after InFlight.
  TraceBuilder& WaitsFor(uint64_t packet, uint64_t signal) {
    processes_.back().barriers.emplace_back(packet, signal);
    return *this;
  }

  // A kernel of that queue that has ended, and whose slot in the table was not reused.
  // The kinds that the process records.
  TraceBuilder& Events(EventSet events) {
    processes_.back().events = events.bits();
    return *this;
  }
  // The tracer's last complete look for ended kernels.
  TraceBuilder& Looked(uint64_t time) {
    processes_.back().looked = time;
    return *this;
  }
  TraceBuilder& HasEnded(uint32_t queue, uint64_t packet) {
    InFlightEntry entry = {};
    entry.submitted = 1;
    entry.packet = packet;
    entry.finished = 1;
    processes_.back().in_flight.emplace_back(queue, entry);
    return *this;
  }

  // The process neither says goodbye nor is alive any more, and `missing` of its submitted kernels
  // were never recorded.
  TraceBuilder& Killed(uint64_t missing = 0) {
    processes_.back().killed = true;
    processes_.back().submitted[static_cast<size_t>(EventKind::kKernel)] += missing;
    return *this;
  }

  // The process is the test's own, and goes on.
  TraceBuilder& Lives() {
    processes_.back().pid = static_cast<uint32_t>(getpid());
    processes_.back().killed = processes_.back().lives = true;
    return *this;
  }

  Status WriteSpool(const std::string& directory) const {
    for (const Process& process : processes_) RTL_TRY(WriteProcess(process, directory));
    return Status::Ok();
  }

  Status WriteDatabase(const std::string& path, store::CollectResult* result = nullptr) const {
    TempDir parent;
    store::CollectOptions options;
    options.spool = parent.File("spool");
    options.output = path;
    options.tool_version = "test";
    std::filesystem::create_directory(options.spool);
    std::filesystem::permissions(options.spool, std::filesystem::perms::owner_all);
    RTL_TRY(WriteSpool(options.spool));
    store::Collector collector;
    RTL_TRY(collector.Start(options));
    store::CollectResult ignored;
    return collector.Stop({store::ExitStatus::How::kExited, 0},
                          result != nullptr ? result : &ignored);
  }

 private:
  struct Record {
    std::vector<uint64_t> bytes;  // aligned
    size_t size = 0;
    std::string text;
  };
  struct Process {
    uint32_t pid = 0;
    int32_t rank = -1;
    uint32_t world = 0;
    std::string job;
    std::string mode = "standard";
    std::string loaded_by = "HSA_TOOLS_LIB";
    std::string mode_reason;
    uint32_t agents = 0, queues = 0, kernels = 0;
    uint64_t dispatches = 0;
    bool killed = false;
    bool lives = false;
    uint64_t looked = 0;
    uint32_t events = 0;
    bool counts_by_queue = false;  // all kernels are of the in-flight queue
    uint64_t submitted[kEventKindCount] = {};
    uint64_t recorded[kEventKindCount] = {};
    uint64_t losses[kEventKindCount][kLossCount] = {};
    std::vector<Record> records;
    std::vector<std::pair<uint32_t, InFlightEntry>> in_flight;  // by queue
    std::vector<std::pair<uint64_t, uint64_t>> barriers;        // packet, signal
  };

  static Status WriteInFlight(const Process& process, spool::Writer* writer) {
    if (process.in_flight.empty()) return Status::Ok();
    void* const block = writer->MapBlock();
    if (block == nullptr) return Status::Error("the spool refused a block");
    static_cast<InFlightHead*>(block)->queue = process.in_flight.front().first;
    InFlightEntry* entries =
        reinterpret_cast<InFlightEntry*>(static_cast<InFlightHead*>(block) + 1);
    for (size_t i = 0; i < kInFlightEntries; ++i) entries[i].finished = 1;
    for (const auto& [queue, entry] : process.in_flight) *entries++ = entry;
    auto* const barriers =
        reinterpret_cast<InFlightBarrier*>(static_cast<char*>(block) + kInFlightBarriersAt);
    for (size_t i = 0; i < process.barriers.size(); ++i) {
      const auto& [packet, signal] = process.barriers[i];
      barriers[i].signals[0] = signal;
      barriers[i].place = packet + 1;
    }
    return Status::Ok();
  }

  void Append(const void* record, size_t bytes, std::string_view text = {}) {
    Record added;
    added.bytes.resize((bytes + 7) / 8);
    memcpy(added.bytes.data(), record, bytes);
    added.size = bytes;
    added.text = text;
    processes_.back().records.push_back(std::move(added));
  }

  TraceBuilder& Count(EventKind kind) {
    ++processes_.back().submitted[static_cast<size_t>(kind)];
    ++processes_.back().recorded[static_cast<size_t>(kind)];
    return *this;
  }

  TraceBuilder& Begin(RecordType type, uint32_t thread, uint64_t time, uint64_t range,
                      std::string_view text) {
    RangeBeginRecord record;
    record.head = {type, 0, thread};
    record.time = time;
    record.range = range;
    record.text_bytes = static_cast<uint32_t>(text.size());
    Append(&record, sizeof record, text);
    return Count(EventKind::kMarker);
  }

  TraceBuilder& End(RecordType type, uint32_t thread, uint64_t time, uint64_t range) {
    RangeEndRecord record;
    record.head = {type, 0, thread};
    record.time = time;
    record.range = range;
    Append(&record, sizeof record);
    return *this;
  }

  static Status WriteProcess(const Process& process, const std::string& directory) {
    spool::WriterOptions options;
    options.directory = directory.c_str();
    spool::ProcessInfo& info = options.process;
    info.pid = process.pid;
    info.parent_pid = 999;
    info.group = 999;
    info.rank = process.rank;
    info.world = process.world;
    snprintf(info.job, sizeof info.job, "%s", process.job.c_str());
    // Zero becomes that of this process; a process that has the other pids now began later.
    info.start_ticks = process.lives ? 0 : 1;
    info.opened = kOpened + process.pid - kFirstPid;
    info.realtime_minus_boottime = 1'700'000'000'000'000'000;
    snprintf(info.boot_id, sizeof info.boot_id, "01234567-89ab-cdef-0123-456789abcdef");
    snprintf(info.host, sizeof info.host, "testhost");
    snprintf(info.executable, sizeof info.executable, "/usr/bin/app");
    snprintf(info.command, sizeof info.command, "app --steps 3");
    snprintf(info.mode, sizeof info.mode, "%s", process.mode.c_str());
    snprintf(info.mode_reason, sizeof info.mode_reason, "%s", process.mode_reason.c_str());
    snprintf(info.loaded_by, sizeof info.loaded_by, "%s", process.loaded_by.c_str());
    snprintf(info.runtime, sizeof info.runtime, "HSA 1.1, tables 1.0");
    snprintf(info.version, sizeof info.version, "test");

    // Never freed: this thread reads it when it ends.
    static std::vector<std::unique_ptr<spool::Writer>> writers;
    writers.push_back(std::make_unique<spool::Writer>());
    spool::Writer& writer = *writers.back();
    RTL_TRY(writer.Open(options));
    for (const Record& record : process.records) {
      if (!writer.Write(record.bytes.data(), record.size, record.text.data(), record.text.size())) {
        return Status::Error("the spool refused a record");
      }
    }
    RTL_TRY(WriteInFlight(process, &writer));
    spool::ControlPage& page = *writer.control();
    for (size_t kind = 0; kind < kEventKindCount; ++kind) {
      page.submitted[kind].store(process.submitted[kind]);
      page.recorded[kind].store(process.recorded[kind]);
      for (size_t loss = 0; loss < kLossCount; ++loss) {
        page.losses[kind][loss].store(process.losses[kind][loss]);
      }
    }
    page.looked.store(process.looked);
    page.events.store(process.events);
    if (process.counts_by_queue) {
      page.queue_submitted[0].queue.store(process.in_flight.front().first);
      page.queue_submitted[0].submitted.store(
          process.submitted[static_cast<size_t>(EventKind::kKernel)]);
      page.submitted[static_cast<size_t>(EventKind::kKernel)].store(0);
    }
    if (process.killed) return Status::Ok();
    writer.Finish();
    page.finished.store(kFinished);
    return Status::Ok();
  }

  std::vector<Process> processes_;
};

}  // namespace rtl::test
