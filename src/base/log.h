// SPDX-License-Identifier: MIT
// log.h: messages of the tracer in the traced process: one line on stderr for each problem, and no
// line otherwise.
//
// Threads    any; each line is one write(2), so lines of several threads do not mix
// Blocking   as long as write(2) to stderr does
// Memory     a buffer on the stack; longer lines are truncated
// Errors     none: errno is unchanged, and a failed write is ignored, because it cannot be reported
//            anywhere
#pragma once

namespace rtl {

// Writes "rtl: <text>\n".
void Warn(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Reports, once per process, that an invariant of the tracer was broken; the process goes on. With
// RTL_STRICT=1 (tests) the process aborts instead.
void BrokenInvariant(const char* format, ...) __attribute__((format(printf, 1, 2)));
void SetStrict(bool strict);

}  // namespace rtl
