// SPDX-License-Identifier: MIT
// Continues to launch while a debugger holds the tracer's own thread for three and a half seconds,
// as a disk that does not respond would. Untraced there is no such thread, and nothing is held.
#include <dirent.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>

#include "hsa_support.h"

using namespace programs;

namespace {

constexpr auto kHeld = std::chrono::milliseconds(3500);
constexpr int kAfter = 100;

bool Read(int pipe, pid_t* value) { return read(pipe, value, sizeof *value) == sizeof *value; }
bool Write(int pipe, pid_t value) { return write(pipe, &value, sizeof value) == sizeof value; }

// A process that holds the thread that it is given until it gets another one, and reports when it
// does.
class Holder {
 public:
  Holder() {
    if (pipe(orders_) != 0 || pipe(answers_) != 0) Die("pipe", "refused");
    child_ = fork();
    if (child_ == 0) Serve();
    (void)prctl(PR_SET_PTRACER, child_, 0, 0, 0);  // where a child may not trace its parent
  }
  void Hold(pid_t thread) {
    pid_t held = 0;
    if (!Write(orders_[1], thread) || !Read(answers_[0], &held) || held != thread) {
      Die("ptrace", "the thread is not held");
    }
  }
  void End() {
    int status = 0;
    if (!Write(orders_[1], 0) || waitpid(child_, &status, 0) != child_ || status != 0) {
      Die("ptrace", "the thread is not let go");
    }
  }

 private:
  [[noreturn]] void Serve() {
    pid_t thread = 0;
    if (!Read(orders_[0], &thread) || thread == 0) _exit(0);
    const bool held = ptrace(PTRACE_SEIZE, thread, 0, 0) == 0 &&
                      ptrace(PTRACE_INTERRUPT, thread, 0, 0) == 0 &&
                      waitpid(thread, nullptr, __WALL) == thread;
    pid_t next = 0;
    (void)(Write(answers_[1], held ? thread : -1) && Read(orders_[0], &next));
    (void)ptrace(PTRACE_DETACH, thread, 0, 0);
    _exit(0);
  }

  int orders_[2] = {};
  int answers_[2] = {};
  pid_t child_ = -1;
};

// Zero when this process has no thread of that name.
pid_t FindThread(const std::string& name) {
  pid_t found = 0;
  DIR* const tasks = opendir("/proc/self/task");
  while (const dirent* task = readdir(tasks)) {
    std::string text;
    std::getline(std::ifstream("/proc/self/task/" + std::string(task->d_name) + "/comm"), text);
    if (text == name) found = std::atoi(task->d_name);
  }
  closedir(tasks);
  return found;
}

void RunWithSignal(hsa_queue_t* queue, hsa_kernel_dispatch_packet_t kernel, int times) {
  kernel.completion_signal = CreateSignal(1);
  for (int i = 0; i < times; ++i) {
    hsa_signal_store_screlease(kernel.completion_signal, 1);
    Submit(queue, kernel, kDispatchHeader);
    WaitForZero(kernel.completion_signal);
  }
  HSA_CHECK(hsa_signal_destroy(kernel.completion_signal));
}

}  // namespace

int main() {
  Holder holder;  // before there is a GPU to share
  const Machine machine = StartHsa();
  hsa_queue_t* const queue = CreateQueue(machine, 64);
  uint32_t* const code = EmptyKernel(machine);
  const hsa_kernel_dispatch_packet_t kernel = Dispatch(code, 64, 64);
  RunWithSignal(queue, kernel, 1);

  if (const pid_t worker = FindThread("rtl-worker")) {
    holder.Hold(worker);
    const auto until = std::chrono::steady_clock::now() + kHeld;
    while (std::chrono::steady_clock::now() < until) {
      Submit(queue, kernel, kDispatchHeader);
      RunWithSignal(queue, kernel, 1);
      usleep(1000);
    }
  }
  holder.End();
  RunWithSignal(queue, kernel, kAfter);
  Expect(true, "every kernel ended while it was waited for");
  HSA_CHECK(hsa_queue_destroy(queue));
  Free(code);
  HSA_CHECK(hsa_shut_down());
  return ExitCode();
}
