// SPDX-License-Identifier: MIT
// remote.h: reads datasets in an object store (s3://BUCKET/JOB) through python3 and pyarrow.
//
// Threads    one
// Blocking   until python3 has listed the files and read their footers
// Errors     one line: pyarrow is missing, or the store's error
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "fleet/scan.h"

namespace rtl::fleet {

// Lists the files DIR/TABLE/NAME of a dataset, sorted by table and name.
Status ListRemote(const std::string& folder, std::vector<RemoteFile>* out);

// Python code that defines open_store(url), which returns pyarrow's file system and the path in it.
extern const char kOpenStore[];

}  // namespace rtl::fleet
