// SPDX-License-Identifier: MIT
// Threads that have names in the kernel, given before their first launch, after their last one, by
// another thread, or not at all; a forked child has one, too.
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <future>
#include <string>
#include <thread>

#include "hip_support.h"

using namespace programs;

__global__ void Add(int* value) { atomicAdd(value, 1); }

void UseGpu() {
  const DeviceArray<int> value(std::vector<int>{0});
  for (int i = 0; i < 2; ++i) Launch(Add, dim3(1), dim3(1), value.data());
  Expect(value.Get()[0] == 2, "two launches");
}

void Name(const char* name) { (void)pthread_setname_np(pthread_self(), name); }

// As a debugger or a launcher may do it.
void NameByFile(pid_t thread, const char* name) {
  const std::string path = "/proc/self/task/" + std::to_string(thread) + "/comm";
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) Die("comm", std::strerror(errno));
  std::fputs(name, file);
  if (std::fclose(file) != 0) Die("comm", std::strerror(errno));
}

int main() {
  const pid_t child = fork();
  if (child < 0) Die("fork", std::strerror(errno));
  if (child == 0) {
    Name("forked worker");
    UseGpu();
    std::exit(ExitCode());
  }
  int status = 0;
  Expect(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 0, "a forked child");

  UseGpu();
  std::thread([] {
    Name("before");
    UseGpu();
  }).join();
  std::thread([] {
    UseGpu();
    (void)prctl(PR_SET_NAME, "after the last");
  }).join();
  std::thread([] {
    Name("first name");
    UseGpu();
    Name("second name");
  }).join();
  std::thread(UseGpu).join();  // has the program's name
  std::thread([] { Name("no GPU"); }).join();

  // They live until the process has ended.
  static std::promise<pid_t> number;
  std::thread([] {
    UseGpu();
    number.set_value(static_cast<pid_t>(syscall(SYS_gettid)));
    for (;;) pause();
  }).detach();
  NameByFile(number.get_future().get(), "an \"odd\" \\ \xff");
  Name("the main one");
  std::exit(ExitCode());
}
