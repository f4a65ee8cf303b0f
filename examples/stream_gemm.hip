// SPDX-License-Identifier: MIT
// stream_gemm: a small, complete HIP program to trace. Four streams each copy two matrices to the GPU, multiply
// them, sum the product and copy both results back; every number is checked on the host.
//
//   hipcc --offload-arch=gfx906 -O2 -Iinclude examples/stream_gemm.hip -Lbuild/lib -lroctx64 -o stream_gemm
#include <hip/hip_runtime.h>
#include <roctracer/roctx.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr int kStreams = 4;
constexpr int kRounds = 3;
constexpr int kSide = 64;  // matrices are kSide x kSide
constexpr int kTile = 16;
constexpr int kElements = kSide * kSide;
constexpr int kBlock = 256;

void Check(hipError_t error, const char* what) {
  if (error == hipSuccess) return;
  std::fprintf(stderr, "stream_gemm: %s: %s\n", what, hipGetErrorString(error));
  std::exit(1);
}
#define CHECK(call) Check((call), #call)

// c = a * b, one thread per element, tiles staged in LDS.
__global__ void gemm_tiled(const float* a, const float* b, float* c, int side) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < side; start += kTile) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * side + start + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * side + column];
    __syncthreads();
    for (int k = 0; k < kTile; k++) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * side + column] = sum;
}

// Adds all of `in` to *out: a tree within each block, one atomic per block.
__global__ void reduce_sum(const float* in, float* out, int n) {
  __shared__ float partial[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  partial[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int width = kBlock / 2; width > 0; width /= 2) {
    if (threadIdx.x < width) partial[threadIdx.x] += partial[threadIdx.x + width];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, partial[0]);
}

__global__ void scale(float* data, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= factor;
}

// One stream's buffers. Host inputs are small integers, so that float sums are exact in any order.
struct Job {
  hipStream_t stream{};
  float *a{}, *b{}, *c{}, *sum{};
  std::vector<float> host_a, host_b, product;
  float total = 0;
};

void Prepare(Job& job, int seed) {
  job.host_a.resize(kElements);
  job.host_b.resize(kElements);
  job.product.resize(kElements);
  for (int i = 0; i < kElements; i++) {
    job.host_a[i] = static_cast<float>((i + seed) % 5 - 2);
    job.host_b[i] = static_cast<float>((i * 7 + seed) % 3 - 1);
  }
  CHECK(hipStreamCreateWithFlags(&job.stream, hipStreamNonBlocking));
  for (float** buffer : {&job.a, &job.b, &job.c}) CHECK(hipMalloc(buffer, kElements * sizeof(float)));
  CHECK(hipMalloc(&job.sum, sizeof(float)));
}

void Launch(Job& job) {
  const size_t bytes = kElements * sizeof(float);
  CHECK(hipMemcpyAsync(job.a, job.host_a.data(), bytes, hipMemcpyHostToDevice, job.stream));
  CHECK(hipMemcpyAsync(job.b, job.host_b.data(), bytes, hipMemcpyHostToDevice, job.stream));
  CHECK(hipMemsetAsync(job.sum, 0, sizeof(float), job.stream));
  const dim3 blocks(kSide / kTile, kSide / kTile);
  gemm_tiled<<<blocks, dim3(kTile, kTile), 0, job.stream>>>(job.a, job.b, job.c, kSide);
  scale<<<kElements / kBlock, kBlock, 0, job.stream>>>(job.c, 2.0f, kElements);
  reduce_sum<<<kElements / kBlock, kBlock, 0, job.stream>>>(job.c, job.sum, kElements);
  CHECK(hipGetLastError());
  CHECK(hipMemcpyAsync(job.product.data(), job.c, bytes, hipMemcpyDeviceToHost, job.stream));
  CHECK(hipMemcpyAsync(&job.total, job.sum, sizeof(float), hipMemcpyDeviceToHost, job.stream));
}

bool Verify(const Job& job) {
  double total = 0;
  for (int row = 0; row < kSide; row++) {
    for (int column = 0; column < kSide; column++) {
      float sum = 0;
      for (int k = 0; k < kSide; k++) sum += job.host_a[row * kSide + k] * job.host_b[k * kSide + column];
      if (job.product[row * kSide + column] != 2 * sum) return false;
      total += 2 * sum;
    }
  }
  return job.total == static_cast<float>(total);
}

void Release(Job& job) {
  for (float* buffer : {job.a, job.b, job.c, job.sum}) CHECK(hipFree(buffer));
  CHECK(hipStreamDestroy(job.stream));
}

}  // namespace

int main() {
  std::vector<Job> jobs(kStreams);
  roctxRangePush("prepare");
  for (int i = 0; i < kStreams; i++) Prepare(jobs[i], i);
  roctxRangePop();

  bool correct = true;
  const roctx_range_id_t whole = roctxRangeStart("all rounds");
  for (int round = 0; round < kRounds; round++) {
    roctxRangePush(("round " + std::to_string(round)).c_str());
    roctxRangePush("launch");
    for (Job& job : jobs) Launch(job);
    roctxRangePop();
    roctxRangePush("wait");
    for (Job& job : jobs) CHECK(hipStreamSynchronize(job.stream));
    roctxRangePop();
    roctxRangePop();
    for (const Job& job : jobs) correct &= Verify(job);
  }
  roctxRangeStop(whole);
  roctxMark("verified");

  for (Job& job : jobs) Release(job);
  std::printf("stream_gemm: %d streams, %d rounds, %d kernels: results %s\n", kStreams, kRounds,
              kStreams * kRounds * 3, correct ? "correct" : "WRONG");
  return correct ? 0 : 1;
}
