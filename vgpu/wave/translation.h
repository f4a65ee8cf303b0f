// SPDX-License-Identifier: MIT
// translation.h: blocks of code that libvgpu_jit.so has translated to host code.
//
// A block is straight code up to a branch, or to an instruction that changes the meaning of later
// ones. A block, and the wave's turn with it, also ends before a store that follows a load, because
// other waves read what the store may replace; and where the wave waits for a store, because other
// waves store what this wave reads next (workgroup.cpp). Blocks are found by address and MODE.
// Translated code is compared with the code in memory before it runs, once in each slice of a
// workgroup, because JIT compilers rewrite code in place.
//
// Threads    BlockTable: one per thread that runs waves. The blocks are shared; a translator
//            thread, made on first use, does the work
// Memory     blocks and their code live as long as the process
// Errors     without libvgpu_jit.so, one line on stderr and everything is interpreted
// See        docs/adr/0102-translate-hot-kernels.md
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/instruction.h"
#include "vgpu/wave/translator_abi.h"
#include "vgpu/wave/wave.h"

namespace vgpu {

enum class JitMode : uint8_t { kOff, kOn, kAuto };

// The configured mode, or that of a ScopedJit.
JitMode GetJitMode();

// Whether libvgpu_jit.so is there and has not failed. Loads it.
bool CanTranslate();

// While a ScopedJit lives, its mode replaces the configured mode. For tests; no other thread may
// run waves.
class ScopedJit {
 public:
  explicit ScopedJit(JitMode mode);
  ~ScopedJit();
  ScopedJit(const ScopedJit&) = delete;
  ScopedJit& operator=(const ScopedJit&) = delete;
};

struct TranslatedBlock {
  uint64_t pc = 0;
  uint32_t mode = 0;
  std::vector<Instruction> instructions;
  std::vector<uint8_t> common;  // BlockSource::common
  std::vector<uint8_t> code;    // the bytes they were decoded from
  bool reads = false;           // reads memory that other waves see
  bool writes = false;          // writes such memory
  bool ends_turn = false;       // the wave's turn ends with the block
  uint32_t class_counts[kInstructionClasses] = {};
  std::atomic<BlockFunction> function{nullptr};
};

// Decodes the block at pc. Without instructions when no instruction can be translated.
std::unique_ptr<TranslatedBlock> DecodeBlock(int gpu, uint64_t pc, uint32_t mode);

// A thread's view of the blocks.
class BlockTable {
 public:
  BlockTable();

  // To be called before a workgroup's slice, so that code is compared anew.
  void BeginSlice() { ++slice_; }

  // The translated block at the wave's program counter. nullptr: interpret up to the next branch.
  const TranslatedBlock* Find(const Wave& wave, const ExecutionContext& context);

 private:
  struct Entry {
    uint64_t pc = ~uint64_t{0};
    uint32_t mode = 0;
    uint32_t heat = 0;     // how often it was interpreted
    uint64_t checked = 0;  // slice in which the code was compared
    TranslatedBlock* block = nullptr;
  };

  bool CodeIsSame(Entry& entry, const ExecutionContext& context) const;

  std::unique_ptr<Entry[]> entries_;
  uint64_t slice_ = 1;
};

// Runs the block, counts its instructions, and returns their number. *stop is true where a handler
// would return false.
uint32_t RunBlock(const TranslatedBlock& block, Wave& wave, ExecutionContext& context,
                  uint32_t budget, bool* stop);

// A forked child starts without a translator thread. To be called when no other thread exists.
void ForgetTranslations();

}  // namespace vgpu
