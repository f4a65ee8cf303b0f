// SPDX-License-Identifier: MIT
// command_text.h: common functions for the options of verbs: help, errors, values, and descriptions
// for the manual.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/summary.h"
#include "cli/base/describe.h"
#include "cli/base/options.h"

namespace rtl::cli {

// The error of the library CLI11 in plain words.
std::string Plain(const CLI::ParseError& error);
// Accepts numbers of ranks and GPUs, which count from zero.
CLI::Validator CountedFromZero();
// Makes the help complete: CLI11's own does not print all of it.
std::shared_ptr<CLI::FormatterBase> MakeHelpFormatter();
VerbText DescribeVerb(const CLI::App& app);
// The error in the value of --table. Empty: there is none.
std::string ComplaintOfTable(bool csv, const std::string& table,
                             const std::vector<std::string>& tables);
// Sets *format from the options --csv and --json. Returns the error; empty: there is none.
std::string ResolveTableFormat(bool csv, bool json, TableFormat* format);
// The values of --sort, by word.
const std::map<std::string, analysis::SummaryOrder>& SummaryOrders();

// Reads "60s", "1.5m", "500ms", "10us", or "60" (seconds). False: the text is invalid, or less than
// a nanosecond.
bool ParseTime(const std::string& text, uint64_t* ns);

// Reads what ParseTime reads, and also "0" and "0s".
bool ParseTimeOrZero(const std::string& text, uint64_t* ns);

}  // namespace rtl::cli
