// SPDX-License-Identifier: MIT
// source_list.h: the sources of calls of a session (call_source.h), and what the session tells
// all of them.
//
// Threads    Add: before any other function. DisarmInChild: async-signal-safe. All others: under
//            the session's lock
#pragma once

#include <stddef.h>

#include "capture/session/call_source.h"

namespace rtl::capture {

class SourceList {
 public:
  static constexpr size_t kMost = 4;

  void Add(CallSource* source) { sources_[count_++] = source; }

  bool LinkKernels(bool trace, bool tools) const;
  bool ReplaceHooks() const;
  void RuntimeReady() const;
  // Writes how each source sees calls after the first `used` bytes of `text`, each after "; ".
  void Describe(char* text, size_t room, size_t used) const;

  void Finish() const;
  void Stop() const;
  // Stops the sources that record without a hooked runtime.
  void StopLoneOnes() const;
  void DisarmInChild() const;
  void BeginAnewInChild() const;

 private:
  CallSource* const* begin() const { return sources_; }
  CallSource* const* end() const { return sources_ + count_; }

  CallSource* sources_[kMost] = {};
  size_t count_ = 0;
};

}  // namespace rtl::capture
