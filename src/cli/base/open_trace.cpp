// SPDX-License-Identifier: MIT
#include "cli/base/open_trace.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include "analysis/text.h"
#include "cli/base/print.h"
#include "import/import.h"
#include "trace/read/printable.h"

namespace rtl::cli {
namespace {

namespace fs = std::filesystem;

// The databases made from foreign traces. They are removed when this program ends.
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
    std::vector<import::Source> sources;
    std::vector<std::string> others;
    RTL_TRY(import::FindSources(path, &sources, &others));
    if (sources.empty()) return import::NoTraceIn(path, others);
    SayNotUsed(path, others);
    const bool is_one = sources.size() == 1;
    RTL_TRY(import::CheckKnown(sources[0]));
    if (is_one && sources[0].format == import::Format::kTrace) {
      *database = sources[0].files[0];
      unpacked_.push_back(sources[0].unpacked);
    } else {
      RTL_TRY(Import(path, std::move(sources), database));
    }
    databases_.emplace(path, *database);
    return Status::Ok();
  }

 private:
  Status Import(const std::string& path, std::vector<import::Source> sources,
                std::string* database) {
    RTL_TRY(MakeFolder());
    const std::string output = folder_ + "/" + std::to_string(databases_.size()) + ".db";
    import::ImportResult result;
    RTL_TRY(import::ImportSources(std::move(sources),
                                  {.inputs = {path}, .output = output, .tool_version = RTL_VERSION},
                                  &result));
    for (const import::ImportedSource& one : result.sources) SayEarly(one);
    *database = result.written;
    return Status::Ok();
  }

  // A few kernels may begin before their call because of the error of the clocks. More are
  // reported.
  static void SayEarly(const import::ImportedSource& one) {
    constexpr uint64_t kFew = 20;  // a share of one in so many
    if (one.report.early * kFew <= one.report.kernels + one.report.copies) return;
    PrintNote(query::Printable(one.source.shown) + ": " + import::EarlyWork(one.report));
  }

  static void SayNotUsed(const std::string& folder, const std::vector<std::string>& others) {
    if (others.empty()) return;
    const bool is_one = others.size() == 1;
    PrintNote(query::Printable(folder) +
              ": not used: " + (is_one ? "a file" : analysis::Grouped(others.size()) + " files") +
              " without a trace, " + (is_one ? "" : "as ") + query::Printable(others.front()));
  }

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
  std::vector<std::shared_ptr<import::UnpackedFile>> unpacked_;
};

}  // namespace

Status DatabaseOf(const std::string& path, std::string* database) {
  static Imported imported;
  struct stat about;
  const bool is_there = stat(path.c_str(), &about) == 0;
  if (is_there && (S_ISREG(about.st_mode) || S_ISDIR(about.st_mode))) {
    return imported.Find(path, database);
  }
  *database = path;  // the reader of the database reports the error
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
