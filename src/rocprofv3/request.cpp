// SPDX-License-Identifier: MIT
#include "rocprofv3/request.h"

#include <stdlib.h>

#include <charconv>
#include <filesystem>
#include <sstream>

#include "base/text.h"
#include "cli/base/counter_choice.h"
#include "cli/base/print.h"

namespace rtl::v3 {
namespace {

namespace fs = std::filesystem;

using exporting::tool::AgentIndex;
using exporting::tool::Domain;
using exporting::tool::KernelNames;
using exporting::tool::Period;
using exporting::tool::SummaryUnit;

// Options that turn on several domains. Each domain names those that turn it on.
enum Aggregate : uint8_t { kRuntime = 1, kSystem = 2, kHipAll = 4, kHsaAll = 8 };
struct Part {
  const char* key;
  uint8_t of;
  const char* text;               // for messages; null: none
  const char* library = nullptr;  // if not null, calls of this library are not recorded
};
constexpr Part kParts[] = {
    {"hip_runtime_trace", kRuntime | kSystem | kHipAll, "HIP calls"},
    {"hip_compiler_trace", kSystem | kHipAll, "HIP compiler calls"},
    {"marker_trace", kRuntime | kSystem, "markers"},
    {"kernel_trace", kRuntime | kSystem, "kernels"},
    {"memory_copy_trace", kRuntime | kSystem, "copies"},
    {"memory_allocation_trace", kRuntime | kSystem, "memory allocations"},
    {"scratch_memory_trace", kRuntime | kSystem, "scratch memory"},
    {"hsa_core_trace", kSystem | kHsaAll, "HSA calls"},
    {"hsa_amd_trace", kSystem | kHsaAll, nullptr},
    {"hsa_image_trace", kSystem | kHsaAll, nullptr},
    {"hsa_finalizer_trace", kSystem | kHsaAll, nullptr},
    {"rccl_trace", kRuntime | kSystem, "RCCL calls"},
    {"rocdecode_trace", kRuntime | kSystem, "rocDecode calls", "librocdecode.so"},
    {"rocjpeg_trace", kRuntime | kSystem, "rocJPEG calls", "librocjpeg.so"},
};

std::vector<std::string> LibraryFolders() {
  std::vector<std::string> folders;
  if (const char* const paths = getenv("LD_LIBRARY_PATH"); paths != nullptr) {
    std::istringstream list(paths);
    for (std::string path; std::getline(list, path, ':');) folders.push_back(path);
  }
  for (const char* name : {"ROCM_PATH", "ROCM_HOME"}) {
    if (const char* const root = getenv(name); root != nullptr) {
      folders.push_back(std::string(root) + "/lib");
    }
  }
  for (const char* path :
       {"/opt/rocm/lib", "/usr/lib", "/usr/lib64", "/usr/lib/x86_64-linux-gnu", "/usr/local/lib"}) {
    folders.emplace_back(path);
  }
  return folders;
}

// The path of a file whose name begins with `name` ("librocdecode.so"). Searches the loader's
// folders and ROCm's. Empty: there is none.
std::string FindInstalled(const std::string& name) {
  for (const std::string& folder : LibraryFolders()) {
    std::error_code none;
    for (auto file = fs::directory_iterator(folder, none); !none && file != fs::end(file);
         file.increment(none)) {
      if (file->path().filename().string().starts_with(name)) return file->path().string();
    }
  }
  return "";
}

// Whether a domain is on. Its own setting takes precedence over those of aggregates.
class Parts {
 public:
  explicit Parts(const Settings& settings) : settings_(settings) {
    const struct {
      const char* key;
      Aggregate of;
    } kSwitches[] = {{"runtime_trace", kRuntime},
                     {"sys_trace", kSystem},
                     {"hip_trace", kHipAll},
                     {"hsa_trace", kHsaAll}};
    for (const auto& [key, of] : kSwitches) {
      if (settings.IsOn(key)) on_ |= of;
      if (settings.IsOff(key)) off_ |= of;
    }
  }
  bool IsOn(const Part& part) const {
    if (settings_.Has(part.key)) return settings_.IsOn(part.key);
    return (part.of & on_) != 0 && (part.of & off_) == 0;
  }
  bool IsOn(std::string_view key) const {
    for (const Part& part : kParts) {
      if (key == part.key) return IsOn(part);
    }
    return false;
  }
  // Checks domains whose calls are not intercepted. If the library is not installed, there can be
  // no calls. If it is, a domain that was requested by name is an error, and one of an aggregate is
  // left out.
  Status CheckLibraries(std::vector<std::string>* notes) const {
    std::string left_out;
    for (const Part& part : kParts) {
      if (part.library == nullptr || !IsOn(part)) continue;
      const std::string path = FindInstalled(part.library);
      const char* const name = FindKey(part.key)->name;
      if (!settings_.Has(part.key)) {
        if (!path.empty()) left_out += (left_out.empty() ? "" : ", ") + std::string(part.text);
        continue;
      }
      if (!path.empty()) {
        return Status::Error("%s is not supported: %s are not intercepted, and %s is installed",
                             name, part.text, path.c_str());
      }
      notes->push_back(std::string(name) + ": no calls, because " + part.library +
                       " is not installed");
    }
    if (!left_out.empty()) {
      notes->push_back(std::string(aggregate()) + " leaves out unsupported events: " + left_out);
    }
    return Status::Ok();
  }
  const char* aggregate() const { return (on_ & kSystem) != 0 ? "--sys-trace" : "--runtime-trace"; }

