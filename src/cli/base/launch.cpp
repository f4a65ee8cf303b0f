// SPDX-License-Identifier: MIT
#include "cli/base/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>

#include "base/unique_fd.h"
#include "trace/read/error.h"

namespace rtl::cli {
namespace {

constexpr int kForwarded[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGUSR1,
                              SIGUSR2, SIGALRM, SIGCONT, SIGWINCH};
constexpr size_t kForwardedCount = std::size(kForwarded);

// The pid of the program while it runs. 0 before and after that.
std::atomic<pid_t> g_child{0};
static_assert(std::atomic<pid_t>::is_always_lock_free, "read in a signal handler");

std::atomic<uint32_t> g_interrupts{0};
static_assert(std::atomic<uint32_t>::is_always_lock_free, "written in a signal handler");

std::atomic<bool> g_terminated{false};
static_assert(std::atomic<bool>::is_always_lock_free, "written in a signal handler");

bool g_keep_dump_signal = false;  // written before the handler is installed
std::atomic<uint32_t> g_dump_signals{0};

// The action of SIGXFSZ before SurviveFileSizeLimit.
struct sigaction g_file_size_before = {};
bool g_file_size_ignored = false;

void Forward(int signal, siginfo_t* info, void*) {
  const int saved_errno = errno;
  if (signal == SIGINT) g_interrupts.fetch_add(1, std::memory_order_relaxed);
  if (signal == SIGTERM) g_terminated.store(true, std::memory_order_relaxed);
  if (signal == SIGUSR2 && g_keep_dump_signal) {
    g_dump_signals.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  const pid_t child = g_child.load(std::memory_order_relaxed);
  // A signal from the kernel comes from the terminal, which also sends it to the program. A signal
  // that the program sent to its own group has reached the program, too.
  const bool reached_it = info->si_code == SI_KERNEL || info->si_pid == child;
  if (child > 0 && !reached_it) (void)kill(child, signal);
  errno = saved_errno;
}

// The signal dispositions that this process was started with. The program gets them.
class Dispositions {
 public:
  void InstallForwarding() {
    struct sigaction ours = {};
    ours.sa_sigaction = Forward;
    ours.sa_flags = SA_SIGINFO | SA_RESTART;
    sigfillset(&ours.sa_mask);
    for (size_t i = 0; i < kForwardedCount; ++i) {
      // The calls cannot fail: the signals exist and can be caught.
      (void)sigaction(kForwarded[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) (void)sigaction(kForwarded[i], &ours, nullptr);
    }
    struct sigaction normal = {};
    normal.sa_handler = SIG_DFL;
    // If SIGCHLD were ignored, the exit code would be lost.
    (void)sigaction(SIGCHLD, &normal, &child_before_);
  }
  void Restore() const {
    for (size_t i = 0; i < kForwardedCount; ++i) {
      (void)sigaction(kForwarded[i], &before_[i], nullptr);
    }
    (void)sigaction(SIGCHLD, &child_before_, nullptr);
    if (g_file_size_ignored) (void)sigaction(SIGXFSZ, &g_file_size_before, nullptr);
  }

 private:
  std::array<struct sigaction, kForwardedCount> before_;
  struct sigaction child_before_;
};

sigset_t ForwardedSet() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : kForwarded) sigaddset(&set, signal);
  return set;
}

// Reads the error number of a failed exec from a pipe. A successful exec closes the pipe, and the
// result is 0.
int ReadExecError(int fd) {
  int error = 0;
  ssize_t got = 0;
  do {
    got = read(fd, &error, sizeof(error));
  } while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(sizeof(error)) ? error : 0;
}

Status ExecFailure(const std::string& program, int error, int* exit_code) {
  *exit_code = error == ENOENT ? kExitNotFound : kExitNotExecutable;
  if (error == ENOENT && program.find('/') == std::string::npos) {
    return query::FileError(program, "command not found");
  }
  if (error == ENOENT && access(program.c_str(), F_OK) == 0) {
    return query::FileError(program, "cannot be run: its interpreter is missing");
  }
  struct stat file = {};
  if (error == EACCES && program.find('/') != std::string::npos &&
      stat(program.c_str(), &file) == 0) {
    if (S_ISDIR(file.st_mode)) return query::FileError(program, "cannot be run: it is a folder");
    if ((file.st_mode & 0111) == 0)
      return query::FileError(program, "cannot be run: it is not executable (chmod +x)");
  }
  return query::FileErrno(program, "cannot be run", error);
}

}  // namespace

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& text : strings) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

