// SPDX-License-Identifier: MIT
// OpenCL: kernels that the runtime compiles when the program runs: vectors, local memory and
// barriers, atomics, float64, a copy of a rectangle, and several queues with events. Every result
// is compared with the host's. usage: opencl_kernels
#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>

#include <cstdint>
#include <string>
#include <vector>

#include "check.h"

using namespace programs;

namespace {

constexpr char kSource[] = R"(
kernel void scale_add(global float4* y, global const float4* x, float a) {
  const size_t i = get_global_id(0);
  y[i] = mad((float4)a, x[i], y[i]);
}
kernel void sum(global const float* x, global float* sums, local float* part) {
  const size_t lane = get_local_id(0);
  part[lane] = x[get_global_id(0)];
  for (size_t n = get_local_size(0) / 2; n > 0; n /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < n) part[lane] += part[lane + n];
  }
  if (lane == 0) sums[get_group_id(0)] = part[0];
}
kernel void histogram(global const uint* x, global uint* bins) {
  atomic_inc(&bins[x[get_global_id(0)] % 64]);
}
kernel void polynomial(global double* x) {
  const size_t i = get_global_id(0);
  x[i] = fma(fma(x[i], 0.5, 3.0), x[i], -0.25);
}
kernel void transpose(global const int* from, global int* to, int width) {
  local int tile[16][17];
  const int x = get_global_id(0), y = get_global_id(1);
  tile[get_local_id(1)][get_local_id(0)] = from[y * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  const int tx = get_group_id(1) * 16 + get_local_id(0);
  const int ty = get_group_id(0) * 16 + get_local_id(1);
  to[ty * get_global_size(1) + tx] = tile[get_local_id(0)][get_local_id(1)];
}
)";

void Check(cl_int status, const char* what) {
  if (status != CL_SUCCESS) Die(what, std::to_string(status).c_str());
}

struct Device {
  cl_context context;
  cl_command_queue queues[2];
  cl_program program;
};

Device OpenDevice() {
  cl_int status = 0;
  cl_platform_id platform;
  Check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  cl_device_id id;
  Check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &id, nullptr), "clGetDeviceIDs");
  Device device;
  device.context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, &status);
  Check(status, "clCreateContext");
  for (cl_command_queue& queue : device.queues) {
    queue = clCreateCommandQueueWithProperties(device.context, id, nullptr, &status);
    Check(status, "clCreateCommandQueueWithProperties");
  }
  const char* source = kSource;
  device.program = clCreateProgramWithSource(device.context, 1, &source, nullptr, &status);
  Check(status, "clCreateProgramWithSource");
  Check(clBuildProgram(device.program, 1, &id, "", nullptr, nullptr), "clBuildProgram");
  return device;
}

template <typename T>
cl_mem Buffer(const Device& device, std::vector<T>& values) {
  cl_int status = 0;
  const cl_mem buffer = clCreateBuffer(device.context, CL_MEM_COPY_HOST_PTR,
                                       values.size() * sizeof(T), values.data(), &status);
  Check(status, "clCreateBuffer");
  return buffer;
}

template <typename T>
std::vector<T> Contents(cl_command_queue queue, cl_mem buffer, size_t count) {
  std::vector<T> values(count);
  Check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof(T), values.data(), 0, nullptr,
                            nullptr),
        "clEnqueueReadBuffer");
  return values;
}

struct Bytes {  // local memory
  size_t count;
};
void SetArgument(cl_kernel kernel, cl_uint index, Bytes bytes) {
  Check(clSetKernelArg(kernel, index, bytes.count, nullptr), "clSetKernelArg");
}
template <typename T>
void SetArgument(cl_kernel kernel, cl_uint index, T value) {
  Check(clSetKernelArg(kernel, index, sizeof value, &value), "clSetKernelArg");
}

template <typename... A>
cl_event Launch(const Device& device, int queue, const char* name, std::vector<size_t> grid,
                std::vector<size_t> group, cl_event after, A... arguments) {
  cl_int status = 0;
  const cl_kernel kernel = clCreateKernel(device.program, name, &status);
  Check(status, name);
  cl_uint index = 0;
  (SetArgument(kernel, index++, arguments), ...);
  cl_event done;
  Check(clEnqueueNDRangeKernel(device.queues[queue], kernel, grid.size(), nullptr, grid.data(),
                               group.data(), after != nullptr ? 1 : 0,
                               after != nullptr ? &after : nullptr, &done),
        name);
  Check(clFlush(device.queues[queue]), "clFlush");
  return done;
}

