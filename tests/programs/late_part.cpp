// SPDX-License-Identifier: MIT
// A library that calls back from the destructor of an object, and from its own, which runs when HIP is gone.

extern "C" {
__attribute__((visibility("default"))) void (*late_part_work)(const char* from) = nullptr;
__attribute__((visibility("default"))) void (*late_part_mark)(const char* message) = nullptr;
}

namespace {

struct Object {
  ~Object() {
    if (late_part_work != nullptr) late_part_work("the destructor of a library's object");
  }
} object;

__attribute__((destructor)) void OnUnload() {
  if (late_part_mark != nullptr) late_part_mark("the destructor of a library");
}

}  // namespace
