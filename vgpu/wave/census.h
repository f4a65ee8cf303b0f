// SPDX-License-Identifier: MIT
// census.h: which instructions a piece of code contains, and which of them cannot be executed.
//
// The code is read from its beginning to its end, also where it cannot be reached.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace vgpu {

struct Census {
  uint64_t instructions = 0;
  std::map<std::string, uint64_t> not_executed;  // by mnemonic, or code words and the reason
};

// Adds the instructions of `code`, which is code of the present ISA (isa.h), to *census.
void CountInstructions(const uint8_t* code, size_t bytes, Census* census);

}  // namespace vgpu
