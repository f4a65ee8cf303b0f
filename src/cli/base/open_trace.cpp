// SPDX-License-Identifier: MIT
#include "cli/base/open_trace.h"

#include <sys/stat.h>

#include <map>
#include <memory>
#include <vector>

#include "analysis/text.h"
#include "cli/base/print.h"
#include "cli/base/temporary_folder.h"
#include "import/import.h"
#include "trace/read/printable.h"

namespace rtl::cli {
namespace {

// The databases made from foreign traces. They are removed when this program ends.
class Imported {
 public:
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
    if (!others.empty()) PrintNote(query::Printable(path) + ": " + NotUsed(others));
    RTL_TRY(import::CheckKnown(sources[0]));
    if (sources.size() == 1 && sources[0].format == import::Format::kTrace) {
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
    if (folder_.path().empty()) RTL_TRY(folder_.Make("rtl-import", "the imported trace"));
    const std::string output = folder_.path() + "/" + std::to_string(databases_.size()) + ".db";
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

  TemporaryFolder folder_;
  std::map<std::string, std::string> databases_;
  std::vector<std::shared_ptr<import::UnpackedFile>> unpacked_;
};

}  // namespace

std::string NotUsed(const std::vector<std::string>& files) {
  const bool is_one = files.size() == 1;
  return "not used: " + (is_one ? "a file" : analysis::Grouped(files.size()) + " files") +
         " without a trace, " + (is_one ? "" : "as ") + query::Printable(files.front());
}

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
