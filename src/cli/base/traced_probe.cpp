// SPDX-License-Identifier: MIT
#include "cli/base/traced_probe.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rtl::cli {

Status TracedProbe::Run(TracedEnvironment traced, const std::vector<std::string>& variables,
                        bool quiet) {
  RTL_TRY(folder_.Make("rtl-doctor", "the test trace"));
  traced.spool = folder_.path() + "/spool";
  // The writer of the spool requires that it is private.
  if (mkdir(traced.spool.c_str(), 0700) != 0)
    return Status::Error("cannot make a directory for the test trace");
  store::Collector collector;
  RTL_TRY(collector.Start({.spool = traced.spool,
                           .output = folder_.path() + "/trace.db",
                           .tool_version = RTL_VERSION,
                           .command = "rtl doctor"}));
  Launch launch;
  int exit_code = 0;
  std::vector<std::string> command = {"/proc/self/exe", "doctor", "--probe"};
  if (quiet) command.push_back("--quiet");
  std::vector<std::string> environment = MakeTraced(variables, traced);
  // The user's report of the virtual GPU must not contain the probe.
  std::erase_if(environment,
                [](const std::string& each) { return each.starts_with("VGPU_REPORT="); });
  Status ran = launch.Start(command, environment, &exit_code);
  if (ran.ok()) ran = launch.Wait(&ending_);
  const Status stopped = collector.Stop({}, &result_);
  return ran.ok() ? stopped : ran;
}

int RunProbe(bool quiet) {
  if (quiet) {
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null >= 0) (void)dup2(null, STDOUT_FILENO);
    if (null >= 0) (void)dup2(null, STDERR_FILENO);
  }
  void* runtime = dlopen(kRuntime, RTLD_NOW | RTLD_GLOBAL);
  if (runtime == nullptr) runtime = dlopen("/opt/rocm/lib/libhsa-runtime64.so.1", RTLD_NOW);
  if (runtime == nullptr) return kNoRuntime;
  const auto init = reinterpret_cast<int (*)()>(dlsym(runtime, "hsa_init"));
  const auto shut_down = reinterpret_cast<int (*)()>(dlsym(runtime, "hsa_shut_down"));
  if (init == nullptr || shut_down == nullptr || init() != 0) return kInitFailed;
  (void)shut_down();  // the result has no effect any more
  return dlsym(runtime, "hsa_amd_queue_create") != nullptr ? kMakesQueuesByDescription : 0;
}

}  // namespace rtl::cli