void ScaleAndSum(const Device& device) {
  constexpr size_t kCount = 65536, kGroup = 256;
  std::vector<float> x(kCount), y(kCount), sums(kCount / kGroup);
  for (size_t i = 0; i < kCount; ++i) {
    x[i] = static_cast<float>(i % 7);
    y[i] = static_cast<float>(i % 5);
  }
  const cl_mem in = Buffer(device, x), out = Buffer(device, y), parts = Buffer(device, sums);
  cl_event scaled = nullptr;
  for (int i = 0; i < 4; ++i)  // one queue, then the other
    scaled = Launch(device, i % 2, "scale_add", {kCount / 4}, {64}, scaled, out, in, 3.0f);
  Launch(device, 1, "sum", {kCount}, {kGroup}, scaled, out, parts, Bytes{kGroup * sizeof(float)});
  const std::vector<float> found = Contents<float>(device.queues[1], parts, sums.size());
  bool equal = true;
  for (size_t group = 0; group < sums.size(); ++group) {
    float sum = 0;
    for (size_t i = group * kGroup; i < (group + 1) * kGroup; ++i) sum += y[i] + 12 * x[i];
    equal = equal && found[group] == sum;
  }
  Expect(equal, "vectors, local memory, events between queues");
}

void Histogram(const Device& device) {
  constexpr size_t kCount = 10000, kBins = 64;
  std::vector<uint32_t> x(kCount), bins(kBins), expected(kBins);
  for (size_t i = 0; i < kCount; ++i) {
    x[i] = static_cast<uint32_t>(i * i + 3);
    ++expected[x[i] % kBins];
  }
  const cl_mem in = Buffer(device, x), out = Buffer(device, bins);
  Launch(device, 0, "histogram", {kCount}, {100}, nullptr, in, out);
  Expect(Contents<uint32_t>(device.queues[0], out, kBins) == expected, "atomics");
}

void Polynomial(const Device& device) {
  std::vector<double> x(1000), expected(1000);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<double>(i) / 8;
    expected[i] = (x[i] * 0.5 + 3.0) * x[i] - 0.25;  // exact
  }
  const cl_mem values = Buffer(device, x);
  Launch(device, 0, "polynomial", {x.size()}, {50}, nullptr, values);
  Expect(Contents<double>(device.queues[0], values, x.size()) == expected, "float64");
}

void Transpose(const Device& device) {
  constexpr int kWidth = 64, kHeight = 32;
  std::vector<int> from(kWidth * kHeight), to(from.size()), expected(from.size());
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      from[y * kWidth + x] = y * 1000 + x;
      expected[x * kHeight + y] = y * 1000 + x;
    }
  }
  const cl_mem in = Buffer(device, from), out = Buffer(device, to);
  Launch(device, 0, "transpose", {kWidth, kHeight}, {16, 16}, nullptr, in, out, kWidth);
  Expect(Contents<int>(device.queues[0], out, to.size()) == expected, "two dimensions");
}

void Rectangle(const Device& device) {
  std::vector<uint8_t> bytes(4096), empty(4096);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * 7);
  const cl_mem from = Buffer(device, bytes), to = Buffer(device, empty);
  const size_t at[] = {8, 4, 0}, target[] = {0, 0, 0}, size[] = {32, 16, 1};
  Check(clEnqueueCopyBufferRect(device.queues[0], from, to, at, target, size, 64, 0, 32, 0, 0,
                                nullptr, nullptr),
        "clEnqueueCopyBufferRect");
  const std::vector<uint8_t> found = Contents<uint8_t>(device.queues[0], to, 512);
  bool equal = true;
  for (size_t y = 0; y < 16; ++y) {
    for (size_t x = 0; x < 32; ++x)
      equal = equal && found[y * 32 + x] == bytes[(y + 4) * 64 + x + 8];
  }
  Expect(equal, "a copy of a rectangle");
}

}  // namespace

int main() {
  const Device device = OpenDevice();
  ScaleAndSum(device);
  Histogram(device);
  Polynomial(device);
  Transpose(device);
  Rectangle(device);
  return ExitCode();
}
