// SPDX-License-Identifier: MIT
#include "model/late_trace.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/config.h"
#include "capture/hsa/hsa_memory.h"
#include "libraries/librtl/late_request.h"
#include "libraries/librtl/spool_output.h"
#include "libraries/librtl/trace_session.h"

namespace rtl {
namespace {

using Stage = LateTraceRequest::State;

constexpr uint64_t kStepNs = 200'000'000;  // after this time the requesting process may be gone
constexpr uint64_t kCollectNs = 30'000'000'000;
constexpr uint64_t kBudgetNs = 2'000'000'000;  // long, because only the tracer's own thread waits

// The one late trace that can exist, for the session, which reads its configuration without an
// argument.
constinit std::atomic<bool> busy{false};
constinit Config* wanted = nullptr;

Status ReadWanted(Config* out) {
  *out = *wanted;
  return Status::Ok();
}

// All parts of one trace; never destroyed.
struct LateTrace {
  SpoolOutput* output = nullptr;
  capture::Session* session = nullptr;
  capture::HipSource* hip = nullptr;

  bool Make() {
    output = MakeForever<SpoolOutput>();
    if (output == nullptr) return false;
    session = MakeForever<capture::Session>(output, &ReadWanted);
    if (session == nullptr) return false;
    hip = MakeForever<capture::HipSource>(session, nullptr);
    return hip != nullptr;
  }
};

Status Configure(const LateTraceRequest& request, Config* config) {
  static const LateTraceRequest* asked;
  asked = &request;
  const Status parsed = Config::Parse(
      [](const char* name) -> const char* {
        if (strcmp(name, "RTL_MODE") == 0) return asked->mode;
        if (strcmp(name, "RTL_EVENTS") == 0) return asked->events;
        return strcmp(name, "RTL_SPOOL") == 0 ? asked->spool : nullptr;
      },
      config);
  RTL_TRY(parsed);
  config->leaves = true;
  config->exit_budget_ns = kBudgetNs;
  // Intercept queues would stay after the end of the trace, and so would callbacks of HIP.
  config->queue_method = QueueMethod::kDoorbell;
  config->hip_method = HipMethod::kMemory;
  return Status::Ok();
}

Status Open(const LateTraceRequest& request, Config* config, LateTrace* trace) {
  if (the_session != nullptr && !the_session->Idle()) {
    return Status::Error(
        "it is traced already, or has a profiler of rocprofiler-sdk; start it with RTL_ATTACH=1 "
        "and the tracer to look at it beside that profiler");
  }
  if (access(request.spool, W_OK | X_OK) != 0)
    return Status::ErrnoError(errno, "it cannot write to %.200s", request.spool);
  const capture::HsaPresence presence = capture::FindHsa();
  if (presence != capture::HsaPresence::kRuns)
    return Status::Error("it has used no GPU yet: %s", capture::WhyIdle(presence));
  RTL_TRY(Configure(request, config));
  void* root = nullptr;
  if (const Status found = capture::FindHsaTable(&root); !found.ok()) {
    return Status::Error("%s; start it with RTL_ATTACH=1 and the tracer, or with `rtl trace`",
                         found.message());
  }
  if (!trace->Make()) return Status::Error("there is no memory for a trace");
  trace->hip->OpenForTrace();
  if (trace->session->OnLoad(root, capture::Session::LoadedBy::kMemory, true)) {
    SettleBeforeTheRuntimeGoes();
    return Status::Ok();
  }
  trace->session->Leave();
  trace->hip->Leave();
  if (!trace->output->why_closed().ok()) return trace->output->why_closed();
  return Status::Error("its HSA runtime cannot be traced; the trace's warnings say why");
}

// Makes the open trace visible to markers and exit handlers.
void Show(capture::Session* session) { __atomic_store_n(&the_session, session, __ATOMIC_RELEASE); }

void Run(LateTraceRequest* request) {
  LateTrace trace;
  Config* const config = MakeForever<Config>();
  wanted = config;
  const Status opened = config == nullptr ? Status::Error("there is no memory for a trace")
                                          : Open(*request, config, &trace);
  if (!opened.ok()) {
    Refuse(request, opened.message());
  } else {
    capture::Session* const before = the_session;
    Show(trace.session);
    capture::Session::SetLateTrace(true);
    request->state.store(Stage::kOpen, std::memory_order_release);
    AwaitLeave(*request);
    trace.session->Leave();
    trace.hip->Leave();
    Show(before);
    capture::Session::SetLateTrace(false);
    const uint64_t until = BootTimeNs() + kCollectNs;
    bool collected = false;
    while (!collected && BootTimeNs() < until && TracerLives(*request))
      collected = trace.output->AwaitCollected(kStepNs);
    // If the requesting process was killed, the only copy of the records is here, so it is kept.
    if (collected || trace.output->AwaitCollected(0)) trace.output->Release();
    request->state.store(Stage::kLeft, std::memory_order_release);
  }
  free(config);
}

}  // namespace
}  // namespace rtl

extern "C" int rtl_trace_late_trace(rtl::LateTraceRequest* request) {
  using rtl::LateTraceRequest;
  if (request->version != LateTraceRequest::kVersion ||
      rtl::busy.exchange(true, std::memory_order_acquire)) {
    rtl::Refuse(request, request->version == LateTraceRequest::kVersion
                             ? "another `rtl trace --pid` is attached to it"
                             : "another version of the tracer is loaded in it");
    return 1;
  }
  rtl::Run(request);
  rtl::busy.store(false, std::memory_order_release);
  return 0;
}
