// SPDX-License-Identifier: MIT
// rpd.h: databases of RPD (rocmProfileData), schema versions 2 and 3.
#pragma once

#include "base/status.h"
#include "import/foreign_database.h"
#include "import/imported_trace.h"

namespace rtl::import {

bool IsRpd(const ForeignDatabase& database);

// `known`: what is known of a process without the file. `report`: of all processes of the file.
Status ImportRpd(ForeignDatabase* database, const ImportedProcess& known, ImportedTrace* trace,
                 ImportReport* report);

}  // namespace rtl::import
