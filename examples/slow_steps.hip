// SPDX-License-Identifier: MIT
// slow_steps: a program that keeps its GPU waiting, to find out why (docs/guide/slow-program.md).
// Each step loads a batch, copies it to the GPU, and runs a kernel on it. The host checks some of
// the numbers.
//
//   hipcc --offload-arch=gfx906 -O2 -Iinclude examples/slow_steps.hip -Lbuild/lib -lroctx64 -o slow_steps
//
//   slow_steps           waits for each batch before it loads the next
//   slow_steps --ahead   loads the next batch while the GPU works on this one
#include <hip/hip_runtime.h>
#include <roctracer/roctx.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

constexpr int kBatches = 20;
constexpr int kElements = 32 * 1024;
constexpr int kBlock = 256;
constexpr int kTerms = 1200;
constexpr int kStride = 61;  // the distance between checked numbers
constexpr auto kReading = std::chrono::milliseconds(10);  // as long as reading a file from a disk

void Check(hipError_t error, const char* what) {
  if (error == hipSuccess) return;
  std::fprintf(stderr, "slow_steps: %s: %s\n", what, hipGetErrorString(error));
  std::exit(1);
}
#define CHECK(call) Check((call), #call)

__host__ __device__ float Polynomial(float x) {
  float sum = 0;
  for (int term = 0; term < kTerms; ++term) sum = sum * x + 1.0f;
  return sum;
}

__global__ void polynomial(const float* in, float* out, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) out[i] = Polynomial(in[i]);
}

struct Slot {  // one of two batches in flight
  hipStream_t stream = nullptr;
  float* host = nullptr;
  float* in = nullptr;
  float* out = nullptr;
  int batch = -1;
};

void Load(int batch, float* values) {
  roctxRangePush("load batch");
  std::this_thread::sleep_for(kReading);
  for (int i = 0; i < kElements; ++i) values[i] = static_cast<float>((batch * 7 + i) % 100) / 101.0f;
  roctxRangePop();
}

// Waits for the slot's batch; false when a number is wrong.
bool Finish(Slot* slot) {
  if (slot->batch < 0) return true;
  static float results[kElements];
  roctxRangePush("finish batch");
  CHECK(hipMemcpyAsync(results, slot->out, sizeof results, hipMemcpyDeviceToHost, slot->stream));
  CHECK(hipStreamSynchronize(slot->stream));
  roctxRangePop();
  for (int i = 0; i < kElements; i += kStride) {
    const float expected = Polynomial(static_cast<float>((slot->batch * 7 + i) % 100) / 101.0f);
    if (std::fabs(results[i] - expected) > 1e-3f * expected) return false;
  }
  slot->batch = -1;
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const bool ahead = argc > 1 && std::strcmp(argv[1], "--ahead") == 0;
  Slot slots[2];
  for (Slot& slot : slots) {
    CHECK(hipStreamCreate(&slot.stream));
    CHECK(hipHostMalloc(reinterpret_cast<void**>(&slot.host), kElements * sizeof(float), 0));
    CHECK(hipMalloc(reinterpret_cast<void**>(&slot.in), kElements * sizeof(float)));
    CHECK(hipMalloc(reinterpret_cast<void**>(&slot.out), kElements * sizeof(float)));
  }
  bool correct = true;
  roctxRangePush("all batches");
  for (int batch = 0; batch < kBatches; ++batch) {
    Slot& slot = slots[ahead ? batch % 2 : 0];
    correct = Finish(&slot) && correct;
    Load(batch, slot.host);
    slot.batch = batch;
    CHECK(hipMemcpyAsync(slot.in, slot.host, kElements * sizeof(float), hipMemcpyHostToDevice, slot.stream));
    polynomial<<<dim3(kElements / kBlock), dim3(kBlock), 0, slot.stream>>>(slot.in, slot.out, kElements);
    CHECK(hipGetLastError());
  }
  for (Slot& slot : slots) correct = Finish(&slot) && correct;
  roctxRangePop();
  for (Slot& slot : slots) {
    CHECK(hipFree(slot.in));
    CHECK(hipFree(slot.out));
    CHECK(hipHostFree(slot.host));
    CHECK(hipStreamDestroy(slot.stream));
  }
  std::printf("slow_steps: %d batches: results %s\n", kBatches, correct ? "correct" : "wrong");
  return correct ? 0 : 1;
}
