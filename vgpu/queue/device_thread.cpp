// SPDX-License-Identifier: MIT
#include "vgpu/queue/device_thread.h"

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <memory>
#include <utility>

#include "vgpu/config/log.h"

namespace vgpu {
namespace {

constexpr unsigned long kTimerSlackNs = 1000;
constexpr uint64_t kSliceNs = 100'000;
constexpr long kPauseNs = 1'000'000;  // between two tries
constexpr int kTries = 1000;

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

struct Start {
  const char* name;
  std::function<void()> body;
};

void* Run(void* argument) {
  const std::unique_ptr<Start> start(static_cast<Start*>(argument));
  (void)prctl(PR_SET_NAME, start->name);  // for tools only
  (void)prctl(PR_SET_TIMERSLACK, kTimerSlackNs);
  AskForShortSlices();
  start->body();
  return nullptr;
}

// An error number, or 0.
int CreateThread(pthread_t* thread, Start* start) {
  for (int tries = 1;; ++tries) {
    const int error = pthread_create(thread, nullptr, Run, start);
    if (error != EAGAIN || tries == kTries) return error;
    const timespec pause{0, kPauseNs};
    nanosleep(&pause, nullptr);
  }
}

}  // namespace

bool StartDeviceThread(const char* name, std::function<void()> body,
                       std::optional<pthread_t>* thread) {
  sigset_t blocked;
  sigset_t old;
  sigfillset(&blocked);
  sigdelset(&blocked, SIGSEGV);  // these report a fault of the thread itself
  sigdelset(&blocked, SIGBUS);
  auto start = std::make_unique<Start>(Start{name, std::move(body)});
  pthread_sigmask(SIG_SETMASK, &blocked, &old);  // a new thread starts with its creator's mask
  pthread_t created;
  const int error = CreateThread(&created, start.get());
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  if (error != 0) {
    Log(LogLevel::kError, "no thread for %s: %s; a higher limit of processes may help (ulimit -u)",
        name, std::strerror(error));
    return false;
  }
  (void)start.release();  // its thread deletes it
  if (thread == nullptr) {
    pthread_detach(created);
  } else {
    *thread = created;
  }
  return true;
}

}  // namespace vgpu
