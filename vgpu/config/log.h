// SPDX-License-Identifier: MIT
// log.h: one line on stderr per call, in one write.
//
// Threads    any; Memory none; Errors a failed write to stderr is not reported anywhere
#pragma once

#include <cstdint>

namespace vgpu {

enum class LogLevel : uint8_t {
  kError = 1,        // something the virtual GPU cannot do, or that went wrong
  kIoctl = 2,        // every call of the driver
  kPacket = 3,       // every packet of every queue
  kInstruction = 4,  // every instruction of every wave
};

bool LogEnabled(LogLevel level);

// Does nothing unless the level is enabled (VGPU_LOG).
[[gnu::format(printf, 2, 3)]] void Log(LogLevel level, const char* format, ...);

}  // namespace vgpu
