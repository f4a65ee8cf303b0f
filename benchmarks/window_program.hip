// SPDX-License-Identifier: MIT
// window_program: what a program's work with HIP takes; closed_window.py runs it. Prints "name value" lines: times of
// the measured part in nanoseconds (wall, and processor time of the program's own threads: those of the virtual GPU
// stand for a GPU, which takes none), and the kernels of the whole program.
//
//   window_program storm LAUNCHES THREADS    from each thread to a stream of its own, one wait at the end
//   window_program sync LAUNCHES             each launch is waited for
//   window_program graph NODES LAUNCHES      a chain of kernels as a graph, waited for after each launch
#include <dirent.h>
#include <hip/hip_runtime.h>
#include <sys/resource.h>
#include <time.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#define CHECK(call)                                                                 \
  do {                                                                              \
    const hipError_t status = (call);                                               \
    if (status != hipSuccess) {                                                     \
      fprintf(stderr, "window_program: %s: %s\n", #call, hipGetErrorString(status)); \
      exit(1);                                                                      \
    }                                                                               \
  } while (0)

static std::atomic<uint64_t> submitted{0};

__global__ void add(int* out) { out[threadIdx.x] += 1; }

static void Launch(int* out, hipStream_t stream) {
  add<<<1, 64, 0, stream>>>(out);
  CHECK(hipGetLastError());
}

static uint64_t NowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ull + now.tv_nsec;
}

// Of the threads of the virtual GPU.
static uint64_t DeviceNs() {
  uint64_t total = 0;
  DIR* const tasks = opendir("/proc/self/task");
  while (const dirent* task = readdir(tasks)) {
    const std::string folder = std::string("/proc/self/task/") + task->d_name;
    char name[64] = {};
    unsigned long long ns = 0;
    if (FILE* const file = fopen((folder + "/comm").c_str(), "r")) {
      if (fgets(name, sizeof name, file) == nullptr) name[0] = 0;
      fclose(file);
    }
    if (strncmp(name, "vgpu-", 5) != 0) continue;
    if (FILE* const file = fopen((folder + "/schedstat").c_str(), "r")) {
      if (fscanf(file, "%llu", &ns) == 1) total += ns;
      fclose(file);
    }
  }
  closedir(tasks);
  return total;
}

struct Times {
  uint64_t wall, host;
  static Times Now() {
    rusage used;
    getrusage(RUSAGE_SELF, &used);
    const auto ns = [](const timeval& time) { return time.tv_sec * 1000000000ull + time.tv_usec * 1000ull; };
    return {NowNs(), ns(used.ru_utime) + ns(used.ru_stime) - DeviceNs()};
  }
};

static void Storm(int* out, int launches, const std::vector<hipStream_t>& streams) {
  std::vector<std::thread> threads;
  const int each = launches / static_cast<int>(streams.size());
  for (const hipStream_t stream : streams) {
    threads.emplace_back([=] {
      for (int i = 0; i < each; ++i) Launch(out, stream);
      CHECK(hipStreamSynchronize(stream));
    });
  }
  for (std::thread& thread : threads) thread.join();
  submitted += static_cast<uint64_t>(each) * streams.size();
}

static void Sync(int* out, int launches, hipStream_t stream) {
  for (int i = 0; i < launches; ++i) {
    Launch(out, stream);
    CHECK(hipStreamSynchronize(stream));
  }
  submitted += launches;
}

static hipGraphExec_t Chain(int* out, int nodes, hipStream_t stream) {
  hipGraph_t graph;
  hipGraphExec_t instance;
  CHECK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  for (int i = 0; i < nodes; ++i) Launch(out, stream);
  CHECK(hipStreamEndCapture(stream, &graph));
  CHECK(hipGraphInstantiate(&instance, graph, nullptr, nullptr, 0));
  return instance;
}

static void Replay(hipGraphExec_t graph, int nodes, int launches, hipStream_t stream) {
  for (int i = 0; i < launches; ++i) {
    CHECK(hipGraphLaunch(graph, stream));
    CHECK(hipStreamSynchronize(stream));
  }
  submitted += static_cast<uint64_t>(nodes) * launches;
}

int main(int argc, char** argv) {
  const std::string what = argc > 2 ? argv[1] : "";
  if (!(what == "sync" || (argc > 3 && (what == "storm" || what == "graph")))) {
    fprintf(stderr,
            "usage: window_program storm LAUNCHES THREADS | sync LAUNCHES | graph NODES LAUNCHES\n");
    return 2;
  }
  const int first = atoi(argv[2]), second = argc > 3 ? atoi(argv[3]) : 1;
  int* out;
  CHECK(hipMalloc(&out, 4096));
  std::vector<hipStream_t> streams(what == "storm" ? second : 1);
  for (hipStream_t& stream : streams) {
    CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    Sync(out, 3, stream);
  }
  hipGraphExec_t graph = nullptr;
  if (what == "graph") {
    graph = Chain(out, first, streams[0]);
    Replay(graph, first, 3, streams[0]);
  }
  const Times before = Times::Now();
  if (what == "storm") Storm(out, first, streams);
  if (what == "sync") Sync(out, first, streams[0]);
  if (what == "graph") Replay(graph, first, second, streams[0]);
  const Times after = Times::Now();
  printf("wall %llu\nhost %llu\nsubmitted %llu\n", static_cast<unsigned long long>(after.wall - before.wall),
         static_cast<unsigned long long>(after.host - before.host),
         static_cast<unsigned long long>(submitted.load()));
  return 0;
}
