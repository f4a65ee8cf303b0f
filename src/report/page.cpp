// SPDX-License-Identifier: MIT
#include "report/page.h"

#include <algorithm>
#include <memory>
#include <string_view>

#include "export/output_file.h"
#include "report/pack.h"
#include "report/page_files.h"
#include "report/page_model.h"

namespace rtl::report {
namespace {

// A gap of such a small part of the page is invisible in every view with grouped runs.
constexpr uint64_t kSmallestPart = 4096;

// Escapes characters that could end the script element around the text.
std::string InScript(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

// Sets *begin to the start of the first process, where rtl analyze begins to count time, too.
Status BeginWithProcesses(query::TraceReader& trace, uint64_t* begin) {
  std::vector<query::Process> processes;
  RTL_TRY(trace.tables().Processes(&processes));
  for (const query::Process& process : processes) {
    if (process.started != 0) *begin = std::min(*begin, process.started);
  }
  return Status::Ok();
}

Status PackRows(const PageContent& content, std::string* out) {
  std::string packed;
  const uint64_t gap = (content.end - content.begin) / kSmallestPart;
  for (const PageRow& row : content.rows.Rows()) {
    PackRow(content.rows.runs(row.set).row(row.index), content.begin, gap, &packed);
  }
  std::string deflated;
  RTL_TRY(Deflate(packed, &deflated));
  *out = Base64(deflated);
  return Status::Ok();
}

void Fill(std::string_view page, const std::vector<std::pair<std::string_view, std::string>>& parts,
          exporting::OutputFile* out) {
  for (const auto& [name, text] : parts) {
    const size_t at = page.find(name);
    if (at == std::string_view::npos) continue;
    out->Append(page.substr(0, at));
    out->Append(text);
    page.remove_prefix(at + name.size());
  }
  out->Append(page);
}

}  // namespace

Status WritePage(query::TraceReader& trace, const std::string& output,
                 const exporting::Progress& progress, const PageOptions& options) {
  std::unique_ptr<exporting::OutputFile> file;
  RTL_TRY(exporting::OutputFile::Open(output, &file));
  PageTables tables;
  RTL_TRY(ReadTables(trace, &tables));
  Shapes shapes(trace);
  PageRows rows(trace, &shapes);
  RTL_TRY(exporting::WalkTimeline(trace, progress, &rows));
  RTL_TRY(analysis::AnalyzeIdleTime(trace, &tables.idle,
                                    [&](const analysis::IdlePart& gap) { rows.OnGap(gap); }));
  RTL_TRY(rows.ReadOperators());
  RTL_TRY(ReadFlame(trace, &tables.flame));
  RTL_TRY(analysis::FindHostLines(trace, &tables.host_lines));
  std::vector<analysis::RankTail> tails;
  RTL_TRY(analysis::FindRankTails(trace, &tails));
  tables.findings = analysis::Findings(tables.idle.gpus, tails);
  PageContent content{tables, rows, shapes};
  content.selection = options.selection;
  rows.Bounds(&content.begin, &content.end);
  RTL_TRY(BeginWithProcesses(trace, &content.begin));
  std::string model, packed;
  RTL_TRY(PackRows(content, &packed));
  while (packed.size() > options.most_bytes && rows.Coarsen()) RTL_TRY(PackRows(content, &packed));
  RTL_TRY(ModelAsJson(trace, content, &model));
  Fill(kPageHtml,
       {{"@STYLE@", std::string(kPageCss)},
        {"@MODEL@", InScript(model)},
        {"@ROWS@", packed},
        {"@SCRIPT@", std::string(kPageScript)}},
       file.get());
  return file->Commit();
}

}  // namespace rtl::report
