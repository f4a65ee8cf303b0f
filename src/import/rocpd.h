// SPDX-License-Identifier: MIT
// rocpd.h: rocprofv3's results.db (rocpd, schemas 3 and 4).
#pragma once

#include "base/status.h"
#include "import/foreign_database.h"
#include "import/imported_trace.h"

namespace rtl::import {

bool IsRocpd(const ForeignDatabase& database);

// `known`: facts of a process from outside the file. `report`: sum over all processes of the file.
Status ImportRocpd(ForeignDatabase* database, const ImportedProcess& known, ImportedTrace* trace,
                   ImportReport* report);

}  // namespace rtl::import
