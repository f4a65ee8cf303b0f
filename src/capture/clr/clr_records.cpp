// SPDX-License-Identifier: MIT
#include "capture/clr/clr_records.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/thread_state.h"
#include "capture/clr/self_read.h"
#include "model/records.h"

namespace rtl::capture {
namespace {

constexpr char kOwnCall[] = "hipPeekAtLastError";
constexpr char kFillName[] = "(fill by HIP)";

uint64_t Hash(const char* text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (; *text != '\0'; ++text) hash = (hash ^ static_cast<uint8_t>(*text)) * 0x100000001b3;
  return hash == 0 ? 1 : hash;
}

CopyKind KindOf(uint32_t copy_kind) {
  if (copy_kind >= 1 && copy_kind <= 3) return CopyKind::kHostToDevice;
  if (copy_kind >= 4 && copy_kind <= 6) return CopyKind::kDeviceToHost;
  if (copy_kind >= 7 && copy_kind <= 11) return CopyKind::kDeviceToDevice;
  return CopyKind::kUnknown;
}

// Whether HIP may report work on a GPU for a call of this name.
ClrRecords::Follows WhatFollows(const char* call) {
  if (strstr(call, "GraphLaunch") != nullptr) return ClrRecords::Follows::kGraph;
  for (const char* part : {"Launch", "emcpy", "emset", "refetch"}) {
    if (strstr(call, part) != nullptr) return ClrRecords::Follows::kOperation;
  }
  return ClrRecords::Follows::kNothing;
}

}  // namespace

Status ClrRecords::Open(const Services& services) {
  services_ = services;
  if (memory_ != nullptr) return Status::Ok();
  void* const memory =
      mmap(nullptr, sizeof(Memory), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return Status::Error("no memory for the names of kernels");
  memory_ = static_cast<Memory*>(memory);
  return Status::Ok();
}

void ClrRecords::CountLost(Loss why, uint64_t calls) {
  if (calls == 0 || !Claim(calls)) return;
  (void)services_.calls_submitted->fetch_add(calls, std::memory_order_relaxed);
  services_.sink->CountLoss(EventKind::kHipCall, why, calls);
}

void ClrRecords::Close(uint64_t watched, uint64_t under_way) {
  const uint64_t accounted = accounted_.fetch_or(kClosed, std::memory_order_relaxed);
  if ((accounted & kClosed) != 0 || watched <= accounted) return;
  const uint64_t missing = watched - accounted;
  const uint64_t open = under_way < missing ? under_way : missing;
  (void)services_.calls_submitted->fetch_add(missing, std::memory_order_relaxed);
  services_.sink->CountLoss(EventKind::kHipCall, Loss::kShutdown, open);
  services_.sink->CountLoss(EventKind::kHipCall, Loss::kProfilerOff, missing - open);
}

// HIP counts a call when it begins, so calls that are still open count as seen, too.
void ClrRecords::See(uint64_t records) {
  const uint64_t own = services_.library->harmless_call() != nullptr ? 1 : 0;
  const uint64_t before = live_submitted_.load(std::memory_order_relaxed);
  if (closed() || records <= before + own) return;
  (void)services_.calls_submitted->fetch_add(records - own - before, std::memory_order_relaxed);
  live_submitted_.store(records - own, std::memory_order_relaxed);
}

void ClrRecords::CloseLive(uint64_t open) {
  const uint64_t accounted = accounted_.fetch_or(kClosed, std::memory_order_relaxed);
  uint64_t submitted = live_submitted_.load(std::memory_order_relaxed);
  if ((accounted & kClosed) != 0) return;
  if (services_.library->harmless_call() != nullptr && !own_call_met_ && submitted != 0) {
    // the test call's record was not recognised
    (void)services_.calls_submitted->fetch_add(1, std::memory_order_relaxed);
    ++submitted;
  }
  if (submitted <= accounted) return;
  const uint64_t missing = submitted - accounted;
  if (open > missing) open = missing;
  services_.sink->CountLoss(EventKind::kHipCall, Loss::kShutdown, open);
  services_.sink->CountLoss(EventKind::kHipCall, Loss::kProfilerLost, missing - open);
}

size_t ClrRecords::AddSlab(ClrForm form, uint64_t address, size_t count) {
  const size_t each = ClrCallBytes(form);
  const size_t at_once = sizeof slab_ / each;
  clock_.Advance(SampleClrClocks());
  size_t done = 0;
  while (done < count && !closed()) {
    const size_t wanted = count - done < at_once ? count - done : at_once;
    const size_t records = SelfRead(address + done * each, slab_, wanted * each) / each;
    // If no clock can be chosen, all times are bad and are counted as such below.
    if (!clock_.chosen()) (void)LearnClock(form, slab_, records);
    for (size_t i = 0; i < records; ++i) AddCall(form, DecodeClrCall(form, slab_ + i * each));
    done += records;
    if (records < wanted) break;
  }
  CountLost(Loss::kProfilerLost, count - done);
  return done;
}

bool ClrRecords::IsOwnCall(ClrForm form, const ClrCall& call) const {
  const uint64_t address = form == ClrForm::kFlat || form == ClrForm::kFlatWide
                               ? services_.library->NameOf(call.api)
                               : call.name;
  char name[sizeof kOwnCall + 1];
  return SelfReadText(address, name, sizeof name) && strcmp(name, kOwnCall) == 0;
}

// The test call is the first call of its name, if the profiler has recorded it at all.
bool ClrRecords::LearnClock(ClrForm form, const uint8_t* bytes, size_t records) {
  const size_t each = ClrCallBytes(form);
  for (size_t i = 0; i < records; ++i) {
    const ClrCall call = DecodeClrCall(form, bytes + i * each);
    if (!IsOwnCall(form, call) || !clock_.ChooseByCall(call.start, call.end)) continue;
    threads_are_hashed_ = call.thread != thread_;
    return true;
  }
  if (records == 0) return false;
  const ClrCall first = DecodeClrCall(form, bytes);
  threads_are_hashed_ = first.thread > INT32_MAX;
  return clock_.ChooseByPlausibility(first.start, first.end, SampleClrClocks());
}

uint32_t ClrRecords::Thread(uint64_t thread) const {
  if (!threads_are_hashed_) return static_cast<uint32_t>(thread);
  // The kernel gives out no thread ids this large.
  return static_cast<uint32_t>(thread ^ (thread >> 32)) | 0x80000000u;
}

// Finds the id of a name. True if the name is new; the caller then sets `*id`. `*id` is null if
// there is no room for the name.
bool ClrRecords::Lookup(Table* table, const char* name, uint32_t** id) {
  const uint64_t hash = Hash(name);
  for (size_t step = 0; step < kNames; ++step) {
    Table::Entry& entry = table->names[(hash + step) % kNames];
    if (entry.hash == hash) {
      *id = &entry.id;
      return false;
    }
    if (entry.hash != 0) continue;
    if (table->used == kNames / 2) break;
    ++table->used;
    entry.hash = hash;
    *id = &entry.id;
    return true;
  }
  *id = nullptr;
  return false;
}

// Finds the entry for the name at this address. An earlier name may lose its entry.
uint32_t* ClrRecords::Place(Known* known, uint64_t address, bool* is_new) {
  const size_t at = (address * 0x9e3779b97f4a7c15 >> 32) % Known::kEntries;
  *is_new = known->address[at] != address;
  known->address[at] = address;
  return known->number + at;
}

uint32_t ClrRecords::CallNumber(ClrForm form, const ClrCall& call) {
  if (form != ClrForm::kStreaming) return NameCall(form, call);
  bool is_new = false;
  uint32_t* const number = Place(&memory_->known_calls, call.name, &is_new);
  if (is_new) *number = NameCall(form, call);
  return *number;
}

uint32_t ClrRecords::NameCall(ClrForm form, const ClrCall& call) {
  const bool numbered = form == ClrForm::kFlat || form == ClrForm::kFlatWide;
  char* const name = memory_->name;
  const uint64_t address = numbered ? services_.library->NameOf(call.api) : call.name;
  if (!SelfReadText(address, name, 256)) {
    if (!numbered) {
      (void)snprintf(name, 256, "(unknown call)");
    } else {
      (void)snprintf(name, 256, "(unknown call %u)", call.api);
    }
  }
  uint32_t* number = nullptr;
  const bool is_new = Lookup(&memory_->calls, name, &number);
  if (number == nullptr) return kFirstUnknownApi;
  if (!is_new) return *number;
  *number = kFirstUnknownApi + memory_->calls.used;
  memory_->follows[memory_->calls.used] = WhatFollows(name);
  ApiNameRecord record;
  record.head.type = RecordType::kApiName;
  record.head.thread = ThreadId::Current();
  record.api = *number;
  record.text_bytes = static_cast<uint32_t>(strlen(name));
  // If there is no room for the record, the call is shown by its number.
  (void)services_.sink->Write(&record, sizeof record, name, record.text_bytes);
  return *number;
}

void ClrRecords::Write(EventKind kind, const void* record, size_t bytes) {
  if (!services_.sink->Write(record, bytes, nullptr, 0)) {
    services_.sink->CountLoss(kind, Loss::kSpoolFull, 1);
  }
}

void ClrRecords::AddCall(ClrForm form, const ClrCall& call) {
  ++met_;
  if (!own_call_met_ && clock_.chosen() && IsOwnCall(form, call)) {
    own_call_met_ = true;  // only the first call of that name: later ones are the application's
    return;
  }
  if (!Claim(1)) return;
  const uint64_t correlation =
      services_.calls_submitted->fetch_add(1, std::memory_order_relaxed) + 1;
  uint32_t number = 0;
  const uint64_t end = StoreCall(form, call, correlation, &number);
  if (call.ops == 0) return;
  const uint32_t done = AddOps(
      form, call, {end == 0 ? 0 : correlation, end, Thread(call.thread), 0, false}, 0, UINT64_MAX);
  LoseOps((call.ops < kMostOps ? call.ops : kMostOps) - done);
}

// Returns its end.
uint64_t ClrRecords::StoreCall(ClrForm form, const ClrCall& call, uint64_t correlation,
                               uint32_t* number) {
  ApiCallRecord record;
  if (!clock_.ToBootTime(call.start, &record.start) || !clock_.ToBootTime(call.end, &record.end) ||
      record.start > record.end) {
    services_.sink->CountLoss(EventKind::kHipCall, Loss::kBadTimestamps, 1);
    return 0;
  }
  record.head.type = RecordType::kApiCall;
  record.head.thread = Thread(call.thread);
  record.correlation = correlation;
  record.api = *number = CallNumber(form, call);
  record.flags = kApiFlagNoResult;
  Write(EventKind::kHipCall, &record, sizeof record);
  return record.end;
}

ClrRecords::Follows ClrRecords::AddLiveCall(ClrForm form, const ClrCall& call,
                                            uint64_t correlation) {
  ++met_;
  if (!own_call_met_ && clock_.chosen() && IsOwnCall(form, call)) {
    own_call_met_ = true;  // only the first call of that name: later ones are the application's
    return Follows::kNothing;
  }
  uint32_t number = 0;
  if (!Claim(1) || StoreCall(form, call, correlation, &number) == 0) return Follows::kNothing;
  const uint32_t at = number - kFirstUnknownApi;
  return number >= kFirstUnknownApi && at < kNames ? memory_->follows[at] : Follows::kNothing;
}

uint32_t ClrRecords::AddLiveOps(ClrForm form, const ClrCall& call, uint64_t correlation,
                                uint32_t taken, bool last) {
  uint64_t end = 0;
  const bool sound = clock_.ToBootTime(call.end, &end);
  const Origin origin = {sound ? correlation : 0, sound ? end : 0, Thread(call.thread),
                         call.ops == 1 ? call.bytes : 0, true};
  const uint32_t done = AddOps(form, call, origin, taken, last ? UINT64_MAX : clock_.now());
  if (last) LoseOps((call.ops < kMostOps ? call.ops : kMostOps) - done);
  return done;
}

// Reads as many operations as the call states, one after the other. Skips the first `taken`, and
// adds the others up to the first one that ends after `until`. Returns how many have been added in
// all, with the skipped ones.
uint32_t ClrRecords::AddOps(ClrForm form, const ClrCall& call, const Origin& origin, uint32_t taken,
                            uint64_t until) {
  const uint32_t wanted = call.ops < kMostOps ? call.ops : kMostOps;
  const size_t each = ClrOpBytes(form);
  const bool first_is_inside = call.array == 0 && form != ClrForm::kChunks;
  uint64_t next = call.array;
  uint8_t bytes[kMaxClrOpBytes];
  for (uint32_t i = 0; i < wanted; ++i) {
    ClrOp op = call.first;
    if (i != 0 || !first_is_inside) {
      if (next == 0 || SelfRead(next, bytes, each) != each) return i < taken ? taken : i;
      op = DecodeClrOp(form, bytes);
    }
    next = form == ClrForm::kChunks ? next + each : op.next;
    if (i < taken) continue;
    if (op.end > until) return i;
    AddOp(op, origin);
  }
  return wanted;
}

// The kind of a missing operation is not known. It counts as a kernel, because graphs are mostly
// kernels.
void ClrRecords::LoseOps(uint64_t ops) {
  if (ops == 0) return;
  services_.sink->CountSubmitted(EventKind::kKernel, ops);
  services_.sink->CountLoss(EventKind::kKernel, Loss::kProfilerLost, ops);
}

void ClrRecords::AddOp(const ClrOp& op, const Origin& origin) {
  const bool is_copy =
      op.kind == static_cast<uint32_t>(ClrOpKind::kCopy) && op.copy_kind != kClrFill;
  const bool is_kernel = op.kind == static_cast<uint32_t>(ClrOpKind::kDispatch) ||
                         (op.kind == static_cast<uint32_t>(ClrOpKind::kCopy) && !is_copy);
  if (!is_copy && !is_kernel) {
    if (services_.other_packets != nullptr) {
      (void)services_.other_packets->fetch_add(1, std::memory_order_relaxed);
    }
    return;
  }
  const EventKind kind = is_copy ? EventKind::kCopy : EventKind::kKernel;
  services_.sink->CountSubmitted(kind, 1);
  uint64_t begin = 0;
  uint64_t end = 0;
  if (!clock_.ToBootTime(op.begin, &begin) || !clock_.ToBootTime(op.end, &end) || begin > end) {
    services_.sink->CountLoss(kind, Loss::kBadTimestamps, 1);
    return;
  }
  if (is_copy) return AddCopy(op, origin, begin, end);
  AddDispatch(op, origin, begin, end);
}

uint32_t ClrRecords::Device(uint32_t device) {
  const uint32_t agent = device + 1;
  uint64_t& announced = memory_->devices[(device / 64) % 1024];
  const uint64_t bit = uint64_t{1} << (device % 64);
  if ((announced & bit) != 0) return agent;
  AgentRecord record;
  record.head.type = RecordType::kAgent;
  record.head.thread = ThreadId::Current();
  record.agent = agent;
  record.is_gpu = 1;
  record.gpu = device;
  (void)snprintf(record.name, sizeof record.name, "HIP device %u", device);
  if (services_.sink->Write(&record, sizeof record, nullptr, 0)) announced |= bit;
  return agent;
}

uint32_t ClrRecords::Queue(uint32_t device, uint64_t queue, uint64_t begin) {
  const uint64_t key = (uint64_t{device} + 1) << 48 | ((queue + 1) & 0xffffffffffff);
  for (size_t step = 0; step < kQueues; ++step) {
    const size_t at = (key * 0x9e3779b97f4a7c15 + step) % kQueues;
    if (memory_->queues[at] == key) return memory_->queue_ids[at];
    if (memory_->queues[at] != 0) continue;
    QueueRecord record;
    record.head.type = RecordType::kQueue;
    record.head.thread = ThreadId::Current();
    record.queue = last_queue_ + 1;
    record.agent = Device(device);
    record.hsa_id = queue;
    record.created = begin;  // not later than its first use
    if (!services_.sink->Write(&record, sizeof record, nullptr, 0)) return 0;
    memory_->queues[at] = key;
    memory_->queue_ids[at] = ++last_queue_;
    return last_queue_;
  }
  return 0;
}

uint32_t ClrRecords::Kernel(const ClrOp& op, const Origin& origin) {
  const uint32_t agent = op.device + 1;
  if (!origin.names_stay || op.kind != static_cast<uint32_t>(ClrOpKind::kDispatch) || op.name == 0)
    return NameKernel(op, agent);
  bool is_new = false;
  uint32_t* const number = Place(&memory_->known_kernels, op.name, &is_new);
  if (is_new) *number = NameKernel(op, agent);
  return *number;
}

uint32_t ClrRecords::NameKernel(const ClrOp& op, uint32_t agent) {
  char* const name = memory_->name;
  const bool is_fill = op.kind == static_cast<uint32_t>(ClrOpKind::kCopy);
  if (is_fill) {
    (void)snprintf(name, kNameBytes, "%s", kFillName);
  } else if (!SelfReadText(op.name, name, kNameBytes)) {
    name[0] = '\0';
  }
  uint32_t* kernel = nullptr;
  bool is_new = Lookup(&memory_->kernels, name, &kernel);
  if (kernel == nullptr) {
    name[0] = '\0';
    is_new = Lookup(&memory_->kernels, name, &kernel);
    if (kernel == nullptr) return 0;
  }
  if (!is_new) return *kernel;
  *kernel = memory_->kernels.used;
  KernelRecord record;
  record.head.type = RecordType::kKernel;
  record.head.thread = ThreadId::Current();
  record.kernel = *kernel;
  record.agent = agent;
  record.text_bytes = static_cast<uint32_t>(strlen(name));
  if (record.text_bytes == 0) record.flags |= kKernelFlagUnknown;
  if (record.text_bytes == kNameBytes - 1) record.flags |= kKernelFlagTruncated;
  // If there is no room for the record, the kernel has no name.
  (void)services_.sink->Write(&record, sizeof record, name, record.text_bytes);
  return *kernel;
}

void ClrRecords::AddDispatch(const ClrOp& op, const Origin& origin, uint64_t begin, uint64_t end) {
  DispatchRecord record;
  record.head.type = RecordType::kDispatch;
  record.head.thread = origin.thread;
  record.dispatch = ++last_dispatch_;
  record.correlation = origin.correlation;
  record.start = begin;
  record.end = end;
  record.queue = Queue(op.device, op.queue, begin);
  record.kernel = Kernel(op, origin);
  for (int i = 0; i < 3; ++i) {
    record.grid[i] = op.grid[i] * op.block[i];
    record.workgroup[i] = static_cast<uint16_t>(op.block[i]);
  }
  Write(EventKind::kKernel, &record, sizeof record);
}

void ClrRecords::AddCopy(const ClrOp& op, const Origin& origin, uint64_t begin, uint64_t end) {
  CopyRecord record;
  record.head.type = RecordType::kCopy;
  record.head.thread = origin.thread;
  record.copy = ++last_copy_;
  record.correlation = origin.correlation;
  record.start = begin;
  record.end = end;
  // HIP 7.14 gives the size of an asynchronous copy only in its call
  record.bytes = op.bytes != 0 ? op.bytes : origin.bytes;
  record.dst = op.dst;
  record.src = op.src;
  record.kind = KindOf(op.copy_kind);
  const uint32_t agent = Device(op.device);
  if (record.kind != CopyKind::kDeviceToHost) record.dst_agent = agent;
  if (record.kind == CopyKind::kDeviceToHost || record.kind == CopyKind::kDeviceToDevice) {
    record.src_agent = agent;
  }
  Write(EventKind::kCopy, &record, sizeof record);
}

}  // namespace rtl::capture
