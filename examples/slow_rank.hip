// SPDX-License-Identifier: MIT
// slow_rank: a job of several ranks of which one is slow, to find out which (docs/guide/many-ranks.md).
// Every step each rank computes on a GPU of its own, and RCCL adds up what they computed.
//
//   hipcc --offload-arch=gfx90a -O2 -Iinclude examples/slow_rank.hip -Lbuild/lib -lroctx64 -lrccl -o slow_rank
//
//   slow_rank RANKS [STEPS]   starts a process for each rank, with the variables of torchrun
//
// Rank 5 computes four times as long as the others, and in step 7 the input of rank 2 is late by two seconds.
#include <hip/hip_runtime.h>
#include <rccl/rccl.h>
#include <roctracer/roctx.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr int kElements = 4096;
constexpr int kBlock = 256;
constexpr int kTerms = 5000;
constexpr int kSlowRank = 5, kSlowTimes = 4;
constexpr int kLateRank = 2, kLateStep = 7;
constexpr unsigned kLateSeconds = 2;

void Fail(const char* what, const char* why) {
  std::fprintf(stderr, "slow_rank: %s: %s\n", what, why);
  std::exit(1);
}
#define HIP(call) \
  if (const hipError_t error = (call); error != hipSuccess) Fail(#call, hipGetErrorString(error))
#define RCCL(call) \
  if (const ncclResult_t error = (call); error != ncclSuccess) Fail(#call, ncclGetErrorString(error))

__global__ void forward(float* values, int n, int terms) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int term = 0; term < terms; ++term) sum = sum * values[i] + 0.5f;
  values[i] = sum / 2;
}

__global__ void scale(float* values, int n, float factor) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) values[i] *= factor;
}

int Number(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? -1 : std::atoi(text);
}

// The first rank makes the number by which all of them find each other.
ncclUniqueId Meet(int rank, const std::string& path) {
  ncclUniqueId id;
  if (rank == 0) {
    RCCL(ncclGetUniqueId(&id));
    const std::string whole = path + ".new";
    std::FILE* const file = std::fopen(whole.c_str(), "w");
    if (file == nullptr || std::fwrite(&id, sizeof id, 1, file) != 1) Fail(path.c_str(), "cannot be written");
    std::fclose(file);
    std::rename(whole.c_str(), path.c_str());
    return id;
  }
  while (true) {
    std::FILE* const file = std::fopen(path.c_str(), "r");
    if (file == nullptr) {
      usleep(10'000);
      continue;
    }
    if (std::fread(&id, sizeof id, 1, file) != 1) Fail(path.c_str(), "cannot be read");
    std::fclose(file);
    return id;
  }
}

int RunRank(int rank, int ranks, int steps, const std::string& meeting) {
  HIP(hipSetDevice(rank));
  ncclComm_t everybody = nullptr;
  RCCL(ncclCommInitRank(&everybody, ranks, Meet(rank, meeting), rank));
  hipStream_t stream = nullptr;
  float* values = nullptr;
  HIP(hipStreamCreate(&stream));
  HIP(hipMalloc(reinterpret_cast<void**>(&values), kElements * sizeof(float)));
  HIP(hipMemset(values, 0, kElements * sizeof(float)));
  for (int step = 0; step < steps; ++step) {
    roctxRangePush(("step " + std::to_string(step)).c_str());
    if (rank == kLateRank && step == kLateStep) sleep(kLateSeconds);
    const int terms = rank == kSlowRank ? kTerms * kSlowTimes : kTerms;
    forward<<<dim3(kElements / kBlock), dim3(kBlock), 0, stream>>>(values, kElements, terms);
    RCCL(ncclAllReduce(values, values, kElements, ncclFloat, ncclSum, everybody, stream));
    scale<<<dim3(kElements / kBlock), dim3(kBlock), 0, stream>>>(values, kElements, 1.0f / static_cast<float>(ranks));
    HIP(hipStreamSynchronize(stream));
    roctxRangePop();
  }
  HIP(hipFree(values));
  HIP(hipStreamDestroy(stream));
  RCCL(ncclCommDestroy(everybody));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int ranks = argc > 1 ? std::atoi(argv[1]) : 0;
  const int steps = argc > 2 ? std::atoi(argv[2]) : 12;
  if (ranks < 1 || steps < 1) {
    std::fprintf(stderr, "usage: slow_rank RANKS [STEPS]\n");
    return 2;
  }
  if (Number("RANK") >= 0) return RunRank(Number("RANK"), ranks, steps, std::getenv("SLOW_RANK_MEETING"));
  // The launcher uses no GPU.
  const std::string meeting = "/tmp/slow_rank-" + std::to_string(getpid());
  setenv("SLOW_RANK_MEETING", meeting.c_str(), 1);
  setenv("WORLD_SIZE", std::to_string(ranks).c_str(), 1);
  for (int rank = 0; rank < ranks; ++rank) {
    const pid_t pid = fork();
    if (pid < 0) Fail("fork", std::strerror(errno));
    if (pid > 0) continue;
    setenv("RANK", std::to_string(rank).c_str(), 1);
    setenv("LOCAL_RANK", std::to_string(rank).c_str(), 1);
    execv("/proc/self/exe", argv);
    Fail("execv", std::strerror(errno));
  }
  bool is_right = true;
  int status = 0;
  while (wait(&status) > 0) is_right = is_right && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  unlink(meeting.c_str());
  std::printf("slow_rank: %d ranks, %d steps: %s\n", ranks, steps, is_right ? "done" : "failed");
  return is_right ? 0 : 1;
}
