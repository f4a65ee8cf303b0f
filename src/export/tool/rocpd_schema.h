// SPDX-License-Identifier: MIT
// rocpd_schema.h: the SQL that makes an empty rocpd database.
#pragma once

#include <string>

namespace rtl::exporting::tool {

// `guid` with dashes; it is in every row, and in the names of the tables with underscores.
std::string RocpdSchemaSql(const std::string& guid);
std::string TableOf(const char* name, const std::string& guid);  // "rocpd_event_0192f0c1_…"

}  // namespace rtl::exporting::tool
