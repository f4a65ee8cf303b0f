// SPDX-License-Identifier: MIT
// caller_headers.h: remembers with which headers a calling library or program was compiled. Two
// versions of the headers call themselves 1.0.0. They differ in the size of an agent, which a
// caller passes when it queries agents.
//
// Threads    any
// Blocking   the loader's lock, for a moment; no lock of this library
// Memory     a table of fixed size; callers that do not fit are treated as built with newer headers
// Why        docs/adr/0100-two-layouts-of-counter-info.md
#pragma once

#include <stddef.h>

#include <atomic>

namespace rtl::sdk {

class CallerHeaders {
 public:
  static constexpr size_t kAgentOfRocm70 = 304;

  constexpr CallerHeaders() = default;
  CallerHeaders(const CallerHeaders&) = delete;
  CallerHeaders& operator=(const CallerHeaders&) = delete;

  // `caller`: an address in the caller's code.
  void NoteAgentSize(const void* caller, size_t agent_size);
  // True if the library or program of `caller` has last passed the size of ROCm 7.0's headers;
  // false also if it has passed none.
  bool AreOfRocm70(const void* caller) const;

 private:
  static constexpr size_t kModules = 64;
  struct Module {
    std::atomic<const void*> base{nullptr};
    std::atomic<size_t> agent_size{0};
  };
  Module modules_[kModules];
};

// The instance of this process.
inline constinit CallerHeaders headers_of_callers;

}  // namespace rtl::sdk
