// SPDX-License-Identifier: MIT
// librtl_engine.so: has all of the tracer's state, once per process. librtl.so and
// librocprofiler-sdk.so.1 are shells that call this library (src/libraries/shell). Only this file
// knows capture, the spool and the services of rocprofiler-sdk together.
//
// Threads    any
// Memory     made when the library is loaded and never destroyed, because hooks run until the
//            process has ended
// Why        docs/adr/0051-one-engine.md
#include <pthread.h>
#include <string.h>

#include "capture/roctx/markers.h"
#include "capture/sources/clr_source.h"
#include "libraries/engine/functions.h"
#include "libraries/librtl/spool_output.h"
#include "libraries/librtl/trace_session.h"
#include "sdk/library.h"
#include "spool/writer.h"

namespace rtl {
namespace {

void ForkedInChild() {
  capture::Markers::ForgetOmitted();
  if (the_session != nullptr) the_session->OnForkInChild();
  if (sdk::Library* const library = sdk::Library::Get()) library->ForkedInChild();
}

// False if there is no memory.
bool MakeSources(capture::Session* session) {
  capture::HipProfiler* const profiler = MakeForever<capture::ClrSource>(session);
  if (profiler == nullptr) return false;
  auto* const hip = MakeForever<capture::HipSource>(session, profiler);
  auto* const rccl = MakeForever<capture::RcclSource>(session);
  if (hip == nullptr || rccl == nullptr) return false;
  the_sources = {hip, rccl};
  return true;
}

__attribute__((constructor)) void MakeSession() {
  auto* output = MakeForever<SpoolOutput>();
  if (output == nullptr) return;
  auto* const session = MakeForever<capture::Session>(output, &Config::FromEnvironment);
  if (session == nullptr || !MakeSources(session)) return;
  the_session = session;
  // If registration fails, the spool still rejects a child's writes.
  (void)pthread_atfork(nullptr, nullptr, ForkedInChild);
}

// Runs after all exit handlers of a process that ends normally.
__attribute__((destructor)) void FinishSession() {
  if (the_session != nullptr) the_session->Finish();
  if (sdk::Library* const library = sdk::Library::Get()) library->WarnLate();
}

void MakeTools() {
  if (the_session != nullptr) sdk::Library::Make(the_session, the_sources);
}

}  // namespace

void NoticeFork() {
  if (spool::Writer::NoticeFork()) ForkedInChild();
}

}  // namespace rtl

// Returns the implementation of the function `name` of a shell; null if the shell is from another
// build.
extern "C" __attribute__((visibility("default"))) void* rtl_engine_function(const char* shell,
                                                                            const char* name) {
  if (strcmp(shell, rtl::engine::kTools) == 0) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, rtl::MakeTools);
  }
  return rtl::engine::Find(shell, name);
}
