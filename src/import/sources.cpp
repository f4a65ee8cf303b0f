// SPDX-License-Identifier: MIT
#include "import/sources.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "import/foreign_database.h"
#include "import/perfetto_events.h"
#include "import/readers.h"
#include "import/text_input.h"
#include "import/xplane.h"

namespace rtl::import {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLookedAt = size_t{64} << 10;
constexpr int kDeepestFolder = 8;
constexpr size_t kMostFiles = 100'000;

Status ReadBegin(const std::string& path, std::string* begin, bool* is_compressed) {
  TextInput input;
  RTL_TRY(input.Open(path));
  begin->resize(kLookedAt);
  begin->resize(input.Read(begin->data(), kLookedAt));
  *is_compressed = input.is_compressed();
  return input.status();
}

Format FormatOfJson(std::string_view begin) {
  const auto has = [&](std::string_view text) {
    return begin.find(text) != std::string_view::npos;
  };
  if (has("\"rocprofiler-sdk-tool\"")) return Format::kRocprofv3Json;
  if (has("\"otherData\"") && has("\"boot_id\"")) return Format::kOwnChrome;
  if (has("\"highres-ticks\"") || has("\"/host:CPU\"") || has("\"/device:")) return Format::kJax;
  return Format::kTorch;
}

// For a file that may hold a trace in a form that is not imported: what the form is, and what to
// do. Empty for other files.
std::string OtherForm(std::string_view begin) {
  constexpr std::pair<std::string_view, const char*> kForms[] = {
      {"PK\x03\x04", "a zip archive: unpack it first (unzip)"},
      {"\xfd\x37zXZ", "compressed by xz: unpack it first (xz -d)"},
      {"BZh", "compressed by bzip2: unpack it first (bzip2 -d)"},
      {"\x04\x22\x4d\x18", "compressed by lz4: unpack it first (lz4 -d)"},
      {"\x1f\x8b", "compressed twice: unpack it first (gzip -d)"},
      {{"\xff\xfe\0\0", 4}, "a text in UTF-32: convert it first (iconv -f UTF-32 -t UTF-8)"},
      {"\xff\xfe", "a text in UTF-16: convert it first (iconv -f UTF-16 -t UTF-8)"},
      {"\xfe\xff", "a text in UTF-16: convert it first (iconv -f UTF-16 -t UTF-8)"},
      {{"{\0", 2}, "a text in UTF-16: convert it first (iconv -f UTF-16LE -t UTF-8)"},
      {"version https://git-lfs.github.com/", "not the trace, but its pointer: run git lfs pull"}};
  for (const auto& [mark, what] : kForms) {
    if (begin.starts_with(mark)) return what;
  }
  constexpr size_t kTarMark = 257;  // after the name of the archive's first file
  if (begin.size() > kTarMark && begin.substr(kTarMark).starts_with("ustar")) {
    return "a tar archive: unpack it first (tar -xf)";
  }
  return "";
}

// A database that is of no known tool gets the format kTrace: the reader of this project's traces
// then reports what it is.
void LookIntoDatabase(const std::string& path, Source* source) {
  source->format = Format::kTrace;
  source->is_trace = true;
  ForeignDatabase database;
  if (!database.Open(path, path).ok()) return;
  if (IsRocpd(database)) source->format = Format::kRocpd;
  if (IsRpd(database)) source->format = Format::kRpd;
  // A folder of traces may contain databases of the traced programs.
  source->is_trace = source->format != Format::kTrace || database.HasTable("rtl_process");
  if (!source->is_trace && database.HasTable("StringIds") &&
      (database.HasTable("META_DATA_EXPORT") || database.HasTable("TARGET_INFO_SYSTEM_ENV"))) {
    source->format = Format::kUnknown;
    source->why = "a database of Nsight Systems, which is not read";
  }
}

Status FindSource(const std::string& path, Source* source) {
  source->shown = path;
  source->files = {path};
  std::string begin;
  bool is_compressed = false;
  RTL_TRY(ReadBegin(path, &begin, &is_compressed));
  if (begin.starts_with("SQLite format 3")) {
    if (is_compressed) {
      source->unpacked = std::make_shared<UnpackedFile>();
      RTL_TRY(source->unpacked->Make(path));
      source->files = {source->unpacked->path()};
    }
    LookIntoDatabase(source->files[0], source);
    return Status::Ok();
  }
  if (begin.starts_with("PAR1")) {
    source->why = "a Parquet file; rtl fleet reads the folder of its dataset";
    return Status::Ok();
  }
  if (IsPerfetto(begin)) {
    source->format = Format::kOwnPerfetto;
    source->is_trace = begin.find("submit_tid") != std::string::npos;
    return Status::Ok();
  }
  if (IsXPlane(begin)) {
    source->format = Format::kXPlane;
    source->is_trace = true;
    return Status::Ok();
  }
  source->why = OtherForm(begin);
  if (!source->why.empty()) return Status::Ok();
  const size_t first = begin.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (first == std::string::npos) source->why = "an empty file";
  if (begin.starts_with('\0') && begin.find_first_not_of('\0') == std::string::npos) {
    source->why = "a file of zeros";  // a crash of the machine leaves such files
  }
  const bool is_json = first != std::string::npos && (begin[first] == '{' || begin[first] == '[');
  if (!source->why.empty()) return Status::Ok();
  if (is_json) {
    source->format = FormatOfJson(begin);
    // JSON that is no trace is rejected by name if it was given itself, and skipped in a folder.
    // Later members are enough to accept it, because the description of a large job may come before
    // the events.
    constexpr const char* kMarks[] = {"\"traceEvents\"", "\"ph\"", "\"distributedInfo\"",
                                      "\"deviceProperties\""};
    source->is_trace = source->format != Format::kTorch ||
                       std::any_of(std::begin(kMarks), std::end(kMarks), [&](const char* mark) {
                         return begin.find(mark) != std::string::npos;
                       });
  } else if (IsRocprofv3Csv(begin)) {
    source->format = Format::kRocprofv3Csv;
    source->is_trace = true;
  }
  return Status::Ok();
}

// A file that is there by several names, as by a link "latest", is one trace.
void LeaveLinks(std::vector<std::string>* files) {
  std::set<std::pair<dev_t, ino_t>> known;
  for (const bool links : {false, true}) {
    std::erase_if(*files, [&](const std::string& file) {
      struct stat about;
      std::error_code error;
      if (fs::is_symlink(file, error) != links || stat(file.c_str(), &about) != 0) return false;
      return !known.insert({about.st_dev, about.st_ino}).second;
    });
  }
}

// The folders that contain `folder`. A link to one of them leads out of `folder`.
std::set<std::pair<dev_t, ino_t>> FoldersAround(const std::string& folder) {
  std::set<std::pair<dev_t, ino_t>> around;
  std::error_code error;
  fs::path path = fs::canonical(folder, error);
  struct stat about;
  while (!error && path.has_relative_path()) {
    path = path.parent_path();
    if (stat(path.c_str(), &about) == 0) around.insert({about.st_dev, about.st_ino});
  }
  return around;
}

// The files of a folder, sorted by path. *closed: subfolders that could not be read or are too
// deep.
Status ListFiles(const std::string& folder, std::vector<std::string>* files,
                 std::vector<std::string>* closed) {
  std::set<std::pair<dev_t, ino_t>> seen = FoldersAround(folder);  // a link may lead back
  struct Folder {
    fs::path path;
    int depth;
  };
  // Links come last, so a folder goes by its own name if it has one.
  std::deque<Folder> folders = {{folder, 0}}, links;
  while (!folders.empty() || !links.empty()) {
    if (folders.empty()) {
      std::sort(links.begin(), links.end(),
                [](const Folder& a, const Folder& b) { return a.path < b.path; });
    }
    std::deque<Folder>& from = folders.empty() ? links : folders;
    const Folder next = std::move(from.front());
    from.pop_front();
    struct stat about;
    if (stat(next.path.c_str(), &about) != 0) continue;
    if (!seen.insert({about.st_dev, about.st_ino}).second) continue;
    std::error_code error;
    fs::directory_iterator at(next.path, error);
    if (error && next.depth == 0) {
      return Status::Error("%s: %s", folder.c_str(), error.message().c_str());
    }
    if (error || next.depth > kDeepestFolder) {
      closed->push_back(next.path.string());
      continue;
    }
    for (; at != fs::directory_iterator(); at.increment(error)) {
      if (at->path().filename().string().starts_with('.')) continue;
      if (at->is_directory(error)) {
        (at->is_symlink(error) ? links : folders).push_back({at->path(), next.depth + 1});
      } else if (at->is_regular_file(error)) {
        files->push_back(at->path().string());
      }
      if (files->size() > kMostFiles) {
        return Status::Error("%s: has more than %zu files", folder.c_str(), kMostFiles);
      }
    }
    if (error) return Status::Error("%s: %s", next.path.c_str(), error.message().c_str());
  }
  std::sort(files->begin(), files->end());
  LeaveLinks(files);
  return Status::Ok();
}

// The ending with that of compression: ".json", ".json.gz".
std::string EndingOf(const std::string& file) {
  fs::path name = fs::path(file).filename();
  const std::string last = name.extension();
  if (last != ".gz" && last != ".zst") return last;
  return name.stem().extension().string() + last;
}

// An empty file, or one that only stands for another, is rejected if its ending is that of a trace:
// it may be a rank's trace.
Status CheckOthers(const std::vector<Source>& traces, const std::vector<Source>& others) {
  for (const Source& other : others) {
    const std::string ending = EndingOf(other.shown);
    for (const Source& trace : traces) {
      const auto is_alike = [&](const std::string& file) { return EndingOf(file) == ending; };
      if (std::any_of(trace.files.begin(), trace.files.end(), is_alike)) return CheckKnown(other);
    }
  }
  return Status::Ok();
}

// Leaves files out whose events are in another file, too. jax.profiler writes HOST.xplane.pb with
// all events, HOST.trace.json.gz with a million of them at most, and perfetto_trace.json.gz with
// those of either. A file may also lie beside its compressed copy.
void LeaveDoubles(std::vector<std::string>* files) {
  constexpr std::string_view kXPlane = ".xplane.pb", kJson = ".trace.json.gz",
                             kPerfetto = "perfetto_trace.json.gz";
  const std::vector<std::string> all = *files;
  std::erase_if(*files, [&](const std::string& file) {
    const fs::path path(file);
    const bool is_perfetto = path.filename() == kPerfetto;
    return std::any_of(all.begin(), all.end(), [&](const std::string& other) {
      if (other == file || fs::path(other).parent_path() != path.parent_path()) return false;
      if (file == other + ".gz" || file == other + ".zst") return true;
      if (is_perfetto) return other.ends_with(kJson) || other.ends_with(kXPlane);
      return file.ends_with(kJson) && other.ends_with(kXPlane) &&
             std::string_view(file).substr(0, file.size() - kJson.size()) ==
                 std::string_view(other).substr(0, other.size() - kXPlane.size());
    });
  });
}

}  // namespace

