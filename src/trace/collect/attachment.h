// SPDX-License-Identifier: MIT
// attachment.h: the attachment of `rtl trace --pid` to a program that was started with RTL_ATTACH:
// the ring holds the events since the last attachment.
//
// Threads    the collecting one; after Join, the caller's
// Blocking   Answer: until every process has opened or closed its window, at most 10 s, and until
//            the window is written
// Errors     are answers
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "base/status.h"
#include "spool/format.h"
#include "trace/collect/process_set.h"
#include "trace/collect/window_writer.h"
#include "trace/write/asks.h"

namespace rtl::store {

class Attachment {
 public:
  // `read_all`: reads what the processes have written so far.
  Attachment(std::function<Status()> read_all, ProcessSet* processes, WindowWriter* windows)
      : read_all_(std::move(read_all)), processes_(processes), windows_(windows) {}

  // True if a program is attached and lives.
  bool IsAttached() const;
  // Ends the attachment of a program that has died.
  void EndIfDead();
  // Returns "+" and a message, or "-" and a reason.
  std::string Answer(const Question& ask);

 private:
  std::string Begin(const std::string& attacher);
  std::string End(const std::string& output);
  bool SetWindow(spool::AttachWindow wanted);

  const std::function<Status()> read_all_;
  ProcessSet* const processes_;
  WindowWriter* const windows_;
  std::string attacher_;  // pid of the attached program; empty: none
};

}  // namespace rtl::store
