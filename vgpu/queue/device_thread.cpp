// SPDX-License-Identifier: MIT
#include "vgpu/queue/device_thread.h"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <utility>

namespace vgpu {
namespace {

constexpr unsigned long kTimerSlackNs = 1000;
constexpr uint64_t kSliceNs = 100'000;

// The argument of sched_setattr(2); the C library does not declare it.
struct SchedulingAttributes {
  uint32_t size;
  uint32_t policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime;  // the slice of an ordinary thread, since Linux 6.12; ignored before
  uint64_t deadline;
  uint64_t period;
};
static_assert(sizeof(SchedulingAttributes) == 48);

void AskForShortSlices() {
  SchedulingAttributes attributes{};
  attributes.size = sizeof(attributes);
  attributes.policy = SCHED_OTHER;
  attributes.nice = getpriority(PRIO_PROCESS, 0);
  attributes.runtime = kSliceNs;
  // This concerns speed only: where it is refused, the device wakes up later.
  (void)syscall(SYS_sched_setattr, 0, &attributes, 0);
}

}  // namespace

std::thread StartDeviceThread(const char* name, std::function<void()> body) {
  sigset_t blocked;
  sigset_t old;
  sigfillset(&blocked);
  sigdelset(&blocked, SIGSEGV);  // these report a fault of the thread itself
  sigdelset(&blocked, SIGBUS);
  pthread_sigmask(SIG_SETMASK, &blocked, &old);  // a new thread starts with its creator's mask
  std::thread thread([name, body = std::move(body)] {
    (void)prctl(PR_SET_NAME, name);  // for tools only
    (void)prctl(PR_SET_TIMERSLACK, kTimerSlackNs);
    AskForShortSlices();
    body();
  });
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  return thread;
}

}  // namespace vgpu
