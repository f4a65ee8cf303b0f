// SPDX-License-Identifier: MIT
// code_objects.h: the kernels of kernels.cl, compiled for each target that the compilers of the
// build support. They are built into the program, so a machine needs no compiler.
//
// Threads    any; constant
// Blocking   OrderedCodeObjects reads the driver's topology once
#pragma once

#include <span>
#include <string_view>

namespace rtl::selftest {

struct CodeObject {
  const char* target;  // "gfx90a"
  int wave_size;
  std::string_view bytes;  // an ELF file
};

// In the order of the targets' names.
std::span<const CodeObject> CodeObjects();
// CodeObjects(), where the targets of this machine's GPUs come first. Their order matters because
// some runtimes also load code of a similar target.
std::span<const CodeObject> OrderedCodeObjects();
// Targets that no compiler of the build supports: "gfx950, gfx1200". Empty: none.
const char* MissingTargets();

}  // namespace rtl::selftest