 private:
  const Settings& settings_;
  uint8_t on_ = 0;
  uint8_t off_ = 0;
};

Status RefuseUnserved(const Settings& settings) {
  for (const Option& option : Options()) {
    if (option.served == Served::kYes || !settings.Has(option.key)) continue;
    const bool is_switch = option.takes == Takes::kSwitch || option.takes == Takes::kGroups;
    if (is_switch && settings.IsOff(option.key)) continue;
    return Status::Error("%s is not supported: %s", *option.name == '\0' ? option.key : option.name,
                         option.text);
  }
  return Status::Ok();
}

// As in AMD's tool, sampling needs all three values, and the option that enables it.
Status ResolveSampling(const Settings& settings, Request* out) {
  const std::string& method = settings.Word("pc_sampling_method");
  const std::string& unit = settings.Word("pc_sampling_unit");
  const std::string& interval = settings.Word("pc_sampling_interval");
  const bool asked = !method.empty() || !unit.empty() || !interval.empty();
  if (!asked) return Status::Ok();
  if (!settings.IsOn("pc_sampling_beta_enabled"))
    return Status::Error("PC sampling needs --pc-sampling-beta-enabled");
  if (method.empty() || unit.empty() || interval.empty())
    return Status::Error(
        "PC sampling needs --pc-sampling-method, --pc-sampling-unit and --pc-sampling-interval");
  if (method != "host_trap")
    return Status::Error("--pc-sampling-method %s is not supported: only host_trap is",
                         method.c_str());
  if (unit != "time")
    return Status::Error("--pc-sampling-unit %s does not fit host_trap, whose unit is time",
                         unit.c_str());
  if (settings.Number("pc_sampling_interval") < 1)
    return Status::Error("--pc-sampling-interval takes microseconds, at least 1");
  if (!out->counters.empty())
    return Status::Error("PC sampling and --pmc exclude each other: run the program twice");
  out->pc_sampling_us = static_cast<uint64_t>(settings.Number("pc_sampling_interval"));
  out->tool.samples = true;
  return Status::Ok();
}

void ResolveFormats(const Settings& settings, bool old, Formats* out) {
  std::vector<std::string> words = settings.Words("output_format");
  if (words.empty()) words.push_back(old ? "csv" : "rocpd");
  for (const std::string& word : words) {
    if (word == "csv") out->csv = true;
    if (word == "json") out->json = true;
    if (word == "pftrace") out->pftrace = true;
    if (word == "otf2") out->otf2 = true;
    if (word == "rocpd") out->rocpd = true;
    if (word == "db") out->db = true;
  }
}

// Accepts options for the buffer of Perfetto's library. That library loses events when its buffer
// is full; this writer has no such buffer.
Status CheckPerfetto(const Settings& settings, const Formats& formats,
                     std::vector<std::string>* notes) {
  if (settings.Word("perfetto_backend") == "system") {
    return Status::Error(
        "--perfetto-backend system is not supported: the timeline is written into a file, not sent "
        "to "
        "a daemon");
  }
  std::string named;
  for (const char* key :
       {"perfetto_buffer_size", "perfetto_shmem_size_hint", "perfetto_buffer_fill_policy"}) {
    if (!settings.Has(key)) continue;
    const Option& option = *FindKey(key);
    if (option.takes == Takes::kNumber && settings.Number(key) <= 0) {
      return Status::Error("%s takes a number of KB, not %s", option.name,
                           settings.Word(key).c_str());
    }
    named += (named.empty() ? "" : ", ") + std::string(option.name);
  }
  if (!named.empty() && formats.pftrace) {
    notes->push_back(named + ": the timeline is written without a buffer; nothing is discarded");
  }
  return Status::Ok();
}

Status ResolveSummary(const Settings& settings, Request* out) {
  out->stats = settings.IsOn("stats");
  out->summary.whole = settings.IsOn("summary");
  out->summary.per_domain = settings.IsOn("summary_per_domain");
  out->summary.groups = settings.Words("summary_groups");
  for (const std::string& group : out->summary.groups) {
    if (exporting::tool::IsRegularExpression(group)) continue;
    return Status::Error("--summary-groups: not a regular expression: %s", group.c_str());
  }
  const std::string& unit = settings.Word("summary_units");
  if (unit == "sec") out->summary.unit = SummaryUnit::kSec;
  if (unit == "msec") out->summary.unit = SummaryUnit::kMsec;
  if (unit == "usec") out->summary.unit = SummaryUnit::kUsec;
  if (settings.Has("summary_output_file")) out->summary_file = settings.Word("summary_output_file");
  if (out->summary_file == "STDOUT") out->summary_file = "stdout";
  if (out->summary_file == "STDERR") out->summary_file = "stderr";
  out->summary.indented = out->summary_file == "stdout" || out->summary_file == "stderr";
  return Status::Ok();
}

// Reads "[1-2],[5]" or "1-2,5": numbers of launches, from 1.
bool HasRanges(std::string text) {
  for (char& c : text) c = c == '[' || c == ']' || c == ',' ? ' ' : c;
  std::istringstream words(text);
  size_t count = 0;
  for (std::string word; words >> word; ++count) {
    const size_t dash = std::min(word.find('-'), word.size());
    const std::string first = word.substr(0, dash);
    const std::string last = dash < word.size() ? word.substr(dash + 1) : first;
    uint64_t begin = 0, end = 0;
    if (!ParseNumber(first.c_str(), 0, UINT64_MAX, &begin) ||
        !ParseNumber(last.c_str(), begin, UINT64_MAX, &end))
      return false;
  }
  return count > 0;
}

Status CheckFilters(const Settings& settings) {
  for (const char* key : {"kernel_include_regex", "kernel_exclude_regex"}) {
    if (!settings.Has(key) || exporting::tool::IsRegularExpression(settings.Word(key))) continue;
    return Status::Error("%s: not a regular expression: %s", FindKey(key)->name,
                         settings.Word(key).c_str());
  }
  for (const std::string& range : settings.Words("kernel_iteration_range")) {
    if (HasRanges(range)) continue;
    return Status::Error("--kernel-iteration-range takes ranges like [1-2],[5], not %s",
                         range.c_str());
  }
  return Status::Ok();
}

void ResolveNames(const Settings& settings, Request* out) {
  if (settings.IsOn("mangled_kernels")) out->tool.kernel_names = KernelNames::kMangled;
  if (settings.IsOn("truncate_kernels")) out->tool.kernel_names = KernelNames::kTruncated;
  out->tool.kernel_rename = settings.IsOn("kernel_rename") || settings.IsOn("kokkos_trace");
  out->tool.group_by_queue = settings.IsOn("group_by_queue");
  const std::string& index = settings.Word("agent_index");
  if (index == "absolute") out->tool.agent_index = AgentIndex::kAbsolute;
  if (index == "type-relative") out->tool.agent_index = AgentIndex::kTypeRelative;
}

void ResolveDomains(const Parts& parts, Request* out) {
  exporting::tool::ToolOptions& tool = out->tool;
  const auto set = [&](Domain domain, bool on) { tool.domains[static_cast<size_t>(domain)] = on; };
  tool.hip_runtime = parts.IsOn("hip_runtime_trace");
  tool.hip_compiler = parts.IsOn("hip_compiler_trace");
  tool.hsa_core = parts.IsOn("hsa_core_trace");
  tool.hsa_amd = parts.IsOn("hsa_amd_trace");
  tool.hsa_image = parts.IsOn("hsa_image_trace");
  tool.hsa_finalizer = parts.IsOn("hsa_finalizer_trace");
  set(Domain::kHsa, tool.hsa_core || tool.hsa_amd || tool.hsa_image || tool.hsa_finalizer);
  set(Domain::kScratch, parts.IsOn("scratch_memory_trace"));
  set(Domain::kAllocation, parts.IsOn("memory_allocation_trace"));
  set(Domain::kHip, tool.hip_runtime || tool.hip_compiler);
  set(Domain::kMarker, parts.IsOn("marker_trace") || out->kokkos);
  set(Domain::kKernel, parts.IsOn("kernel_trace"));
  set(Domain::kCopy, parts.IsOn("memory_copy_trace"));
  set(Domain::kRccl, parts.IsOn("rccl_trace"));
  for (const bool on : tool.domains) out->traces_something = out->traces_something || on;
}

// Times and Plus saturate at UINT64_MAX. Factors are never zero.
uint64_t Times(uint64_t a, uint64_t b) { return a > UINT64_MAX / b ? UINT64_MAX : a * b; }
uint64_t Plus(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

uint64_t EndOf(const Period& period) {
  if (period.every == 0 || period.end == UINT64_MAX) return period.end;
  return Plus(period.end, Times(period.every, period.count - 1));
}

// Adds periods after those in *out. A period after an endless one never begins. Periods without a
// delay between them are joined, so that events across their border are not cut.
void AddPeriods(uint64_t delay, uint64_t duration, uint64_t count, std::vector<Period>* out) {
  const uint64_t before = out->empty() ? 0 : EndOf(out->back());
  const uint64_t begin = Plus(before, delay);
  if (begin == UINT64_MAX) return;
  if (count == 1 || delay == 0) {
    const uint64_t end = Plus(begin, Times(duration, count));
    const bool goes_on = !out->empty() && delay == 0 && out->back().every == 0;
    if (goes_on) out->back().end = end;
    if (!goes_on) out->push_back({begin, end});
  } else {
    out->push_back({begin, Plus(begin, duration), Plus(delay, duration), count});
  }
}

// Reads --pid and --attach. Options that work through the program's environment are rejected with
// them, because a running program keeps its own environment.
Status ResolveAttachment(const Settings& settings, Request* out) {
  for (const char* key : {"pid", "attach"}) {
    if (!settings.Has(key)) continue;
    if (!out->process.empty() && out->process != settings.Word(key)) {
      return Status::Error("--pid and --attach name two processes, %s and %s", out->process.c_str(),
                           settings.Word(key).c_str());
    }
    out->process = settings.Word(key);
  }
  if (settings.IsOn("attach_children")) {
    return Status::Error(
        "--attach-children is not supported: rocprofv3 attaches only to the named process");
  }
  if (out->process.empty()) {
    return settings.Has("attach_duration_msec")
               ? Status::Error("--attach-duration-msec needs --pid")
               : Status::Ok();
  }
  if (out->process.find_first_not_of("0123456789") != std::string::npos) {
    return Status::Error("--pid takes the number of a process, not %s", out->process.c_str());
  }
  constexpr uint64_t kNsPerMs = 1'000'000;
  out->attach_ns = static_cast<uint64_t>(settings.Number("attach_duration_msec")) * kNsPerMs;
  for (const char* key :
       {"pmc", "pmc_groups", "selected_regions", "kokkos_trace", "preload", "vgpu"}) {
    if (!settings.Has(key) || settings.IsOff(key)) continue;
    const char* const name = FindKey(key)->name;
    return Status::Error("%s must be set when the program starts, not with --pid",
                         *name == '\0' ? key : name);
  }
  return Status::Ok();
}

Status CheckGroups(const Settings& settings) {
  if (settings.Has("pmc_group_interval")) {
    if (!settings.Has("pmc_groups")) return Status::Error("pmc_group_interval needs pmc_groups");
    if (settings.Number("pmc_group_interval") < 1)
      return Status::Error("pmc_group_interval takes a number from 1, not %s",
                           settings.Word("pmc_group_interval").c_str());
  }
  if (settings.Has("pmc_groups") && settings.Has("pmc"))
    return Status::Error("pmc_groups and --pmc exclude each other");
  return Status::Ok();
}

Status ResolveCounters(const Settings& settings, Request* out, std::vector<std::string>* notes) {
  out->counter_file = settings.Word("extra_counters");
  const std::vector<std::string>& words = settings.Words("pmc");
  const std::vector<std::string>& groups = settings.Words("pmc_groups");
  RTL_TRY(CheckGroups(settings));
  if (words.empty() && groups.empty() && out->counter_file.empty())
    return Status::Ok();  // saves the time to read the definitions
  counters::Definitions known;
  if (const Status read = cli::ReadDefinitions(out->counter_file, &known); !read.ok())
    return Status::Error("--extra-counters: %s", read.message());
  cli::LeftOut* const left_out = settings.IsOn("keep_going") ? notes : nullptr;
  const Status counters = groups.empty()
                              ? cli::ChooseCounters(words, known, &out->counters, left_out)
                              : cli::ChooseGroups(groups, known, &out->counters, left_out);
  if (!counters.ok())
    return Status::Error("%s: %s", groups.empty() ? "--pmc" : "pmc_groups", counters.message());
  if (!groups.empty()) {
    const int64_t interval = settings.Number("pmc_group_interval");
    out->counter_group_interval = static_cast<uint64_t>(std::max<int64_t>(interval, 1));
  }
  out->tool.counters = !out->counters.empty();
  const cli::CounterKernels kernels = {settings.Word("kernel_include_regex"),
                                       settings.Word("kernel_exclude_regex"),
                                       cli::Joined(settings.Words("kernel_iteration_range"), ",")};
  return out->tool.counters ? cli::ChooseKernels(kernels, &out->counter_kernels) : Status::Ok();
}

Status ResolveRanks(const Settings& settings, Request* out) {
  out->ranks = settings.Word("profile_mpi_ranks");
  out->rank_variables = {settings.Word("mpi_world_rank_variable"),
                         settings.Word("mpi_world_size_variable")};
  if (out->rank_variables.rank.empty() != out->rank_variables.size.empty()) {
    return Status::Error("--mpi-world-rank-variable and --mpi-world-size-variable need each other");
  }
  bool unused = false;
  return settings.Has("profile_mpi_ranks") ? IsTraced(out->ranks, std::nullopt, &unused)
                                           : Status::Ok();
}

}  // namespace

bool Request::needs_hip() const {
  const bool has_streams = tool.wants(Domain::kKernel) || tool.wants(Domain::kCopy);
  return tool.wants(Domain::kHip) || (has_streams && !tool.group_by_queue && !tool.old_columns);
}

std::string Request::events() const {
  const struct {
    bool wanted;
    const char* word;
  } kKinds[] = {
      // A trace has queues and agents only if kernels are recorded.
      {tool.wants(Domain::kKernel) || tool.wants(Domain::kScratch) || tool.counters || tool.samples,
       "kernels"},
      {tool.wants(Domain::kCopy), "copies"},
      {tool.wants(Domain::kMarker) || tool.kernel_rename, "markers"},
      {needs_hip(), "hip"},
      {tool.wants(Domain::kHip) && tool.hip_compiler, "hip-compiler"},
      {tool.wants(Domain::kHsa), "hsa"},
      {tool.wants(Domain::kAllocation), "memory"},
      {tool.wants(Domain::kScratch), "scratch"},
      {tool.wants(Domain::kRccl), "rccl"}};
  std::string text;
  for (const auto& [wanted, word] : kKinds) {
    if (wanted) text += (text.empty() ? "" : ",") + std::string(word);
  }
  return text.empty() ? "markers" : text;  // for agents alone, the events that cost least
}

Status ParsePeriod(const std::string& text, const std::string& unit, std::vector<Period>* out) {
  const struct {
    const char* name;
    double ns;
  } kUnits[] = {{"hour", 3.6e12}, {"min", 6e10}, {"sec", 1e9},
                {"msec", 1e6},    {"usec", 1e3}, {"nsec", 1}};
  double factor = 1e9;
  for (const auto& [name, ns] : kUnits) factor = unit == name ? ns : factor;
  std::istringstream words(text);
  double values[3] = {};
  size_t count = 0;
  for (std::string word; std::getline(words, word, ':'); ++count) {
    const char* const end = word.data() + word.size();
    double value = 0;
    const auto [rest, error] = std::from_chars(word.data(), end, value);
    const bool is_time = count < 2;
    const bool good =
        error == std::errc() && rest == end && value >= 0 && (!is_time || value * factor < 9e18);
    if (!good || count == 3) count = 4;
    if (count < 3) values[count] = value;
  }
  if (count != 3 || values[1] <= 0) {
    return Status::Error("--collection-period takes DELAY:DURATION:REPEAT, not %s", text.c_str());
  }
  const auto ns = [&](int i) { return static_cast<uint64_t>(values[i] * factor); };
  const uint64_t delay = ns(0), duration = ns(1);
  if (duration == 0) return Status::Error("--collection-period %s lasts no time", text.c_str());
  const uint64_t repeats = values[2] < 1 ? 0 : static_cast<uint64_t>(std::min(values[2], 1e18));
  AddPeriods(delay, duration, repeats == 0 ? UINT64_MAX : repeats, out);
  return Status::Ok();
}

Status MakeRequest(const Settings& settings, Request* out, std::vector<std::string>* notes) {
  RTL_TRY(RefuseUnserved(settings));
  for (const char* key : {"attach_duration_msec", "minimum_output_data"}) {
    if (!settings.Word(key).starts_with('-')) continue;
    return Status::Error("%s takes no negative number: %s", FindKey(key)->name,
                         settings.Word(key).c_str());
  }
  if (settings.Word("replay_mode") == "kernel")
    return Status::Error("--replay-mode kernel is not supported: %s",
                         FindKey("kernel_replay_beta_enabled")->text);
  RTL_TRY(ResolveAttachment(settings, out));
  const Parts parts(settings);
  out->kokkos = settings.IsOn("kokkos_trace");
  out->begins_paused = settings.IsOn("selected_regions");
  ResolveDomains(parts, out);
  RTL_TRY(parts.CheckLibraries(notes));
  out->tool.old_columns = settings.Word("compat") == "0.5";
  ResolveNames(settings, out);
  ResolveFormats(settings, out->tool.old_columns, &out->formats);
  RTL_TRY(CheckPerfetto(settings, out->formats, notes));
  RTL_TRY(ResolveSummary(settings, out));
  RTL_TRY(CheckFilters(settings));
  for (const std::string& period : settings.Words("collection_period")) {
    const std::string& unit = settings.Word("collection_period_unit");
    RTL_TRY(ParsePeriod(period, unit.empty() ? "sec" : unit, &out->tool.periods));
  }
  RTL_TRY(ResolveCounters(settings, out, notes));
  RTL_TRY(ResolveSampling(settings, out));
  if (!out->traces_something && !out->tool.counters && !out->tool.samples) {
    if (out->stats || out->summary.wanted()) {
      return Status::Error("statistics need something to count: add --kernel-trace or another");
    }
    notes->push_back("No tracing options were enabled.");
  }
  if (settings.Has("output_directory")) out->folder = settings.Word("output_directory");
  if (settings.Has("output_file")) out->file = settings.Word("output_file");
  if (out->folder.empty()) return Status::Error("--output-directory needs a name");
  if (out->file.empty()) return Status::Error("--output-file needs a name");
  out->write_config = settings.IsOn("output_config");
  if (settings.Has("minimum_output_data")) {
    out->least_bytes = static_cast<uint64_t>(settings.Number("minimum_output_data")) * 1024;
  }
  RTL_TRY(ResolveRanks(settings, out));
  out->preload = settings.Words("preload");
  out->preload_roctx = !settings.IsOn("suppress_marker_preload");
  out->on_vgpu = settings.IsOn("vgpu");
  out->keep_going = settings.IsOn("keep_going");
  out->echo = settings.IsOn("echo");
  const std::string& level = settings.Word("log_level");
  const bool both = level == "info" || level == "trace";
  out->print_config = both || level == "config";
  out->print_environment = both || level == "env";
  return Status::Ok();
}

}  // namespace rtl::v3
