// SPDX-License-Identifier: MIT
// trace_session.h: the session that librtl.so's functions use.
//
// Threads    any; it is set before a function can be called
// Memory     never destroyed: hooks run until the process has ended
#pragma once

#include "capture/session/session.h"
#include "capture/sources/sources.h"

namespace rtl {

// Null: no memory for one.
extern constinit capture::Session* the_session;
extern constinit capture::CallSources the_sources;

// Before a runtime is taken. A raw clone runs no fork handlers, and the runtime that its child loads
// is the first sign of the child: runs them then.
void NoticeFork();

// Registers an exit handler, once, that reads what is in flight while the runtime still works.
void SettleBeforeTheRuntimeGoes();

}  // namespace rtl