const char* FormatName(Format format) {
  constexpr const char* kNames[] = {
      "rtl",       "torch.profiler", "jax.profiler", "rtl", "rtl",    "jax.profiler",
      "rocprofv3", "rocprofv3",      "rocprofv3",    "RPD", "unknown"};
  return kNames[static_cast<size_t>(format)];
}

UnpackedFile::~UnpackedFile() {
  // A forked child has a copy of this object but must not delete the file. A leftover file does no
  // harm.
  if (!path_.empty() && process_ == getpid()) (void)unlink(path_.c_str());
}

Status UnpackedFile::Make(const std::string& packed) {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  path_ = (error ? fs::path("/tmp") : parent) / "rtl-unpacked-XXXXXX";
  const int fd = mkstemp(path_.data());
  if (fd < 0) {
    path_.clear();
    return Status::ErrnoError(errno, "cannot make a file for the unpacked trace");
  }
  FILE* const out = fdopen(fd, "wb");
  TextInput input;
  Status status = input.Open(packed);
  while (status.ok()) {
    input.Mark();
    const std::string_view piece = input.ConsumePiece();
    if (piece.empty()) break;
    if (fwrite(piece.data(), 1, piece.size(), out) != piece.size()) {
      status = Status::ErrnoError(errno, "cannot write the unpacked trace");
    }
  }
  if (fclose(out) != 0 && status.ok()) {
    status = Status::ErrnoError(errno, "cannot write the unpacked trace");
  }
  return status.ok() ? input.status() : status;
}

