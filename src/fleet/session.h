// SPDX-License-Identifier: MIT
// session.h: a session of an engine that the calling program has already, such as a SparkSession of a
// notebook (python/rtl/_fleet.py).
//
// The questions go to a stream socket. A question is one line of JSON: {"views": [{"name", "files", "sql"}],
// "sql"}. The answer is a line "rows N" or "error N", and N bytes after it: rows as CSV with a head, or
// one line that says what is wrong.
//
// Threads    one
// Blocking   until the session has answered
// Errors     the session's own line, or that no session answers
#pragma once

#include <atomic>
#include <string>

#include "base/status.h"

namespace rtl::fleet {

// Returns the session's error, or "interrupted" when `cancel` becomes true.
Status AskSession(int socket, const std::string& question, const std::atomic<bool>* cancel,
                  std::string* rows);

}  // namespace rtl::fleet
