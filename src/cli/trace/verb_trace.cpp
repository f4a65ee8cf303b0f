// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include "analysis/text.h"
#include "base/clock.h"
#include "base/config.h"
#include "cli/base/colours.h"
#include "cli/base/counter_choice.h"
#include "cli/base/formats.h"
#include "cli/base/installation.h"
#include "cli/base/interruptions.h"
#include "cli/base/launch.h"
#include "cli/base/print.h"
#include "cli/base/program_loader.h"
#include "cli/base/table.h"
#include "cli/base/traced_environment.h"
#include "cli/base/verbs.h"
#include "cli/convert/convert.h"
#include "cli/counters/delivery.h"
#include "cli/hot/hot_report.h"
#include "cli/info/in_flight_report.h"
#include "cli/summary/report.h"
#include "cli/trace/attach.h"
#include "cli/trace/hang_watch.h"
#include "cli/trace/manifest.h"
#include "cli/trace/python_sampler.h"
#include "cli/trace/recovery.h"
#include "cli/trace/room.h"
#include "cli/trace/status_watch.h"
#include "cli/trace/untraced_watch.h"
#include "dataset/live_dataset.h"
#include "dataset/table_writer.h"
#include "export/earlier_file.h"
#include "spool/directory.h"
#include "spool/process_stat.h"
#include "trace/collect/collector.h"
#include "trace/read/error.h"
#include "trace/read/trace_reader.h"

namespace rtl::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kRowsAfterwards = 10;
// Of --dataset: how often the collector hands over rows at least.
constexpr uint64_t kLeastPartNs = 1'000'000'000;
constexpr uint64_t kMostPartNs = 60'000'000'000;