Status FindSources(const std::string& path, std::vector<Source>* sources,
                   std::vector<std::string>* others) {
  struct stat about;
  if (stat(path.c_str(), &about) != 0) return Status::ErrnoError(errno, "%s", path.c_str());
  const bool is_folder = S_ISDIR(about.st_mode);
  if (!is_folder && !S_ISREG(about.st_mode)) {
    return Status::Error("%s: a pipe or a device, not a file: write its contents to a file first",
                         path.c_str());
  }
  std::vector<std::string> files = {path};
  if (is_folder) {
    files.clear();
    RTL_TRY(ListFiles(path, &files, others));
  }
  LeaveDoubles(&files);
  std::map<std::string, size_t> stems;  // index of a source, by the stem of its CSV files
  std::vector<Source> suspects;         // files that are no traces for a known reason
  for (const std::string& file : files) {
    Source source;
    // An error, because a file that cannot be read may be a rank's trace.
    RTL_TRY(FindSource(file, &source));
    if (is_folder && !source.is_trace) {
      others->push_back(file);
      if (!source.why.empty()) suspects.push_back(std::move(source));
      continue;
    }
    if (source.format == Format::kRocprofv3Csv) {
      const auto [known, is_new] = stems.try_emplace(Rocprofv3CsvStem(file), sources->size());
      if (!is_new) {
        Source& process = (*sources)[known->second];
        process.files.push_back(file);
        process.shown = known->first + "*";
        continue;
      }
    }
    sources->push_back(std::move(source));
  }
  return CheckOthers(*sources, suspects);
}

