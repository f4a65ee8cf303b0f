// SPDX-License-Identifier: MIT
#include "cli/trace/untraced_watch.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

#include "analysis/text.h"
#include "base/own_thread.h"
#include "cli/base/installation.h"

namespace rtl::cli {
namespace {

namespace fs = std::filesystem;

// The looks become rare: a look at a machine with thousands of processes takes milliseconds.
constexpr auto kFirstLook = std::chrono::milliseconds(20);
constexpr auto kLongestWait = std::chrono::milliseconds(2000);
constexpr size_t kMostProcesses = 4096;
constexpr std::string_view kRuntimeName = "libhsa-runtime64";  // wheels rename it, and keep this
constexpr std::string_view kToolVariable = "HSA_TOOLS_LIB=";
constexpr std::string_view kSpoolVariable = "RTL_SPOOL=";

// A process may end while its files are read: what was read until then. An iterator over the buffer
// would throw.
std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  char part[4096];
  do {
    file.read(part, sizeof part);
    text.append(part, static_cast<size_t>(file.gcount()));
  } while (file);
  return text;
}

struct Stat {
  std::string name;
  pid_t parent = 0;
  uint64_t start_ticks = 0;
};

// proc(5): pid (name) state ppid … starttime, the 22nd. A name may have blanks and parentheses.
bool ReadStat(const std::string& path, Stat* out) {
  const std::string text = ReadAll(path);
  const size_t open = text.find('(');
  const size_t close = text.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return false;
  out->name = text.substr(open + 1, close - open - 1);
  std::istringstream rest(text.substr(close + 1));
  std::string word;
  for (int i = 3; rest >> word; ++i) {
    if (i == 4) (void)std::from_chars(word.data(), word.data() + word.size(), out->parent);
    if (i == 22) {
      return std::from_chars(word.data(), word.data() + word.size(), out->start_ticks).ec ==
             std::errc();
    }
  }
  return false;
}

bool MapsRuntime(const std::string& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const size_t name = line.rfind('/');
    if (name != std::string::npos &&
        std::string_view(line).substr(name + 1).starts_with(kRuntimeName))
      return true;
  }
  return false;
}

bool HasOpen(const std::string& folder, const std::string& device) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code gone;
    if (fs::read_symlink(entry->path(), gone) == device) return true;
  }
  return false;
}

}  // namespace

std::string NoRuntimeSentence(const std::string& program, const store::CollectResult& result) {
  const uint64_t calls = result.kind(EventKind::kHipCall).seen;
  if (calls != 0) {
    return analysis::Grouped(calls) + (calls == 1 ? " HIP call was" : " HIP calls were") +
           " seen, and no HSA runtime loaded the tracer: the trace has no kernels";
  }
  return "no HSA runtime in " + program +
         " loaded the tracer, so the trace has no kernels: it uses no GPU, or something (env -i, "
         "sudo, a container, a script) removed the variables that were set for it";
}

void UntracedWatch::Start(pid_t program) {
  const SignalsBlocked blocked;  // signals go to the thread that passes them on to the program
  try {
    thread_ = std::thread([this, program] { Run(program); });
  } catch (const std::system_error&) {
    // Tracing works without it.
  }
}

void UntracedWatch::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void UntracedWatch::Run(pid_t program) {
  for (auto wait = kFirstLook;; wait = std::min(2 * wait, kLongestWait)) {
    {
      std::unique_lock lock(mutex_);
      if (changed_.wait_for(lock, wait, [this] { return stop_; })) return;
    }
    Look(program);
  }
}

