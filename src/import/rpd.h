// SPDX-License-Identifier: MIT
// rpd.h: imports databases of RPD (rocmProfileData), schema versions 2 and 3.
#pragma once

#include "base/status.h"
#include "import/foreign_database.h"
#include "import/imported_trace.h"

namespace rtl::import {

bool IsRpd(const ForeignDatabase& database);

// `known`: facts of a process from outside the file. `report`: sum over all processes of the file.
Status ImportRpd(ForeignDatabase* database, const ImportedProcess& known, ImportedTrace* trace,
                 ImportReport* report);

}  // namespace rtl::import
