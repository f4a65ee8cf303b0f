// SPDX-License-Identifier: MIT
// storm: many kernels from several threads over several streams on several GPUs. Each kernel counts
// itself on the device, and the program checks that all of them ran exactly once.
//
//   storm [KERNELS=100000] [THREADS=4] [STREAMS=8] [GPUS=2]
//
// Thread t drives streams t, t+THREADS, …; stream s lives on GPU s % GPUS and always launches
// count_<s % 4>.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

void Check(hipError_t error, const char* what) {
  if (error == hipSuccess) return;
  std::fprintf(stderr, "storm: %s: %s\n", what, hipGetErrorString(error));
  std::exit(1);
}
#define CHECK(call) Check((call), #call)

__global__ void count_0(unsigned* counter) {
  if (threadIdx.x == 0) atomicAdd(counter, 1u);
}
__global__ void count_1(unsigned* counter) {
  if (threadIdx.x == 0) atomicAdd(counter, 1u);
}
__global__ void count_2(unsigned* counter) {
  if (threadIdx.x == 0) atomicAdd(counter, 1u);
}
__global__ void count_3(unsigned* counter) {
  if (threadIdx.x == 0) atomicAdd(counter, 1u);
}

using Kernel = void (*)(unsigned*);
constexpr Kernel kKernels[] = {count_0, count_1, count_2, count_3};

struct Stream {
  int gpu = 0;
  int kernel = 0;
  long launches = 0;
  hipStream_t stream{};
  unsigned* counter = nullptr;
};

void Open(Stream& stream) {
  CHECK(hipSetDevice(stream.gpu));
  CHECK(hipStreamCreateWithFlags(&stream.stream, hipStreamNonBlocking));
  CHECK(hipMalloc(&stream.counter, sizeof(unsigned)));
  CHECK(hipMemset(stream.counter, 0, sizeof(unsigned)));
  CHECK(hipDeviceSynchronize());
}

// Launches in turns of 100, so that the streams of one thread run side by side.
void Drive(std::vector<Stream>& streams, size_t first, size_t step) {
  constexpr long kTurn = 100;
  for (long done = 0, more = 1; more > 0; done += kTurn) {
    more = 0;
    for (size_t s = first; s < streams.size(); s += step) {
      Stream& stream = streams[s];
      CHECK(hipSetDevice(stream.gpu));
      for (long i = done; i < stream.launches && i < done + kTurn; i++) {
        kKernels[stream.kernel]<<<dim3(1), dim3(64), 0, stream.stream>>>(stream.counter);
      }
      more += stream.launches > done + kTurn;
    }
  }
  CHECK(hipGetLastError());
}

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int i, long fallback) {
    return argc > i ? std::atol(argv[i]) : fallback;
  };
  const long kernels = argument(1, 100000);
  const long threads = argument(2, 4);
  const long stream_count = argument(3, 8);
  const long gpus = argument(4, 2);

  std::vector<Stream> streams(stream_count);
  for (long s = 0; s < stream_count; s++) {
    streams[s].gpu = static_cast<int>(s % gpus);
    streams[s].kernel = static_cast<int>(s % 4);
    streams[s].launches = kernels / stream_count + (s < kernels % stream_count ? 1 : 0);
    Open(streams[s]);
  }

  std::vector<std::thread> workers;
  for (long t = 0; t < threads; t++) workers.emplace_back([&, t] { Drive(streams, t, threads); });
  for (std::thread& worker : workers) worker.join();

  long counted = 0;
  for (Stream& stream : streams) {
    CHECK(hipSetDevice(stream.gpu));
    CHECK(hipStreamSynchronize(stream.stream));
    unsigned value = 0;
    CHECK(hipMemcpy(&value, stream.counter, sizeof value, hipMemcpyDeviceToHost));
    if (value != stream.launches)
      std::printf("storm: a stream ran %u of %ld\n", value, stream.launches);
    counted += value;
    CHECK(hipFree(stream.counter));
    CHECK(hipStreamDestroy(stream.stream));
  }
  std::printf("storm: %ld kernels, %ld threads, %ld streams, %ld GPUs: %s\n", counted, threads,
              stream_count, gpus, counted == kernels ? "all ran" : "SOME DID NOT RUN");
  return counted == kernels ? 0 : 1;
}
