// SPDX-License-Identifier: MIT
// left_out.h: finds what a format cannot hold of a trace, so that nothing is left out unnoticed.
#pragma once

#include <string>

#include "base/status.h"
#include "cli/base/options.h"
#include "trace/read/trace_reader.h"

namespace rtl::cli {

// A sentence with the number of rows of each kind that `output` does not have, because the format
// cannot hold them. Empty: `output` has all selected rows.
Status DescribeLeftOut(query::TraceReader& trace, ConvertTo to, const std::string& output,
                       std::string* sentence);

}  // namespace rtl::cli
