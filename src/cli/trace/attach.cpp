// SPDX-License-Identifier: MIT
#include "cli/trace/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>

#include "base/clock.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "cli/base/installation.h"
#include "cli/base/interruptions.h"
#include "cli/base/live_spool.h"
#include "cli/trace/recovery.h"
#include "inject/inject.h"
#include "spool/process_stat.h"
#include "trace/collect/collector.h"
#include "trace/read/error.h"
#include "trace/write/asks.h"
#include "trace/write/claim.h"

namespace rtl::cli {
namespace {

constexpr uint64_t kBeginNs = 30'000'000'000;
constexpr uint64_t kEndNs = 300'000'000'000;
// The wait is divided because an interruption may come just before it.
constexpr uint64_t kLookNs = 100'000'000;

Status Ask(const std::string& process, const std::string& spool, const std::string& text,
           uint64_t limit_ns, std::string* said) {
  std::string answer;
  RTL_TRY(store::AskCollector(spool, store::kAskAttach, text, limit_ns, &answer));
  if (answer.starts_with('+')) {
    *said = answer.substr(1);
    return Status::Ok();
  }
  const std::string why = answer.empty() ? "its collector gave no answer" : answer.substr(1);
  return query::FileError("process " + process, why);
}

// Waits until the time is over or no more events can come. `traced`: returns false once the process
// has executed another program.
void Wait(uint32_t pid, uint64_t duration_ns, const std::function<bool()>& traced = nullptr) {
  const UniqueFd process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  const uint64_t start = BootTimeNs();
  while (!Interrupted()->load()) {
    const uint64_t passed = BootTimeNs() - start;
    if (duration_ns != 0 && passed >= duration_ns) return;
    const uint64_t left = duration_ns == 0 ? kLookNs : std::min(kLookNs, duration_ns - passed);
    pollfd ended = {process.get(), POLLIN, 0};
    constexpr uint64_t kNsPerMs = 1'000'000;
    const int many = poll(&ended, 1, static_cast<int>((left + kNsPerMs - 1) / kNsPerMs));
    if (many > 0 || !process.valid()) return;  // the process has ended
    if (traced && !traced()) return;
  }
}

// The spool of a process that was not prepared for tracing. It is in the output's folder.
class OwnSpool {
 public:
  explicit OwnSpool(const std::string& output) : path_(output + ".spool-XXXXXX") {}
  ~OwnSpool() {
    std::error_code ignored;
    if (made_ && !keep_) std::filesystem::remove_all(path_, ignored);
  }
  OwnSpool(const OwnSpool&) = delete;
  OwnSpool& operator=(const OwnSpool&) = delete;

  Status Make() {
    made_ = mkdtemp(path_.data()) != nullptr;
    return made_ ? Status::Ok() : query::FileErrno(path_, "cannot be made", errno);
  }
  const std::string& path() const { return path_; }
  void Keep() { keep_ = true; }

