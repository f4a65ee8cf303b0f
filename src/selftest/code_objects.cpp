// SPDX-License-Identifier: MIT
#include "selftest/code_objects.h"

// code_objects.inc lists the targets of this build, and the paths of their files.
#define SELFTEST_CODE(target, path)                                                    \
  asm(".pushsection .rodata\n.balign 16\n.hidden rtl_selftest_" #target                \
      "\n.globl rtl_selftest_" #target "\nrtl_selftest_" #target ":\n.incbin \"" path  \
      "\"\n.hidden rtl_selftest_end_" #target "\n.globl rtl_selftest_end_" #target     \
      "\nrtl_selftest_end_" #target ":\n.byte 0\n.popsection\n");                      \
  extern "C" __attribute__((visibility("hidden"))) const char rtl_selftest_##target[], \
      rtl_selftest_end_##target[];
#include "code_objects.inc"

namespace rtl::selftest {

std::span<const CodeObject> CodeObjects() {
  static const CodeObject kObjects[] = {
#define SELFTEST_CODE(target, path)
#define SELFTEST_TARGET(target, wave) \
  {#target,                           \
   wave,                              \
   {rtl_selftest_##target,            \
    static_cast<size_t>(rtl_selftest_end_##target - rtl_selftest_##target)}},
#include "code_objects.inc"
      {nullptr, 0, {}}};  // a build without any compiler has no other
  return std::span(kObjects).first(std::size(kObjects) - 1);
}

const char* MissingTargets() { return SELFTEST_MISSING; }

}  // namespace rtl::selftest
