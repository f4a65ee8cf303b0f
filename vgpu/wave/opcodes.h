// SPDX-License-Identifier: MIT
// opcodes.h: the generated opcode numbers under the names that the interpreter uses.
#pragma once

#include "spec/isa/gfx9_opcodes.h"

namespace vgpu {
namespace isa = ::isa::gfx9;
}  // namespace vgpu
