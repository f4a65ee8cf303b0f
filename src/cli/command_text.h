// SPDX-License-Identifier: MIT
// command_text.h: rtl's options in words: its help, its complaints, and as data for the manual.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/summary.h"
#include "cli/describe.h"

namespace rtl::cli {

// The library's complaints, in plain words.
std::string Plain(const CLI::ParseError& error);
// Says in the help what the library has no words for.
std::shared_ptr<CLI::FormatterBase> MakeHelpFormatter();
VerbText DescribeVerb(const CLI::App& app);
// What is wrong with --table; empty: nothing.
std::string ComplaintOfTable(bool csv, const std::string& table,
                             const std::vector<std::string>& tables);
// What --sort takes.
const std::map<std::string, analysis::SummaryOrder>& SummaryOrders();

}  // namespace rtl::cli
