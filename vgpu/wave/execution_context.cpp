// SPDX-License-Identifier: MIT
#include "vgpu/wave/execution_context.h"

#include <cstdio>
#include <utility>

#include "vgpu/mem/address_space.h"
#include "vgpu/wave/isa.h"

namespace vgpu {
namespace {

const char* FormatName(Format format) {
  static constexpr const char* kNames[] = {"SOP2", "SOPK", "SOP1",  "SOPC",
                                           "SOPP", "SMEM", "VOP",   "VOP3P",
                                           "DS",   "FLAT", "MUBUF", "unknown format"};
  return kNames[static_cast<size_t>(format)];
}

}  // namespace

bool Wave::Fail(Fault::Code code, std::string message, uint64_t va, bool write) {
  fault.code = code;
  fault.message = std::move(message);
  fault.va = va;
  fault.write = write;
  return false;
}

uint8_t* ExecutionContext::Global(Wave& wave, uint64_t va, size_t bytes, Access access) const {
  uint8_t* host = Translate(gpu, va, bytes);
  if (host == nullptr) [[unlikely]] {
    char text[96];
    std::snprintf(text, sizeof text, "no page at 0x%llx (%zu bytes)",
                  static_cast<unsigned long long>(va), bytes);
    static_cast<void>(wave.Fail(Fault::Code::kMemoryFault, text, va, access == Access::kWrite));
  }
  return host;
}

uint8_t* MemoryWindow::Move(Wave& wave, const ExecutionContext& context, uint64_t va, size_t bytes,
                            Access access) {
  size_t run = 0;
  uint8_t* host = TranslateRun(context.gpu, va, &run);
  if (host == nullptr || run < bytes) return context.Global(wave, va, bytes, access);
  host_ = host;
  va_ = va;
  size_ = run;
  return host;
}

const char* OpcodeName(Format format, uint16_t opcode) {
  const char* const name = NameOf(GetIsa(), format, opcode);
  return name != nullptr ? name : "?";
}

bool FailIllegal(Wave& wave, const Instruction& instruction, const char* reason) {
  const uint64_t pc = wave.pc - instruction.dwords * sizeof(uint32_t);
  char text[256];
  std::snprintf(text, sizeof text, "%s (%s opcode 0x%x, code %08x %08x at 0x%llx): %s",
                OpcodeName(instruction.format, instruction.opcode), FormatName(instruction.format),
                instruction.opcode, instruction.words[0], instruction.words[1],
                static_cast<unsigned long long>(pc), reason);
  return wave.Fail(Fault::Code::kIllegalInstruction, text);
}

}  // namespace vgpu
