// SPDX-License-Identifier: MIT
// print.h: prints the results and messages of a verb.
#pragma once

#include <unistd.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cli/base/options.h"
#include "cli/base/table.h"
#include "trace/read/selection.h"

namespace rtl::cli {

// Writes everything. Returns 0 or the error number.
int WriteAll(int fd, std::string_view text);

// Prints a result. It is no failure if the reader has gone away (`| head`), but it is one if the
// disk is full. Returns the exit code; if it is not 0, the reason was printed to standard error.
int PrintResult(std::string_view text);

// The selection in words, for the first line of a result. Empty: there is no selection.
std::string SelectionLine(const query::SelectionRequest& request);

// Prints a verb's result in the requested format. Without a requested number of rows, text has
// `usual` rows. CSV and JSON have all, because programs read them. Returns the exit code.
template <typename Options, typename Text, typename Csv, typename Json>
int PrintReport(const Options& options, size_t usual, Text text, Csv csv, Json json) {
  if (options.format == TableFormat::kText) {
    return PrintResult(SelectionLine(options.selection) +
                       text(options.rows.value_or(usual), TerminalWidth(STDOUT_FILENO)));
  }
  const size_t rows = options.rows.value_or(0);
  return PrintResult(options.format == TableFormat::kCsv ? csv(rows) : json(rows));
}

// "a, b"
std::string Joined(const std::vector<std::string>& words, const char* between = " ");
// "a, b or c"; the last word follows `last`.
std::string Listed(const std::vector<std::string>& words, const char* last);

// Prints "rtl: <text>" to standard error in one write.
void PrintNote(const std::string& text);
// Prints text of several lines to standard error, without a prefix.
void PrintAside(std::string_view text);

// Prints the message as PrintNote does, and returns kExitFailed.
int Fail(const Status& status);

}  // namespace rtl::cli
