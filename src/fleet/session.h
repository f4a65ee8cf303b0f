// SPDX-License-Identifier: MIT
// session.h: asks an engine that the calling program has already started, for example the
// SparkSession of a notebook (python/rtl/_fleet.py).
//
// Questions are sent over a stream socket. A question is one line of JSON: {"views": [{"name",
// "files", "sql"}], "sql"}. The answer is a line "rows N" or "error N", followed by N bytes: rows
// as CSV with a header, or the error in one line.
//
// Threads    one
// Blocking   until the session has answered
// Errors     the session's error, or that no session answers
#pragma once

#include <atomic>
#include <string>

#include "base/status.h"

namespace rtl::fleet {

// Returns the session's error, or "interrupted" when `cancel` becomes true.
Status AskSession(int socket, const std::string& question, const std::atomic<bool>* cancel,
                  std::string* rows);

}  // namespace rtl::fleet
