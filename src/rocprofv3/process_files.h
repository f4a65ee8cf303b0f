// SPDX-License-Identifier: MIT
// process_files.h: writes the files of one traced process.
//
// Threads    one
// Errors     one line that names the file; then none of the process's files appears
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "export/tool/output_set.h"
#include "rocprofv3/output_names.h"
#include "rocprofv3/request.h"

namespace rtl::v3 {

class ProcessFiles {
 public:
  ProcessFiles(const Request& request, const OutputNames& names, std::string config)
      : request_(request), names_(names), config_(std::move(config)) {}

  // For every process in the trace at `path`.
  Status Write(const std::string& path);

  // Sentences for the user.
  const std::vector<std::string>& notes() const { return notes_; }
  // Every written file.
  const std::vector<std::string>& written() const { return written_; }
  // The folder of a process's files, and the beginning of their names.
  std::string PrefixOf(const query::Process& process) const;

 private:
  Status WriteProcess(query::TraceReader& reader, const query::Process& process);
  Status PrintSummary(const exporting::tool::Statistics& statistics,
                      exporting::tool::OutputSet* outputs) const;
  std::string FreePrefix(const query::Process& process);
  bool IsTooLittle(const exporting::tool::Statistics& statistics) const;

  const Request& request_;
  const OutputNames& names_;
  const std::string config_;
  std::set<std::string> taken_;
  std::vector<std::string> notes_;
  std::vector<std::string> written_;
};

}  // namespace rtl::v3
