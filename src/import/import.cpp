// SPDX-License-Identifier: MIT
#include "import/import.h"

#include <sys/stat.h>

#include <algorithm>
#include <string_view>

#include "import/kineto.h"
#include "import/text_input.h"

namespace rtl::import {
namespace {

constexpr size_t kLookedAt = size_t{64} << 10;

// `processes`: of the files; what is known of them when it begins is used from the first row on.
// *complete: false when a file named its rank behind its events, which then lack it.
Status ImportAll(const ImportRequest& request, std::vector<ImportedProcess>* processes,
                 ImportedTrace* trace, std::vector<ImportedFile>* files, bool* complete) {
  *complete = true;
  for (size_t i = 0; i < request.files.size(); ++i) {
    ImportedProcess& process = (*processes)[i];
    trace->BeginProcess(&process);
    RTL_TRY(ImportKineto(request.files[i], trace, &process));
    RTL_TRY(trace->EndProcess());
    *complete = *complete && trace->rank_of_rows() == process.rank;
    (*files)[i].rank = process.rank;
    (*files)[i].report = trace->report();
  }
  return Status::Ok();
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

const char* FormatName(Format format) {
  switch (format) {
    case Format::kDatabase:
      return "rtl";
    case Format::kChrome:
      return "torch.profiler";
    case Format::kRocprofv3:
      return "rocprofv3";
    case Format::kUnknown:
      break;
  }
  return "unknown";
}

Status FindFormat(const std::string& path, Format* format) {
  *format = Format::kUnknown;
  struct stat file;
  if (stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) return Status::Ok();
  TextInput input;
  RTL_TRY(input.Open(path));
  std::string begin;
  while (begin.size() < kLookedAt) {
    const char next = input.Take();
    if (next == '\0' && input.Tell() <= begin.size()) break;
    begin += next;
  }
  RTL_TRY(input.status());
  if (begin.starts_with("SQLite format 3")) *format = Format::kDatabase;
  const size_t first = begin.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first == std::string::npos || (begin[first] != '{' && begin[first] != '[')) {
    return Status::Ok();
  }
  const bool rocprof = begin.find("\"rocprofiler-sdk-tool\"") != std::string::npos;
  *format = rocprof ? Format::kRocprofv3 : Format::kChrome;
  return Status::Ok();
}

Status ImportTraces(const ImportRequest& request, std::vector<ImportedFile>* files,
                    std::string* written) {
  files->clear();
  std::vector<ImportedProcess> processes(request.files.size());
  for (size_t i = 0; i < request.files.size(); ++i) {
    ImportedFile file;
    file.path = request.files[i];
    RTL_TRY(FindFormat(file.path, &file.format));
    if (file.format != Format::kChrome) {
      return Status::Error("%s: not a trace that can be imported (torch.profiler's JSON can)",
                           file.path.c_str());
    }
    processes[i].format = FormatName(file.format);
    processes[i].file = file.path;
    files->push_back(std::move(file));
  }
  bool complete = false;
  for (int pass = 0; !complete && pass < 2; ++pass) {
    ImportedTrace trace;
    RTL_TRY(trace.Create(request.output));
    RTL_TRY(ImportAll(request, &processes, &trace, files, &complete));
    if (!complete && pass == 0) continue;
    RTL_TRY(trace.Commit(request.tool_version, Joined(request.files), written));
  }
  return Status::Ok();
}

}  // namespace rtl::import
