// SPDX-License-Identifier: MIT
#include "cli/fleet/slice.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "base/environment.h"
#include "cli/base/print.h"
#include "cli/base/progress_bar.h"
#include "cli/convert/convert.h"
#include "export/earlier_file.h"
#include "import/imported_trace.h"
#include "report/page.h"
#include "trace/read/trace_reader.h"

namespace rtl::cli {
namespace {

constexpr char kPage[] = ".html";
constexpr char kDatabase[] = ".db";

int64_t Number(const std::string& text) {
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// A temporary database, which is removed with all of its files.
class TemporaryDatabase {
 public:
  TemporaryDatabase() {
    const char* const folder = EnvironmentValue("TMPDIR");
    path_ = fmt::format("{}/rtl-slice-{}.db", folder == nullptr ? "/tmp" : folder, getpid());
  }
  ~TemporaryDatabase() {
    std::error_code error;
    std::filesystem::remove(path_, error);
  }
  TemporaryDatabase(const TemporaryDatabase&) = delete;
  TemporaryDatabase& operator=(const TemporaryDatabase&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The kernels of a rank in a result.
struct RankRows {
  std::vector<const std::vector<std::string>*> rows;
  int64_t shift = 0;  // added to the rank's times to get the common clock
  bool is_aligned = false;
};

// `kernels` must live as long as it does.
class Slice {
 public:
  Slice(const fleet::Result& kernels, const fleet::FleetClocks& clocks, const FleetOptions& options)
      : clocks_(clocks), options_(options) {
    for (size_t i = 0; i < kernels.columns.size(); ++i) columns_[kernels.columns[i]] = i;
    for (const auto& row : kernels.rows) ranks_[Number(row[columns_["rank"]])].rows.push_back(&row);
  }

  Status WriteDatabase(const std::string& path) {
    Align();
    import::ImportedTrace trace;
    RTL_TRY(trace.Create(path));
    for (const auto& [rank, part] : ranks_) RTL_TRY(AddRank(rank, part, &trace));
    std::string written;
    return trace.Commit(RTL_VERSION, Title(), &written);
  }

  std::string Title() const {
    const auto step = options_.values.find("step");
    return fmt::format("step {} of {}, ranks {} to {}",
                       step == options_.values.end() ? "0" : step->second, options_.folders[0],
                       ranks_.begin()->first, ranks_.rbegin()->first);
  }

 private:
  int64_t Value(const std::vector<std::string>& row, const char* column) const {
    return Number(Text(row, column));
  }
  const std::string& Text(const std::vector<std::string>& row, const char* column) const {
    return row[columns_.at(column)];
  }
  int64_t FirstStart(const RankRows& part) const { return Value(*part.rows.front(), "start"); }

  // Each rank gets one shift. That is exact enough: a step is short, and clocks drift by 10 ns per
  // millisecond at most.
  void Align() {
    int64_t first = std::numeric_limits<int64_t>::max();
    for (auto& [rank, part] : ranks_) {
      const int64_t start = FirstStart(part);
      const fleet::FleetClock* const clock = clocks_.OfRank(std::to_string(rank));
      part.is_aligned = clock != nullptr && clock->aligned.source != analysis::ClockSource::kNone;
      if (!part.is_aligned) continue;
      part.shift = clock->aligned.ToReference(start) - start;
      first = std::min(first, start + part.shift);
    }
    if (first == std::numeric_limits<int64_t>::max()) first = FirstStart(ranks_.begin()->second);
    std::vector<std::string> alone;
    for (auto& [rank, part] : ranks_) {
      if (part.is_aligned) continue;
      part.shift = first - FirstStart(part);
      alone.push_back(std::to_string(rank));
    }
    if (alone.empty()) return;
    PrintNote(fmt::format(
        "the clock{} of rank{} {}{} not aligned: the step begins there with that "
        "of the others",
        alone.size() == 1 ? "" : "s", alone.size() == 1 ? "" : "s",
        fmt::join(alone.begin(), alone.begin() + std::min<ptrdiff_t>(std::ssize(alone), 8), ", "),
        alone.size() == 1  ? " is"
        : alone.size() > 8 ? ", ... are"
                           : " are"));
  }

  Status AddRank(int64_t rank, const RankRows& part, import::ImportedTrace* trace) const {
    const std::vector<std::string>& first = *part.rows.front();
    import::ImportedProcess facts;
    facts.format = "rtl fleet slice";
    facts.file = options_.folders[0];
    facts.command = fmt::format("rank {} on {}", rank, Text(first, "host"));
    facts.host = Text(first, "host");
    facts.pid = static_cast<uint32_t>(Value(first, "pid"));
    facts.rank = static_cast<int32_t>(rank);
    const size_t process = trace->BeginProcess(facts);
    for (const auto* row : part.rows) {
      const int64_t start = Value(*row, "start") + part.shift;
      import::ImportedKernel kernel;
      kernel.name = Text(*row, "name");
      kernel.device = static_cast<uint64_t>(Value(*row, "gpu"));
      kernel.stream = static_cast<uint64_t>(Value(*row, "queue"));
      kernel.start = start;
      kernel.end = start + Value(*row, "duration");
      if (!Text(*row, "submit").empty()) kernel.submitted = Value(*row, "submit") + part.shift;
      kernel.thread = static_cast<uint32_t>(Value(*row, "tid"));
      RTL_TRY(trace->Add(kernel));
    }
    return trace->EndProcess(process);
  }

  const fleet::FleetClocks& clocks_;
  const FleetOptions& options_;
  std::map<std::string, size_t, std::less<>> columns_;
  std::map<int64_t, RankRows> ranks_;
};

}  // namespace

bool IsTimeline(const std::string& output) {
  return output.ends_with(kPage) || output.ends_with(kDatabase) || output.ends_with(".pftrace") ||
         output.ends_with(".pftrace.gz");
}

Status WriteSlice(const fleet::Result& kernels, const fleet::FleetClocks& clocks,
                  const FleetOptions& options) {
  if (kernels.rows.empty()) {
    return Status::Error(
        "no kernel of that step and of these ranks is there; rtl fleet steps lists "
        "the steps, and --set first=0 --set last=63 choose ranks");
  }
  const std::string& output = options.output;
  Slice slice(kernels, clocks, options);
  if (output.ends_with(kDatabase)) {
    RTL_TRY(exporting::CheckReplaceable(exporting::FileKind::kTrace, output));
    return slice.WriteDatabase(output);
  }
  const TemporaryDatabase database;
  RTL_TRY(slice.WriteDatabase(database.path()));
  if (!output.ends_with(kPage)) {
    return Convert({.files = {database.path()}, .to = ConvertTo::kPftrace, .output = output});
  }
  RTL_TRY(exporting::CheckReplaceable(exporting::FileKind::kPage, output));
  std::unique_ptr<query::TraceReader> trace;
  RTL_TRY(query::TraceReader::Open(database.path(), &trace));
  trace->ShowAs(output);
  ProgressBar bar(output, kernels.rows.size());
  return report::WritePage(*trace, output, [&](uint64_t done) { bar.Update(done); },
                           {.selection = slice.Title()});
}

}  // namespace rtl::cli
