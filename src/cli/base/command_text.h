// SPDX-License-Identifier: MIT
// command_text.h: what the options of several verbs share: help, errors, values, and data for the
// manual.
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
// The error in --csv and --json; empty: `format` is what they say.
std::string TakeTableFormat(bool csv, bool json, TableFormat* format);
// The values of --sort.
const std::map<std::string, analysis::SummaryOrder>& SummaryOrders();

// "60s", "1.5m", "500ms", "10us", "60" (seconds); false: invalid, or less than a nanosecond.
bool ParseTime(const std::string& text, uint64_t* ns);

// As ParseTime, and also "0" and "0s".
bool ParseTimeOrZero(const std::string& text, uint64_t* ns);

}  // namespace rtl::cli
