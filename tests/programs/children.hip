// SPDX-License-Identifier: MIT
// Children of every kind close the descriptors they inherited, or replace themselves by another
// program, while the parent uses the GPU before and after.
#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include "hip_support.h"

using namespace programs;

namespace {

constexpr int kFirst = 3;  // descriptor that is not one of the standard streams
constexpr int kLimit = 256;

__global__ void Square(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= values[i];
}

bool UseGpu(int first) {
  const DeviceArray<char> fresh(16 << 20);  // too large for memory that the runtime has in stock
  constexpr int kCount = 1000;
  std::vector<int> start(kCount);
  for (int i = 0; i < kCount; ++i) start[i] = first + i;
  const DeviceArray<int> values(start);
  Launch(Square, Blocks(kCount, 256), dim3(256), values.data(), kCount);
  const std::vector<int> got = values.Get();
  return ForAll(kCount, [&](int i) { return got[i] == (first + i) * (first + i); });
}

// What a child does. It may share the memory of its parent, so it changes none.
void CloseEach() {
  for (int fd = kFirst; fd < kLimit; ++fd) close(fd);
}
void CloseRange() { syscall(SYS_close_range, kFirst, ~0u, 0); }
void CloseFrom() { closefrom(kFirst); }
void ReplaceEach() {
  for (int fd = kFirst; fd < kLimit; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) dup2(STDIN_FILENO, fd);
  }
}
void CloseCopies() {
  for (int fd = kFirst; fd < kLimit; ++fd) {
    const int copy = fcntl(fd, F_DUPFD, kLimit);
    if (copy >= 0) close(copy);
  }
}
void KeepOpen() {
  for (int fd = kFirst; fd < kLimit; ++fd) fcntl(fd, F_SETFD, 0);  // also in the next program
}
void Nothing() {}

struct Action {
  const char* name;
  void (*run)();
  bool keeps_open;  // what the parent has open
};
constexpr Action kActions[] = {
    {"close", &CloseEach, false},
    {"close_range", &CloseRange, false},
    {"closefrom", &CloseFrom, false},
    {"dup2", &ReplaceEach, false},
    {"close of copies", &CloseCopies, true},
    {"descriptors left open", &KeepOpen, true},
    {"nothing", &Nothing, true},
};

struct Child {
  void (*act)();
  bool replaces;  // exec at its end
};

[[noreturn]] void Run(const Child& child) {
  char name[] = "true";
  char* arguments[] = {name, nullptr};
  child.act();
  if (child.replaces) execve("/bin/true", arguments, environ);
  _exit(child.replaces ? 1 : 0);
}

int RunIn(void* child) { Run(*static_cast<const Child*>(child)); }

pid_t Clone(int flags, Child* child) {
  alignas(16) static char stack[256 * 1024];
  return clone(&RunIn, stack + sizeof(stack), flags | SIGCHLD, child);
}

pid_t ByFork(Child* child) {
  const pid_t pid = fork();
  if (pid == 0) Run(*child);
  return pid;
}
pid_t ByVfork(Child* child) {
  const pid_t pid = vfork();
  if (pid == 0) Run(*child);
  return pid;
}
pid_t ByClone(Child* child) { return Clone(0, child); }
pid_t ByCloneVm(Child* child) { return Clone(CLONE_VM, child); }
pid_t ByCloneVfork(Child* child) { return Clone(CLONE_VM | CLONE_VFORK, child); }
pid_t ByCloneFiles(Child* child) { return Clone(CLONE_FILES, child); }
pid_t ByCloneVmFiles(Child* child) { return Clone(CLONE_VM | CLONE_FILES, child); }

struct Way {
  const char* name;
  pid_t (*make)(Child* child);
  bool shares_files = false;  // what it closes, its parent has no longer
};
constexpr Way kWays[] = {
    {"fork", &ByFork},
    {"vfork", &ByVfork},
    {"clone", &ByClone},
    {"clone(CLONE_VM)", &ByCloneVm},
    {"clone(CLONE_VM | CLONE_VFORK)", &ByCloneVfork},
    {"clone(CLONE_FILES)", &ByCloneFiles, true},
    {"clone(CLONE_VM | CLONE_FILES)", &ByCloneVmFiles, true},
};

bool Ends(pid_t pid) {
  int status = -1;
  return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

pid_t Spawn(bool closes) {
  char name[] = "true";
  char* arguments[] = {name, nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int fd = kFirst; closes && fd < kLimit; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) posix_spawn_file_actions_addclose(&actions, fd);
  }
  pid_t pid = -1;
  if (posix_spawn(&pid, "/bin/true", &actions, nullptr, arguments, environ) != 0) pid = -1;
  posix_spawn_file_actions_destroy(&actions);
  return pid;
}

}  // namespace

int main() {
  int round = 0;
  Expect(UseGpu(round++), "the first use");
  for (const Way& way : kWays) {
    for (const Action& action : kActions) {
      if (way.shares_files && !action.keeps_open) continue;
      for (const bool replaces : {false, true}) {
        Child child{action.run, replaces};
        const bool ended = Ends(way.make(&child));
        const std::string what =
            std::string(way.name) + ", " + action.name + (replaces ? ", exec" : "");
        Expect(ended && UseGpu(round++), what.c_str());
      }
    }
  }
  for (const bool closes : {false, true}) {
    const bool ended = Ends(Spawn(closes));
    Expect(ended && UseGpu(round++), closes ? "posix_spawn, close" : "posix_spawn");
  }
  return ExitCode();
}
