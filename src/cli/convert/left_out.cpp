// SPDX-License-Identifier: MIT
#include "cli/convert/left_out.h"

#include "analysis/text.h"
#include "cli/base/formats.h"

namespace rtl::cli {

Status DescribeLeftOut(query::TraceReader& trace, ConvertTo to, const std::string& output,
                       std::string* sentence) {
  const FileFormat& format = FormatOf(to);
  std::string kinds;
  for (size_t i = 0; i < query::kRowKindCount; ++i) {
    const auto kind = static_cast<query::RowKind>(i);
    if (format.holds.Has(kind)) continue;
    uint64_t rows = 0;
    RTL_TRY(trace.CountRows(kind, &rows));
    if (rows == 0) continue;
    kinds +=
        (kinds.empty() ? "" : ", ") + analysis::Grouped(rows) + " " + query::TextOf(kind, rows);
  }
  if (kinds.empty()) {
    sentence->clear();
  } else {
    *sentence = (output == "-" ? "standard output" : output) + ": left out, because --to " +
                format.word + " cannot hold them: " + kinds;
  }
  return Status::Ok();
}

}  // namespace rtl::cli
