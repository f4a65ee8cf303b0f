// SPDX-License-Identifier: MIT
// opcodes.h: the generated opcode numbers under the name the interpreter uses for them.
#pragma once

#include "spec/isa/gfx9_opcodes.h"

namespace vgpu {
namespace isa = ::isa::gfx9;
}  // namespace vgpu
