// SPDX-License-Identifier: MIT
// thread_names.h: the names that the kernel has for threads (pthread_setname_np, prctl, comm). They
// are read by each thread itself when it asks for its number (thread_state.h) for the first time
// and when it ends, and by another thread in between, at intervals that grow, and at the end.
//
// Threads    Watch, OnForkInChild: one at a time. Visit: any; a second one does nothing meanwhile
// Blocking   Visit: reads a file of /proc for each living thread, at most kReads; kMost if `all`
// Memory     static: kMost threads at a time; those beyond it have no name
// Signals    a handler may be the first to ask for a thread's number
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtl {

class ThreadNames {
 public:
  static constexpr size_t kMost = 4096;
  static constexpr size_t kReads = 64;
  static constexpr size_t kBytes = 16;  // with the terminator

  // False: not now; the name is reported again.
  using Report = bool (*)(void* data, uint32_t thread, const char* name);

  // From now on; what Visit has reported so far is forgotten. The calling thread has a number.
  static void Watch();
  // The threads of the parent do not exist.
  static void OnForkInChild();
  // Reports the names that differ from those reported before. The first of these is the one that the
  // process got from exec, which is no given name. `all`: reads the name of every living thread.
  static void Visit(bool all, Report report, void* data);
};

}  // namespace rtl
