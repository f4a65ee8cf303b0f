// SPDX-License-Identifier: MIT
// sched_point.h: named points at which a build for finding races delays threads; a seed decides
// which.
//
//   RTL_SCHED_POINT("queue.seen");
//
// In a product build this is only a label. Built with RTL_SCHED_POINTS (the tsan preset), it may
// yield or sleep for up to a millisecond once SetSchedule was called. Each schedule draws the
// points that it prefers, so that every run with one seed favours the same order of events.
//
// Threads    any; errno is unchanged
// Blocking   up to a millisecond in a build with RTL_SCHED_POINTS; never a lock
#pragma once

#include <stdint.h>

#ifdef RTL_SCHED_POINTS
#define RTL_SCHED_POINT(name) ::rtl::SchedPoint(name)
#else
#define RTL_SCHED_POINT(name) static_cast<void>(0)
#endif

namespace rtl {

// Takes effect at once. Zero: no thread is delayed any more.
void SetSchedule(uint64_t seed);
// How often a thread was delayed since SetSchedule.
uint64_t SchedPointHolds();

void SchedPoint(const char* name);

}  // namespace rtl
