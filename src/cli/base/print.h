// SPDX-License-Identifier: MIT
// print.h: prints the results and messages of a verb.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "trace/read/selection.h"

namespace rtl::cli {

// Prints a result. It is no failure if the reader has gone away (`| head`), but it is one if the
// disk is full. Returns the exit code; if it is not 0, the reason was printed to standard error.
int PrintResult(std::string_view text);

// The selection in words, for the first line of a result. Empty: there is no selection.
std::string SelectionLine(const query::SelectionRequest& request);

// Prints "rtl: <text>" to standard error in one write.
void PrintNote(const std::string& text);
// Prints text of several lines to standard error, without a prefix.
void PrintAside(std::string_view text);

// Prints the message as PrintNote does, and returns kExitFailed.
int Fail(const Status& status);

}  // namespace rtl::cli
