// SPDX-License-Identifier: MIT
#include "fleet/child.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/environment.h"
#include "base/unique_fd.h"
#include "fleet/quoted.h"

namespace rtl::fleet {
namespace {

Status WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return Status::ErrnoError(errno, "cannot pass a text to a program");
    text.remove_prefix(static_cast<size_t>(written));
  }
  return Status::Ok();
}

// Waits until `fd` has data or its end. With a title, a line on the terminal counts the seconds.
// False: cancelled.
bool Await(int fd, const char* title, const std::atomic<bool>* cancel) {
  constexpr int kLookMs = 100, kLooksOfSecond = 10;
  const bool shows = title != nullptr && isatty(STDERR_FILENO) != 0;
  int looks = 0;
  bool is_cancelled = false;
  pollfd waits{fd, POLLIN, 0};
  while (!is_cancelled && poll(&waits, 1, kLookMs) <= 0) {
    is_cancelled = cancel != nullptr && cancel->load(std::memory_order_relaxed);
    if (!shows || ++looks % kLooksOfSecond != 0 || looks < 2 * kLooksOfSecond) continue;
    dprintf(STDERR_FILENO, "\rrtl: %s: %d s ", title, looks / kLooksOfSecond);
  }
  if (shows && looks >= 2 * kLooksOfSecond) dprintf(STDERR_FILENO, "\r\033[K");
  return !is_cancelled;
}

// Reads until the end of `fd`. False: cancelled.
bool ReadAll(int fd, const char* title, const std::atomic<bool>* cancel, std::string* out) {
  char buffer[65536];
  while (true) {
    if (!Await(fd, title, cancel)) return false;
    const ssize_t got = read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    out->append(buffer, static_cast<size_t>(got));
  }
}

}  // namespace

Status RunChild(const std::vector<std::string>& command, const std::string& input, ChildOutput* out,
                const char* title, const std::atomic<bool>* cancel) {
  // Input and errors are files in memory, not pipes: the program may read and write in any order
  // without blocking.
  const UniqueFd in(memfd_create("input", MFD_CLOEXEC));
  const UniqueFd error(memfd_create("error", MFD_CLOEXEC));
  int ends[2] = {-1, -1};
  if (!in.valid() || !error.valid() || pipe2(ends, O_CLOEXEC) != 0) {
    return Status::ErrnoError(errno, "cannot start %s", command[0].c_str());
  }
  const UniqueFd from(ends[0]);
  UniqueFd to(ends[1]);
  RTL_TRY(WriteAll(in.get(), input));
  if (lseek(in.get(), 0, SEEK_SET) != 0) return Status::ErrnoError(errno, "cannot rewind");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.get(), 0);
  posix_spawn_file_actions_adddup2(&actions, to.get(), 1);
  posix_spawn_file_actions_adddup2(&actions, error.get(), 2);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t pid = 0;
  const int failure =
      posix_spawnp(&pid, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) return Status::ErrnoError(failure, "cannot start %s", command[0].c_str());
  to.reset();
  const bool is_whole = ReadAll(from.get(), title, cancel, &out->out);
  // The child was not waited for yet, so the pid is still its own.
  if (!is_whole) (void)kill(pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  // Ctrl-C on a terminal interrupts the child too, which may then end before `cancel` was seen.
  if (!is_whole || (cancel != nullptr && cancel->load(std::memory_order_relaxed))) {
    return Status::Error("interrupted");
  }
  out->exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  if (lseek(error.get(), 0, SEEK_SET) == 0) {
    (void)ReadAll(error.get(), nullptr, nullptr, &out->error);  // a file, so reading ends
  }
  return Status::Ok();
}

std::string FirstComplaint(const ChildOutput& output) {
  std::string_view text = output.error;
  std::string best;
  while (!text.empty()) {
    const std::string_view line = NextPart(&text, '\n');
    const size_t found = line.find("rror: ");
    if (found != std::string_view::npos && line[0] != ' ') {
      best = line;
      break;
    }
    if (best.empty() && !line.empty()) best = line;
  }
  if (!best.empty()) return best;
  if (output.exit_code > 128)
    return fmt::format("it was killed by signal {}", output.exit_code - 128);
  return fmt::format("it failed with code {}", output.exit_code);
}

std::string FindInPath(const std::string& name) {
  const char* const path = EnvironmentValue("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::string file = std::string(NextPart(&rest, ':')) + "/" + name;
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return "";
}

}  // namespace rtl::fleet
