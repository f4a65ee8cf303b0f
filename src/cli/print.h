// SPDX-License-Identifier: MIT
// print.h: the two ways in which a verb speaks.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "query/selection.h"

namespace rtl::cli {

// A result. A reader that has gone away (`| head`) is no failure; a full disk is. Returns the exit
// code, and says why on standard error when it is not 0.
int PrintResult(std::string_view text);

// What a result is restricted to, as its first line; empty: to nothing.
std::string SelectionLine(const query::SelectionRequest& request);

// "rtl: <text>" on standard error, as one write.
void PrintNote(const std::string& text);
// The same without the prefix, for what takes several lines.
void PrintAside(std::string_view text);

// PrintNote of the message; returns kExitFailed.
int Fail(const Status& status);

}  // namespace rtl::cli
