// SPDX-License-Identifier: MIT
// trace_session.h: the session that librtl.so's functions use, and how such objects are made.
//
// Threads    any; the session is set before a function can be called
// Memory     never destroyed, because hooks run until the process has ended
#pragma once

#include <stdlib.h>

#include <new>

#include "capture/session/session.h"
#include "capture/sources/sources.h"

namespace rtl {

// Makes an object that is never destroyed. Null if there is no memory.
template <typename T, typename... A>
T* MakeForever(A... arguments) {
  void* memory = aligned_alloc(alignof(T), (sizeof(T) + alignof(T) - 1) / alignof(T) * alignof(T));
  return memory == nullptr ? nullptr : new (memory) T(arguments...);
}

// Null if there was no memory for a session.
extern constinit capture::Session* the_session;
extern constinit capture::CallSources the_sources;

// Called before a runtime is hooked. A raw clone runs no fork handlers, and the first sign of its
// child is the runtime that it loads. Runs the fork handlers in that case.
void NoticeFork();

// Registers an exit handler, once, that reads what is in flight while the runtime still works.
void SettleBeforeTheRuntimeGoes();

}  // namespace rtl