std::string Join(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

// The directory for the raw records, beside the output: private, and on the disk of the trace.
class SpoolDirectory {
 public:
  // Records that are in no database stay.
  ~SpoolDirectory() {
    std::error_code ignored;
    if (!path_.empty() && (is_collected_ || !HoldsRecords())) fs::remove_all(path_, ignored);
  }

  Status Make(const std::string& output) {
    struct stat info;
    if (stat(output.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) {
      return query::FileError(output, "cannot be written: a directory");
    }
    std::error_code error;
    const fs::path absolute = fs::absolute(output, error);
    if (error) return query::FileErrno(output, "cannot be written", error.value());
    std::string pattern = absolute.string() + ".spool-XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) {
      return query::FileErrno(output, "cannot be written", errno);
    }
    path_ = pattern;
    return CheckRoom(path_, output);
  }
  const std::string& path() const { return path_; }
  bool HoldsRecords() const {
    std::vector<std::string> processes;
    return spool::ListProcesses(path_, &processes).ok() && !processes.empty();
  }
  void SetCollected() { is_collected_ = true; }

 private:
  std::string path_;
  bool is_collected_ = false;
};

class Trace {
 public:
  explicit Trace(const TraceOptions& options) : options_(options), output_(options.output) {}
  int Run();

 private:
  Status Prepare();
  Status CheckOutputs() const;
  Status FindLibraries(TracedEnvironment* traced);
  void WarnOfEnvironment(const std::vector<std::string>& variables) const;
  int Report(const Ending& ending);
  Status ListDatabases(const store::ExitStatus& exit) const;
  Status PrepareDataset();
  void ReportDataset() const;
  void AddPython() const;
  void ReportSummary() const;
  void ReportHot() const;
  void ReportMode() const;
  void ReportCompleteness() const;
  void ReportFilter() const;
  void ReportInFlight() const;
  std::string Refusal() const;
  bool HasOtherEvents() const;
  int Judge(int exit_code) const;
  std::string ReasonForNoTrace() const;
  int ConvertToo(int exit_code) const;

  const store::KindTotals& kernels() const { return result_.kind(EventKind::kKernel); }

  const TraceOptions& options_;
  SpoolDirectory spool_;
  std::string output_;  // the database, or a name beside which raw records lie
  std::optional<dataset::LiveDataset> dataset_;
  store::Collector collector_;
  std::vector<std::string> environment_;
  store::CollectResult result_;
  std::optional<UntracedWatch> untraced_watch_;  // of the running program
  std::optional<PythonSampler> python_sampler_;
  std::vector<std::string> untraced_;  // a sentence for each untraced process
};

// True for a set-user-id or set-group-id program of another user.
bool RunsWithOtherRights(const std::string& program) {
  struct stat info;
  if (stat(FindProgram(program).c_str(), &info) != 0) return false;
  return ((info.st_mode & S_ISUID) != 0 && info.st_uid != geteuid()) ||
         ((info.st_mode & S_ISGID) != 0 && info.st_gid != getegid());
}

Status Trace::FindLibraries(TracedEnvironment* traced) {
  RTL_TRY(FindLibrary("librtl.so", &traced->librtl));
  if (options_.on_vgpu) RTL_TRY(FindLibrary("libvgpu.so", &traced->vgpu));
  // Without it, only calls that HIP itself reports are seen.
  if (!FindLibrary("librtl_hip.so", &traced->hip).ok()) traced->hip.clear();
  if (!FindLibrary("librtl_rccl.so", &traced->rccl).ok()) traced->rccl.clear();
  if (!FindLibrary("librocprofiler-sdk.so.1", &traced->sdk).ok()) traced->sdk.clear();
  // Without it, programs without a roctx library of their own still run.
  if (!FindLibrary("libroctx64.so.4", &traced->roctx).ok()) traced->roctx.clear();
  return Status::Ok();
}

void Trace::WarnOfEnvironment(const std::vector<std::string>& variables) const {
  const ToolNames tools = SortTools(FindVariable(variables, "HSA_TOOLS_LIB").value_or(""));
  if (!tools.replaced.empty()) {
    PrintNote("HSA_TOOLS_LIB named " + tools.replaced + "; this run uses rtl instead");
  }
  if (const std::string problem = RegisterProblem(variables); !problem.empty()) PrintNote(problem);
  if (!options_.on_vgpu && access(kDriver, F_OK) != 0) {
    PrintNote(std::string("no AMD GPU on this machine (no ") + kDriver +
              "); --vgpu runs the program on a virtual one");
  }
}

// The traced process would use another interception method and warn; no such process runs yet.
Status CheckHipMethod() {
  Config config;
  const Status parsed = Config::Parse(
      [](const char* name) -> const char* {
        const std::string_view wanted = name;
        const bool is_method = wanted == "RTL_HIP_METHOD" || wanted == "RTL_HIP_DOOR";
        return is_method ? getenv(name) : nullptr;
      },
      &config);
  if (parsed.ok()) return parsed;
  const std::string why = parsed.message();
  return Status::Error("%s", why.substr(0, why.find(';')).c_str());
}

Status Trace::CheckOutputs() const {
  using exporting::CheckReplaceable;
  using exporting::FileKind;
  if (options_.split) return CheckReplaceable(FileKind::kManifest, ManifestName(options_.output));
  RTL_TRY(CheckReplaceable(FileKind::kTrace, options_.output));
  return options_.pftrace.empty()
             ? Status::Ok()
             : CheckReplaceable(KindOfFile(ChooseTimeline(options_.pftrace)), options_.pftrace);
}

Status Trace::Prepare() {
  RTL_TRY(CheckHipMethod());
  TracedEnvironment traced;
  RTL_TRY(FindLibraries(&traced));
  if (!options_.dataset.empty()) {
    RTL_TRY(PrepareDataset());
  } else if (!options_.force) {
    RTL_TRY(CheckOutputs());
  }
  for (const std::string& sentence : LeftSentences(output_)) PrintNote(sentence);
  if (options_.python_hz != 0) {
    python_sampler_.emplace(options_.python_hz);
    RTL_TRY(python_sampler_->Find(options_.command.front()));
  }
  RTL_TRY(spool_.Make(output_));
  if (!options_.pftrace.empty()) RTL_TRY(CanWrite(options_.pftrace));
  traced.spool = spool_.path();
  traced.mode = options_.mode;
  traced.events = options_.events;
  counters::Definitions known;
  if (!options_.counters.empty()) RTL_TRY(ReadDefinitions(options_.counter_file, &known));
  traced.counter_group_interval = options_.counter_group_interval;
  LeftOut left_out;
  LeftOut* const unknown = options_.keep_going ? &left_out : nullptr;
  RTL_TRY(options_.counter_group_interval == 0
              ? ChooseCounters(options_.counters, known, &traced.counters, unknown)
              : ChooseGroups(options_.counters, known, &traced.counters, unknown));
  for (const std::string& sentence : left_out) PrintNote(sentence);
  RTL_TRY(ChooseKernels(options_.counter_kernels, &traced.counter_kernels));
  if (!options_.counter_file.empty()) traced.counter_file = fs::absolute(options_.counter_file);
  traced.pc_sampling_us = options_.pc_sampling_us;
  traced.lossless = options_.lossless;
  traced.allow_fallback = options_.allow_fallback;
  traced.barriers = options_.barriers;
  traced.paused = options_.paused;
  const uint64_t from = BootTimeNs() + options_.delay_ns;
  if (options_.delay_ns != 0) traced.record_from = from;
  if (options_.duration_ns != 0) traced.record_until = from + options_.duration_ns;
  traced.while_range = options_.while_range;
  traced.gpus = options_.gpus;
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.push_back(*variable);
  WarnOfEnvironment(variables);
  if (!options_.keep_going) {
    const Status delivered =
        Delivery(traced, variables)
            .Check({traced.counters, traced.counter_file, traced.pc_sampling_us});
    if (!delivered.ok())
      return Status::Error("%s; the program was not started (--keep-going starts it)",
                           delivered.message());
  }
  untraced_watch_.emplace(traced.librtl, traced.spool);
  traced.for_musl = IsForMusl(options_.command.front());
  if (traced.for_musl) PrintNote(MuslSentence(options_.command.front()));
  environment_ = MakeTraced(std::move(variables), traced);
  std::function<Status(const store::Part&)> take_part;
  std::function<Status()> round_end;
  std::function<Status(const store::CollectResult&)> parts_end;
  if (dataset_) {
    take_part = [this](const store::Part& part) { return dataset_->Take(part); };
    round_end = [this] { return dataset_->Tick(); };
    parts_end = [this](const store::CollectResult& result) { return dataset_->Finish(result); };
  }
  return collector_.Start({.spool = spool_.path(),
                           .output = output_,
                           .tool_version = RTL_VERSION,
                           .command = Join(options_.command),
                           .keep_spool = options_.keep_spool,
                           .cancel = Interrupted(),
                           .choice = options_.choice,
                           .split = options_.split,
                           .ring_bytes = options_.ring_bytes,
                           .mark_trigger = options_.dump_on_mark,
                           .range_triggers = options_.dump_on_ranges,
                           .take_part = take_part,
                           .round_end = round_end,
                           .parts_end = parts_end,
                           .part_ns = std::clamp(options_.segment_ns, kLeastPartNs, kMostPartNs),
                           .say = [](const std::string& sentence) { PrintNote(sentence); }});
}

// The ranks of a host share the folder: the raw records of each lie there under a name of its own.
Status Trace::PrepareDataset() {
  RTL_TRY(
      dataset_.emplace().Open({.folder = options_.dataset,
                               .replace = options_.force,
                               .only_summaries = options_.only_summaries,
                               .segment_ns = options_.segment_ns,
                               .say = [](const std::string& sentence) { PrintNote(sentence); }}));
  spool::ProcessInfo self;
  spool::DescribeThisProcess(&self);
  output_ = options_.dataset + "/." + dataset::LabelOf(-1, self.host, 0) + "-trace";
  return Status::Ok();
}

int Trace::Run() {
  const Status prepared = Prepare();
  if (!prepared.ok()) return Fail(prepared);
  Launch launch;
  int exit_code = kExitFailed;
  if (options_.ring_bytes != 0) Launch::KeepDumpSignal();
  const Status started = launch.Start(options_.command, environment_, &exit_code);
  if (!started.ok()) {
    PrintNote(started.message());
    return exit_code;
  }
  // From here on a closed standard error must not kill this process.
  (void)signal(SIGPIPE, SIG_IGN);
  untraced_watch_->Start(launch.pid());
  if (python_sampler_) python_sampler_->Start(launch.pid());
  StatusWatch status(spool_.path());
  status.Start();
  HangWatch watch(&collector_, options_.hang_timeout_ns);
  const Status watching = watch.Start();
  if (!watching.ok()) PrintNote(watching.message());
  Ending ending;
  const Status waited = launch.Wait(&ending);
  watch.Stop();
  status.Stop();
  untraced_watch_->Stop();
  if (python_sampler_) python_sampler_->Stop();
  if (!waited.ok()) return Fail(waited);
  CatchLateInterruptions(Launch::Terminated());
  return Report(ending);
}

int Trace::Report(const Ending& ending) {
  using How = store::ExitStatus::How;
  const store::ExitStatus exit = {.how = ending.signalled ? How::kSignalled : How::kExited,
                                  .number = ending.number};
  const Status stopped = collector_.Stop(exit, &result_);
  const int exit_code = ending.ExitCode();
  if (!stopped.ok()) {
    PrintNote(stopped.message());
    if (spool_.HoldsRecords()) PrintNote(RecoverySentence(spool_.path()));
    return exit_code != 0 ? exit_code : kExitFailed;
  }
  if (options_.keep_spool) {
    PrintNote("the raw records are in " + spool_.path());
  } else {
    spool_.SetCollected();
  }
  if (python_sampler_) AddPython();
  untraced_ = untraced_watch_->Untraced(result_.processes);
  for (const std::string& sentence : untraced_) PrintNote(sentence);
  const std::string refusal = Refusal();  // Judge reports it, once
  for (const std::string& warning : result_.warnings) {
    if (refusal.empty() || !warning.ends_with(refusal)) PrintNote(warning);
  }
  if (options_.split) {
    const Status listed = ListDatabases(exit);
    if (!listed.ok()) {
      PrintNote(listed.message());
      return exit_code != 0 ? exit_code : kExitFailed;
    }
  } else if (dataset_) {
    ReportDataset();
  } else if (options_.summary && result_.rows > 0) {
    ReportSummary();
    if (options_.pc_sampling_us != 0) ReportHot();
  }
  ReportMode();
  ReportCompleteness();
  ReportFilter();
  ReportInFlight();
  return ConvertToo(Judge(exit_code));
}

void Trace::ReportDataset() const {
  const std::vector<std::string> labels = dataset_->labels();
  if (labels.empty()) return;
  int64_t bytes = 0;
  for (const dataset::WrittenFile& file : dataset_->files()) bytes += file.bytes;
  PrintNote((labels.size() == 1 ? labels.front() : analysis::Grouped(labels.size()) + " ranks") +
            " in " + options_.dataset + ": " + analysis::Grouped(dataset_->files().size()) +
            " files, " + analysis::Grouped(static_cast<uint64_t>(bytes) / 1024) + " kB");
}

void Trace::AddPython() const {
  if (result_.output.empty() || result_.left_earlier) return;
  std::vector<std::string> sentences;
  const Status added = python_sampler_->AddTo(result_.output, &sentences);
  for (const std::string& sentence : sentences) PrintNote(sentence);
  if (!added.ok()) PrintNote(added.message());
}

Status Trace::ListDatabases(const store::ExitStatus& exit) const {
  std::string manifest;
  RTL_TRY(WriteManifest(ManifestName(options_.output),
                        ManifestText(result_, Join(options_.command), exit), &manifest));
  const size_t count = result_.processes.size();
  PrintNote(analysis::Grouped(count) + (count == 1 ? " database" : " databases") + ", listed in " +
            manifest);
  return Status::Ok();
}

void Trace::ReportSummary() const {
  std::unique_ptr<query::TraceReader> trace;
  rtl::cli::Report report;
  Status read = query::TraceReader::Open(result_.output, &trace);
  if (read.ok()) read = ReadReport(*trace, &report);
  if (!read.ok()) {
    PrintNote(read.message());
    return;
  }
  report.completeness.clear();  // printed separately below
  report.all = "rtl summary -n 0 " + result_.output;
  PrintAside("\n" + ReportAsText(report, kRowsAfterwards, TerminalWidth(STDERR_FILENO)));
}

// The lines with the most samples.
void Trace::ReportHot() const {
  constexpr size_t kLines = 5;
  std::unique_ptr<query::TraceReader> trace;
  analysis::HotReport hot;
  Status read = query::TraceReader::Open(result_.output, &trace);
  if (read.ok()) read = analysis::FindHot(*trace, "", &hot);
  if (!read.ok()) return PrintNote(read.message());
  if (hot.kernels.empty()) return;  // the reason has been printed
  for (const std::string& problem : hot.problems) PrintNote(problem);
  PrintAside("\n" + HotAsText(result_.output, {}, hot,
                              {.rows = kLines, .width = TerminalWidth(STDERR_FILENO)}));
}

// The mode of the first process with a runtime; the others have the same runtime.
void Trace::ReportMode() const {
  for (const store::ProcessResult& process : result_.processes) {
    if (process.mode_reason.empty()) continue;
    return PrintNote("mode " + process.mode + ": " + process.mode_reason);
  }
}

void Trace::ReportCompleteness() const {
  for (size_t i = 0; i < kEventKindCount; ++i) {
    const EventKind kind = static_cast<EventKind>(i);
    const store::KindTotals& totals = result_.kind(kind);
    if (totals.seen == 0) continue;
    analysis::KindCompleteness each;
    each.kind = EventKindName(kind);
    each.seen = totals.seen;
    each.recorded = totals.recorded;
    each.unseen = result_.unseen[i];
    for (size_t why = 0; why < kLossCount; ++why) {
      if (totals.losses[why] == 0) continue;
      const Loss loss = static_cast<Loss>(why);
      each.losses.push_back({LossName(loss), LossText(loss), totals.losses[why], IsSkip(loss)});
    }
    const bool wrong = each.lost() != 0 || !each.balanced();
    // Only intercept queues by request leave them out.
    const bool batches = kind == EventKind::kKernel && totals.loss(Loss::kBatch) != 0;
    PrintAside(
        "rtl: " +
        PaintedFor(TerminalWidth(STDERR_FILENO), wrong ? Paint::kBad : Paint::kPlain,
                   analysis::CompletenessLine(each)) +
        (batches ? "; RTL_QUEUE_METHOD=auto records kernels of graphs and batches, too\n" : "\n"));
  }
}

void Trace::ReportFilter() const {
  const CounterKernels& chosen = options_.counter_kernels;
  if (chosen.include.empty() && chosen.exclude.empty() && chosen.launches.empty()) return;
  if (options_.counters.empty() || kernels().seen == 0) return;
  if (result_.kind(EventKind::kCounter).seen != 0 || result_.CountingFailed()) return;
  PrintNote(
      "nothing was counted: none of the kernels passed --pmc-kernels, --pmc-not-kernels and "
      "--pmc-launches");
}

// The kernels in flight at the end of every process that was killed.
void Trace::ReportInFlight() const {
  std::set<std::string> databases;
  for (const store::ProcessResult& process : result_.processes) {
    if (process.in_flight + process.faults != 0 && !process.output.empty())
      databases.insert(process.output);
  }
  for (const std::string& database : databases) {
    std::unique_ptr<query::TraceReader> trace;
    std::vector<query::InFlightRow> kernels;
    std::vector<query::FaultRow> faults;
    Status read = query::TraceReader::Open(database, &trace);
    if (read.ok()) read = trace->InFlight(&kernels);
    if (read.ok()) read = trace->Faults(&faults);
    query::RequestedEvents requested;
    if (read.ok()) read = requested.Load(*trace);
    if (!read.ok()) {
      PrintNote(read.message());
      continue;
    }
    PrintAside(FaultsAsText(faults, requested) +
               InFlightAsText(kernels, kRowsAfterwards, TerminalWidth(STDERR_FILENO),
                              "rtl info --in-flight " + database));
  }
}

// The reason why no event of the program is traced, if one of its processes reports one; else
// empty.
std::string Trace::Refusal() const {
  if (kernels().seen > 0) return "";
  std::string refusal;
  for (const store::ProcessResult& process : result_.processes) {
    if (!process.runtime.empty()) return "";
    if (!process.refusal.empty()) refusal = process.refusal;
  }
  return refusal;
}

// True when other events than kernels were recorded.
bool Trace::HasOtherEvents() const {
  for (const store::KindTotals& totals : result_.kinds) {
    if (totals.seen > 0) return true;
  }
  return false;
}

// The program's own failure comes first; a trace without any of its kernels is a failure of rtl.
int Trace::Judge(int exit_code) const {
  const std::string& program = options_.command.front();
  bool has_runtime = kernels().seen > 0;
  bool refused = false;
  for (const store::ProcessResult& process : result_.processes) {
    has_runtime = has_runtime || !process.runtime.empty();
    refused = refused || !process.refusal.empty();
  }
  const int failed = exit_code != 0 ? exit_code : kExitFailed;
  if (const std::string refusal = Refusal(); !refusal.empty()) {
    PrintNote((HasOtherEvents() ? "the kernels of " + program + " were" : program + " was") +
              " not traced: " + refusal);
    return failed;
  }
  if (!has_runtime && untraced_.empty()) PrintNote(ReasonForNoTrace());
  if (options_.min_coverage.has_value() && (!has_runtime || refused || !untraced_.empty())) {
    PrintNote("the share of the kernels that are in the trace is not known");
    return failed;
  }
  if (!has_runtime) return exit_code;
  if (kernels().seen == 0 && !options_.events.empty() && HasOtherEvents()) return exit_code;
  if (kernels().seen == 0) {
    PrintNote("no kernels were submitted by " + program);
    return exit_code;
  }
  const double wanted = options_.min_coverage.value_or(0);
  const double coverage =
      100.0 * static_cast<double>(kernels().recorded) / static_cast<double>(kernels().seen);
  if (kernels().recorded > 0 && coverage >= wanted) return exit_code;
  if (kernels().recorded > 0) {
    PrintNote(fmt::format("{:.2f} % of the kernels are in the trace; {:g} % are required", coverage,
                          wanted));
    return failed;
  }
  size_t main_cause = 0;
  for (size_t why = 0; why < kLossCount; ++why) {
    if (kernels().losses[why] > kernels().losses[main_cause]) main_cause = why;
  }
  PrintNote("none of the kernels is in the trace; most were lost because: " +
            std::string(LossText(static_cast<Loss>(main_cause))));
  return failed;
}

// No process opened a trace. Known obstacles come before likely ones.
std::string Trace::ReasonForNoTrace() const {
  const std::string& program = options_.command.front();
  Config config;
  const Status ignored = Config::FromEnvironment(&config);  // the program has printed the error
  if (ignored.ok() && config.disabled) return "RTL_DISABLE is set, so nothing was traced";
  if (RunsWithOtherRights(program)) {
    return program + " runs with the rights of another user (set-user-id) and is not traced";
  }
  return NoRuntimeSentence(program, result_);
}

int Trace::ConvertToo(int exit_code) const {
  if (options_.pftrace.empty() || result_.left_earlier) return exit_code;
  const Status converted = Convert({.files = {result_.output},
                                    .to = ChooseTimeline(options_.pftrace),
                                    .output = options_.pftrace});
  if (converted.ok()) return exit_code;
  PrintNote(converted.message());
  return exit_code != 0 ? exit_code : kExitFailed;
}

// The program goes on; the events are reported as after rtl trace.
int RunAttach(const TraceOptions& options) {
  if (!options.force) {
    const Status free = exporting::CheckReplaceable(exporting::FileKind::kTrace, options.output);
    if (!free.ok()) return Fail(free);
  }
  CatchInterruptions();
  std::string written;
  const Status traced = TraceRunning({.process = options.process,
                                      .output = options.output,
                                      .duration_ns = options.duration_ns,
                                      .mode = options.mode,
                                      .events = options.events,
                                      .version = RTL_VERSION,
                                      .say = PrintNote},
                                     &written);
  if (!traced.ok()) return Fail(traced);
  std::unique_ptr<query::TraceReader> trace;
  rtl::cli::Report report;
  Status read = query::TraceReader::Open(written, &trace);
  if (read.ok()) read = ReadReport(*trace, &report);
  if (!read.ok()) return Fail(read);
  report.all = "rtl summary -n 0 " + written;
  PrintAside(options.summary
                 ? "\n" + ReportAsText(report, kRowsAfterwards, TerminalWidth(STDERR_FILENO))
                 : CompletenessLines(report.completeness));
  return 0;
}

}  // namespace

int RunTrace(const TraceOptions& options) {
  return options.process.empty() ? Trace(options).Run() : RunAttach(options);
}

}  // namespace rtl::cli
