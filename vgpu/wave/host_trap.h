// SPDX-License-Identifier: MIT
// host_trap.h: PC sampling by host traps: now and then a wave leaves its kernel between two
// instructions for the trap handler that the runtime has set, and continues where it was.
//
// Threads    any
// Clock      instructions, not host time: an interval of one microsecond is kInstructionsPerUs
//            instructions of each thread that runs waves. Every executed instruction is
//            sampled with the same probability
// Blocking   StopHostTraps waits until no wave is in the handler, some hundred instructions at most
// Why        docs/adr/0070-pc-sampling-on-the-virtual-gpu.md
#pragma once

#include <cstdint>

#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/interpreter.h"
#include "vgpu/wave/wave.h"

namespace vgpu {

constexpr uint64_t kInstructionsPerUs = 4;

// GPU addresses of the second-level trap handler and of its memory; 0: there is none.
void SetTrapHandlerOf(int gpu, uint64_t code, uint64_t memory);

void StartHostTraps(int gpu, uint64_t interval_us);
void StopHostTraps(int gpu);
// A forked child samples nothing. To be called when no other thread exists.
void ForgetHostTraps();

// Runs the wave as Interpreter::Run does, with the host traps that are due.
uint32_t RunSampled(Interpreter& interpreter, Wave& wave, ExecutionContext& context,
                    uint32_t budget);

}  // namespace vgpu
