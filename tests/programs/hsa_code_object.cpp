// SPDX-License-Identifier: MIT
// Loads a code object from a file and runs its kernel, through HSA alone.
// usage: hsa_code_object FILE, compiled from vector_add_kernel.hip
#include <fcntl.h>
#include <unistd.h>

#include "hsa_support.h"

using namespace programs;

namespace {

constexpr int kElements = 10'240;

// The arguments in code objects up to version 4; later ones have hidden arguments behind these.
struct Arguments {
  const float* a;
  const float* b;
  float* sum;
  int count;
};

struct Kernel {
  hsa_executable_t executable = {};
  uint64_t object = 0;
  uint32_t kernarg_bytes = 0, group_bytes = 0, private_bytes = 0;
};

Kernel Load(const Machine& machine, const char* path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) Die(path, "cannot be opened");
  hsa_code_object_reader_t reader = {};
  HSA_CHECK(hsa_code_object_reader_create_from_file(file, &reader));
  Kernel kernel;
  HSA_CHECK(hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT,
                                      nullptr, &kernel.executable));
  HSA_CHECK(hsa_executable_load_agent_code_object(kernel.executable, machine.gpu, reader, nullptr,
                                                  nullptr));
  HSA_CHECK(hsa_executable_freeze(kernel.executable, nullptr));
  hsa_executable_symbol_t symbol = {};
  HSA_CHECK(
      hsa_executable_get_symbol_by_name(kernel.executable, "vector_add.kd", &machine.gpu, &symbol));
  const auto get = [&](hsa_executable_symbol_info_t info, void* value) {
    HSA_CHECK(hsa_executable_symbol_get_info(symbol, info, value));
  };
  get(HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &kernel.object);
  get(HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE, &kernel.kernarg_bytes);
  get(HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE, &kernel.group_bytes);
  get(HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE, &kernel.private_bytes);
  HSA_CHECK(hsa_code_object_reader_destroy(reader));
  (void)close(file);  // it was only read
  return kernel;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) Die("usage", "hsa_code_object FILE");
  const Machine machine = StartHsa();
  const Kernel kernel = Load(machine, argv[1]);
  Expect(kernel.kernarg_bytes >= sizeof(Arguments) - 4, "the kernel declares its arguments");

  auto* a = Allocate<float>(machine, machine.system, kElements);
  auto* b = Allocate<float>(machine, machine.system, kElements);
  auto* sum = Allocate<float>(machine, machine.system, kElements);
  for (int i = 0; i < kElements; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = 0.5f * static_cast<float>(i);
  }
  auto* arguments = Allocate<Arguments>(machine, machine.kernargs, 8);
  *arguments = {a, b, sum, kElements};

  hsa_queue_t* queue = CreateQueue(machine, 64);
  hsa_kernel_dispatch_packet_t packet =
      Dispatch(reinterpret_cast<void*>(kernel.object), kElements, 256);
  packet.kernarg_address = arguments;
  packet.group_segment_size = kernel.group_bytes;
  packet.private_segment_size = kernel.private_bytes;
  packet.completion_signal = CreateSignal(1);
  Submit(queue, packet, kDispatchHeader);
  WaitForZero(packet.completion_signal);

  bool right = true;
  for (int i = 0; i < kElements; ++i) right = right && sum[i] == 1.5f * static_cast<float>(i);
  Expect(right, "10240 sums are right");
  HSA_CHECK(hsa_signal_destroy(packet.completion_signal));
  HSA_CHECK(hsa_queue_destroy(queue));
  HSA_CHECK(hsa_executable_destroy(kernel.executable));
  for (float* memory : {a, b, sum}) Free(memory);
  Free(arguments);
  HSA_CHECK(hsa_shut_down());
  return ExitCode();
}
