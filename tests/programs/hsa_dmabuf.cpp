// SPDX-License-Identifier: MIT
// Memory of the GPU is passed on as a DMA-BUF: exported, mapped a second time, written through one
// mapping and read through the other, before and after the first is gone.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <vector>

#include "hsa_support.h"

using namespace programs;

namespace {

constexpr size_t kBytes = 1 << 20, kOffset = 64 << 10, kPart = 128 << 10;

// Not in the headers of every runtime that this is compiled with.
using Export = hsa_status_t (*)(const void* memory, size_t bytes, int* file, uint64_t* offset);
using Close = hsa_status_t (*)(int file);

template <typename F>
F Function(const char* name) {
  const auto function = reinterpret_cast<F>(dlsym(RTLD_DEFAULT, name));
  if (function == nullptr) Die(name, "the runtime does not have it");
  return function;
}

bool Holds(const void* memory, int byte) {
  std::vector<unsigned char> got(kPart);
  HSA_CHECK(hsa_memory_copy(got.data(), memory, kPart));
  for (const unsigned char each : got) {
    if (each != byte) return false;
  }
  return true;
}

void Fill(void* memory, int byte) {
  const std::vector<unsigned char> bytes(kPart, static_cast<unsigned char>(byte));
  HSA_CHECK(hsa_memory_copy(memory, bytes.data(), kPart));
}

}  // namespace

int main() {
  const Machine machine = StartHsa();
  const auto export_dmabuf = Function<Export>("hsa_amd_portable_export_dmabuf");
  const auto close_dmabuf = Function<Close>("hsa_amd_portable_close_dmabuf");
  void* memory = nullptr;
  HSA_CHECK(hsa_amd_memory_pool_allocate(machine.vram, kBytes, 0, &memory));
  char* const part = static_cast<char*>(memory) + kOffset;
  Fill(part, 1);

  int file = -1;
  uint64_t offset = 0;
  HSA_CHECK(export_dmabuf(part, kPart, &file, &offset));
  Expect(file >= 0 && fcntl(file, F_GETFD) >= 0, "a part of the memory is exported as a file");
  Expect(offset == kOffset, "the part lies at its offset in the file");

  hsa_agent_t gpu = machine.gpu;
  size_t bytes = 0;
  void* mapped = nullptr;
  HSA_CHECK(hsa_amd_interop_map_buffer(1, &gpu, file, 0, &bytes, &mapped, nullptr, nullptr));
  char* const same = static_cast<char*>(mapped) + offset;
  Expect(bytes >= kOffset + kPart && Holds(same, 1), "mapped a second time it is the same memory");
  Fill(same, 2);
  Expect(Holds(part, 2), "what is written by one name is read by the other");
  HSA_CHECK(close_dmabuf(file));
  Expect(fcntl(file, F_GETFD) < 0, "the file is closed");
  HSA_CHECK(hsa_amd_memory_pool_free(memory));
  Expect(Holds(same, 2), "the memory lives on until it is mapped no more");
  HSA_CHECK(hsa_amd_interop_unmap_buffer(mapped));

  int none = -1;
  int here = 0;
  Expect(export_dmabuf(&here, sizeof here, &none, &offset) != HSA_STATUS_SUCCESS && none == -1,
         "what the GPU does not know is not exported");

  uint32_t* const kernel = EmptyKernel(machine);
  hsa_queue_t* const queue = CreateQueue(machine, 64);
  hsa_kernel_dispatch_packet_t packet = Dispatch(kernel, 64, 64);
  packet.completion_signal = CreateSignal(1);
  Submit(queue, packet, kDispatchHeader);
  WaitForZero(packet.completion_signal);
  HSA_CHECK(hsa_signal_destroy(packet.completion_signal));
  HSA_CHECK(hsa_queue_destroy(queue));
  Free(kernel);
  HSA_CHECK(hsa_shut_down());
  return ExitCode();
}
