// SPDX-License-Identifier: MIT
// Starts the helper in two steps, as for a daemon. The first child has an exit signal of zero, so
// the application gets no SIGCHLD and wait() does not return it; this code reaps it. The helper is
// the child of that child, which ends at once, so the helper's parent becomes init. A direct child
// would be visible, because exec restores the exit signal SIGCHLD.
//
// Both children run in the application's memory (CLONE_VM) while the calling thread waits
// (CLONE_VFORK). They make raw system calls only: the application or the virtual GPU may wrap the
// functions of the C library, and those wrappers would work on the application's state.
#include "libraries/librtl/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files_apart.h"
#include "spool/process_stat.h"

#define RTL_IN_CHILD __attribute__((no_sanitize("address", "thread", "undefined")))

namespace rtl {
namespace {

constexpr size_t kStackBytes = 64 * 1024;  // for each of the two children
constexpr int kSignals = 64;
constexpr int kFallbackFds = 65'536;

// The structure sigaction of the kernel, which differs from the C library's.
struct KernelSigaction {
  void (*handler)(int);
  unsigned long flags;
  void (*restorer)();
  uint64_t mask;
};

struct Launch {
  const char* path;
  const char* const* arguments;
  char* const* environment;
  char* stack;  // the stack of the second child
  int error = 0;
  long pid = 0;
};

RTL_IN_CHILD void ResetSignals() {
  for (int number = 1; number <= kSignals; ++number) {
    KernelSigaction action = {};
    action.handler = number == SIGINT || number == SIGHUP ? SIG_IGN : SIG_DFL;
    // sigaction always fails for SIGKILL and SIGSTOP.
    (void)syscall(SYS_rt_sigaction, number, &action, nullptr, sizeof action.mask);
  }
  const uint64_t none = 0;
  (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, nullptr, sizeof none);
}

RTL_IN_CHILD void DropFiles() {
  const long null = syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR);
  for (int fd = 0; fd <= 2; ++fd) {
    // Without /dev/null the standard streams are closed like the other files.
    if (null < 0 || syscall(SYS_dup2, null, fd) < 0) (void)syscall(SYS_close, fd);
  }
  if (syscall(SYS_close_range, 3, ~0u, 0) == 0) return;
  for (int fd = 3; fd < kFallbackFds; ++fd) (void)syscall(SYS_close, fd);
}

RTL_IN_CHILD int RunHelper(void* data) {
  auto* launch = static_cast<Launch*>(data);
  (void)syscall(SYS_setsid);  // cannot fail, because a new process leads no process group
  DropFiles();
  (void)syscall(SYS_chdir, "/");  // so that the helper keeps no file system busy
  ResetSignals();
  (void)syscall(SYS_execve, launch->path, launch->arguments, launch->environment);
  launch->error = errno;
  return 127;
}

RTL_IN_CHILD int RunIntermediate(void* data) {
  auto* launch = static_cast<Launch*>(data);
  launch->pid = clone(RunHelper, launch->stack + kStackBytes, CLONE_VM | CLONE_VFORK, launch);
  if (launch->pid < 0) launch->error = errno;
  return 0;
}

}  // namespace

Status StartHelper(const char* path, const char* const* arguments, char* const* environment,
                   Helper* out) {
  // A guard page below each stack would be better, but both stacks are used for a few calls only.
  void* stacks = mmap(nullptr, 2 * kStackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stacks == MAP_FAILED) return Status::ErrnoError(errno, "cannot start %s", path);
  char* base = static_cast<char*>(stacks);
  Launch launch{path, arguments, environment, base};
  const int saved_errno = errno;
  {
    // No handler of the application may run in a child that shares its memory.
    const AllSignalsBlocked blocked;
    const int child =
        clone(RunIntermediate, base + 2 * kStackBytes, CLONE_VM | CLONE_VFORK, &launch);
    if (child < 0) {
      launch.error = errno;
    } else {
      // Another thread of the application that waits for clones may have reaped the child. In both
      // cases the child has ended.
      (void)syscall(SYS_wait4, child, nullptr, __WALL, nullptr);
    }
  }
  errno = saved_errno;
  (void)munmap(stacks, 2 * kStackBytes);  // a failure only leaves 128 KiB mapped
  if (launch.error != 0) return Status::ErrnoError(launch.error, "cannot start %s", path);
  out->pid = static_cast<uint32_t>(launch.pid);
  spool::ProcessStat stat;
  out->start_ticks = spool::ReadProcessStat(out->pid, &stat) ? stat.start_ticks : 0;
  return Status::Ok();
}

}  // namespace rtl
