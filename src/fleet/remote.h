// SPDX-License-Identifier: MIT
// remote.h: datasets in an object store (s3://BUCKET/JOB), which python3 reads with pyarrow.
//
// Threads    one
// Blocking   until python3 has listed the files and read their footers
// Errors     one line: pyarrow is missing, or what the store answered
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "fleet/scan.h"

namespace rtl::fleet {

// The files DIR/TABLE/NAME of a dataset, by table and name.
Status ListRemote(const std::string& folder, std::vector<RemoteFile>* out);

// Python: open_store(url) gives pyarrow's file system and the path in it.
extern const char kOpenStore[];

}  // namespace rtl::fleet
