// SPDX-License-Identifier: MIT
// Two processes share device memory: the child opens what the parent allocated, reads what the
// parent's kernel wrote and writes what the parent reads.
// usage: ipc_memory, or ipc_memory child HANDLE
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "hip_support.h"

using namespace programs;

extern char** environ;

namespace {

constexpr int kCount = 100'000;
constexpr int kBlock = 256;

__global__ void Fill(int* values, int from) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kCount) values[i] = from + i;
}

__global__ void Add(int* values, int more) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kCount) values[i] += more;
}

std::string ToText(const hipIpcMemHandle_t& handle) {
  std::string text;
  char digits[3];
  for (const char byte : handle.reserved) {
    std::snprintf(digits, sizeof(digits), "%02x", static_cast<unsigned char>(byte));
    text += digits;
  }
  return text;
}

hipIpcMemHandle_t FromText(const std::string& text) {
  hipIpcMemHandle_t handle{};
  for (size_t i = 0; i < sizeof(handle.reserved); ++i) {
    handle.reserved[i] = static_cast<char>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
  }
  return handle;
}

bool Holds(const int* device, int from) {
  std::vector<int> values(kCount);
  HIP_CHECK(hipMemcpy(values.data(), device, kCount * sizeof(int), hipMemcpyDeviceToHost));
  return ForAll(kCount, [&](int i) { return values[i] == from + i; });
}

int Child(const std::string& text) {
  void* address = nullptr;
  HIP_CHECK(hipIpcOpenMemHandle(&address, FromText(text), hipIpcMemLazyEnablePeerAccess));
  int* values = static_cast<int*>(address);
  if (!Holds(values, 1000)) return 3;
  Launch(Add, Blocks(kCount, kBlock), dim3(kBlock), values, 500);
  HIP_CHECK(hipDeviceSynchronize());
  HIP_CHECK(hipIpcCloseMemHandle(address));
  return 0;
}

int RunChild(const char* program, const hipIpcMemHandle_t& handle) {
  std::string role = "child";
  std::string text = ToText(handle);
  std::string name = program;
  char* arguments[] = {name.data(), role.data(), text.data(), nullptr};
  pid_t pid = 0;
  const int error = posix_spawn(&pid, "/proc/self/exe", nullptr, nullptr, arguments, environ);
  if (error != 0) Die("posix_spawn", std::strerror(error));
  int status = 0;
  if (waitpid(pid, &status, 0) != pid) Die("waitpid", std::strerror(errno));
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "child") return Child(argv[2]);
  const DeviceArray<int> shared(kCount);
  Launch(Fill, Blocks(kCount, kBlock), dim3(kBlock), shared.data(), 1000);
  HIP_CHECK(hipDeviceSynchronize());
  hipIpcMemHandle_t handle{};
  HIP_CHECK(hipIpcGetMemHandle(&handle, shared.data()));
  Expect(RunChild(argv[0], handle) == 0, "another process reads it");
  Expect(Holds(shared.data(), 1500), "and writes it");
  return ExitCode();
}
