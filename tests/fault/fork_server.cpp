// SPDX-License-Identifier: MIT
// fork_server.cpp: loads the program and runs its libraries' constructors once, and forks it for
// each run just before its main function (and its own constructors). Most of a small program's cost
// comes before that: the HSA runtime measures its clocks, a HIP runtime's compiler is relocated.
//
//   RTL_FAULT_SERVER=1   standard input brings one run after the other: the number of bytes (32
//                        bits), then that many bytes of NAME=VALUE\0. RUN_OUT and RUN_ERR name the
//                        files that become its standard output and error. For each run, standard
//                        output takes the process id and, when the run and all that it started
//                        have ended, its status (32 bits each).
//
// Threads    one; the tracer is not loaded yet
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fault/fail_nth.h"

namespace {

constexpr uint32_t kMostBytes = 64 << 10;
char g_environment[kMostBytes];  // putenv keeps what it is given

// Calls the kernel directly: the virtual GPU does not know this process yet.
[[noreturn]] void Leave(int code) {
  for (;;) syscall(SYS_exit_group, code);
}

bool ReadAll(void* to, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    const long got = syscall(SYS_read, STDIN_FILENO, static_cast<char*>(to) + done, bytes - done);
    if (got <= 0) return false;
    done += static_cast<size_t>(got);
  }
  return true;
}

void Answer(int32_t number) {
  if (syscall(SYS_write, STDOUT_FILENO, &number, sizeof number) != sizeof number) Leave(99);
}

void Become(int fd, const char* path) {
  const long file = syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_TRUNC | O_RDWR, 0600);
  if (file < 0 || dup2(static_cast<int>(file), fd) != fd) Leave(99);
  syscall(SYS_close, file);
}

void BecomeRun(uint32_t bytes) {
  for (char* at = g_environment; at < g_environment + bytes; at += strlen(at) + 1) {
    if (putenv(at) != 0) Leave(99);
  }
  unsetenv("RTL_FAULT_SERVER");  // not for programs that it starts
  const char* const out = getenv("RUN_OUT");
  const char* const err = getenv("RUN_ERR");
  if (out == nullptr || err == nullptr) Leave(99);
  Become(STDIN_FILENO, "/dev/null");
  Become(STDOUT_FILENO, out);
  Become(STDERR_FILENO, err);
  ReadWish();
}

// Returns in each run, and never in the server.
void ServeRuns() {
  // The HIP runtime always loads this library. Without it a run only takes longer.
  if (dlsym(RTLD_DEFAULT, "hipInit") != nullptr) (void)dlopen("libamd_comgr.so.2", RTLD_NOW);
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) Leave(99);  // collectors that outlive their program
  for (;;) {
    uint32_t bytes = 0;
    if (!ReadAll(&bytes, sizeof bytes)) Leave(0);
    if (bytes > kMostBytes || !ReadAll(g_environment, bytes)) Leave(99);
    const pid_t run = fork();
    if (run == 0) return BecomeRun(bytes);
    Answer(run);
    int status = 0;
    if (run < 0 || waitpid(run, &status, 0) != run) Leave(99);
    while (waitpid(-1, nullptr, __WALL) > 0) {
    }
    Answer(status);
  }
}

using Main = int (*)(int, char**, char**);
using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);

}  // namespace

// The state in which a program begins when its libraries' constructors have run.
extern "C" __attribute__((visibility("default"))) int __libc_start_main(Main main, int argc,
                                                                        char** argv, void (*init)(),
                                                                        void (*fini)(),
                                                                        void (*loader_fini)(),
                                                                        void* stack_end) {
  if (getenv("RTL_FAULT_SERVER") != nullptr) ServeRuns();
  const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(main, argc, argv, init, fini, loader_fini, stack_end);
}
