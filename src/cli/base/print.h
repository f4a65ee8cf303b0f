// SPDX-License-Identifier: MIT
// print.h: output of a verb: results and messages.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "trace/read/selection.h"

namespace rtl::cli {

// Prints a result. A reader that has gone away (`| head`) is no failure; a full disk is. Returns
// the exit code; unless it is 0, the reason goes to standard error.
int PrintResult(std::string_view text);

// The selection as the first line of a result; empty: no selection.
std::string SelectionLine(const query::SelectionRequest& request);

// "rtl: <text>" on standard error, as one write.
void PrintNote(const std::string& text);
// The same without the prefix, for text of several lines.
void PrintAside(std::string_view text);

// PrintNote of the message; returns kExitFailed.
int Fail(const Status& status);

}  // namespace rtl::cli
