// SPDX-License-Identifier: MIT
// Library: lets tools join that call rocprofiler_force_configure. Runtimes may have started before,
// and perhaps no environment variable names this library.
//
//   the runtime                                how this library gets the runtime's tables
//   has passed its tables to this library      the tables were kept while there was no tool
//   registered while this library was absent   rocprofiler-register passes them again on request
//                                              (0.6)
//   has not started                            HSA_TOOLS_LIB names this library from now on
//   runs, and has not passed its tables        found in the runtime's memory
//                                              (capture/hsa/hsa_memory.h); existing queues are seen
//                                              from their next packet on
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/library_beside.h"
#include "base/log.h"
#include "base/thread_state.h"
#include "capture/hip/hip_library.h"
#include "capture/hsa/hsa_memory.h"
#include "sdk/library.h"

namespace rtl::sdk {
namespace {

constexpr char kToolsVariable[] = "HSA_TOOLS_LIB";
constexpr char kRegisterVariable[] = "ROCPROFILER_REGISTER_LIBRARY";

// The path of librocprofiler-sdk.so.1, which is in the same folder as the library with this code.
bool OwnPath(char* path, size_t bytes) {
  const auto here = reinterpret_cast<const void*>(&OwnPath);
  return PathBeside(here, "librocprofiler-sdk.so.1", path, bytes) && access(path, R_OK) == 0;
}

// Adds this library to the words of the environment variable. Called only inside
// rocprofiler_force_configure, as SetEnvironmentValue requires.
void Name(const char* variable, bool alone) {
  char path[PATH_MAX];
  if (!OwnPath(path, sizeof path)) return;
  const char* const before = EnvironmentValue(variable);
  if (before != nullptr && *before != '\0' && (alone || strstr(before, path) != nullptr)) return;
  char words[2 * PATH_MAX];
  const bool others = before != nullptr && *before != '\0';
  const int used =
      snprintf(words, sizeof words, "%s%s%s", others ? before : "", others ? " " : "", path);
  if (used > 0 && static_cast<size_t>(used) < sizeof words)
    (void)SetEnvironmentValue(variable, words);  // without memory the tool gets no tables
}

// Prints why tools get nothing.
rocprofiler_status_t Refuse(const char* why) {
  Warn("nothing is reported to tools in process %d: %s", static_cast<int>(getpid()), why);
  return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
}

}  // namespace

void Library::TakeKept() {
  KeptTables::Registration kept;
  while (kept_.Take(&kept))
    OnTables(kept.name, kept.version, kept.instance, kept.tables, kept.count, kept.loaded_by, true);
}

// Makes rocprofiler-register hand out tables that found no tool before. It finds this library by
// the variable.
void Library::AskRegister() {
  if (from_outside_.load(std::memory_order_acquire)) return;  // the environment must not be changed
  using Invoke = int (*)();
  capture::HipLibrary hip;
  if (!hip.Find()) return;
  const auto invoke = reinterpret_cast<Invoke>(
      hip.Symbol("rocprofiler_register_invoke_nonpropagated_registrations"));
  if (invoke == nullptr) return;
  Name(kRegisterVariable, true);
  // only this thread compares it
  asks_register_.store(ThreadId::Current(), std::memory_order_relaxed);
  (void)invoke();  // the tables arrive in OnTables; others are searched in memory
  asks_register_.store(0, std::memory_order_relaxed);
}

Status Library::FindHsaRoot(void** root) {
  *root = session_->hooked_root();  // hooked by the trace before
  return *root != nullptr ? Status::Ok() : capture::FindHsaTable(root);
}

bool Library::HearsRuntime() { return !WantsEngine() || session_->HasTools(); }

// True if kernels and HSA calls will be reported. If false, the reason was printed.
bool Library::JoinHsa(void* root) {
  OnTables("hsa", 0, 0, &root, 1, capture::Session::LoadedBy::kRegister, true);
  return HearsRuntime();
}

// Prints that the tool is refused, unless this tool was found before and calls the function as
// well.
void Library::SayRefused(rocprofiler_configure_func_t configure) {
  if (init_status() != 1 || forked_.load(std::memory_order_relaxed) || clients_.Has(configure))
    return;
  Warn(
      "a tool that calls rocprofiler_force_configure is refused in process %d: the tools of a "
      "process are configured once, and others were before, by ROCP_TOOL_LIBRARIES or as a loaded "
      "library with rocprofiler_configure; name it there, too",
      static_cast<int>(getpid()));
}

rocprofiler_status_t Library::ForceConfigure(rocprofiler_configure_func_t configure) {
  if (capture::Session::LateTraceIsOpen()) return Refuse("`rtl trace --pid` traces it now");
  const capture::HsaPresence presence = capture::FindHsa();
  if (presence == capture::HsaPresence::kForked && init_status() == 0)
    return Refuse(capture::WhyIdle(presence));
  if (!Initialize(configure)) {
    SayForked();
    SayRefused(configure);
    return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  }
  TakeKept();
  AskRegister();
  // HIP joins first, so that the calls of kernels are seen when kernels are. HIP may be loaded
  // without a runtime.
  sources_.hip->OpenForTools();
  if (hsa_met_.load(std::memory_order_acquire)) return ROCPROFILER_STATUS_SUCCESS;
  if (capture::FindHsa() != capture::HsaPresence::kRuns) {
    Name(kToolsVariable, false);
    return ROCPROFILER_STATUS_SUCCESS;
  }
  void* root = nullptr;
  if (const Status found = FindHsaRoot(&root); !found.ok()) {
    Warn("nothing is reported to tools in process %d: they came when the runtime ran, and %s",
         static_cast<int>(getpid()), found.message());
    return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
  }
  return JoinHsa(root) ? ROCPROFILER_STATUS_SUCCESS : ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
}

}  // namespace rtl::sdk
