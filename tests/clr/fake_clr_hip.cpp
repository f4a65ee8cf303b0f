// SPDX-License-Identifier: MIT
// A fake HIP with a built-in profiler, in one of its five forms (FORM: 0 flat, 1 flat and wide, 2
// chunks, 3 chunks that are kept, 4 streaming). Its functions only record themselves; "kernels" end
// when something waits for the GPU. The forms that hand over copies free them as soon as they may:
// memory of records and names is unmapped. The streaming form is that of HIP 7.14: a record is
// cleared when its call begins, gets an end when the call returns and an operation when the GPU has
// finished, and stays where it is.
//
// FAKE_CLR, words: mars (times of no clock), raw (CLOCK_MONOTONIC_RAW), hashed (thread ids),
// dangling (names that are not readable), nameless (null names), null_slab, bad_id, endless (more
// operations than there are), lost (records that are counted and cannot be read), hang (Disable
// never returns), refuse (Enable fails)
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string>
#include <vector>

namespace {

constexpr size_t kChunk = 16;  // records; HIP's have 10,000
constexpr bool kLive = FORM == 4;
enum Api : uint32_t { kMalloc, kLaunch, kMemcpy, kSynchronize, kGraphLaunch, kPeek, kApis };
const char* const kNames[kApis] = {"hipMalloc",      "hipLaunchKernel",
                                   "hipMemcpy",      "hipDeviceSynchronize",
                                   "hipGraphLaunch", "hipPeekAtLastError"};

struct Op {
  uint32_t kind = 0, copy_kind = 0;
  uint64_t begin = 0, end = 0, bytes = 0;
  std::string name = {};
  bool graph = false;
};
struct Record {
  uint32_t api = 0;
  uint64_t thread = 0, start = 0, end = 0;
  std::vector<Op> ops;
};

std::mutex mutex;
std::vector<Record> records;  // since the last reset
std::vector<void*> slabs;     // handed out, or where records are
std::atomic<bool> enabled{false};
std::atomic<bool> held{false};  // callers that request records wait
std::atomic<int> waiting{0};
std::atomic<int> resets{0};

bool Is(const char* word) {
  const char* const words = getenv("FAKE_CLR");
  return words != nullptr && strstr(words, word) != nullptr;
}

uint64_t Now() {
  timespec now;
  clock_gettime(Is("raw") ? CLOCK_MONOTONIC_RAW : CLOCK_REALTIME, &now);
  const uint64_t ns =
      static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
  return Is("mars") ? ns / 1.0275 : ns;
}

uint64_t Thread() {
  const auto thread = static_cast<uint64_t>(syscall(SYS_gettid));
  return Is("hashed") ? thread * 0x9e3779b97f4a7c15 : thread;
}

// Pages that can be removed again.
struct Pages {
  explicit Pages(size_t size) : bytes((size + 4095) / 4096 * 4096) {
    at = static_cast<uint8_t*>(
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  }
  uint8_t* at;
  size_t bytes;
  size_t used = 0;
};
std::vector<Pages> handed_out;

uint8_t* Give(size_t size) {
  size = (size + 15) / 16 * 16;
  if (handed_out.empty() || handed_out.back().used + size > handed_out.back().bytes) {
    handed_out.emplace_back(size > 65536 ? size : 65536);
  }
  Pages& pages = handed_out.back();
  uint8_t* const at = pages.at + pages.used;
  pages.used += size;
  return at;
}

[[maybe_unused]] void TakeBack() {
  for (const Pages& pages : handed_out) munmap(pages.at, pages.bytes);
  handed_out.clear();
}

uint64_t NameOf(const Op& op) {
  if (Is("nameless")) return 0;
  if (Is("dangling")) return 0x1000;
  auto* const name = Give(op.name.size() + 1);
  memcpy(name, op.name.c_str(), op.name.size() + 1);
  return reinterpret_cast<uint64_t>(name);
}

template <typename T>
void Put(uint8_t* at, size_t offset, T value) {
  memcpy(at + offset, &value, sizeof value);
}

#if FORM == 0
constexpr size_t kBytes = 96;
#else
constexpr size_t kBytes = 256;
#endif

void PutOp(uint8_t* at, const Op& op) {
  const bool is_kernel = op.kind == 0;
#if FORM == 0
  Put(at, 0, op.kind);
  Put(at, 8, op.begin);
  Put(at, 16, op.end);
  Put(at, 24, int32_t{1});
  Put(at, 32, uint64_t{7});
  Put(at, 40, op.bytes);
  Put(at, 48, is_kernel ? NameOf(op) : 0);
#else
  const uint64_t copy_kind = FORM == 1 ? 0 : op.copy_kind;
  Put(at, 0,
      uint64_t{op.kind} | uint64_t{op.graph} << 3 | copy_kind << 4 |
          uint64_t{FORM == 4 ? 2 : 1} << 16 | uint64_t{7} << 32);
  Put(at, 8, op.begin);
  Put(at, 16, op.end);
  Put(at, 24, is_kernel ? NameOf(op) : op.bytes);
#if FORM >= 3
  if (is_kernel) {
    for (size_t i = 0; i < 3; ++i) Put(at, 48 + 4 * i, static_cast<uint32_t>(i + 2));
    for (size_t i = 0; i < 3; ++i) Put(at, 60 + 4 * i, static_cast<uint32_t>(8 - 2 * i));
  } else {
    Put(at, 48, uint64_t{0x5000});
    Put(at, 56, uint64_t{0xd000});
  }
#endif
#endif
}

void PutOps(uint8_t* at, const Record& record) {
  const size_t count = record.ops.size();
  if (count == 0) return;
#if FORM == 0
  Put(at, 32, int32_t{1});
  PutOp(at + 40, record.ops[0]);
#elif FORM == 1
  PutOp(at + 128, record.ops[0]);
#else
  const uint32_t extra = Is("endless") ? 1000 : 0;
  Put(at, 128 + 32, static_cast<uint32_t>(count) + extra);
#if FORM == 2
  auto* const array = Give(count * 128);
  for (size_t i = 0; i < count; ++i) PutOp(array + i * 128, record.ops[i]);
  Put(at, 128 + 40, Is("endless") ? uint64_t{0x2000} : reinterpret_cast<uint64_t>(array));
#else
  Put(at, 8, uint64_t{1});
  uint8_t* last = at + 128;
  PutOp(last, record.ops[0]);
  Put(last, 32, static_cast<uint32_t>(count) + extra);
  for (size_t i = 1; i < count; ++i) {
    auto* const next = Give(128);
    PutOp(next, record.ops[i]);
    Put(last, 40, reinterpret_cast<uint64_t>(next));
    last = next;
  }
#endif
#endif
}

void PutRecord(uint8_t* at, const Record& record, size_t number) {
  (void)number;
  const uint32_t api = Is("bad_id") && record.api == kMalloc ? 4000 : record.api;
#if FORM <= 1
  Put(at, 0, uint64_t{api} | (FORM == 1 ? uint64_t{!record.ops.empty()} << 16 : 0));
  Put(at, 8, record.thread);
  Put(at, 16, record.start);
  Put(at, 24, record.end);
#else
  Put(at, 0, api < kApis ? reinterpret_cast<uint64_t>(kNames[api]) : 0x3000);
  Put(at, 16, record.thread);
  Put(at, 24, record.start);
  Put(at, 32, record.end);
  Put(at, 80, static_cast<uint32_t>(number));
#endif
  PutOps(at, record);
}

uint8_t* MakeSlab(size_t first, size_t count) {
  auto* const slab = Give(count * kBytes);
  for (size_t i = 0; i < count; ++i) PutRecord(slab + i * kBytes, records[first + i], first + i);
  return slab;
}

size_t ended = 0;  // earlier records are complete

uint8_t* PlaceOf(size_t number) {
  return static_cast<uint8_t*>(slabs[number / kChunk]) + number % kChunk * kBytes;
}

// The call begins.
size_t MakeRecord(const Record& record) {
  const size_t number = records.size();
  records.push_back(record);
  if (!kLive) return number;
  if (slabs.capacity() == 0) slabs.reserve(1 << 20);  // it never moves
  if (number % kChunk == 0) {
    slabs.push_back(Give(kChunk * kBytes));
    memset(slabs.back(), 0xa5, kChunk * kBytes);
  }
  memset(PlaceOf(number), 0, kBytes);
  PutRecord(PlaceOf(number), record, number);
  return number;
}

// The GPU finishes all work.
void EndKernels() {
  for (; ended < records.size() && records[ended].end != 0; ++ended) {
    for (Op& op : records[ended].ops) op.end = Now();
    if (kLive) PutOps(PlaceOf(ended), records[ended]);
  }
}

class Call {
 public:
  explicit Call(Api api) : on_(enabled) {
    record_.api = api;
    record_.thread = Thread();
    record_.start = Now();
    const std::lock_guard lock(mutex);
    if (on_ && kLive) number_ = MakeRecord(record_);
  }
  ~Call() {
    if (!on_) return;
    const std::lock_guard lock(mutex);
    if (!kLive) number_ = MakeRecord(record_);
    record_.end = Now();
    records[number_] = record_;
    if (kLive) memcpy(PlaceOf(number_) + 32, &record_.end, sizeof record_.end);
    if (record_.api == kSynchronize) EndKernels();
  }
  void Add(Op op) {
    op.begin = Now();
    record_.ops.push_back(op);
  }

