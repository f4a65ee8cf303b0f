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

// False: there is no such thread here. Without CLONE_FILES it has a copy of the table; with
// CLONE_VFORK the caller waits until it has ended.
bool RunOnThread(Call* call) {
  constexpr int kFlags =
      CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_VFORK;
  void* const stack = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return false;
  (void)mprotect(stack, kGuardBytes, PROT_NONE);  // a failure leaves a stack without a guard
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
  // A thread that is to be cancelled would unwind on the wrong stack.
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
