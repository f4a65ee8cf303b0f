// SPDX-License-Identifier: MIT
// sched_point.h: named places at which a race build holds threads up, as a seed says.
//
//   RTL_SCHED_POINT("queue.seen");
//
// A label in a product build. Built with RTL_SCHED_POINTS (the tsan preset) it may let other threads
// run or sleep for up to a millisecond, once SetSchedule was called. Which points a schedule likes
// to hold is drawn per schedule, so that every run of a seed leans towards the same order of events.
//
// Threads    any; errno is left alone
// Blocking   see above; never a lock
#pragma once

#include <stdint.h>

#ifdef RTL_SCHED_POINTS
#define RTL_SCHED_POINT(name) ::rtl::SchedPoint(name)
#else
#define RTL_SCHED_POINT(name) static_cast<void>(0)
#endif

namespace rtl {

// From now on; zero: no thread is held up any more.
void SetSchedule(uint64_t seed);
// How often a thread was held up since SetSchedule.
uint64_t SchedPointHolds();

void SchedPoint(const char* name);

}  // namespace rtl
