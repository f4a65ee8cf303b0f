// SPDX-License-Identifier: MIT
// summary_tables.h: writes a summary as text, CSV and JSON.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/completeness.h"
#include "analysis/counters.h"
#include "analysis/summary.h"
#include "cli/base/report_json.h"

namespace rtl::cli {

struct SummaryTables {
  std::string file;
  std::string all = "-n 0";  // the option that prints all rows
  analysis::Summary summary;
  std::vector<analysis::MarkerSummary> markers;
  std::vector<analysis::CopySummary> copies;
  std::vector<analysis::ApiSummary> apis;
  std::vector<analysis::EventSummary> events;  // events of span kinds
  std::vector<analysis::CounterSummary> counters;
  std::vector<analysis::KindCompleteness> completeness;
};

// Reads everything that a report shows.
Status ReadSummaryTables(query::TraceReader& trace, SummaryTables* out);

// `rows`: limit for kernels, calls, copies and markers each (0: all). `width`: limit for a line (0:
// none).
std::string SummaryAsText(const SummaryTables& tables, size_t rows, size_t width);
// `table`: one of CsvTables.
std::string SummaryAsCsv(const SummaryTables& tables, size_t rows,
                         const std::string& table = "kernels");
// "kernels", "copies", …
std::vector<std::string> CsvTables();
std::string SummaryAsJson(const SummaryTables& tables, size_t rows);

// "kernels: …" and, if there are any, "markers: …".
std::string CompletenessLines(const std::vector<analysis::KindCompleteness>& completeness);
// Adds the member "events": the numbers of each kind.
void JsonCompleteness(const std::vector<analysis::KindCompleteness>& completeness,
                      JsonWriter* json);

}  // namespace rtl::cli
