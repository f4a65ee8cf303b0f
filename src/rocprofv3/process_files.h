// SPDX-License-Identifier: MIT
// process_files.h: writes the files of one traced process.
//
// Threads    one
// Errors     one line that names the file; then none of the process's files appears
// Names      ranks whose names are equal have their number in them. The files of a run that is under
//            way are never replaced; those of an earlier run are
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"
#include "export/tool/output_set.h"
#include "rocprofv3/output_names.h"
#include "rocprofv3/request.h"

namespace rtl::v3 {

class ProcessFiles {
 public:
  // `since`: files that are newer belong to another run, which is under way.
  // `agents`: those of the driver, for processes that used no HSA; called once at most.
  ProcessFiles(const Request& request, const OutputNames& names, std::string config,
               std::filesystem::file_time_type since,
               std::function<std::vector<exporting::tool::DriverAgent>()> agents)
      : request_(request),
        names_(names),
        config_(std::move(config)),
        since_(since),
        driver_agents_(std::move(agents)),
        tool_(request.tool) {}
  ~ProcessFiles();

  // For every process in the trace at `path`.
  Status Write(const std::string& path);

  // Sentences for the user.
  const std::vector<std::string>& notes() const { return notes_; }
  // Every written file.
  const std::vector<std::string>& written() const { return written_; }
  // The folder of a process's files, and the beginning of their names.
  std::string PrefixOf(const query::Process& process) const;

 private:
  Status AddDriverAgents(query::TraceReader& reader, const query::Process& process);
  Status WriteProcess(query::TraceReader& reader, const query::Process& process);
  Status PrintSummary(const exporting::tool::Statistics& statistics,
                      exporting::tool::OutputSet* outputs) const;
  std::string FreePrefix(const query::Process& process);
  std::string WantedPrefix(const query::Process& process);
  bool Claim(const std::string& prefix);
  bool IsTooLittle(const exporting::tool::Statistics& statistics) const;

  const Request& request_;
  const OutputNames& names_;
  const std::string config_;
  const std::filesystem::file_time_type since_;
  const std::function<std::vector<exporting::tool::DriverAgent>()> driver_agents_;
  exporting::tool::ToolOptions
      tool_;  // the request's, with the driver's agents once they are needed
  // The prefixes of this run, each with a locked file beside it, so that runs at the same time take
  // different ones.
  std::map<std::string, UniqueFd> taken_;
  std::vector<std::string> notes_;
  std::vector<std::string> written_;
};

}  // namespace rtl::v3
