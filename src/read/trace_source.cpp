// SPDX-License-Identifier: MIT
#include "read/trace_source.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "export/merge.h"
#include "import/import.h"

namespace rtl::read {
namespace {

namespace fs = std::filesystem;

}  // namespace

TraceSource::~TraceSource() {
  std::error_code ignored;  // a leftover folder does no harm
  // A forked child has a copy of this object but must not delete the files.
  if (!folder_.empty() && process_ == getpid()) fs::remove_all(folder_, ignored);
}

Status TraceSource::Open(const std::vector<std::string>& files, std::shared_ptr<TraceSource>* out) {
  if (files.empty()) return Status::Error("no file of a trace was given");
  const std::shared_ptr<TraceSource> source(new TraceSource());
  const auto datasets = std::ranges::count_if(files, Dataset::IsIn);
  if (datasets == std::ssize(files)) {
    RTL_TRY(Dataset::Open(files, &source->dataset_));
    source->notes_ = source->dataset_->notes();
    *out = source;
    return Status::Ok();
  }
  if (datasets > 0) {
    return Status::Error("%s: a dataset of Parquet files is not read together with a trace",
                         std::ranges::find_if(files, Dataset::IsIn)->c_str());
  }
  RTL_TRY(source->MakeDatabase(files));
  // An absolute path, because the process may change its working directory.
  std::error_code error;
  const fs::path absolute = fs::absolute(source->database_, error);
  if (!error) source->database_ = absolute;
  std::unique_ptr<query::TraceReader> reader;  // opening it checks that the file is a trace
  RTL_TRY(source->MakeReader(&reader));
  *out = source;
  return Status::Ok();
}

Status TraceSource::MakeDatabase(const std::vector<std::string>& files) {
  name_ = files[0];
  if (files.size() == 1) return DatabaseOf(files[0], &database_);
  std::vector<std::string> databases;
  for (const std::string& file : files) RTL_TRY(DatabaseOf(file, &databases.emplace_back()));
  name_ += " and " + std::to_string(files.size() - 1) + " more";
  RTL_TRY(MakePath(&database_));
  return exporting::MergeTraces(
      {.files = databases, .output = database_, .tool_version = RTL_VERSION}, [](uint64_t) {},
      nullptr, &notes_);
}

// Finds the database in the same way as the verbs of the command line.
Status TraceSource::DatabaseOf(const std::string& file, std::string* database) {
  *database = file;
  std::error_code error;
  const fs::file_status about = fs::status(file, error);
  if (!fs::is_regular_file(about) && !fs::is_directory(about)) return Status::Ok();
  std::vector<import::Source> sources;
  std::vector<std::string> others;
  RTL_TRY(import::FindSources(file, &sources, &others));
  if (sources.empty()) return import::NoTraceIn(file, others);
  RTL_TRY(import::CheckKnown(sources[0]));
  if (sources.size() == 1 && sources[0].format == import::Format::kTrace) {
    *database = sources[0].files[0];
    unpacked_.push_back(sources[0].unpacked);
    return Status::Ok();
  }
  std::string output;
  RTL_TRY(MakePath(&output));
  import::ImportResult result;
  RTL_TRY(import::ImportSources(std::move(sources),
                                {.inputs = {file}, .output = output, .tool_version = RTL_VERSION},
                                &result));
  *database = result.written;
  return Status::Ok();
}

Status TraceSource::MakePath(std::string* path) {
  if (folder_.empty()) {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    std::string pattern = (error ? fs::path("/tmp") : parent) / "rtl-read-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) {
      return Status::ErrnoError(errno, "cannot make a directory for the trace");
    }
    folder_ = pattern;
  }
  *path = folder_ + "/" + std::to_string(made_++) + ".db";
  return Status::Ok();
}

Status TraceSource::MakeReader(std::unique_ptr<query::TraceReader>* out) const {
  RTL_TRY(query::TraceReader::Open(database_, out));
  (*out)->ShowAs(name_);
  return Status::Ok();
}

}  // namespace rtl::read
