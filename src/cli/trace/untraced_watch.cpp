// SPDX-License-Identifier: MIT
#include "cli/trace/untraced_watch.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

#include "base/clock.h"
#include "cli/base/installation.h"
#include "cli/base/table.h"

namespace rtl::cli {
namespace {

namespace fs = std::filesystem;

// Looks take at most one kWaitsPerLook-th of a processor. On a machine with thousands of processes
// one look takes milliseconds.
constexpr auto kShortestWait = std::chrono::milliseconds(20);
constexpr auto kLongestWait = std::chrono::milliseconds(2000);
constexpr int kWaitsPerLook = 50;
constexpr size_t kMostProcesses = 4096;
// Python wheels rename the file, but its name still begins so.
constexpr std::string_view kRuntimeName = "libhsa-runtime64";
constexpr std::string_view kToolVariable = "HSA_TOOLS_LIB=";
constexpr std::string_view kSpoolVariable = "RTL_SPOOL=";

// Reads a file of a process. If the process ends meanwhile, returns what was read until then. An
// iterator over the buffer would throw.
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
  char state = 0;
  pid_t parent = 0;
  uint64_t start_ticks = 0;
  uint64_t stack = 0;
};

template <typename Number>
bool Parse(const std::string& word, Number* out) {
  return std::from_chars(word.data(), word.data() + word.size(), *out).ec == std::errc();
}

// proc(5): pid (name) state ppid … starttime is field 22, startstack field 28. A name may contain
// blanks and parentheses.
bool ReadStat(const std::string& path, Stat* out) {
  const std::string text = ReadAll(path);
  const size_t open = text.find('(');
  const size_t close = text.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return false;
  out->name = text.substr(open + 1, close - open - 1);
  std::istringstream rest(text.substr(close + 1));
  std::string word;
  bool has_start = false;
  for (int i = 3; i <= 28 && rest >> word; ++i) {
    if (i == 3) out->state = word.front();
    if (i == 4) (void)Parse(word, &out->parent);  // on failure: zero
    if (i == 22) has_start = Parse(word, &out->start_ticks);
    if (i == 28) (void)Parse(word, &out->stack);  // on failure: zero
  }
  return has_start;
}

// A word of the line that begins with `name`: the last word, or, if `last` is false, the second
// one.
std::string WordOfStatus(const std::string& status, const std::string& name, bool last) {
  const size_t at = status.find("\n" + name + ":");
  if (at == std::string::npos) return "";
  const size_t begin = at + name.size() + 2;
  std::istringstream words(status.substr(begin, status.find('\n', begin) - begin));
  std::string word;
  for (int i = 0; (last || i < 2) && words >> word; ++i) {
  }
  return word;
}

// The processor time of this thread.
std::chrono::nanoseconds ProcessorTime() {
  timespec time = {};
  (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);  // cannot fail for one's own thread
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
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
  const uint64_t calls = result.kind(EventKind::kHipCall).submitted;
  if (calls != 0) {
    return Counted(calls, "HIP call was", "HIP calls were") +
           " seen, and no HSA runtime loaded the tracer: the trace has no kernels";
  }
  return "no HSA runtime in " + program +
         " loaded the tracer, so the trace has no kernels: it uses no GPU, runs as another user, "
         "or "
         "something (env -i, sudo, a container, a script) removed the variables that were set for "
         "it";
}

void UntracedWatch::Run(pid_t program) {
  using std::chrono::milliseconds;
  for (milliseconds wait = kShortestWait; thread_.Pause(wait);) {
    const auto before = ProcessorTime();
    Look(program);
    const auto took = ProcessorTime() - before;
    wait = std::clamp(std::chrono::duration_cast<milliseconds>(kWaitsPerLook * took), kShortestWait,
                      kLongestWait);
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
  // If the parent of a process ends, the process gets another parent. It still belongs to the
  // program.
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
    const Stat& stat = all.at(pid);
    LookAt({pid, ticks, stat.stack}, stat.parent, stat.name);
  }
}

void UntracedWatch::LookAt(const Identity& identity, pid_t parent, const std::string& name) {
  const std::string folder = proc_ + "/" + std::to_string(identity.pid);
  const auto known = seen_.find(identity);
  const bool had_runtime = known != seen_.end() && known->second.runtime;
  const bool had_device = known != seen_.end() && known->second.device;
  // What an earlier look has found stays true, although runtime and device may be gone by now.
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
  const std::string status = ReadAll(folder + "/status");
  (void)Parse(WordOfStatus(status, "NSpid", /*last=*/true), &seen.own_pid);  // on failure: zero
  uid_t user = 0;
  if (Parse(WordOfStatus(status, "Uid", /*last=*/false), &user) && user != geteuid())
    seen.other_user = user;
  ReadEnvironment(folder + "/environ", &seen);
}

void UntracedWatch::ReadEnvironment(const std::string& path, Seen* seen) const {
  const std::string environment = ReadAll(path);
  if (environment.empty()) return;  // the process is another user's
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
    return other.first.pid == seen.parent && other.second.name == seen.name &&
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
  if (seen.other_user) {
    return process + runtime + "it runs as another user (uid " + std::to_string(*seen.other_user) +
           "), who cannot write into the folder of the trace";
  }
  return process + runtime + "the runtime did not load the tracer";
}

bool UntracedWatch::IsIn(const store::ProcessResult& traced, const Identity& identity,
                         const Seen& seen) {
  const auto pid = static_cast<pid_t>(traced.pid);
  return traced.start_ticks == identity.start_ticks &&
         (pid == identity.pid || pid == seen.own_pid) &&
         (traced.stack == 0 || identity.stack == 0 || traced.stack == identity.stack);
}

std::vector<std::string> UntracedWatch::Untraced(
    const std::vector<store::ProcessResult>& traced) const {
  std::vector<std::string> sentences;
  for (const auto& entry : seen_) {
    const Identity& identity = entry.first;
    const Seen& seen = entry.second;
    const bool is_traced = std::any_of(traced.begin(), traced.end(), [&](const auto& process) {
      return IsIn(process, identity, seen) &&
             (!process.runtime.empty() || !process.refusal.empty());
    });
    // If a process still has the tracer in its environment, and a runtime is loaded but not traced,
    // the runtime was never started.
    const bool lost = (seen.tool != Tool::kOurs && seen.tool != Tool::kUnknown) || seen.other_user;
    const bool used = seen.device || (seen.runtime && lost);
    if (!is_traced && used && !Inherited(seen)) sentences.push_back(Sentence(identity.pid, seen));
  }
  return sentences;
}

std::string UntracedWatch::StillRunning(const std::vector<store::ProcessResult>& traced,
                                        uint64_t grace_ns) const {
  constexpr uint64_t kPauseNs = 20'000'000;
  const uint64_t deadline = BootTimeNs() + grace_ns;
  for (;;) {
    std::string sentence = RunningNow(traced);
    if (sentence.empty() || BootTimeNs() >= deadline) return sentence;
    Nap(kPauseNs);
  }
}

std::string UntracedWatch::RunningNow(const std::vector<store::ProcessResult>& traced) const {
  std::string first;
  size_t others = 0;
  std::error_code error;
  for (fs::directory_iterator entry(proc_, error), end; !error && entry != end;
       entry.increment(error)) {
    Identity identity;
    Stat stat;
    const std::string folder = entry->path().string();
    if (!Parse(entry->path().filename().string(), &identity.pid)) continue;
    const std::string environment = '\0' + ReadAll(folder + "/environ");
    if (environment.find('\0' + std::string(kSpoolVariable) + spool_ + '\0') == std::string::npos ||
        !ReadStat(folder + "/stat", &stat) || stat.state == 'Z')
      continue;
    identity.start_ticks = stat.start_ticks;
    identity.stack = stat.stack;
    Seen seen;
    const std::string status = ReadAll(folder + "/status");
    (void)Parse(WordOfStatus(status, "NSpid", /*last=*/true), &seen.own_pid);  // on failure: zero
    const bool is_named = std::any_of(traced.begin(), traced.end(), [&](const auto& process) {
      return process.end == store::ProcessEnd::kAbandoned && IsIn(process, identity, seen);
    });
    if (is_named) continue;
    if (first.empty())
      first = "process " + std::to_string(identity.pid) + " (" + stat.name + ")";
    else
      ++others;
  }
  if (first.empty()) return "";
  if (others != 0) first += " and " + Counted(others, "other");
  return first + " that the program started " + (others == 0 ? "runs" : "run") +
         " still: what happens there from now on is not in the trace";
}

}  // namespace rtl::cli
