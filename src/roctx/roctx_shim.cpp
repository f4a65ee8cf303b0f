// SPDX-License-Identifier: MIT
// libroctx64.so.4: the library that programs with roctx markers are linked to. It keeps no state of
// its own while the tracer is there: every call goes to the librtl.so that is in the process, or
// that is asked for by the environment. Without one, the functions answer as they should and record
// nothing.
//
// Threads    any
// Blocking   the first call loads librtl.so when a trace is asked for
// Errors     none: a tracer that cannot be loaded is a tracer that is not there
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <atomic>

#include "base/config.h"
#include "base/environment.h"
#include "base/thread_state.h"
#include "capture/marker/markers.h"

#define RTL_EXPORT extern "C" __attribute__((visibility("default")))

namespace rtl {
namespace {

constexpr char kTracer[] = "librtl.so";

// The tracer's own functions; all null without one.
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
constinit capture::Markers markers;  // for the answers when there is no tracer

// What a tool of the older kind wants to hear: domain, function and its arguments.
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
  (void)listener(kRoctxDomain, operation, &arguments);  // its answer has no meaning
}

void* LoadBesideThisLibrary() {
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(&tracer), &info) == 0) return nullptr;
  const char* slash = strrchr(info.dli_fname, '/');
  if (slash == nullptr) return nullptr;
  char path[PATH_MAX];
  const int used = snprintf(path, sizeof path, "%.*s/%s", static_cast<int>(slash - info.dli_fname),
                            info.dli_fname, kTracer);
  if (used < 0 || static_cast<size_t>(used) >= sizeof path) return nullptr;
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
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, FindTracer);  // cannot fail
  return tracer;
}

}  // namespace
}  // namespace rtl

RTL_EXPORT void roctxMarkA(const char* message) {
  rtl::Report(rtl::kMark, message, 0);
  const rtl::Tracer& tracer = rtl::TheTracer();
  if (tracer.mark != nullptr) tracer.mark(message);
}

RTL_EXPORT int roctxRangePushA(const char* message) {
  rtl::Report(rtl::kPush, message, 0);
  const rtl::Tracer& tracer = rtl::TheTracer();
  return tracer.push != nullptr ? tracer.push(message) : rtl::markers.Push(nullptr, message);
}

RTL_EXPORT int roctxRangePop() {
  rtl::Report(rtl::kPop, nullptr, 0);
  const rtl::Tracer& tracer = rtl::TheTracer();
  return tracer.pop != nullptr ? tracer.pop() : rtl::markers.Pop(nullptr);
}

RTL_EXPORT uint64_t roctxRangeStartA(const char* message) {
  const rtl::Tracer& tracer = rtl::TheTracer();
  const uint64_t range =
      tracer.start != nullptr ? tracer.start(message) : rtl::markers.Start(nullptr, message);
  rtl::Report(rtl::kStart, message, range);
  return range;
}

RTL_EXPORT void roctxRangeStop(uint64_t range) {
  rtl::Report(rtl::kStop, nullptr, range);
  const rtl::Tracer& tracer = rtl::TheTracer();
  if (tracer.stop != nullptr) tracer.stop(range);
}

// The same number with a tracer and without.
RTL_EXPORT int roctxGetThreadId(uint64_t* thread) {
  if (thread == nullptr) return 1;
  *thread = rtl::ThreadId::Current();
  return 0;
}

// What follows is asked of the tracer; without one there is nothing to be done about it.
RTL_EXPORT int roctxProfilerPause(uint64_t thread) {
  const rtl::Tracer& tracer = rtl::TheTracer();
  return tracer.pause == nullptr ? 0 : tracer.pause(thread);
}

RTL_EXPORT int roctxProfilerResume(uint64_t thread) {
  const rtl::Tracer& tracer = rtl::TheTracer();
  return tracer.resume == nullptr ? 0 : tracer.resume(thread);
}

RTL_EXPORT int roctxNameOsThread(const char* name) {
  const rtl::Tracer& tracer = rtl::TheTracer();
  return tracer.name_thread == nullptr ? 0 : tracer.name_thread(name);
}

RTL_EXPORT int roctxNameHsaAgent(const char* name, const void* agent) {
  const rtl::Tracer& tracer = rtl::TheTracer();
  return tracer.name_agent == nullptr ? 0 : tracer.name_agent(name, agent);
}

RTL_EXPORT int roctxNameHipDevice(const char* name, int device) {
  const rtl::Tracer& tracer = rtl::TheTracer();
  return tracer.name_device == nullptr ? 0 : tracer.name_device(name, device);
}

RTL_EXPORT int roctxNameHipStream(const char* name, const void* stream) {
  const rtl::Tracer& tracer = rtl::TheTracer();
  return tracer.name_stream == nullptr ? 0 : tracer.name_stream(name, stream);
}

RTL_EXPORT uint32_t roctx_version_major() { return 4; }

RTL_EXPORT uint32_t roctx_version_minor() { return 1; }

// One listener per process; null removes it.
RTL_EXPORT void roctxRegisterTracerCallback(rtl::Callback listener) {
  rtl::callback.store(listener, std::memory_order_release);  // (A)
}
