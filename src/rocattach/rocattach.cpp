// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <rocprofiler-sdk-rocattach/rocattach.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "base/environment.h"
#include "base/log.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "inject/inject.h"
#include "inject/loaded_libraries.h"
#include "spool/process_stat.h"

namespace rtl::rocattach {
namespace {

constexpr char kToolVariable[] = "ROCPROF_ATTACH_TOOL_LIBRARY";
constexpr uint64_t kLeaveNs = 30'000'000'000;

struct StatusText {
  const char* name;
  const char* text;
};
constexpr StatusText kTexts[ROCATTACH_STATUS_LAST] = {
    {"ROCATTACH_STATUS_SUCCESS", "success"},
    {"ROCATTACH_STATUS_ERROR", "the process, its runtime or a tool refuses"},
    {"ROCATTACH_STATUS_ERROR_INVALID_ARGUMENT", "an argument or the tool's name is not valid"},
    {"ROCATTACH_STATUS_ERROR_NOT_SUPPORTED", "not supported"},
    {"ROCATTACH_STATUS_ERROR_PTRACE_ERROR", "ptrace fails"},
    {"ROCATTACH_STATUS_ERROR_PTRACE_OPERATION_NOT_PERMITTED",
     "the process is another user's, or the right to trace it is missing"},
    {"ROCATTACH_STATUS_ERROR_PTRACE_PROCESS_NOT_FOUND", "there is no such process"},
};

// Null: the caller may pass a value that is no status.
const StatusText* TextOf(rocattach_status_t status) {
  const auto number = static_cast<unsigned>(status);
  return number < ROCATTACH_STATUS_LAST ? &kTexts[number] : nullptr;
}

struct Attachments {
  std::mutex mutex;
  std::map<int, std::unique_ptr<inject::Injection>> of;  // by pid
  // By pid of the root: the processes that were attached together.
  std::map<int, std::vector<int>> trees;
};

// Never destroyed. When this process ends, the traced processes notice it by themselves.
Attachments& All() {
  static auto* const all = new Attachments;
  return *all;
}

rocattach_status_t Refused(int pid, rocattach_status_t status, const char* why) {
  Warn("process %d cannot be attached to: %s", pid, why);
  return status;
}

// Finds librocprofiler-sdk.so.1 in the folder of this library.
Status FindLibrary(std::string* library) {
  Dl_info info = {};
  std::error_code error;
  if (dladdr(reinterpret_cast<const void*>(&kTexts), &info) != 0) {
    const std::filesystem::path own = std::filesystem::canonical(info.dli_fname, error);
    if (!error) *library = own.parent_path() / "librocprofiler-sdk.so.1";
  }
  if (library->empty() || access(library->c_str(), R_OK) != 0)
    return Status::Error("librocprofiler-sdk.so.1 is not beside this library; install it there");
  return Status::Ok();
}

// Makes the paths in the variable absolute. A name without a slash is left to the loader of the
// traced process.
Status FindTools(std::string* tools) {
  // The caller of a set-user-id program must not choose which library runs elsewhere.
  const char* const named = getauxval(AT_SECURE) == 0 ? EnvironmentValue(kToolVariable) : nullptr;
  std::string left = named == nullptr ? "" : named;
  while (!left.empty()) {
    const size_t bytes = left.find(':');
    const std::string name = left.substr(0, bytes);
    left = bytes == std::string::npos ? "" : left.substr(bytes + 1);
    if (name.empty()) continue;
    std::string path = name;
    if (name.find('/') != std::string::npos) {
      std::error_code error;
      path = std::filesystem::canonical(name, error);
      if (error || access(path.c_str(), R_OK) != 0) {
        return Status::ErrnoError(error ? error.value() : errno, "%s: %.120s", kToolVariable,
                                  name.c_str());
      }
    }
    *tools += (tools->empty() ? "" : ":") + path;
  }
  if (tools->empty())
    return Status::Error("%s names no tool; set it to the path of one", kToolVariable);
  if (tools->size() >= sizeof LateTraceRequest::tools)
    return Status::Error("%s is too long", kToolVariable);
  return Status::Ok();
}

// The status for a process that cannot be attached to, as far as a status can tell the reason.
rocattach_status_t KindOfRefusal(int pid) {
  if (kill(pid, 0) != 0 && errno == ESRCH) return ROCATTACH_STATUS_ERROR_PTRACE_PROCESS_NOT_FOUND;
  const std::string process = "/proc/" + std::to_string(pid);
  struct stat owner;
  if (stat(process.c_str(), &owner) != 0) return ROCATTACH_STATUS_ERROR_PTRACE_PROCESS_NOT_FOUND;
  if (owner.st_uid != geteuid()) return ROCATTACH_STATUS_ERROR_PTRACE_OPERATION_NOT_PERMITTED;
  // Opening this file needs the right to ptrace.
  const UniqueFd memory(open((process + "/mem").c_str(), O_RDWR | O_CLOEXEC));
  if (!memory.valid() && (errno == EACCES || errno == EPERM))
    return ROCATTACH_STATUS_ERROR_PTRACE_OPERATION_NOT_PERMITTED;
  return ROCATTACH_STATUS_ERROR;
}

bool HasEnded(int pid) {
  spool::ProcessStat stat;
  return !spool::ReadProcessStat(static_cast<uint32_t>(pid), &stat) || stat.dead();
}

// `idle`: set to whether the process uses no GPU, in which case nothing is printed. Null: print
// that as an error.
rocattach_status_t AttachOne(Attachments& all, int pid, bool* idle = nullptr) {
  if (pid <= 0) return Refused(pid, ROCATTACH_STATUS_ERROR_INVALID_ARGUMENT, "it is no process");
  if (all.of.contains(pid)) {
    return Refused(pid, ROCATTACH_STATUS_ERROR_INVALID_ARGUMENT,
                   "this process is attached to it; detach first");
  }
  std::string library, tools;
  if (const Status found = FindTools(&tools); !found.ok())
    return Refused(pid, ROCATTACH_STATUS_ERROR_INVALID_ARGUMENT, found.message());
  if (const Status found = FindLibrary(&library); !found.ok())
    return Refused(pid, ROCATTACH_STATUS_ERROR, found.message());
  const auto request = std::make_unique<LateTraceRequest>();
  spool::ProcessStat self;
  request->tracer = static_cast<uint32_t>(getpid());
  if (spool::ReadProcessStat(0, &self)) request->tracer_start = self.start_ticks;
  CopyText(request->tools, sizeof request->tools, tools.c_str());
  auto injection = std::make_unique<inject::Injection>();
  const Status attached =
      injection->Start(static_cast<uint32_t>(pid), library, "rtl_late_tools", *request);
  if (idle != nullptr) *idle = injection->idle();
  if (idle != nullptr && (injection->idle() || HasEnded(pid))) return ROCATTACH_STATUS_ERROR;
  if (!attached.ok()) return Refused(pid, KindOfRefusal(pid), attached.message());
  all.of[pid] = std::move(injection);
  return ROCATTACH_STATUS_SUCCESS;
}

rocattach_status_t Attach(int pid) {
  Attachments& all = All();
  const std::lock_guard<std::mutex> lock(all.mutex);
  return AttachOne(all, pid);
}

// The processes below `root` at this moment, breadth first, without this process.
std::vector<int> DescendantsOf(int root) {
  std::multimap<int, int> children;  // by parent
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const int pid = atoi(entry.path().filename().c_str());
    spool::ProcessStat stat;
    if (pid <= 0 || pid == getpid() || !spool::ReadProcessStat(static_cast<uint32_t>(pid), &stat))
      continue;
    if (!stat.dead()) children.emplace(static_cast<int>(stat.parent_pid), pid);
  }
  std::vector<int> found = {root};
  for (size_t i = 0; i < found.size(); ++i) {
    const auto [begin, end] = children.equal_range(found[i]);
    for (auto child = begin; child != end; ++child) found.push_back(child->second);
  }
  found.erase(found.begin());
  return found;
}

// False: the process has no HSA runtime, or it is a forked child, in which no thread of the runtime
// exists. Changes nothing in the process.
bool MayUseGpu(int pid) {
  spool::ProcessStat stat;
  if (!spool::ReadProcessStat(static_cast<uint32_t>(pid), &stat) || stat.threads < 2) return false;
  std::vector<inject::LoadedLibrary> libraries;
  std::vector<inject::Range> stacks;
  if (!inject::ReadLibraries(static_cast<uint32_t>(pid), &libraries, &stacks).ok())
    return true;  // attaching to it reports the reason
  return std::any_of(libraries.begin(), libraries.end(), [](const auto& library) {
    return library.name().starts_with("libhsa-runtime64");
  });
}

rocattach_status_t AttachTree(int root) {
  Attachments& all = All();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const std::vector<int> descendants = DescendantsOf(root);
  rocattach_status_t last = AttachOne(all, root);
  if (last != ROCATTACH_STATUS_SUCCESS) return last;
  std::vector<int>& tree = all.trees[root];
  tree = {root};
  size_t idle = 0;
  for (const int pid : descendants) {
    bool uses_none = !MayUseGpu(pid);
    const rocattach_status_t status =
        uses_none ? ROCATTACH_STATUS_ERROR : AttachOne(all, pid, &uses_none);
    if (status == ROCATTACH_STATUS_SUCCESS) {
      tree.push_back(pid);
    } else if (HasEnded(pid)) {
      continue;
    } else if (uses_none) {
      ++idle;
    } else {
      last = status;
    }
  }
  if (idle != 0) {
    Warn("process %d: %zu of its descendants use%s no GPU and %s not attached to", root, idle,
         idle == 1 ? "s" : "", idle == 1 ? "is" : "are");
  }
  return last;
}

rocattach_status_t Leave(int pid, inject::Injection* injection) {
  if (injection->AwaitLeft(kLeaveNs)) return ROCATTACH_STATUS_SUCCESS;
  if (kill(pid, 0) != 0 && errno == ESRCH) return ROCATTACH_STATUS_ERROR_PTRACE_PROCESS_NOT_FOUND;
  Warn("process %d was not left: its tools do not return from their detachment", pid);
  return ROCATTACH_STATUS_ERROR;
}

rocattach_status_t LeaveOne(Attachments& all, int pid) {
  const auto at = all.of.find(pid);
  const rocattach_status_t left = Leave(pid, at->second.get());
  all.of.erase(at);
  all.trees.erase(pid);
  return left;
}

rocattach_status_t Detach(int pid) {
  Attachments& all = All();
  const std::lock_guard<std::mutex> lock(all.mutex);
  if (pid != 0 && !all.of.contains(pid)) {
    Warn("process %d cannot be left: this process is not attached to it", pid);
    return ROCATTACH_STATUS_ERROR_INVALID_ARGUMENT;
  }
  if (pid != 0) return LeaveOne(all, pid);
  rocattach_status_t last = ROCATTACH_STATUS_SUCCESS;
  while (!all.of.empty()) {
    const rocattach_status_t left = LeaveOne(all, all.of.begin()->first);
    if (left != ROCATTACH_STATUS_SUCCESS) last = left;
  }
  return last;
}

rocattach_status_t DetachTree(int root) {
  Attachments& all = All();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto at = all.trees.find(root);
  if (at == all.trees.end()) {
    Warn("process %d cannot be left with its descendants: they were not attached to together",
         root);
    return ROCATTACH_STATUS_ERROR_INVALID_ARGUMENT;
  }
  const std::vector<int> tree = std::move(at->second);
  all.trees.erase(at);
  rocattach_status_t last = ROCATTACH_STATUS_SUCCESS;
  for (const int pid : tree) {
    if (!all.of.contains(pid)) continue;  // it was detached alone before
    const rocattach_status_t left = LeaveOne(all, pid);
    // A worker process may have ended, which is no error.
    const bool gone = pid != root && left == ROCATTACH_STATUS_ERROR_PTRACE_PROCESS_NOT_FOUND;
    if (left != ROCATTACH_STATUS_SUCCESS && !gone) last = left;
  }
  return last;
}

// Exceptions must not leave this function, because the caller may be written in C.
template <typename Function>
rocattach_status_t WithoutExceptions(Function function) try {
  return function();
} catch (const std::exception& error) {
  Warn("no process is attached to or left: %s", error.what());
  return ROCATTACH_STATUS_ERROR;
}

}  // namespace
}  // namespace rtl::rocattach

