// SPDX-License-Identifier: MIT
// process_files.h: writes the files of one traced process.
//
// Threads    one
// Errors     one line that names the file; after an error the process has no files
// Names      if ranks would have equal names, their numbers are added. Files of an earlier run are
//            replaced, files of another run that is under way are not
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
  // `since`: newer files belong to another run that is under way. `agents`: returns the driver's
  // agents, for processes that used no HSA; called at most once.
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

  // Writes the files of every process in the trace at `path`.
  Status Write(const std::string& path);

  // Sentences for the user.
  const std::vector<std::string>& notes() const { return notes_; }
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
  // The prefixes of this run. Each has a locked file in the same folder, so that runs at the same
  // time use different prefixes.
  std::map<std::string, UniqueFd> taken_;
  std::vector<std::string> notes_;
  std::vector<std::string> written_;
};

}  // namespace rtl::v3
