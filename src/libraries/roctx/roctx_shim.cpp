// SPDX-License-Identifier: MIT
// libroctx64.so.4: the library that programs with roctx markers link to. While the tracer is
// loaded, this library has no state of its own: every call goes to the librtl.so that is in the
// process or that the environment requests. Without a tracer, the functions return correct values
// and record nothing.
//
//   program ─► exported function ─► table ─► (tools of rocprofiler-sdk) ─► Mark ... ─► librtl.so
//
// Threads    any
// Blocking   the first call loads librtl.so when a trace is requested, and initialises the tools of
//            rocprofiler-sdk; calls of other threads wait for that, at most kOfferLimitMs
// Errors     none: a tracer that cannot be loaded is treated as missing
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "base/clock.h"
#include "base/config.h"
#include "base/environment.h"
#include "base/library_beside.h"
#include "base/own_thread.h"
#include "base/process_barrier.h"
#include "base/thread_state.h"
#include "capture/roctx/markers.h"
#include "libraries/roctx/offer.h"
#include "rocprofiler-sdk-roctx/api_trace.h"

#define RTL_EXPORT extern "C" __attribute__((visibility("default")))

namespace rtl {
namespace {

constexpr char kTracer[] = "librtl.so";

// The tracer's functions; all are null if there is no tracer.
struct Tracer {
  void (*mark)(const char*) = nullptr;
  int (*push)(const char*) = nullptr;
  int (*pop)() = nullptr;
  uint64_t (*start)(const char*) = nullptr;
  void (*stop)(uint64_t) = nullptr;
  int (*pause)(uint64_t) = nullptr;
  int (*resume)(uint64_t) = nullptr;
  int (*name_thread)(const char*) = nullptr;
  int (*name_agent)(const char*, const void*) = nullptr;
  int (*name_device)(const char*, int) = nullptr;
  int (*name_stream)(const char*, const void*) = nullptr;
};

constinit Tracer tracer;
constinit capture::Markers markers;  // makes the return values if there is no tracer

// The values that the callback of an older tool gets: domain, function and the function's
// arguments.
enum Operation : uint32_t { kMark = 0, kPush = 1, kPop = 2, kStart = 3, kStop = 4 };
constexpr uint32_t kRoctxDomain = 6;
struct Arguments {
  const char* message;
  uint64_t range;
};
using Callback = int (*)(uint32_t domain, uint32_t operation, void* arguments);
constinit std::atomic<Callback> callback{nullptr};

void Report(Operation operation, const char* message, uint64_t range) {
  const Callback listener = callback.load(std::memory_order_acquire);  // pairs with (A)
  if (listener == nullptr) return;
  Arguments arguments{message, range};
  (void)listener(kRoctxDomain, operation, &arguments);  // its result has no meaning
}

void* LoadBesideThisLibrary() {
  char path[PATH_MAX];
  if (!PathBeside(&tracer, kTracer, path, sizeof path)) return nullptr;
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

template <typename Function>
bool Find(void* library, const char* name, Function* out) {
  *out = reinterpret_cast<Function>(dlsym(library, name));
  return *out != nullptr;
}

void FindTracer() {
  void* library = dlopen(kTracer, RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr && TraceRequested(EnvironmentValue)) library = LoadBesideThisLibrary();
  if (library == nullptr) return;
  Tracer found;
  const bool complete = Find(library, "roctxMarkA", &found.mark) &&
                        Find(library, "roctxRangePushA", &found.push) &&
                        Find(library, "roctxRangePop", &found.pop) &&
                        Find(library, "roctxRangeStartA", &found.start) &&
                        Find(library, "roctxRangeStop", &found.stop) &&
                        Find(library, "roctxProfilerPause", &found.pause) &&
                        Find(library, "roctxProfilerResume", &found.resume) &&
                        Find(library, "roctxNameOsThread", &found.name_thread) &&
                        Find(library, "roctxNameHsaAgent", &found.name_agent) &&
                        Find(library, "roctxNameHipDevice", &found.name_device) &&
                        Find(library, "roctxNameHipStream", &found.name_stream);
  if (complete) tracer = found;
}

const Tracer& TheTracer() {
  static constinit std::atomic<bool> known{false};
  if (known.load(std::memory_order_acquire)) return tracer;  // pairs with (C)
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  // Signals are blocked because a handler that sets a mark would wait for the thread that it
  // interrupts until pthread_once has returned.
  const SignalsBlocked blocked;
  (void)pthread_once(&once, FindTracer);         // cannot fail
  known.store(true, std::memory_order_release);  // (C)
  return tracer;
}

void Mark(const char* message) {
  Report(kMark, message, 0);
  const Tracer& to = TheTracer();
  if (to.mark != nullptr) to.mark(message);
}

int RangePush(const char* message) {
  Report(kPush, message, 0);
  const Tracer& to = TheTracer();
  return to.push != nullptr ? to.push(message) : markers.Push(nullptr, message);
}

int RangePop() {
  Report(kPop, nullptr, 0);
  const Tracer& to = TheTracer();
  return to.pop != nullptr ? to.pop() : markers.Pop(nullptr);
}

roctx_range_id_t RangeStart(const char* message) {
  const Tracer& to = TheTracer();
  const uint64_t range = to.start != nullptr ? to.start(message) : markers.Start(nullptr, message);
  Report(kStart, message, range);
  return range;
}

void RangeStop(roctx_range_id_t range) {
  Report(kStop, nullptr, range);
  const Tracer& to = TheTracer();
  if (to.stop != nullptr) to.stop(range);
}

// Returns the same with and without a tracer, and in the child of a fork.
int GetThreadId(roctx_thread_id_t* thread) {
  if (thread == nullptr) return 1;
  *thread = static_cast<uint64_t>(syscall(SYS_gettid));
  return 0;
}

// Calls a function of the tracer; if there is none, does nothing.
template <typename Function, typename... A>
int Forward(Function Tracer::*function, A... arguments) {
  const Function to = TheTracer().*function;
  return to == nullptr ? 0 : to(arguments...);
}

int ProfilerPause(roctx_thread_id_t thread) { return Forward(&Tracer::pause, thread); }

int ProfilerResume(roctx_thread_id_t thread) { return Forward(&Tracer::resume, thread); }

int NameOsThread(const char* name) { return Forward(&Tracer::name_thread, name); }

int NameHsaAgent(const char* name, const hsa_agent_s* agent) {
  return Forward(&Tracer::name_agent, name, agent);
}

int NameHipDevice(const char* name, int device) {
  return Forward(&Tracer::name_device, name, device);
}

int NameHipStream(const char* name, const ihipStream_t* stream) {
  return Forward(&Tracer::name_stream, name, stream);
}

// Tools may replace the entries at any time.
constinit roctxCoreApiTable_t core = {sizeof core, Mark,      RangePush,  RangePop,
                                      RangeStart,  RangeStop, GetThreadId};
constinit roctxControlApiTable_t control = {sizeof control, ProfilerPause, ProfilerResume};
constinit roctxNameApiTable_t names = {sizeof names, NameOsThread, NameHsaAgent, NameHipDevice,
                                       NameHipStream};

constexpr uint32_t kOfferLimitMs = 10'000;
// `offer` is the id of the thread that makes the offer, or one of these values.
constexpr uint32_t kNotYet = 0, kDone = UINT32_MAX;
constinit std::atomic<uint32_t> offer{kNotYet};

// Not pthread_once: a tool or a signal handler may set a mark while the tool is initialised, and a
// waiting thread may hold the loader's lock.
[[gnu::cold]] void MakeOffer() {
  const uint32_t self = ThreadId::Current();
  uint32_t maker = kNotYet;
  if (offer.compare_exchange_strong(maker, self, std::memory_order_acq_rel)) {
    // The tracer is loaded first, so that a handler that interrupts the offer need not load it:
    // this thread may then hold a lock of malloc.
    (void)TheTracer();
    void* tables[] = {&core, &control, &names};
    const int before = errno;
    OfferTables(tables, 3);
    errno = before;
    offer.store(kDone, std::memory_order_release);  // (B)
    return;
  }
  if (maker == self) return;
  // In a forked child the offer never ends, so no thread waits again.
  if (!WaitUntil(kOfferLimitMs, [] { return offer.load(std::memory_order_acquire) == kDone; }))
    offer.store(kDone, std::memory_order_relaxed);
}

// HOT: once per call.
template <typename Function>
Function Entry(Function& entry) {
  if (offer.load(std::memory_order_acquire) != kDone) [[unlikely]]  // pairs with (B)
    MakeOffer();
  return __atomic_load_n(&entry, __ATOMIC_ACQUIRE);
}

// Runs while the process has a single thread, because this library is preloaded.
__attribute__((constructor)) void PrepareForTracing() {
  if (EnvironmentValue("RTL_SPOOL") != nullptr) (void)process_barrier::Register();
}

}  // namespace
}  // namespace rtl

using rtl::Entry;

RTL_EXPORT void roctxMarkA(const char* message) { Entry(rtl::core.roctxMarkA_fn)(message); }

RTL_EXPORT int roctxRangePushA(const char* message) {
  return Entry(rtl::core.roctxRangePushA_fn)(message);
}

RTL_EXPORT int roctxRangePop() { return Entry(rtl::core.roctxRangePop_fn)(); }

RTL_EXPORT uint64_t roctxRangeStartA(const char* message) {
  return Entry(rtl::core.roctxRangeStartA_fn)(message);
}

RTL_EXPORT void roctxRangeStop(uint64_t range) { Entry(rtl::core.roctxRangeStop_fn)(range); }

RTL_EXPORT int roctxGetThreadId(uint64_t* thread) {
  return Entry(rtl::core.roctxGetThreadId_fn)(thread);
}

RTL_EXPORT int roctxProfilerPause(uint64_t thread) {
  return Entry(rtl::control.roctxProfilerPause_fn)(thread);
}

RTL_EXPORT int roctxProfilerResume(uint64_t thread) {
  return Entry(rtl::control.roctxProfilerResume_fn)(thread);
}

RTL_EXPORT int roctxNameOsThread(const char* name) {
  return Entry(rtl::names.roctxNameOsThread_fn)(name);
}

RTL_EXPORT int roctxNameHsaAgent(const char* name, const hsa_agent_s* agent) {
  return Entry(rtl::names.roctxNameHsaAgent_fn)(name, agent);
}

RTL_EXPORT int roctxNameHipDevice(const char* name, int device) {
  return Entry(rtl::names.roctxNameHipDevice_fn)(name, device);
}

RTL_EXPORT int roctxNameHipStream(const char* name, const ihipStream_t* stream) {
  return Entry(rtl::names.roctxNameHipStream_fn)(name, stream);
}

RTL_EXPORT uint32_t roctx_version_major() { return 4; }

RTL_EXPORT uint32_t roctx_version_minor() { return 1; }

// There is one listener per process; null removes it.
RTL_EXPORT void roctxRegisterTracerCallback(rtl::Callback listener) {
  rtl::callback.store(listener, std::memory_order_release);  // (A)
}