void OccupyStandardStreams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    // open takes the lowest free number, which is `fd`.
    if (fcntl(fd, F_GETFD) < 0) (void)open("/", O_PATH | O_CLOEXEC);
  }
}

void SurviveFileSizeLimit() {
  if (g_file_size_ignored) return;
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN;
  // The calls cannot fail: the signal exists and can be ignored.
  (void)sigaction(SIGXFSZ, &ignore, &g_file_size_before);
  g_file_size_ignored = true;
}

Status Launch::Start(const std::vector<std::string>& command,
                     const std::vector<std::string>& environment, int* exit_code) {
  *exit_code = kExitNotExecutable;
  g_terminated.store(false, std::memory_order_relaxed);
  const std::vector<char*> arguments = Pointers(command);
  const std::vector<char*> variables = Pointers(environment);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Status::ErrnoError(errno, "pipe");
  UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);

  // Signals are blocked until there is a program to pass them on to.
  const sigset_t forwarded = ForwardedSet();
  sigset_t mask;
  (void)pthread_sigmask(SIG_BLOCK, &forwarded, &mask);
  Dispositions dispositions;
  dispositions.InstallForwarding();

  // vfork: the child uses this process's memory until it executes the program, and this thread
  // waits until then. With fork, copying the page tables, and page faults later, would cost more
  // than everything else here. The child must not change that memory: it calls nothing that does,
  // and has none of our handlers when signals can arrive.
  const pid_t child = vfork();
  if (child == 0) {
    dispositions.Restore();
    (void)pthread_sigmask(SIG_SETMASK, &mask, nullptr);
    execvpe(arguments[0], arguments.data(), variables.data());
    const int error = errno;
    // If it fails, the exit code still reports the error.
    (void)!write(write_end.get(), &error, sizeof(error));
    _exit(kExitNotFound);
  }
  const int fork_error = errno;
  write_end.reset();
  g_child.store(child > 0 ? child : 0, std::memory_order_relaxed);
  (void)pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  if (child < 0) return Status::ErrnoError(fork_error, "no process for the program");

  pid_ = child;
  const int error = ReadExecError(read_end.get());
  if (error == 0) return Status::Ok();
  Ending ignored;
  RTL_TRY(Wait(&ignored));
  return ExecFailure(command.front(), error, exit_code);
}

uint32_t Launch::Interrupts() { return g_interrupts.load(std::memory_order_relaxed); }

bool Launch::Terminated() { return g_terminated.load(std::memory_order_relaxed); }

void Launch::KeepDumpSignal() { g_keep_dump_signal = true; }

uint32_t Launch::DumpSignals() { return g_dump_signals.load(std::memory_order_relaxed); }

Status Launch::Wait(Ending* ending) {
  // Wait without reaping first, so that the pid cannot be reused while signals are passed on.
  siginfo_t info = {};
  while (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) != 0) {
    if (errno != EINTR) return Status::ErrnoError(errno, "waiting for the program failed");
  }
  g_child.store(0, std::memory_order_relaxed);
  while (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED) != 0) {
    if (errno != EINTR) return Status::ErrnoError(errno, "waiting for the program failed");
  }
  ending->signalled = info.si_code != CLD_EXITED;
  ending->number = info.si_status;
  return Status::Ok();
}

}  // namespace rtl::cli
