// SPDX-License-Identifier: MIT
#include "import/import.h"

#include <map>
#include <memory>

#include "import/readers.h"
#include "trace/read/trace_reader.h"

namespace rtl::import {
namespace {

// Imports a format that has one process per file. *late: the file gave its rank or pid after its
// first events, whose rows lack them. `known` has them now, for a second pass.
Status ImportProcess(const Source& source, ImportedProcess* known, ImportedTrace* trace,
                     bool* late) {
  const size_t process = trace->BeginProcess(*known);
  switch (source.format) {
    case Format::kJax:
      RTL_TRY(ImportJax(source.files[0], trace));
      break;
    case Format::kXPlane:
      RTL_TRY(ImportXPlane(source.files[0], trace));
      break;
    case Format::kRocprofv3Csv:
      RTL_TRY(ImportRocprofv3Csv(source.files, process, trace));
      break;
    default:
      RTL_TRY(ImportKineto(source.files[0], process, trace));
  }
  RTL_TRY(trace->EndProcess(process));
  *late =
      trace->rank_of_rows() != trace->facts().rank || trace->pid_of_rows() != trace->facts().pid;
  known->rank = trace->facts().rank;
  known->pid = trace->facts().pid;
  return Status::Ok();
}

Status ImportDatabase(const Source& source, const ImportedProcess& known, ImportedTrace* trace) {
  ForeignDatabase database;
  RTL_TRY(database.Open(source.files[0], source.shown));
  return source.format == Format::kRpd ? ImportRpd(&database, known, trace)
                                       : ImportRocpd(&database, known, trace);
}

Status ImportOne(const Source& source, ImportedProcess* known, ImportedTrace* trace, bool* late) {
  switch (source.format) {
    case Format::kRpd:
    case Format::kRocpd:
      return ImportDatabase(source, *known, trace);
    case Format::kRocprofv3Json:
      return ImportRocprofv3Json(source.files[0], *known, trace);
    case Format::kOwnChrome:
      return ImportOwnChrome(source.files[0], *known, trace);
    case Format::kOwnPerfetto:
      return ImportOwnPerfetto(source.files[0], *known, trace);
    default:
      return ImportProcess(source, known, trace, late);
  }
}

Status CheckFormat(const Source& source) {
  if (source.format == Format::kTrace) {
    std::unique_ptr<query::TraceReader> trace;
    // The error says what the file is instead.
    RTL_TRY(query::TraceReader::Open(source.files[0], &trace));
    return Status::Error("%s: a trace of rtl, which needs no import (rtl merge joins several)",
                         source.shown.c_str());
  }
  return CheckKnown(source);
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

Status ImportSources(std::vector<Source> sources, const ImportRequest& request,
                     ImportResult* result) {
  std::vector<ImportedProcess> known(sources.size());
  for (size_t i = 0; i < sources.size(); ++i) {
    RTL_TRY(CheckFormat(sources[i]));
    known[i].format = FormatName(sources[i].format);
    known[i].file = sources[i].shown;
    known[i].rank = RankInName(sources[i].shown);
    result->sources.push_back({std::move(sources[i]), -1, {}});
  }
  bool again = true;
  for (int pass = 0; again && pass < 2; ++pass) {
    again = false;
    ImportedTrace trace;
    RTL_TRY(trace.Create(request.output));
    for (size_t i = 0; i < known.size(); ++i) {
      ImportedSource& one = result->sources[i];
      bool late = false;
      trace.report() = {};
      RTL_TRY(ImportOne(one.source, &known[i], &trace, &late));
      one.report = trace.report();
      one.rank = trace.facts().rank;
      again = again || late;
    }
    if (again && pass == 0) continue;
    RTL_TRY(trace.Commit(request.tool_version, Joined(request.inputs), &result->written));
  }
  return Status::Ok();
}

std::string EarlyWork(const ImportReport& report) {
  return std::to_string(report.early) + " of " + std::to_string(report.kernels + report.copies) +
         " kernels and copies begin before their call: the clocks of GPU and host differ, and "
         "causes"
         " of idle time are not reliable";
}

Status ImportTraces(const ImportRequest& request, ImportResult* result) {
  *result = {};
  std::vector<Source> sources;
  // Of CSV files: several files of one process may be given one by one.
  std::map<std::string, size_t> stems;
  for (const std::string& input : request.inputs) {
    std::vector<Source> found;
    std::vector<std::string> others;
    RTL_TRY(FindSources(input, &found, &others));
    if (found.empty()) return NoTraceIn(input, others);
    result->others.insert(result->others.end(), others.begin(), others.end());
    for (Source& source : found) {
      if (source.format == Format::kRocprofv3Csv) {
        const auto [known, is_new] =
            stems.try_emplace(Rocprofv3CsvStem(source.files[0]), sources.size());
        if (!is_new) {
          std::vector<std::string>& files = sources[known->second].files;
          files.insert(files.end(), source.files.begin(), source.files.end());
          continue;
        }
      }
      sources.push_back(std::move(source));
    }
  }
  return ImportSources(std::move(sources), request, result);
}

}  // namespace rtl::import
