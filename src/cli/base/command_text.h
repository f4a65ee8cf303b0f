// SPDX-License-Identifier: MIT
// command_text.h: texts about rtl's options: help, errors, and data for the manual.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/summary.h"
#include "cli/base/describe.h"

namespace rtl::cli {

// The library's error in plain words.
std::string Plain(const CLI::ParseError& error);
// Accepts the numbers of ranks and GPUs.
CLI::Validator CountedFromZero();
// Adds to the help what the library does not print.
std::shared_ptr<CLI::FormatterBase> MakeHelpFormatter();
VerbText DescribeVerb(const CLI::App& app);
// The error in --table; empty: none.
std::string ComplaintOfTable(bool csv, const std::string& table,
                             const std::vector<std::string>& tables);
// The values of --sort.
const std::map<std::string, analysis::SummaryOrder>& SummaryOrders();

}  // namespace rtl::cli
