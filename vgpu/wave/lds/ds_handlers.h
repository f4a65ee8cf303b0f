// SPDX-License-Identifier: MIT
// ds_handlers.h: the parts of the DS format in files of their own. nullptr: the opcode is in
// another part.
#pragma once

#include "vgpu/wave/handlers.h"

namespace vgpu {

Handler FindDsAtomic(uint16_t opcode);    // read-modify-write, append and consume
Handler FindDsGws(uint16_t opcode);       // global wave sync
Handler FindDsExchange(uint16_t opcode);  // swizzle, permute: between lanes, LDS is not touched

}  // namespace vgpu
