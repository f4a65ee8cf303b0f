// SPDX-License-Identifier: MIT
// librtl.so: what the HSA runtime and programs with roctx markers call. This is the one place that
// knows the capture side and the spool together.
//
// Nothing here returns a failure: the runtime answers `false` from OnLoad with dlclose, and other
// threads may already be inside us.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <new>

#include "base/config.h"
#include "base/log.h"
#include "base/thread_state.h"
#include "capture/engines/other_engines.h"
#include "capture/marker/pause.h"
#include "capture/session/session.h"
#include "librtl/register.h"
#include "librtl/spool_output.h"

#define RTL_EXPORT __attribute__((visibility("default")))

namespace rtl {
namespace {

using capture::Session;

// Made when the library is loaded and never destroyed: hooks run until the process has ended.
constinit Session* the_session = nullptr;
// Without memory for a session the roctx functions still answer as they should.
constinit capture::Markers markers_without_session;

template <typename T, typename... A>
T* MakeImmortal(A... arguments) {
  void* memory = aligned_alloc(alignof(T), (sizeof(T) + alignof(T) - 1) / alignof(T) * alignof(T));
  return memory == nullptr ? nullptr : new (memory) T(arguments...);
}

void ForkedInChild() {
  if (the_session != nullptr) the_session->OnForkInChild();
}

void StopAtExit() {
  if (the_session != nullptr) the_session->Stop();
}

// Exit handlers run last in, first out: registered from OnLoad, ours runs while the runtime that
// called it still works.
void StopBeforeTheRuntimeGoes() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, [] { (void)atexit(StopAtExit); });  // refused: Finish stops, later
}

__attribute__((constructor)) void MakeSession() {
  auto* output = MakeImmortal<SpoolOutput>();
  if (output == nullptr) return;
  the_session = MakeImmortal<Session>(output, &Config::FromEnvironment);
  // Refused: the spool refuses a child's writes on its own.
  (void)pthread_atfork(nullptr, nullptr, ForkedInChild);
}

// The last that runs in a process that ends normally: after all exit handlers.
__attribute__((destructor)) void FinishSession() {
  if (the_session != nullptr) the_session->Finish();
}

RecordSink* Sink() { return the_session == nullptr ? nullptr : the_session->marker_sink(); }

capture::Markers& Markers() {
  return the_session == nullptr ? markers_without_session : the_session->markers();
}

int Name(Named what, uint64_t target, const char* name) {
  if (name == nullptr) return 1;
  return Markers().Name(Sink(), what, target, name) ? 0 : 1;
}

}  // namespace
}  // namespace rtl

extern "C" {

RTL_EXPORT bool OnLoad(void* table, uint64_t runtime_version, uint64_t failed_tool_count,
                       const char* const* failed_tool_names) {
  if (rtl::the_session == nullptr) {
    static std::atomic<bool> said{false};  // one line for all lives of the runtime
    if (!said.exchange(true, std::memory_order_relaxed)) {
      rtl::Warn("tracing is off in process %d: no memory", static_cast<int>(getpid()));
    }
    return true;
  }
  rtl::capture::OtherEngines::Meet();
  if (rtl::the_session->OnLoad(table)) rtl::StopBeforeTheRuntimeGoes();
  return true;
}

RTL_EXPORT void OnUnload() {
  if (rtl::the_session != nullptr) rtl::the_session->OnUnload();
}

// librocprofiler-register's question to the library that it has found
// (ROCPROFILER_REGISTER_LIBRARY, or preloaded).
RTL_EXPORT int rocprofiler_set_api_table(const char* name, uint64_t version, uint64_t instance,
                                         void** tables, uint64_t count) {
  rtl::capture::OtherEngines::Meet();
  bool traced;
  const int answer =
      rtl::TakeApiTable(rtl::the_session, name, version, instance, tables, count, &traced);
  if (traced) rtl::StopBeforeTheRuntimeGoes();
  return answer;
}

// Where this symbol is visible librocprofiler-register takes a preloaded library for a tool, and asks
// the function above. To a rocprofiler-sdk in the same process it says that nothing is wanted of it.
RTL_EXPORT void* rocprofiler_configure(uint32_t, const char*, uint32_t, void*) { return nullptr; }

// The other library's engine introduces itself, and meets ours.
RTL_EXPORT const rtl::capture::EngineLink* rtl_engine_link(const rtl::capture::EngineLink* other) {
  return rtl::capture::OtherEngines::Exchange(other);
}

// librtl_hip.so's question at its first call.
RTL_EXPORT const rtl::capture::PreloadDoor* rtl_hip_door(uint32_t version, const char* const* calls,
                                                         size_t count) {
  if (rtl::the_session == nullptr || version != rtl::capture::kPreloadDoorVersion) return nullptr;
  const rtl::capture::PreloadDoor* const door = rtl::the_session->OpenHipPreload({calls, count});
  // After HIP has begun, which in mode clr it has: HIP's own exit handlers run after ours.
  if (rtl::the_session->RecordsByHip()) rtl::StopBeforeTheRuntimeGoes();
  return door;
}

RTL_EXPORT void roctxMarkA(const char* message) { rtl::Markers().Mark(rtl::Sink(), message); }

RTL_EXPORT int roctxRangePushA(const char* message) {
  return rtl::Markers().Push(rtl::Sink(), message);
}

RTL_EXPORT int roctxRangePop() { return rtl::Markers().Pop(rtl::Sink()); }

RTL_EXPORT uint64_t roctxRangeStartA(const char* message) {
  return rtl::Markers().Start(rtl::Sink(), message);
}

RTL_EXPORT void roctxRangeStop(uint64_t range) { rtl::Markers().Stop(rtl::Sink(), range); }

RTL_EXPORT int roctxGetThreadId(uint64_t* thread) {
  if (thread == nullptr) return 1;
  *thread = rtl::ThreadId::Current();
  return 0;
}

RTL_EXPORT int roctxProfilerPause(uint64_t thread) {
  return rtl::capture::Pause::Begin(static_cast<uint32_t>(thread)) ? 0 : 1;
}

RTL_EXPORT int roctxProfilerResume(uint64_t thread) {
  rtl::capture::Pause::End(static_cast<uint32_t>(thread));
  return 0;
}

RTL_EXPORT int roctxNameOsThread(const char* name) {
  return rtl::Name(rtl::Named::kThread, rtl::ThreadId::Current(), name);
}

// `agent`: an hsa_agent_t.
RTL_EXPORT int roctxNameHsaAgent(const char* name, const uint64_t* agent) {
  return agent == nullptr ? 1 : rtl::Name(rtl::Named::kAgent, *agent, name);
}

RTL_EXPORT int roctxNameHipDevice(const char* name, int device) {
  return rtl::Name(rtl::Named::kDevice, static_cast<uint32_t>(device), name);
}

RTL_EXPORT int roctxNameHipStream(const char* name, const void* stream) {
  return rtl::Name(rtl::Named::kStream, reinterpret_cast<uintptr_t>(stream), name);
}

RTL_EXPORT uint32_t roctx_version_major() { return 4; }

RTL_EXPORT uint32_t roctx_version_minor() { return 1; }

}  // extern "C"
