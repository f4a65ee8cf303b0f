// SPDX-License-Identifier: MIT
// rocprofv3_csv.h: the CSV files that rocprofv3 writes of one process: NAME_kernel_trace.csv,
// NAME_hip_api_trace.csv and the others beside them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "import/imported_trace.h"

namespace rtl::import {

// Whether a text begins like a CSV file of rocprofv3 that has events or agents.
bool IsRocprofv3Csv(std::string_view begin);

// The files of one process have the same path up to here.
std::string Rocprofv3CsvStem(const std::string& path);

// The events of the files go to the chosen process of `trace`, which is this one. Those of further
// processes, which files of rocpd have, go to processes of their own; what becomes of these is added
// to `report`.
Status ImportRocprofv3Csv(const std::vector<std::string>& files, size_t process,
                          ImportedTrace* trace, ImportReport* report);

}  // namespace rtl::import