extern "C" {

rocattach_status_t rocattach_attach(int pid) {
  return rtl::rocattach::WithoutExceptions([pid] { return rtl::rocattach::Attach(pid); });
}

rocattach_status_t rocattach_detach(int pid) {
  return rtl::rocattach::WithoutExceptions([pid] { return rtl::rocattach::Detach(pid); });
}

rocattach_status_t rocattach_attach_tree(int pid) {
  return rtl::rocattach::WithoutExceptions([pid] { return rtl::rocattach::AttachTree(pid); });
}

rocattach_status_t rocattach_detach_tree(int pid) {
  return rtl::rocattach::WithoutExceptions([pid] { return rtl::rocattach::DetachTree(pid); });
}

rocattach_status_t rocattach_get_version(uint32_t* major, uint32_t* minor, uint32_t* patch) {
  if (major != nullptr) *major = ROCATTACH_VERSION_MAJOR;
  if (minor != nullptr) *minor = ROCATTACH_VERSION_MINOR;
  if (patch != nullptr) *patch = ROCATTACH_VERSION_PATCH;
  return ROCATTACH_STATUS_SUCCESS;
}

rocattach_status_t rocattach_get_version_triplet(rocattach_version_triplet_t* info) {
  if (info == nullptr) return ROCATTACH_STATUS_ERROR_INVALID_ARGUMENT;
  return rocattach_get_version(&info->major, &info->minor, &info->patch);
}

const char* rocattach_get_status_name(rocattach_status_t status) {
  const auto* const found = rtl::rocattach::TextOf(status);
  return found == nullptr ? nullptr : found->name;
}

const char* rocattach_get_status_string(rocattach_status_t status) {
  const auto* const found = rtl::rocattach::TextOf(status);
  return found == nullptr ? nullptr : found->text;
}

}  // extern "C"
