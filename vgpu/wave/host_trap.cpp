// SPDX-License-Identifier: MIT
#include "vgpu/wave/host_trap.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "vgpu/config/config.h"
#include "vgpu/wave/hw_registers.h"

namespace vgpu {
namespace {

// Trap temporaries, by operand code, which the first-level handler passes to the second.
constexpr uint32_t kTtmpPc = kOperandTtmp;  // two registers
constexpr uint32_t kTtmpStatus = kOperandTtmp + 12;
constexpr uint32_t kTtmpMemory = kOperandTtmp + 14;  // two registers
constexpr uint64_t kHostTrapBit = uint64_t{1} << 56;
constexpr uint64_t kHostTrapNumber = uint64_t{4} << 48;

constexpr uint32_t kLongestHandler = 10'000;  // instructions

struct Sampled {
  std::atomic<uint64_t> code{0};
  std::atomic<uint64_t> memory{0};
  std::atomic<uint64_t> interval{0};  // instructions; 0: off
  std::atomic<uint32_t> in_handler{0};
};
constinit Sampled g_sampled[kMaxGpus];

// Uniform from 1 to 2 * mean - 1: samples at a constant interval could hit the same instruction of
// a loop every time.
uint64_t DrawInterval(SampleClock& clock, uint64_t mean) {
  clock.random ^= clock.random << 13;
  clock.random ^= clock.random >> 7;
  clock.random ^= clock.random << 17;
  return 1 + clock.random % (2 * mean - 1);
}

void EnterHandler(const Sampled& gpu, Wave& wave, uint64_t code) {
  wave.SetSgpr64(kTtmpPc, wave.pc | kHostTrapBit | kHostTrapNumber);
  wave.sgpr[kTtmpStatus] = *ReadHwRegister(wave, HwRegister::kStatus);
  wave.SetSgpr64(kTtmpMemory, gpu.memory.load(std::memory_order_acquire));
  wave.pc = code;
  wave.in_trap = true;
}

// Runs the whole handler at once: other waves of this thread wait meanwhile.
void RunHandler(Interpreter& interpreter, Wave& wave, ExecutionContext& context) {
  uint32_t executed = 0;
  while (wave.in_trap && wave.fault.code == Fault::Code::kNone) {
    if (executed >= kLongestHandler) {
      static_cast<void>(wave.Fail(Fault::Code::kTrap, "the trap handler does not end"));
      return;
    }
    executed += interpreter.Run(wave, context, kLongestHandler - executed);
    if (wave.done) {
      static_cast<void>(wave.Fail(Fault::Code::kTrap, "the trap handler ended its wave"));
    }
  }
}

void TakeHostTrap(Interpreter& interpreter, Wave& wave, ExecutionContext& context) {
  Sampled& gpu = g_sampled[context.gpu];
  gpu.in_handler.fetch_add(1, std::memory_order_seq_cst);
  // Either this load sees that sampling has ended, or StopHostTraps sees the wave in the handler.
  const bool on = gpu.interval.load(std::memory_order_seq_cst) != 0;
  const uint64_t code = gpu.code.load(std::memory_order_acquire);
  if (on && code != 0) {
    EnterHandler(gpu, wave, code);
    RunHandler(interpreter, wave, context);
  }
  gpu.in_handler.fetch_sub(1, std::memory_order_release);
}

}  // namespace

void SetTrapHandlerOf(int gpu, uint64_t code, uint64_t memory) {
  g_sampled[gpu].memory.store(memory, std::memory_order_release);
  g_sampled[gpu].code.store(code, std::memory_order_release);
}

void StartHostTraps(int gpu, uint64_t interval_us) {
  constexpr uint64_t kLongest = uint64_t{1} << 40;
  const uint64_t instructions = std::min(interval_us, kLongest) * kInstructionsPerUs;
  g_sampled[gpu].interval.store(instructions, std::memory_order_seq_cst);
}

void StopHostTraps(int gpu) {
  g_sampled[gpu].interval.store(0, std::memory_order_seq_cst);
  // Pairs with the release at the end of TakeHostTrap: the handlers' writes are visible.
  while (g_sampled[gpu].in_handler.load(std::memory_order_seq_cst) != 0) std::this_thread::yield();
}

void ForgetHostTraps() {
  for (Sampled& gpu : g_sampled) {
    gpu.interval.store(0, std::memory_order_relaxed);
    gpu.in_handler.store(0, std::memory_order_relaxed);
    gpu.code.store(0, std::memory_order_relaxed);
  }
}

uint32_t RunSampled(Interpreter& interpreter, Wave& wave, ExecutionContext& context,
                    uint32_t budget) {
  const uint64_t interval = g_sampled[context.gpu].interval.load(std::memory_order_relaxed);
  if (interval == 0) [[likely]]
    return interpreter.RunTranslated(wave, context, budget);
  SampleClock& clock = context.sample_clock;
  if (clock.interval != interval) {
    clock.interval = interval;
    clock.left = DrawInterval(clock, interval);
  }
  uint32_t executed = 0;
  while (executed < budget) {
    const auto slice = static_cast<uint32_t>(std::min<uint64_t>(budget - executed, clock.left));
    const uint32_t ran = interpreter.Run(wave, context, slice);
    executed += ran;
    clock.left -= ran;
    if (!CanGoOn(wave) || ran < slice) break;
    if (clock.left != 0) continue;
    clock.left = DrawInterval(clock, interval);
    TakeHostTrap(interpreter, wave, context);
    if (!CanGoOn(wave)) break;
  }
  return executed;
}

}  // namespace vgpu