 private:
  bool on_;
  size_t number_ = 0;
  Record record_;
};

int32_t Enable() {
  if (Is("refuse")) return 999;
  enabled = true;
  return 0;
}

int32_t Disable() {
  while (Is("hang")) pause();
  const std::lock_guard lock(mutex);
  enabled = false;
  EndKernels();
  return 0;
}

// Before records are handed over.
void AwaitRelease() {
  ++waiting;
  while (held) usleep(1000);
  --waiting;
}

}  // namespace

extern "C" {

// For a test in the same process.
void fake_clr_hold(bool hold) { held = hold; }
int fake_clr_waiting() { return waiting; }
int fake_clr_resets() {
  const std::lock_guard lock(mutex);  // behind a thread that is delivering
  return resets;
}

int hipPeekAtLastError() {
  const Call call(kPeek);
  return 0;
}

int hipMalloc(void** memory, size_t bytes) {
  const Call call(kMalloc);
  *memory = reinterpret_cast<void*>(bytes);
  return 0;
}

struct dim3 {
  uint32_t x, y, z;
};
// `function`: the kernel's mangled name.
int hipLaunchKernel(const void* function, dim3, dim3, void**, size_t, void*) {
  Call call(kLaunch);
  call.Add({.kind = 0, .name = static_cast<const char*>(function)});
  return 0;
}

// `kind`: HIP's; 1 to the device, 2 from it.
int hipMemcpy(void*, const void*, size_t bytes, int kind) {
  Call call(kMemcpy);
  call.Add({.kind = 1, .copy_kind = kind == 1 ? 1u : 4u, .bytes = bytes});
  return 0;
}

// `graph`: how many nodes; every second one is a barrier.
int hipGraphLaunch(void* graph, void*) {
  Call call(kGraphLaunch);
  const auto nodes = reinterpret_cast<uintptr_t>(graph);
  for (uintptr_t i = 0; i < nodes; ++i) {
    if (i % 2 == 1) {
      call.Add({.kind = 2});
    } else {
      call.Add({.kind = 0, .name = "_Z4nodei", .graph = true});
    }
  }
  return 0;
}

int hipDeviceSynchronize() {
  const Call call(kSynchronize);
  return 0;
}

#if FORM <= 1

#ifndef WITHOUT_NAMES
extern const char* const kHipClrApiNames[kApis];
const char* const kHipClrApiNames[kApis] = {kNames[0], kNames[1], kNames[2],
                                            kNames[3], kNames[4], kNames[5]};
extern const uint32_t kHipClrApiNamesCount;
const uint32_t kHipClrApiNamesCount = kApis;
#endif

int32_t hipClrProfilerEnable() { return Enable(); }
int32_t hipClrProfilerDisable() { return Disable(); }
int32_t hipClrProfilerReset() {
  ++resets;
  const std::lock_guard lock(mutex);
  records.clear();
  ended = 0;
  TakeBack();
  return 0;
}
int32_t hipClrProfilerGetRecords(const void** out, size_t* count) {
  AwaitRelease();
  const std::lock_guard lock(mutex);
  TakeBack();
  *count = records.size();
  *out = MakeSlab(0, records.size());
  return 0;
}

#else

#if FORM == 2
int32_t hipProfilerEnableExt() { return Enable(); }
int32_t hipProfilerDisableExt() { return Disable(); }
int32_t hipProfilerResetExt() {
  ++resets;
  const std::lock_guard lock(mutex);
  records.clear();
  ended = 0;
  slabs.clear();
  TakeBack();
  return 0;
}
#else
int32_t hipProfilerEnableExt(uint64_t* first) {
  const std::lock_guard lock(mutex);
  *first = records.size();
  return Enable();
}
int32_t hipProfilerDisableExt(uint64_t* behind) {
  const int32_t error = Disable();
  const std::lock_guard lock(mutex);
  *behind = records.size();
  return error;
}
#endif

int32_t hipProfilerGetRecordsExt(const void* const** chunks, size_t* chunk_count,
                                 size_t* chunk_size, size_t* total) {
  AwaitRelease();
  const std::lock_guard lock(mutex);
  for (size_t at = slabs.size() * kChunk; at < records.size(); at += kChunk) {
    const size_t left = records.size() - at;
    slabs.push_back(MakeSlab(at, left < kChunk ? left : kChunk));
  }
  if (Is("null_slab") && !slabs.empty()) slabs[slabs.size() / 2] = nullptr;
  *chunks = slabs.data();
  if (Is("lost") && slabs.size() < 1000) {
    static void* shown[1000];
    std::copy(slabs.begin() + 1, slabs.end(), shown + 1);  // the first stays null
    *chunks = shown;
  }
  *chunk_count = slabs.size();
  *chunk_size = kChunk;
  *total = records.size();
  return 0;
}

#if FORM == 4
int32_t hipProfilerRegisterChunkCallbackExt(void*, void*) { return 1; }
#endif
#endif

}  // extern "C"
