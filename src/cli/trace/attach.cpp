// SPDX-License-Identifier: MIT
#include "cli/trace/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "cli/base/interruptions.h"
#include "cli/base/live_spool.h"
#include "trace/read/error.h"
#include "trace/write/asks.h"

namespace rtl::cli {
namespace {

constexpr uint64_t kBeginNs = 30'000'000'000;
constexpr uint64_t kEndNs = 300'000'000'000;
constexpr uint64_t kLookNs = 100'000'000;  // an interruption may come just before the wait

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

// Waits until the time is over or no more events can come.
void Wait(uint32_t pid, uint64_t duration_ns) {
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
  }
}

}  // namespace

Status TraceRunning(const AttachRequest& request, std::string* written) {
  std::string spool;
  uint32_t pid = 0;
  const Status found = LiveSpool(request.process, &spool, &pid);
  if (!found.ok() || pid == 0) {
    return query::FileError("process " + request.process,
                            "cannot be attached to: it was not started with RTL_ATTACH=1 "
                            "and the tracer, has used no GPU yet, or belongs to another user");
  }
  // The process may end, and with it the path to the spool in a container.
  const UniqueFd folder(open(spool.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) return query::FileErrno(spool, "cannot be opened", errno);
  spool = "/proc/self/fd/" + std::to_string(folder.get());
  std::error_code error;
  const std::string output = std::filesystem::absolute(request.output, error).string();
  if (error) return query::FileErrno(request.output, "cannot be written", error.value());
  const std::string parent = std::filesystem::path(output).parent_path();
  if (access(parent.c_str(), W_OK | X_OK) != 0) {
    return query::FileErrno(request.output, "cannot be written", errno);
  }
  std::string ignored;
  RTL_TRY(Ask(request.process, spool, "begin", kBeginNs, &ignored));
  request.say("attached to process " + request.process +
              (request.duration_ns == 0 ? "; interrupt (Ctrl-C) to end the trace" : ""));
  Wait(pid, request.duration_ns);
  return Ask(request.process, spool, "end " + output, kEndNs, written);
}

}  // namespace rtl::cli
