// SPDX-License-Identifier: MIT
// Started without some of its standard streams, lists what has their numbers while it runs kernels.
// A second thread looks all the time. What the HSA runtime opens may be found there, as untraced.
//
//     closed_streams LIST
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <atomic>
#include <set>
#include <string>

#include "hip_support.h"

namespace {

constexpr int kStreams = 3;
constexpr int kLaunches = 20000;  // more than a segment of the tracer's files
constexpr int kListFd = 100;

bool g_closed[kStreams];
std::atomic<bool> g_done{false};

void* Watch(void* found) {
  while (!g_done.load()) {
    for (int fd = 0; fd < kStreams; ++fd) {
      if (!g_closed[fd]) continue;
      char link[32], target[PATH_MAX];
      snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
      const ssize_t length = readlink(link, target, sizeof target);
      if (length > 0)
        static_cast<std::set<std::string>*>(found)->emplace(target, static_cast<size_t>(length));
    }
  }
  return nullptr;
}

__global__ void Fill(int* out) { out[threadIdx.x] = static_cast<int>(threadIdx.x); }

}  // namespace

int main(int, char** arguments) {
  for (int fd = 0; fd < kStreams; ++fd) g_closed[fd] = fcntl(fd, F_GETFD) < 0;
  const int list = open(arguments[1], O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (dup2(list, kListFd) < 0) return 1;
  close(list);
  std::set<std::string> found;
  pthread_t watch;
  if (pthread_create(&watch, nullptr, Watch, &found) != 0) return 1;
  int* out = nullptr;
  HIP_CHECK(hipMalloc(&out, 64 * sizeof *out));
  for (int i = 0; i < kLaunches; ++i) Fill<<<1, 64>>>(out);
  HIP_CHECK(hipDeviceSynchronize());
  // What these streams would print, as of a library that reports an error.
  for (int fd = 0; fd < kStreams; ++fd) {
    if (g_closed[fd]) (void)!write(fd, "lost\n", 5);
  }
  g_done.store(true);
  pthread_join(watch, nullptr);
  for (const std::string& name : found) dprintf(kListFd, "%s\n", name.c_str());
  return 0;
}
