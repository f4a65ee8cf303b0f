// SPDX-License-Identifier: MIT
// Loads two code objects in turn and runs their kernels, as a just-in-time compiler does, in
// several lives of the runtime. The second kernel often gets the address of the first.
// usage: hsa_reload FILE FILE LIVES, compiled from first_kernel.hip and second_kernel.hip
#include <fcntl.h>
#include <unistd.h>

#include "hsa_support.h"

using namespace programs;

namespace {

constexpr int kRuntimes = 2;
constexpr int kRounds = 3;

struct Kernel {
  hsa_executable_t executable = {};
  uint64_t object = 0;
};

Kernel Load(const Machine& machine, const char* path, const char* name) {
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
  HSA_CHECK(hsa_executable_get_symbol_by_name(kernel.executable, name, &machine.gpu, &symbol));
  HSA_CHECK(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT,
                                           &kernel.object));
  HSA_CHECK(hsa_code_object_reader_destroy(reader));
  (void)close(file);  // it was only read
  return kernel;
}

int Run(const Machine& machine, hsa_queue_t* queue, const char* path, const char* name) {
  const Kernel kernel = Load(machine, path, name);
  int* out = Allocate<int>(machine, machine.system, 1);
  // Room for the hidden arguments of newer code objects.
  auto* arguments = Allocate<int*>(machine, machine.kernargs, 64);
  arguments[0] = out;
  hsa_kernel_dispatch_packet_t packet = Dispatch(reinterpret_cast<void*>(kernel.object), 1, 1);
  packet.kernarg_address = arguments;
  packet.completion_signal = CreateSignal(1);
  Submit(queue, packet, kDispatchHeader);
  WaitForZero(packet.completion_signal);
  const int result = *out;
  HSA_CHECK(hsa_signal_destroy(packet.completion_signal));
  HSA_CHECK(hsa_executable_destroy(kernel.executable));
  Free(out);
  Free(arguments);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) Die("usage", "hsa_reload FILE FILE LIVES");
  const int lives = std::atoi(argv[3]);
  for (int life = 0; life < lives; ++life) {
    const Machine machine = StartHsa();
    hsa_queue_t* queue = CreateQueue(machine, 64);
    bool right = true;
    for (int round = 0; round < kRounds; ++round) {
      right = right && Run(machine, queue, argv[1], "first_kernel.kd") == 1;
      right = right && Run(machine, queue, argv[2], "second_kernel.kd") == 2;
    }
    Expect(right, "six times the kernel that was loaded last ran");
    HSA_CHECK(hsa_queue_destroy(queue));
    HSA_CHECK(hsa_shut_down());
  }
  return ExitCode();
}
