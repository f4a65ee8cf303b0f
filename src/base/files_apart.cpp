// SPDX-License-Identifier: MIT
#include "base/files_apart.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace rtl {
namespace {

constexpr int kStreams = 3;
constexpr size_t kStackBytes = 256 * 1024;
constexpr size_t kGuardBytes = 4096;

bool StreamsAreOpen() {
  for (int fd = 0; fd < kStreams; ++fd) {
    if (fcntl(fd, F_GETFD) < 0) return false;
  }
  return true;
}

struct Call {
  void (*body)(void* data);
  void* data;
};

int OnThread(void* data) {
  const auto* call = static_cast<const Call*>(data);
  call->body(call->data);
  return 0;
}

// Runs the call on a new thread. False if such a thread cannot be made. Without CLONE_FILES the
// thread has a copy of the descriptor table; with CLONE_VFORK the caller waits until the thread has
// ended.
bool RunOnThread(Call* call) {
  constexpr int kFlags =
      CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_VFORK;
  void* const stack = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return false;
  (void)mprotect(stack, kGuardBytes, PROT_NONE);  // if this fails, the stack has no guard page
  int made = -1;
  {
    const AllSignalsBlocked blocked;
    made = clone(OnThread, static_cast<char*>(stack) + kStackBytes, kFlags, call);
  }
  const int error = errno;  // the body's
  (void)munmap(stack, kStackBytes);
  errno = error;
  return made > 0;
}

}  // namespace

AllSignalsBlocked::AllSignalsBlocked() {
  const uint64_t all = ~uint64_t{0};
  (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before_, sizeof all);
}

AllSignalsBlocked::~AllSignalsBlocked() {
  (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before_, nullptr, sizeof before_);
}

void RunApart(void (*body)(void* data), void* data) {
  const int error = errno;
  const bool open = StreamsAreOpen();
  errno = error;
  if (open) return body(data);
  // Otherwise a cancelled thread would unwind on the wrong stack.
  int cancel = PTHREAD_CANCEL_ENABLE;
  (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
  Call call = {body, data};
  if (!RunOnThread(&call)) body(data);
  (void)pthread_setcancelstate(cancel, nullptr);
}

int AboveStandardStreams(int fd) {
  if (fd < 0 || fd >= kStreams) return fd;
  const int moved = fcntl(fd, F_DUPFD_CLOEXEC, kStreams);
  const int error = errno;
  (void)close(fd);
  errno = error;
  return moved;
}

}  // namespace rtl
