// SPDX-License-Identifier: MIT
// log.h: what the tracer says inside the traced process: one line on stderr when something is
// wrong, and nothing when nothing is.
//
// Threads    any; each line is one write(2), so lines of several threads do not mix
// Blocking   as long as write(2) to stderr does
// Memory     a buffer on the stack; longer lines are cut
// Errors     none: errno is left as it was, a failed write is ignored (there is nowhere to say so)
#pragma once

namespace rtl {

// "rtl: <text>\n"
void Warn(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Reports once per process that a rule of the tracer's own was broken, and goes on. With
// RTL_STRICT=1 (tests) the process aborts instead.
void BrokenInvariant(const char* format, ...) __attribute__((format(printf, 1, 2)));
void SetStrict(bool strict);

}  // namespace rtl
