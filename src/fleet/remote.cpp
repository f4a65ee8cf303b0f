// SPDX-License-Identifier: MIT
#include "fleet/remote.h"

#include <algorithm>

#include "base/environment.h"
#include "dataset/table_writer.h"
#include "fleet/child.h"
#include "fleet/engine.h"
#include "fleet/quoted.h"

namespace rtl::fleet {

// The variable AWS_ENDPOINT_URL selects a store other than Amazon's.
const char kOpenStore[] = R"py(
def open_store(url):
    import os
    from pyarrow import fs
    endpoint = os.environ.get("AWS_ENDPOINT_URL")
    if url.startswith("s3://") and endpoint:
        scheme, _, host = endpoint.rpartition("://")
        store = fs.S3FileSystem(endpoint_override=host.rstrip("/"), scheme=scheme or "https")
        return store, url[len("s3://"):]
    return fs.FileSystem.from_uri(url)
)py";

namespace {

constexpr char kListScript[] = R"py(
import csv, sys
import pyarrow.parquet
from pyarrow import fs
try:
    store, root = open_store(sys.argv[1])
    root = root.rstrip("/")
    found = store.get_file_info(fs.FileSelector(root, recursive=True, allow_not_found=True))
except Exception as error:
    sys.exit("error: " + str(error).splitlines()[0])
writer = csv.writer(sys.stdout, lineterminator="\n")
keys = sys.argv[2:]
writer.writerow(["table", "name", "error", "rows", "first_start", "last_start", "columns", *keys])
for file in sorted(found, key=lambda file: file.path):
    parts = file.path[len(root) + 1:].split("/")
    if not file.is_file or len(parts) != 2 or parts[1].startswith(".") or not parts[1].endswith(".parquet"):
        continue
    row = [*parts, "", "", "", "", ""] + [""] * len(keys)
    try:
        footer = pyarrow.parquet.read_metadata(store.open_input_file(file.path))
        row[3] = footer.num_rows
        pairs = footer.metadata or {}
        row[6:] = [" ".join(footer.schema.names), *(pairs.get(key.encode(), b"").decode() for key in keys)]
        if "start" in footer.schema.names and footer.num_row_groups:
            column = footer.schema.names.index("start")
            extremes = [footer.row_group(group).column(column).statistics for group in range(footer.num_row_groups)]
            row[4] = min((each.min for each in extremes if each and each.has_min_max), default="")
            row[5] = max((each.max for each in extremes if each and each.has_min_max), default="")
    except Exception as error:
        row[2] = "it is cut off or damaged" if file.size else "it is empty"
    writer.writerow(row)
)py";

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) words.emplace_back(NextPart(&text, ' '));
  return words;
}

}  // namespace

Status ListRemote(const std::string& folder, std::vector<RemoteFile>* out) {
  const std::string python = FindInPath("python3");
  if (python.empty()) {
    return Status::Error("%s is read by python3 with pyarrow, and python3 is not in PATH",
                         folder.c_str());
  }
  const std::vector<std::string> keys = {
      dataset::kSchemaKey, dataset::kHostKey,      dataset::kWorldKey, dataset::kShiftKey,
      dataset::kFilesKey,  dataset::kSummariesKey, dataset::kEndKey};
  std::vector<std::string> command = {python, "-c", std::string(kOpenStore) + kListScript, folder};
  command.insert(command.end(), keys.begin(), keys.end());
  ChildOutput output;
  RTL_TRY(RunChild(command, "", &output));
  if (output.exit_code != 0) {
    std::string why = FirstComplaint(output);
    if (why.find("No module named") != std::string::npos) {
      why = "python3 needs pyarrow (pip install pyarrow)";
    }
    return Status::Error("%s: %s", folder.c_str(), why.c_str());
  }
  Result listed;
  RTL_TRY(ParseCsv(output.out, &listed));
  for (const auto& row : listed.rows) {
    RemoteFile& file = out->emplace_back();
    file.table = row[0];
    file.name = row[1];
    file.error = row[2];
    file.rows = NumberOf(row[3]).value_or(0);
    file.first_start = NumberOf(row[4]);
    file.last_start = NumberOf(row[5]);
    file.columns = Words(row[6]);
    for (size_t i = 0; i < keys.size(); ++i) file.pairs[keys[i]] = row[7 + i];
  }
  return Status::Ok();
}

}  // namespace rtl::fleet
