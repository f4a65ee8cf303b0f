// SPDX-License-Identifier: MIT
#include "selftest/code_objects.h"

#include <stdio.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

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
      // Not in the result; the array needs an entry if the build had no compiler.
      {nullptr, 0, {}}};
  return std::span(kObjects).first(std::size(kObjects) - 1);
}

namespace {

// "gfx90a" from 90010.
std::string TargetName(unsigned long version) {
  char name[32];
  (void)snprintf(name, sizeof name, "gfx%lu%lu%lx", version / 10000, version / 100 % 100,
                 version % 100);
  return name;
}

std::vector<std::string> TargetsHere() {
  std::vector<std::string> targets;
  for (int node = 0;; ++node) {
    std::ifstream file("/sys/class/kfd/kfd/topology/nodes/" + std::to_string(node) + "/properties");
    if (!file) return targets;
    std::string name;
    for (unsigned long value = 0; file >> name >> value;) {
      if (name == "gfx_target_version" && value != 0) targets.push_back(TargetName(value));
    }
  }
}

}  // namespace

std::span<const CodeObject> OrderedCodeObjects() {
  static const std::vector<CodeObject> kOrdered = [] {
    std::vector<CodeObject> objects(CodeObjects().begin(), CodeObjects().end());
    const std::vector<std::string> here = TargetsHere();
    std::stable_partition(objects.begin(), objects.end(), [&here](const CodeObject& each) {
      return std::find(here.begin(), here.end(), each.target) != here.end();
    });
    return objects;
  }();
  return kOrdered;
}

const char* MissingTargets() { return SELFTEST_MISSING; }

}  // namespace rtl::selftest
