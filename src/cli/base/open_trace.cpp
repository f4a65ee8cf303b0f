// SPDX-License-Identifier: MIT
#include "cli/base/open_trace.h"

#include <errno.h>
#include <stdlib.h>

#include <filesystem>
#include <map>
#include <vector>

#include "import/import.h"

namespace rtl::cli {
namespace {

namespace fs = std::filesystem;

// The databases made of foreign traces; removed with this program.
class Imported {
 public:
  ~Imported() {
    std::error_code ignored;  // a leftover folder does no harm
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }

  Status Find(const std::string& path, std::string* database) {
    const auto known = databases_.find(path);
    if (known != databases_.end()) {
      *database = known->second;
      return Status::Ok();
    }
    RTL_TRY(MakeFolder());
    const std::string output = folder_ + "/" + std::to_string(databases_.size()) + ".db";
    std::vector<import::ImportedFile> files;
    RTL_TRY(import::ImportTraces({.files = {path}, .output = output, .tool_version = RTL_VERSION},
                                 &files, database));
    databases_.emplace(path, *database);
    return Status::Ok();
  }

 private:
  Status MakeFolder() {
    if (!folder_.empty()) return Status::Ok();
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    std::string pattern = (error ? fs::path("/tmp") : parent) / "rtl-import-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) {
      return Status::ErrnoError(errno, "cannot make a directory for the imported trace");
    }
    folder_ = pattern;
    return Status::Ok();
  }

  std::string folder_;
  std::map<std::string, std::string> databases_;
};

}  // namespace

Status DatabaseOf(const std::string& path, std::string* database) {
  static Imported imported;
  import::Format format = import::Format::kUnknown;
  RTL_TRY(import::FindFormat(path, &format));
  if (format == import::Format::kChrome) return imported.Find(path, database);
  *database = path;
  return Status::Ok();
}

Status OpenTrace(const std::string& path, std::unique_ptr<query::TraceReader>* out) {
  std::string database;
  RTL_TRY(DatabaseOf(path, &database));
  RTL_TRY(query::TraceReader::Open(database, out));
  (*out)->ShowAs(path);
  return Status::Ok();
}

}  // namespace rtl::cli