Status CheckKnown(const Source& source) {
  if (source.format != Format::kUnknown) return Status::Ok();
  const char* const why =
      source.why.empty() ? "not a trace (of rtl, torch.profiler, jax.profiler, rocprofv3 or RPD)"
                         : source.why.c_str();
  return Status::Error("%s: %s", source.shown.c_str(), why);
}

Status NoTraceIn(const std::string& folder, const std::vector<std::string>& others) {
  const bool is_dataset = std::any_of(others.begin(), others.end(), [](const std::string& file) {
    return file.ends_with(".parquet");
  });
  return Status::Error("%s: %s", folder.c_str(),
                       is_dataset ? "Parquet files, not a trace: rtl fleet reads a dataset"
                                  : "a directory without a trace");
}

int32_t RankInName(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (size_t at = name.find("rank"); at != std::string::npos; at = name.find("rank", at + 1)) {
    size_t digit = at + 4;
    if (digit < name.size() && (name[digit] == '-' || name[digit] == '_' || name[digit] == '.'))
      ++digit;
    int32_t rank = 0;
    const size_t begin = digit;
    for (; digit < name.size() && name[digit] >= '0' && name[digit] <= '9'; ++digit) {
      if (rank > 1'000'000) return -1;
      rank = rank * 10 + (name[digit] - '0');
    }
    if (digit != begin) return rank;
  }
  return -1;
}

}  // namespace rtl::import
