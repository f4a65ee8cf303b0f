// SPDX-License-Identifier: MIT
// left_out.h: what a format cannot hold of a trace, so that nothing is lost without a word.
#pragma once

#include <string>

#include "base/status.h"
#include "cli/base/options.h"
#include "trace/read/trace_reader.h"

namespace rtl::cli {

// A sentence for `output`, which is in this format, with the number of rows of each kind that it
// lacks; empty: it has all selected rows.
Status DescribeLeftOut(query::TraceReader& trace, ConvertTo to, const std::string& output,
                       std::string* sentence);

}  // namespace rtl::cli
