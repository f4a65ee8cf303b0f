// SPDX-License-Identifier: MIT
// hip_launch_bench: what kernel launches through HIP cost a program. Run it untraced and traced;
// benchmarks/cost.py does both, interleaved. Prints "name value" lines; times in nanoseconds.
// `device` is the processor time of the virtual GPU's threads; a GPU takes none.
//
//   hip_launch_bench MODULE storm LAUNCHES THREADS [HOST_NS]
//                        LAUNCHES kernels from THREADS threads, each with a stream, HOST_NS of host
//                        work before each launch, one wait at the end
//   hip_launch_bench MODULE sync LAUNCHES
//                        launches a kernel and waits for it, LAUNCHES times
//
// MODULE: first_kernel.co of tests/programs. The kernels are empty where the virtual GPU does not
// execute them.
#include <algorithm>
#include <barrier>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "benchmarks/hip_bench.h"

namespace {

using rtl::bench::NowNs;
using rtl::bench::Print;

struct Kernel {
  hipFunction_t function = nullptr;
  int* out = nullptr;

  void Launch(hipStream_t stream) {
    void* arguments[] = {&out};
    CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr));
  }
};

constexpr int kWarmUp = 3;

// Returns the number of kernels.
uint64_t Storm(Kernel kernel, int launches, int threads, uint64_t host_ns) {
  std::vector<hipStream_t> streams(static_cast<size_t>(threads));
  for (hipStream_t& stream : streams) {
    CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    for (int i = 0; i < kWarmUp; ++i) kernel.Launch(stream);
    CHECK(hipStreamSynchronize(stream));
  }
  std::barrier start(threads + 1);
  std::vector<std::thread> workers;
  for (hipStream_t stream : streams) {
    workers.emplace_back([&, stream] {
      Kernel own = kernel;
      start.arrive_and_wait();
      for (int i = 0; i < launches / threads; ++i) {
        for (const uint64_t until = host_ns == 0 ? 0 : NowNs() + host_ns; NowNs() < until;) {
        }
        own.Launch(stream);
      }
      CHECK(hipStreamSynchronize(stream));
    });
  }
  start.arrive_and_wait();
  const uint64_t before = NowNs();
  for (std::thread& worker : workers) worker.join();
  Print("storm", NowNs() - before);
  return static_cast<uint64_t>(threads) * static_cast<uint64_t>(kWarmUp + launches / threads);
}

uint64_t DeviceNs() {
  uint64_t total = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::ifstream(task.path() / "comm") >> name;
    uint64_t ns = 0;
    if (name.starts_with("vgpu-")) std::ifstream(task.path() / "schedstat") >> ns;
    total += ns;
  }
  return total;
}

uint64_t Sync(Kernel kernel, int launches) {
  hipStream_t stream;
  CHECK(hipStreamCreate(&stream));
  std::vector<uint64_t> times(static_cast<size_t>(std::max(launches, 1)));
  for (uint64_t& time : times) {
    const uint64_t before = NowNs();
    kernel.Launch(stream);
    CHECK(hipStreamSynchronize(stream));
    time = NowNs() - before;
  }
  std::sort(times.begin(), times.end());
  Print("sync_p50", times[times.size() / 2]);
  return times.size();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 3 ? argv[2] : "";
  if ((what != "storm" || argc < 5) && what != "sync") {
    std::fprintf(stderr,
                 "usage: hip_launch_bench MODULE storm LAUNCHES THREADS [HOST_NS]\n"
                 "       hip_launch_bench MODULE sync LAUNCHES\n");
    return 2;
  }
  Kernel kernel;
  hipModule_t module;
  CHECK(hipModuleLoad(&module, argv[1]));
  CHECK(hipModuleGetFunction(&kernel.function, module, "first_kernel"));
  CHECK(hipMalloc(reinterpret_cast<void**>(&kernel.out), sizeof *kernel.out));
  const int launches = std::atoi(argv[3]);
  const uint64_t host_ns = argc > 5 ? std::strtoull(argv[5], nullptr, 10) : 0;
  Print("submitted", what == "sync"
                         ? Sync(kernel, launches)
                         : Storm(kernel, launches, std::max(std::atoi(argv[4]), 1), host_ns));
  Print("device", DeviceNs());
  return 0;
}
