// SPDX-License-Identifier: MIT
#include "vgpu/wave/census.h"

#include <cstdio>

#include "vgpu/wave/decode.h"
#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/memory_words.h"

namespace vgpu {
namespace {

constexpr size_t kDword = sizeof(uint32_t);

std::string NameOf(const Instruction& instruction, const char* reason) {
  std::string name = OpcodeName(instruction.format, instruction.opcode);
  if (name == "?") {
    char text[48];
    std::snprintf(text, sizeof text, "unknown code %08x", instruction.words[0]);
    name = text;
  }
  return name + ": " + reason;
}

}  // namespace

void CountInstructions(const uint8_t* code, size_t bytes, Census* census) {
  size_t offset = 0;
  while (bytes - offset >= kDword) {
    const uint32_t first = LoadWord<uint32_t>(code + offset);
    const size_t length = static_cast<size_t>(EncodedDwords(first)) * kDword;
    if (bytes - offset < length) break;
    const uint32_t second = length > kDword ? LoadWord<uint32_t>(code + offset + kDword) : 0;
    const Instruction instruction = Decode(first, second);
    ++census->instructions;
    if (const char* reason = WhyNotExecuted(instruction)) {
      ++census->not_executed[NameOf(instruction, reason)];
    }
    offset += length;
  }
}

}  // namespace vgpu
