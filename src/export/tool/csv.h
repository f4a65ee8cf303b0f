// SPDX-License-Identifier: MIT
// csv.h: the files and columns of rocprofv3's CSV output.
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

// The ends of the names of all possible files: "kernel_trace.csv".
std::vector<std::string> CsvFiles();

// agent_info, coverage, and a file for each domain that has rows.
Status WriteCsv(ToolTrace& trace, OutputSet* outputs);
// A file for each domain that has rows, and one for all.
Status WriteCsvStatistics(const Statistics& statistics, OutputSet* outputs);

}  // namespace rtl::exporting::tool
