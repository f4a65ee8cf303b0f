// SPDX-License-Identifier: MIT
// rocpd_schema.h: makes the SQL of an empty rocpd database.
#pragma once

#include <string>

namespace rtl::exporting::tool {

// `guid` with dashes; it is in every row, and in the names of the tables with underscores.
std::string RocpdSchemaSql(const std::string& guid);
// for example "rocpd_event_0192f0c1_…"
std::string TableOf(const char* name, const std::string& guid);

}  // namespace rtl::exporting::tool
