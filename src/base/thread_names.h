// SPDX-License-Identifier: MIT
// thread_names.h: collects the names that the kernel has for threads (pthread_setname_np, prctl,
// comm). Each thread reads its own name when it calls ThreadId::Current (thread_state.h) for the
// first time, and when it ends. Between these, another thread reads the names at growing intervals,
// and at the end.
//
// Threads    Watch, OnForkInChild: one at a time. Visit: any; a second call does nothing while the
//            first one runs
// Blocking   Visit: reads a file of /proc for each living thread, at most kReads; kMost if `all`
// Memory     static, for kMost threads at a time; further threads have no name
// Signals    a signal handler may be the first on a thread to call ThreadId::Current
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtl {

class ThreadNames {
 public:
  static constexpr size_t kMost = 4096;
  static constexpr size_t kReads = 64;
  static constexpr size_t kBytes = 16;  // size with the terminator

  // False if the name cannot be taken now; it is then reported again.
  using Report = bool (*)(void* data, uint32_t thread, const char* name);

  // Begins to collect names, and forgets what Visit has reported before. The calling thread is
  // registered.
  static void Watch();
  // Forgets the threads of the parent, which do not exist in the child.
  static void OnForkInChild();
  // Reports the names that differ from those reported before. The name that the process got from
  // exec is not reported, because no one has given it. `all`: reads the name of every living
  // thread.
  static void Visit(bool all, Report report, void* data);
};

}  // namespace rtl
