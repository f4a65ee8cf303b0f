// SPDX-License-Identifier: MIT
#include "cli/base/traced_probe.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace rtl::cli {

namespace fs = std::filesystem;

// A private folder, which the destructor removes with its contents.
class TracedProbe::ScratchFolder {
 public:
  Status Make() {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    std::string pattern = (error ? fs::path("/tmp") : parent) / "rtl-doctor-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) {
      return Status::ErrnoError(errno, "cannot make a directory for the test trace");
    }
    path_ = pattern;
    std::error_code made;
    fs::create_directory(path_ + "/spool", made);
    if (made) return Status::Error("cannot make a directory for the test trace");
    (void)chmod((path_ + "/spool").c_str(), 0700);  // the writer of the spool requires it
    return Status::Ok();
  }
  ~ScratchFolder() {
    std::error_code ignored;  // a leftover folder does no harm
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  std::string spool() const { return path_ + "/spool"; }
  std::string database() const { return path_ + "/trace.db"; }

 private:
  std::string path_;
};

TracedProbe::TracedProbe() : scratch_(std::make_unique<ScratchFolder>()) {}
TracedProbe::~TracedProbe() = default;

Status TracedProbe::Run(TracedEnvironment traced, const std::vector<std::string>& variables,
                        bool quiet) {
  RTL_TRY(scratch_->Make());
  traced.spool = scratch_->spool();
  store::Collector collector;
  RTL_TRY(collector.Start({.spool = scratch_->spool(),
                           .output = scratch_->database(),
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
