// SPDX-License-Identifier: MIT
// The functions that librtl.so exports, for the HSA runtime, librtl_hip.so and programs with roctx
// markers. `rtl_trace_X` implements X of librtl.so (src/libraries/shell).
//
// No function here returns a failure: the runtime calls dlclose when OnLoad returns `false`, and
// other threads may already be inside the library.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>

#include "base/log.h"
#include "base/thread_state.h"
#include "capture/roctx/pause.h"
#include "libraries/librtl/register.h"
#include "libraries/librtl/trace_session.h"
#include "sdk/library.h"

namespace rtl {

// Set by engine.cpp.
constinit capture::Session* the_session = nullptr;
constinit capture::CallSources the_sources;

namespace {

using State = capture::Session::State;

// For a process without memory for a session: the roctx functions still return correct values.
constinit capture::Markers markers_without_session;

RecordSink* Sink() { return the_session == nullptr ? nullptr : the_session->marker_sink(); }

capture::Markers& Markers() {
  return the_session == nullptr ? markers_without_session : the_session->markers();
}

// Naming is not an event, so a name that is not recorded in the child of a fork is not a loss.
int Name(Named what, uint64_t target, const char* name) {
  if (name == nullptr) return 1;
  RecordSink* const sink = Sink();
  const bool forked = the_session != nullptr && the_session->state() == State::kForked;
  return Markers().Name(forked ? nullptr : sink, what, target, name) ? 0 : 1;
}

}  // namespace

// Exit handlers run last in, first out: a handler that OnLoad registers runs while the runtime that
// called OnLoad still works. Handlers that the program has registered earlier, and destructors, run
// after it and may use the GPU.
void SettleBeforeTheRuntimeGoes() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  // If registration fails, Finish waits for work in flight.
  (void)pthread_once(&once, [] {
    (void)atexit([] {
      the_session->NoteExit();
      the_session->Settle();
    });
  });
}

}  // namespace rtl

extern "C" {

bool rtl_trace_OnLoad(void* table, uint64_t runtime_version, uint64_t failed_tool_count,
                      const char* const* failed_tool_names) {
  if (rtl::the_session == nullptr) {
    // only one line, even if the runtime is loaded several times
    static std::atomic<bool> said{false};
    if (!said.exchange(true, std::memory_order_relaxed)) {
      rtl::Warn("tracing is off in process %d: no memory", static_cast<int>(getpid()));
    }
    return true;
  }
  rtl::NoticeFork();
  if (rtl::the_session->OnLoad(table)) rtl::SettleBeforeTheRuntimeGoes();
  if (rtl::sdk::Library* const tools = rtl::sdk::Library::Get()) tools->OnTraceLoad(table);
  return true;
}

void rtl_trace_OnUnload() {
  if (rtl::sdk::Library* const tools = rtl::sdk::Library::Get()) tools->OnTraceUnload();
  if (rtl::the_session != nullptr) rtl::the_session->OnUnload();
}

// librocprofiler-register calls this in the library that it has found, which
// ROCPROFILER_REGISTER_LIBRARY names or which is preloaded.
int rtl_trace_rocprofiler_set_api_table(const char* name, uint64_t version, uint64_t instance,
                                        void** tables, uint64_t count) {
  rtl::NoticeFork();
  bool traced;
  const int answer = rtl::TakeApiTable(rtl::the_session, rtl::the_sources, name, version, instance,
                                       tables, count, &traced);
  if (traced) rtl::SettleBeforeTheRuntimeGoes();
  return answer;
}

// If this symbol is visible, librocprofiler-register treats a preloaded library as a tool, and
// calls rocprofiler_set_api_table in it. To a rocprofiler-sdk in the same process, the null result
// means that there is no tool here.
void* rtl_trace_rocprofiler_configure(uint32_t, const char*, uint32_t, void*) { return nullptr; }

// librtl_hip.so calls this at the first HIP call.
const rtl::capture::HipCallHooks* rtl_trace_hip_hooks(uint32_t version, const char* const* calls,
                                                      size_t count, const void* in_hip) {
  rtl::capture::HipSource* const hip = rtl::the_sources.hip;
  if (hip == nullptr || version != rtl::capture::kHipCallHooksVersion) return nullptr;
  const rtl::capture::HipCallHooks* const hooks = hip->OpenPreload({calls, count, in_hip});
  // In mode clr HIP has begun already, so the tracer's exit handler is registered after HIP's own
  // handlers, and runs before them.
  if (hip->ProfilerIsOpen()) rtl::SettleBeforeTheRuntimeGoes();
  return hooks;
}

// librtl_rccl.so calls this at the first RCCL call.
const rtl::capture::RcclCallHooks* rtl_trace_rccl_hooks(uint32_t version) {
  rtl::capture::RcclSource* const rccl = rtl::the_sources.rccl;
  if (rccl == nullptr || version != rtl::capture::kRcclCallHooksVersion) return nullptr;
  return rccl->OpenPreload();
}

void rtl_trace_roctxMarkA(const char* message) { rtl::Markers().Mark(rtl::Sink(), message); }

int rtl_trace_roctxRangePushA(const char* message) {
  return rtl::Markers().Push(rtl::Sink(), message);
}

int rtl_trace_roctxRangePop() { return rtl::Markers().Pop(rtl::Sink()); }

uint64_t rtl_trace_roctxRangeStartA(const char* message) {
  return rtl::Markers().Start(rtl::Sink(), message);
}

void rtl_trace_roctxRangeStop(uint64_t range) { rtl::Markers().Stop(rtl::Sink(), range); }

int rtl_trace_roctxGetThreadId(uint64_t* thread) {
  if (thread == nullptr) return 1;
  *thread = rtl::ThreadId::Current();
  return 0;
}

// Opens the trace, so that a trace that begins paused is open before it is resumed.
int rtl_trace_roctxProfilerPause(uint64_t thread) {
  (void)rtl::Sink();
  return rtl::capture::Pause::Begin(static_cast<uint32_t>(thread)) ? 0 : 1;
}

int rtl_trace_roctxProfilerResume(uint64_t thread) {
  (void)rtl::Sink();
  rtl::capture::Pause::End(static_cast<uint32_t>(thread));
  return 0;
}

int rtl_trace_roctxNameOsThread(const char* name) {
  return rtl::Name(rtl::Named::kThread, rtl::ThreadId::Current(), name);
}

// `agent`: points to an hsa_agent_t.
int rtl_trace_roctxNameHsaAgent(const char* name, const uint64_t* agent) {
  return agent == nullptr ? 1 : rtl::Name(rtl::Named::kAgent, *agent, name);
}

int rtl_trace_roctxNameHipDevice(const char* name, int device) {
  return rtl::Name(rtl::Named::kDevice, static_cast<uint32_t>(device), name);
}

int rtl_trace_roctxNameHipStream(const char* name, const void* stream) {
  return rtl::Name(rtl::Named::kStream, reinterpret_cast<uintptr_t>(stream), name);
}

uint32_t rtl_trace_roctx_version_major() { return 4; }

uint32_t rtl_trace_roctx_version_minor() { return 1; }

}  // extern "C"
