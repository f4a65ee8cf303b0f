// SPDX-License-Identifier: MIT
#include "export/tool/output_set.h"

#include <errno.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "trace/read/error.h"

namespace rtl::exporting::tool {
namespace fs = std::filesystem;

Status OutputSet::MakeFolder(const std::string& path) {
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty()) fs::create_directories(folder, error);
  return error ? query::FileErrno(folder.string(), "cannot be made", error.value()) : Status::Ok();
}

Status OutputSet::Open(std::string_view name, OutputFile** out) {
  const std::string path = PathOf(name);
  RTL_TRY(MakeFolder(path));
  std::unique_ptr<OutputFile> file;
  RTL_TRY(OutputFile::Open(path, &file));
  *out = file.get();
  files_.emplace_back(path, std::move(file));
  return Status::Ok();
}

Status OutputSet::Reserve(std::string_view name, std::string* temporary) {
  const fs::path path = PathOf(name);
  RTL_TRY(MakeFolder(path.string()));
  const std::string hidden =
      "." + path.stem().string() + "." + std::to_string(getpid()) + path.extension().string();
  *temporary = (path.parent_path() / hidden).string();
  reserved_.push_back({*temporary, path.string()});
  return Status::Ok();
}

Status OutputSet::Commit() {
  // Every file is flushed first, because a full disk shows only when buffers are written.
  for (const auto& [path, file] : files_) RTL_TRY(file->Flush());
  for (const auto& [path, file] : files_) {
    RTL_TRY(file->Commit());
    written_.push_back(path);
  }
  files_.clear();
  while (!reserved_.empty()) {
    const Reserved& one = reserved_.back();
    std::error_code ignored;
    if (fs::is_directory(one.temporary, ignored))
      fs::remove_all(one.path, ignored);  // the folder of an earlier run
    if (rename(one.temporary.c_str(), one.path.c_str()) != 0) {
      return query::FileErrno(one.path, "cannot be written", errno);
    }
    written_.push_back(one.path);
    reserved_.pop_back();
  }
  return Status::Ok();
}

OutputSet::~OutputSet() {
  std::error_code ignored;
  for (const Reserved& one : reserved_) fs::remove_all(one.temporary, ignored);
}

}  // namespace rtl::exporting::tool
