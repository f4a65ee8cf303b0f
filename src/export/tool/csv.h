// SPDX-License-Identifier: MIT
// csv.h: writes rocprofv3's CSV output, with its files and columns.
//
// Threads    one, and one more for each open file
// Memory     statistics: one entry per name
// Errors     the first error; then no file appears
#pragma once

#include <string>
#include <vector>

#include "export/tool/output_set.h"
#include "export/tool/statistics.h"
#include "export/tool/tool_trace.h"

namespace rtl::exporting::tool {

// A row of cells: text is quoted, numbers are not.
class CsvRow {
 public:
  explicit CsvRow(OutputFile* file) : file_(file) {}
  CsvRow& Text(std::string_view text);
  CsvRow& Number(uint64_t value);
  CsvRow& Signed(int64_t value);
  CsvRow& Plain(std::string_view text);  // a number that is text already
  void End();

 private:
  void Separate();

  OutputFile* file_;
  bool first_ = true;
};

void CsvHeader(OutputFile* file, const std::vector<std::string_view>& columns);

// The last part of the names of all possible files, such as "kernel_trace.csv".
std::vector<std::string> CsvFiles();

// Writes agent_info, coverage, and a file for each domain that has rows.
Status WriteCsv(ToolTrace& trace, OutputSet* outputs);
// Writes a file for each domain that has rows, and one for all domains.
Status WriteCsvStatistics(const Statistics& statistics, OutputSet* outputs);

}  // namespace rtl::exporting::tool
