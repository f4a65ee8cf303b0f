// SPDX-License-Identifier: MIT
// Asynchronous copies in every way that this runtime has: a rectangle out of a plane and into
// another, on a named engine, and very many of them that all wait for one signal.
#include <dlfcn.h>

#include <vector>

#include "hsa_support.h"

using namespace programs;

namespace {

constexpr uint32_t kPitch = 256, kRows = 64;  // of the planes
constexpr hsa_dim3_t kRange = {100, 20, 1};   // of the rectangle
constexpr hsa_dim3_t kFrom = {32, 8, 0}, kTo = {64, 16, 0};
constexpr int kMany = 1000;

uint8_t Pattern(uint32_t x, uint32_t y) { return static_cast<uint8_t>(1 + x * 3 + y * 7); }

void Rectangles(const Machine& machine) {
  auto* source = Allocate<uint8_t>(machine, machine.system, kPitch * kRows);
  auto* target = Allocate<uint8_t>(machine, machine.system, kPitch * kRows);
  void* device = nullptr;
  HSA_CHECK(hsa_amd_memory_pool_allocate(machine.vram, kPitch * kRows, 0, &device));
  for (uint32_t i = 0; i < kPitch * kRows; ++i) source[i] = Pattern(i % kPitch, i / kPitch);
  const hsa_signal_t there = CreateSignal(1), back = CreateSignal(1);
  const hsa_pitched_ptr_t on_host = {source, kPitch, kPitch * kRows};
  const hsa_pitched_ptr_t on_device = {device, kPitch, kPitch * kRows};
  const hsa_pitched_ptr_t returned = {target, kPitch, kPitch * kRows};
  HSA_CHECK(hsa_amd_memory_async_copy_rect(&on_device, &kTo, &on_host, &kFrom, &kRange, machine.gpu,
                                           hsaHostToDevice, 0, nullptr, there));
  HSA_CHECK(hsa_amd_memory_async_copy_rect(&returned, &kFrom, &on_device, &kTo, &kRange,
                                           machine.gpu, hsaDeviceToHost, 1, &there, back));
  WaitForZero(back);
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < kPitch * kRows; ++i) {
    const uint32_t x = i % kPitch, y = i / kPitch;
    const bool inside =
        x >= kFrom.x && x < kFrom.x + kRange.x && y >= kFrom.y && y < kFrom.y + kRange.y;
    wrong += target[i] != (inside ? Pattern(x, y) : 0);
  }
  Expect(wrong == 0, "a rectangle was copied to another address and back, and nothing beside it");
  Expect(hsa_signal_load_relaxed(there) == 0 && hsa_signal_load_relaxed(back) == 0,
         "their signals were completed once");
  for (const hsa_signal_t signal : {there, back}) HSA_CHECK(hsa_signal_destroy(signal));
  Free(source);
  Free(target);
  Free(device);
}

// One word each, to a separate address.
void Many(const Machine& machine) {
  auto* source = Allocate<uint32_t>(machine, machine.system, kMany);
  auto* back = Allocate<uint32_t>(machine, machine.system, kMany);
  void* memory = nullptr;
  HSA_CHECK(hsa_amd_memory_pool_allocate(machine.vram, 4096, 0, &memory));
  auto* device = static_cast<uint32_t*>(memory);
  for (int i = 0; i < kMany; ++i) source[i] = static_cast<uint32_t>(i * i + 1);
  const hsa_signal_t gate = CreateSignal(1);
  std::vector<hsa_signal_t> done;
  for (int i = 0; i < kMany; ++i) {
    done.push_back(CreateSignal(1));
    HSA_CHECK(hsa_amd_memory_async_copy(device + i, machine.gpu, source + i, machine.cpu, 4, 1,
                                        &gate, done.back()));
  }
  hsa_signal_store_screlease(gate, 0);
  for (const hsa_signal_t signal : done) {
    WaitForZero(signal);
    HSA_CHECK(hsa_signal_destroy(signal));
  }
  const hsa_signal_t all = CreateSignal(1);
  HSA_CHECK(hsa_amd_memory_async_copy(back, machine.cpu, device, machine.gpu, kMany * 4, 0, nullptr,
                                      all));
  WaitForZero(all);
  Expect(std::memcmp(back, source, kMany * 4) == 0,
         "1000 copies waited for one signal and all arrived");
  for (const hsa_signal_t signal : {gate, all}) HSA_CHECK(hsa_signal_destroy(signal));
  Free(source);
  Free(back);
  Free(device);
}

// Newer runtimes have it. It is looked up at run time, so that one program works with all.
void OnAnEngine(const Machine& machine) {
  using Function = hsa_status_t (*)(void*, hsa_agent_t, const void*, hsa_agent_t, size_t, uint32_t,
                                    const hsa_signal_t*, hsa_signal_t, uint32_t engine, bool force);
  const auto copy =
      reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "hsa_amd_memory_async_copy_on_engine"));
  if (copy == nullptr) {
    std::printf("there is no copy on an engine\n");
    return;
  }
  auto* source = Allocate<uint8_t>(machine, machine.system, 4096);
  std::memset(source, 0x5a, 4096);
  void* device = nullptr;
  HSA_CHECK(hsa_amd_memory_pool_allocate(machine.vram, 4096, 0, &device));
  const hsa_signal_t done = CreateSignal(1);
  HSA_CHECK(copy(device, machine.gpu, source, machine.cpu, 3333, 0, nullptr, done, 1, false));
  WaitForZero(done);
  Expect(hsa_signal_load_relaxed(done) == 0, "a copy on the first engine ended");
  HSA_CHECK(hsa_signal_destroy(done));
  Free(source);
  Free(device);
}

}  // namespace

int main() {
  const Machine machine = StartHsa();
  Rectangles(machine);
  Many(machine);
  OnAnEngine(machine);
  HSA_CHECK(hsa_shut_down());
  return ExitCode();
}
