// SPDX-License-Identifier: MIT
// rocpd.h: rocprofv3's results.db (rocpd, schemas 3 and 4).
#pragma once

#include "base/status.h"
#include "import/foreign_database.h"
#include "import/imported_trace.h"

namespace rtl::import {

bool IsRocpd(const ForeignDatabase& database);

// `known`: what is known of a process without the file. `report`: of all processes of the file.
Status ImportRocpd(ForeignDatabase* database, const ImportedProcess& known, ImportedTrace* trace,
                   ImportReport* report);

}  // namespace rtl::import
