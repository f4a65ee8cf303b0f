// SPDX-License-Identifier: MIT
#include "vgpu/wave/interpreter.h"

#include <cstring>

#include "vgpu/config/log.h"
#include "vgpu/mem/address_space.h"
#include "vgpu/wave/decode.h"

namespace vgpu {
namespace {

constexpr size_t kCacheEntries = 4096;
constexpr uint64_t kLongestInstruction = 8;

uint32_t LoadWord(const uint8_t* code) {
  uint32_t word;
  std::memcpy(&word, code, sizeof word);
  return word;
}

void LogInstruction(const Wave& wave, const Instruction& in) {
  Log(LogLevel::kInstruction, "wave %d 0x%llx: %s (%08x %08x) exec %016llx", wave.id,
      static_cast<unsigned long long>(wave.pc), OpcodeName(in.format, in.opcode), in.words[0],
      in.words[1], static_cast<unsigned long long>(wave.exec()));
}

uint16_t RelativeVgpr(uint16_t operand, uint32_t index) {
  return kOperandVgprFirst + ((operand - kOperandVgprFirst + index) & 0xff);
}

// VGPR index mode: executes the instruction with M0's index added to the register numbers that M0
// selects.
[[gnu::noinline]] bool ExecuteIndexed(Wave& wave, const Instruction& in,
                                      ExecutionContext& context) {
  const uint32_t index = wave.m0() & 0xff;
  const uint32_t enables = wave.m0() >> 12 & 0xf;
  Instruction indexed = in;
  for (int i = 0; i < 3; ++i) {
    const bool relative = enables >> i & 1;
    if (relative && in.src[i] >= kOperandVgprFirst) indexed.src[i] = RelativeVgpr(in.src[i], index);
  }
  const bool compare = in.format == Format::kVector && in.opcode < 0x100;
  if ((enables >> 3 & 1) && !compare) indexed.dst = static_cast<uint8_t>(in.dst + index);
  return in.handler(wave, indexed, context);
}

}  // namespace

Interpreter::Interpreter() : cache_(new CachedInstruction[kCacheEntries]) {}

bool Interpreter::MoveWindow(const ExecutionContext& context, uint64_t pc) {
  size_t run = 0;
  window_ = TranslateRun(context.gpu, pc, &run);
  window_va_ = pc;
  window_size_ = window_ != nullptr ? run : 0;
  window_gpu_ = context.gpu;
  return window_size_ >= sizeof(uint32_t);
}

// Whether the GPU's tables still map pc as the window does.
bool Interpreter::WindowHolds(const ExecutionContext& context, uint64_t pc) const {
  const uint64_t offset = pc - window_va_;
  if (context.gpu != window_gpu_ || offset >= window_size_) return false;
  return Translate(context.gpu, pc, sizeof(uint32_t)) == window_ + offset;
}

const Instruction* Interpreter::DecodeInto(CachedInstruction* entry, uint64_t pc, uint32_t first,
                                           uint32_t second) {
  entry->pc = pc;
  entry->instruction = Decode(first, second);
  return &entry->instruction;
}

// Called where the longest instruction would not fit between pc and the window's end. Moves the
// window; the new window may end right behind a short instruction.
const Instruction* Interpreter::FetchAtEdge(Wave& wave, const ExecutionContext& context) {
  const uint64_t pc = wave.pc;
  const auto fail = [&wave](uint64_t va) -> const Instruction* {
    static_cast<void>(
        wave.Fail(Fault::Code::kMemoryFault, "instruction fetch from an unmapped page", va));
    return nullptr;
  };
  if (!MoveWindow(context, pc)) return fail(pc);
  const uint32_t first = LoadWord(window_);
  uint32_t second = 0;
  if (EncodedDwords(first) == 2) {
    const uint8_t* code = Translate(context.gpu, pc + 4, sizeof(uint32_t));
    if (code == nullptr) return fail(pc + 4);
    second = LoadWord(code);
  }
  return DecodeInto(&cache_[pc >> 2 & (kCacheEntries - 1)], pc, first, second);
}

inline const Instruction* Interpreter::Fetch(Wave& wave, const ExecutionContext& context) {
  const uint64_t pc = wave.pc;
  const uint64_t offset = pc - window_va_;
  if (offset >= window_size_ || window_size_ - offset < kLongestInstruction) [[unlikely]] {
    return FetchAtEdge(wave, context);
  }
  const uint8_t* code = window_ + offset;
  const uint32_t first = LoadWord(code);
  const uint32_t second = LoadWord(code + 4);
  CachedInstruction& entry = cache_[pc >> 2 & (kCacheEntries - 1)];
  const Instruction& in = entry.instruction;
  const bool hit =
      entry.pc == pc && in.words[0] == first && (in.dwords == 1 || in.words[1] == second);
  if (hit) [[likely]]
    return &in;
  return DecodeInto(&entry, pc, first, second);
}

// HOT: once per turn of a wave; the loop body once per instruction.
template <Interpreter::Until until>
uint32_t Interpreter::RunUntil(Wave& wave, ExecutionContext& context, uint32_t budget,
                               Ended* ended) {
  if (!WindowHolds(context, wave.pc)) window_size_ = 0;
  const bool log = LogEnabled(LogLevel::kInstruction);
  const bool watched = log || context.counting;
  uint32_t executed = 0;
  *ended = Ended::kHandler;
  while (executed < budget) {
    const Instruction* in = Fetch(wave, context);
    if (in == nullptr) [[unlikely]]
      return executed;
    if (watched) [[unlikely]] {
      if (log) LogInstruction(wave, *in);
      if (context.counting) CountCycles(wave, *in, context);
    }
    wave.pc += in->dwords * sizeof(uint32_t);
    ++executed;
    ++context.counts[static_cast<size_t>(in->counted_as)];
    [[maybe_unused]] const uint64_t next_pc = wave.pc;
    const bool indexed = (wave.mode & kModeGprIndex) != 0 && IsVector(in->counted_as);
    const bool running =
        indexed ? ExecuteIndexed(wave, *in, context) : in->handler(wave, *in, context);
    if (!running) [[unlikely]]
      return executed;
    if constexpr (until == Until::kBranch) {
      if (in->counted_as == InstructionClass::kBranch || wave.pc != next_pc) {
        *ended = Ended::kBranch;
        return executed;
      }
    }
  }
  *ended = Ended::kBudget;
  return executed;
}

void Interpreter::BeginSlice() {
  if (blocks_ != nullptr) blocks_->BeginSlice();
}

uint32_t Interpreter::Run(Wave& wave, ExecutionContext& context, uint32_t budget) {
  Ended ended;
  return RunUntil<Until::kBudget>(wave, context, budget, &ended);
}

uint32_t Interpreter::RunTranslated(Wave& wave, ExecutionContext& context, uint32_t budget) {
  const bool watched = context.counting || LogEnabled(LogLevel::kInstruction);
  if (watched || GetJitMode() == JitMode::kOff) [[likely]]
    return Run(wave, context, budget);
  if (blocks_ == nullptr) blocks_ = std::make_unique<BlockTable>();
  uint32_t executed = 0;
  bool has_read = false;  // in this turn
  bool has_written = false;
  while (executed < budget) {
    // No block begins where a turn happened to end: there would be too many blocks.
    const TranslatedBlock* block = wave.in_block ? nullptr : blocks_->Find(wave, context);
    if (block == nullptr) {
      Ended ended;
      executed += RunUntil<Until::kBranch>(wave, context, budget - executed, &ended);
      wave.in_block = ended == Ended::kBudget || (ended == Ended::kHandler && CanGoOn(wave));
      if (ended == Ended::kHandler) break;
      has_read = has_written = true;
      continue;
    }
    const bool changes = (has_read && block->writes) || (has_written && block->reads);
    if (changes && !context.alone) break;
    has_read = has_read || block->reads;
    has_written = has_written || block->writes;
    bool stop = false;
    executed += RunBlock(*block, wave, context, budget - executed, &stop);
    if (stop || (block->ends_turn && !context.alone)) break;
  }
  return executed;
}

}  // namespace vgpu
