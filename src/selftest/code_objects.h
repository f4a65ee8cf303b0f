// SPDX-License-Identifier: MIT
// code_objects.h: the kernels of kernels.cl, compiled for each target that the build's compilers
// know. They are part of the program, so a machine needs no compiler.
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
// The same, those of this machine's GPUs first: some runtimes also load those of a similar target.
std::span<const CodeObject> OrderedCodeObjects();
// Targets that no compiler of the build knows: "gfx950, gfx1200"; empty: none.
const char* MissingTargets();

}  // namespace rtl::selftest
