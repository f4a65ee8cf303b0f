// SPDX-License-Identifier: MIT
// readers.h: the readers of the formats. Each adds the processes of its files to a trace, and ends
// them. Their reports are part of ImportedTrace::report.
//
// Threads    one
// Errors     one line that names the file; for a trace of another tool, it describes the content
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "import/foreign_database.h"
#include "import/imported_trace.h"

namespace rtl::import {

// Whether a text begins like one of rocprofv3's CSV files with events or agents.
bool IsRocprofv3Csv(std::string_view begin);
// The part of the path that all files of one process share.
std::string Rocprofv3CsvStem(const std::string& path);
bool IsRocpd(const ForeignDatabase& database);
bool IsRpd(const ForeignDatabase& database);

// The events of the file go to `process`, which is chosen in `trace`, and so do the facts that the
// file adds. The caller ends this process. Further processes become those of the other ranks if
// several ranks' files of torch.profiler were merged, and those of other databases if rocpd
// converted several to CSV.
Status ImportKineto(const std::string& path, size_t process, ImportedTrace* trace);
Status ImportRocprofv3Csv(const std::vector<std::string>& files, size_t process,
                          ImportedTrace* trace);
// Traces of jax.profiler, and of TensorFlow's profiler, which writes the same formats: Chrome's
// JSON, and the XPlane files from which that JSON is made. The events go to the chosen process,
// which the caller ends.
Status ImportJax(const std::string& path, ImportedTrace* trace);
Status ImportXPlane(const std::string& path, ImportedTrace* trace);

// `known`: facts of a process from outside the file.
//
// The output of `rtl convert --to chrome`, and of `--to pftrace`.
Status ImportOwnChrome(const std::string& path, const ImportedProcess& known, ImportedTrace* trace);
Status ImportOwnPerfetto(const std::string& path, const ImportedProcess& known,
                         ImportedTrace* trace);
// rocprofv3's results.json, and its results.db (rocpd, schemas 3 and 4).
Status ImportRocprofv3Json(const std::string& path, const ImportedProcess& known,
                           ImportedTrace* trace);
Status ImportRocpd(ForeignDatabase* database, const ImportedProcess& known, ImportedTrace* trace);
// Databases of RPD (rocmProfileData), schema versions 2 and 3.
Status ImportRpd(ForeignDatabase* database, const ImportedProcess& known, ImportedTrace* trace);

}  // namespace rtl::import
