// SPDX-License-Identifier: MIT
// rocprofv3_csv.h: imports the CSV files that rocprofv3 writes for one process:
// NAME_kernel_trace.csv, NAME_hip_api_trace.csv and others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "import/imported_trace.h"

namespace rtl::import {

// Whether a text begins like one of rocprofv3's CSV files with events or agents.
bool IsRocprofv3Csv(std::string_view begin);

// The part of the path that all files of one process share.
std::string Rocprofv3CsvStem(const std::string& path);

// The events of the files go to `process`, which is chosen in `trace`. Files converted by rocpd may
// have further processes; these are added to `trace`, and their reports to `report`.
Status ImportRocprofv3Csv(const std::vector<std::string>& files, size_t process,
                          ImportedTrace* trace, ImportReport* report);

}  // namespace rtl::import
