// SPDX-License-Identifier: MIT
// trace_session.h: the session that librtl.so's functions use.
//
// Threads    any; the session is set before a function can be called
// Memory     never destroyed, because hooks run until the process has ended
#pragma once

#include "capture/session/session.h"
#include "capture/sources/sources.h"

namespace rtl {

// Null if there was no memory for a session.
extern constinit capture::Session* the_session;
extern constinit capture::CallSources the_sources;

// Called before a runtime is hooked. A raw clone runs no fork handlers, and the first sign of its
// child is the runtime that it loads. Runs the fork handlers in that case.
void NoticeFork();

// Registers an exit handler, once, that reads what is in flight while the runtime still works.
void SettleBeforeTheRuntimeGoes();

}  // namespace rtl