 private:
  std::string path_;
  bool made_ = false;
  bool keep_ = false;
};

std::string CommandOf(uint32_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline");
  std::string command;
  std::getline(file, command);
  std::replace(command.begin(), command.end(), '\0', ' ');
  if (command.ends_with(' ')) command.pop_back();
  return command;
}

// False if the process has ended, or is about to: its memory is freed shortly before it ends.
bool Lives(uint32_t pid) {
  const UniqueFd process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  pollfd ended = {process.get(), POLLIN, 0};
  constexpr int kMomentMs = 500;
  return process.valid() && poll(&ended, 1, kMomentMs) == 0;
}

Status Refused(const std::string& process, const char* why) {
  return query::FileError("process " + process, std::string("cannot be attached to: ") + why);
}

// Loads the tracer into the process, and makes it leave at the end
// (docs/adr/0177-attach-to-any-process.md).
Status TraceUnprepared(const AttachRequest& request, uint32_t pid, const std::string& output,
                       std::string* written) {
  std::string library;
  RTL_TRY(FindLibrary("librtl.so", &library));
  for (const std::string& sentence : LeftSentences(output)) request.say(sentence);
  OwnSpool spool(output);
  RTL_TRY(spool.Make());
  LateTraceRequest wanted;
  spool::ProcessStat self;
  wanted.tracer = static_cast<uint32_t>(getpid());
  if (spool::ReadProcessStat(0, &self)) wanted.tracer_start = self.start_ticks;
  CopyText(wanted.spool, sizeof wanted.spool, spool.path().c_str());
  CopyText(wanted.mode, sizeof wanted.mode, request.mode.c_str());
  CopyText(wanted.events, sizeof wanted.events, request.events.c_str());
  store::Collector collector;
  RTL_TRY(collector.Start({.spool = spool.path(),
                           .output = output,
                           .tool_version = request.version,
                           .command = CommandOf(pid)}));
  inject::Injection injection;
  if (const Status in = injection.Start(pid, library, "rtl_late_trace", wanted); !in.ok())
    return Refused(request.process, in.message());
  request.say("attached to process " + request.process +
              (request.duration_ns == 0 ? "; interrupt (Ctrl-C) to end the trace" : ""));
  Wait(pid, request.duration_ns, [&] { return injection.IsThere(); });
  if (!injection.IsThere() && Lives(pid)) {
    request.say("process " + request.process + " has executed " + CommandOf(pid) +
                ", which is not in the trace: attach to it again");
  }
  injection.Leave();
  collector.WaitForProcess(pid, [&] { return injection.HasLeft(); });
  store::CollectResult result;
  if (const Status stopped = collector.Stop({}, &result); !stopped.ok()) {
    spool.Keep();
    request.say(RecoverySentence(spool.path()));
    return stopped;
  }
  for (const std::string& warning : result.warnings) {
    if (!result.left_earlier || !warning.starts_with(store::kLeftEarlierWarning))
      request.say(warning);
  }
  *written = result.output;
  if (!result.left_earlier) return Status::Ok();
  return query::FileError("process " + request.process,
                          "recorded nothing; the earlier trace in " + output + " stays");
}

}  // namespace

Status TraceRunning(const AttachRequest& request, std::string* written) {
  std::string spool;
  uint32_t pid = 0;
  const Status found = LiveSpool(request.process, &spool, &pid);
  if (pid == 0) return Refused(request.process, "its number is not one of a process");
  std::error_code error;
  const std::string output = std::filesystem::absolute(request.output, error).string();
  if (error) return query::FileErrno(request.output, "cannot be written", error.value());
  const std::string parent = std::filesystem::path(output).parent_path();
  if (access(parent.c_str(), W_OK | X_OK) != 0) {
    return query::FileErrno(request.output, "cannot be written", errno);
  }
  // If an attached tracer was killed, its spool is still there, but no collector reads it.
  if (!found.ok() || !store::HasReader(spool))
    return TraceUnprepared(request, pid, output, written);
  if (!request.takes_others && (!request.mode.empty() || !request.events.empty())) {
    return Refused(request.process,
                   "it was started with RTL_ATTACH=1, and what it records was set there "
                   "(RTL_MODE, RTL_EVENTS)");
  }
  // Opens the spool's folder now: if the process in a container ends, the path into the container
  // is gone.
  const UniqueFd folder(open(spool.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) return query::FileErrno(spool, "cannot be opened", errno);
  spool = "/proc/self/fd/" + std::to_string(folder.get());
  std::string ignored;
  RTL_TRY(Ask(request.process, spool, "begin", kBeginNs, &ignored));
  request.say("attached to process " + request.process +
              (request.duration_ns == 0 ? "; interrupt (Ctrl-C) to end the trace" : ""));
  Wait(pid, request.duration_ns);
  return Ask(request.process, spool, "end " + output, kEndNs, written);
}

}  // namespace rtl::cli
