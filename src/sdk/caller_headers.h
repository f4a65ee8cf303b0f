// SPDX-License-Identifier: MIT
// caller_headers.h: which headers the caller's library or program was compiled with. Two versions
// call themselves 1.0.0. They differ in the size of an agent, which a caller passes when it queries
// agents.
//
// Threads    any
// Blocking   no lock of ours; the loader's, for a moment
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

  // `caller`: an address in its code.
  void NoteAgentSize(const void* caller, size_t agent_size);
  // Uses the size that the same library or program passed last; false when it has passed none.
  bool AreOfRocm70(const void* caller) const;

 private:
  static constexpr size_t kModules = 64;
  struct Module {
    std::atomic<const void*> base{nullptr};
    std::atomic<size_t> agent_size{0};
  };
  Module modules_[kModules];
};

// The process's instance.
CallerHeaders& HeadersOfCallers();

}  // namespace rtl::sdk
