// SPDX-License-Identifier: MIT
// Numbered steps with kernels of two streams, copies, and a kernel with the name of a collective.
// Kernels end after the range of their step every other time. A range "all" lasts as long as the
// program.
// usage: training STEPS LAUNCHES [LINE [plain]]: in step LINE it reads a line of standard input.
//   plain: no range says which step it is; a kernel of its own ends each
#include <cstdint>
#include <string>

#include "hip_support.h"

extern "C" {
int roctxRangePushA(const char* message);
int roctxRangePop();
uint64_t roctxRangeStartA(const char* message);
void roctxRangeStop(uint64_t range);
}

using namespace programs;

__global__ void forward(uint32_t* values) { values[threadIdx.x] += 1; }
__global__ void backward(uint32_t* values) { values[threadIdx.x] += 2; }
extern "C" __global__ void ncclDevKernel_AllReduce_Sum_f32(uint32_t* values) {
  values[threadIdx.x] += 3;
}
__global__ void adam(uint32_t* values) { values[threadIdx.x] += 1; }

int main(int argc, char** argv) {
  const int steps = argc > 1 ? std::atoi(argv[1]) : 4;
  const int launches = argc > 2 ? std::atoi(argv[2]) : 100;
  const int line = argc > 3 ? std::atoi(argv[3]) : -1;
  const bool is_plain = argc > 4;
  constexpr int kThreads = 64;
  const uint64_t all = roctxRangeStartA("all");
  std::vector<uint32_t> host(kThreads, 0);
  DeviceArray<uint32_t> one(host), other(host);
  hipStream_t streams[2] = {};
  for (hipStream_t& stream : streams) HIP_CHECK(hipStreamCreate(&stream));
  for (int step = 0; step < steps; ++step) {
    roctxRangePushA(is_plain ? "all the same" : ("step " + std::to_string(step)).c_str());
    if (step == line) {
      std::printf("waiting\n");
      std::fflush(stdout);
      (void)std::getchar();
    }
    for (int i = 0; i < launches; ++i) {
      LaunchOn(streams[0], i % 3 == 0 ? forward : backward, 1, kThreads, one.data());
      if (i % 8 == 0) {
        LaunchOn(streams[1], ncclDevKernel_AllReduce_Sum_f32, 1, kThreads, other.data());
      }
    }
    if (is_plain) LaunchOn(streams[1], adam, 1, kThreads, other.data());
    HIP_CHECK(hipMemcpyAsync(host.data(), one.data(), sizeof(uint32_t) * kThreads,
                             hipMemcpyDeviceToHost, streams[0]));
    if (step % 2 == 0) HIP_CHECK(hipDeviceSynchronize());
    roctxRangePop();
  }
  HIP_CHECK(hipDeviceSynchronize());
  uint32_t expected = 0;
  for (int i = 0; i < launches; ++i) expected += i % 3 == 0 ? 1 : 2;
  const bool right = one.Get()[5] == expected * static_cast<uint32_t>(steps);
  for (hipStream_t stream : streams) HIP_CHECK(hipStreamDestroy(stream));
  roctxRangeStop(all);
  std::printf("%s %d steps\n", right ? "ok" : "wrong", steps);
  return right ? 0 : 1;
}