void UntracedWatch::Look(pid_t program) {
  std::map<pid_t, Stat> all;
  std::error_code error;
  for (fs::directory_iterator entry(proc_, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string file = entry->path().filename();
    pid_t pid = 0;
    const auto parsed = std::from_chars(file.data(), file.data() + file.size(), pid);
    if (parsed.ec != std::errc() || parsed.ptr != file.data() + file.size()) continue;
    Stat stat;
    if (ReadStat(entry->path().string() + "/stat", &stat)) all.emplace(pid, std::move(stat));
  }
  // A process whose parent has ended gets another one, and stays the program's.
  std::map<pid_t, uint64_t> now;
  for (const auto& [pid, stat] : all) {
    const auto known = of_program_.find(pid);
    if (pid == program || (known != of_program_.end() && known->second == stat.start_ticks))
      now.emplace(pid, stat.start_ticks);
  }
  for (bool more = true; more && now.size() < kMostProcesses;) {
    more = false;
    for (const auto& [pid, stat] : all) {
      if (now.contains(stat.parent)) more |= now.emplace(pid, stat.start_ticks).second;
    }
  }
  of_program_ = std::move(now);
  for (const auto& [pid, ticks] : of_program_) {
    LookAt({pid, ticks}, all.at(pid).parent, all.at(pid).name);
  }
}

void UntracedWatch::LookAt(const Identity& identity, pid_t parent, const std::string& name) {
  const std::string folder = proc_ + "/" + std::to_string(identity.first);
  const auto known = seen_.find(identity);
  const bool had_runtime = known != seen_.end() && known->second.runtime;
  const bool had_device = known != seen_.end() && known->second.device;
  // A program that replaces itself (exec) may have both no more.
  const bool runtime = had_runtime || MapsRuntime(folder + "/maps");
  const bool device = had_device || HasOpen(folder + "/fd", kDriver);
  if ((!runtime && !device) || seen_.size() >= kMostProcesses) return;
  Seen& seen = seen_[identity];
  const bool is_new = runtime != seen.runtime || device != seen.device;
  seen.runtime = runtime;
  seen.device = device;
  if (!is_new) return;
  seen.name = name;
  seen.parent = parent;
  ReadEnvironment(folder + "/environ", &seen);
}

void UntracedWatch::ReadEnvironment(const std::string& path, Seen* seen) const {
  const std::string environment = ReadAll(path);
  if (environment.empty()) return;  // another user's
  std::string tools;
  std::string spool;
  for (size_t at = 0; at < environment.size();) {
    const std::string variable = environment.c_str() + at;
    at += variable.size() + 1;
    if (variable.starts_with(kToolVariable)) tools = variable.substr(kToolVariable.size());
    if (variable.starts_with(kSpoolVariable)) spool = variable.substr(kSpoolVariable.size());
  }
  seen->replaced_by = tools;
  if (tools.find(librtl_) == std::string::npos) {
    seen->tool = tools.empty() ? Tool::kGone : Tool::kReplaced;
  } else if (spool != spool_) {
    seen->tool = spool.empty() ? Tool::kNoTrace : Tool::kOtherTrace;
  } else {
    seen->tool = Tool::kOurs;
  }
}

// A child of fork has its parent's libraries and files, and cannot use them.
bool UntracedWatch::Inherited(const Seen& seen) const {
  return std::any_of(seen_.begin(), seen_.end(), [&](const auto& other) {
    return other.first.first == seen.parent && other.second.name == seen.name &&
           other.second.tool == seen.tool;
  });
}

std::string UntracedWatch::Sentence(pid_t pid, const Seen& seen) const {
  const std::string process = "process " + std::to_string(pid) + " (" + seen.name + ")";
  const std::string runtime = " loaded an HSA runtime that is not traced: ";
  if (!seen.runtime) {
    return process + " opened " + kDriver +
           " without ROCm's HSA runtime, as programs with a GPU driver of their own do; such "
           "kernels cannot be traced";
  }
  switch (seen.tool) {
    case Tool::kGone:
      return process + runtime +
             "HSA_TOOLS_LIB is missing in its environment (env -i, sudo or a script took it away)";
    case Tool::kReplaced:
      return process + runtime + "HSA_TOOLS_LIB in its environment names " + seen.replaced_by;
    case Tool::kNoTrace:
      return process + runtime + "RTL_SPOOL is missing in its environment";
    case Tool::kOtherTrace:
      return process + runtime + "another tracer inside this one has it";
    case Tool::kUnknown:
    case Tool::kOurs:
      break;
  }
  return process + runtime + "the runtime did not load the tracer";
}

std::vector<std::string> UntracedWatch::Untraced(
    const std::vector<store::ProcessResult>& traced) const {
  std::vector<std::string> sentences;
  for (const auto& entry : seen_) {
    const Identity& identity = entry.first;
    const Seen& seen = entry.second;
    const bool is_traced = std::any_of(traced.begin(), traced.end(), [&](const auto& process) {
      return process.pid == static_cast<uint32_t>(identity.first) &&
             process.start_ticks == identity.second &&
             (!process.runtime.empty() || !process.refusal.empty());
    });
    // With the tracer in its environment, a runtime that is only loaded has not been started.
    const bool lost = seen.tool != Tool::kOurs && seen.tool != Tool::kUnknown;
    const bool used = seen.device || (seen.runtime && lost);
    if (!is_traced && used && !Inherited(seen)) sentences.push_back(Sentence(identity.first, seen));
  }
  return sentences;
}

}  // namespace rtl::cli
