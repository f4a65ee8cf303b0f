// SPDX-License-Identifier: MIT
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "analysis/text.h"
#include "base/clock.h"
#include "base/config.h"
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
#include "cli/summary/summary_tables.h"
#include "cli/trace/attach.h"
#include "cli/trace/hang_watch.h"
#include "cli/trace/manifest.h"
#include "cli/trace/python_sampler.h"
#include "cli/trace/recovery.h"
#include "cli/trace/run_report.h"
#include "cli/trace/spool_directory.h"
#include "cli/trace/status_watch.h"
#include "cli/trace/untraced_watch.h"
#include "cli/trace/verdict.h"
#include "dataset/live_dataset.h"
#include "dataset/table_writer.h"
#include "export/earlier_file.h"
#include "spool/process_stat.h"
#include "trace/collect/collector.h"

namespace rtl::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kRowsAfterwards = 10;
// Only for --dataset: the collector passes rows on after a time between these two.
constexpr uint64_t kLeastPartNs = 1'000'000'000;
constexpr uint64_t kMostPartNs = 60'000'000'000;

class Trace {
 public:
  explicit Trace(const TraceOptions& options) : options_(options), output_(options.output) {}
  int Run();

 private:
  Status Prepare();
  Status CheckOutputs() const;
  Status ChooseCounted(TracedEnvironment* traced) const;  // counters and PC samples
  Status StartCollector();
  void WarnOfEnvironment(const std::vector<std::string>& variables) const;
  int Report(const Ending& ending);
  Status ListDatabases(const store::ExitStatus& exit) const;
  Status PrepareDataset();
  void ReportDataset() const;
  void AddPython() const;
  int ConvertToo(int exit_code) const;

  const TraceOptions& options_;
  SpoolDirectory spool_;
  std::string output_;  // the database; if there is none, the name beside which the spool lies
  std::optional<dataset::LiveDataset> dataset_;
  store::Collector collector_;
  std::vector<std::string> environment_;
  store::CollectResult result_;
  // Looks for processes that are not traced while the program runs.
  std::optional<UntracedWatch> untraced_watch_;
  std::optional<PythonSampler> python_sampler_;
};

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

// The traced process would warn and use another interception method. This check reports the error
// before the process exists.
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
             : CheckReplaceable(FormatOf(ChooseTimeline(options_.pftrace)).kind, options_.pftrace);
}

Status Trace::ChooseCounted(TracedEnvironment* traced) const {
  counters::Definitions known;
  if (!options_.counters.empty()) RTL_TRY(ReadDefinitions(options_.counter_file, &known));
  traced->counter_group_interval = options_.counter_group_interval;
  LeftOut left_out;
  RTL_TRY(ChooseRequested(options_, known, &traced->counters, &left_out));
  for (const std::string& sentence : left_out) PrintNote(sentence);
  RTL_TRY(ChooseKernels(options_.counter_kernels, &traced->counter_kernels));
  if (!options_.counter_file.empty()) traced->counter_file = fs::absolute(options_.counter_file);
  traced->pc_sampling_us = options_.pc_sampling_us;
  return Status::Ok();
}

Status Trace::Prepare() {
  RTL_TRY(CheckHipMethod());
  TracedEnvironment traced;
  RTL_TRY(FindTracer(options_.on_vgpu, &traced));
  FindOptionalLibraries(&traced);
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
  RTL_TRY(ChooseCounted(&traced));
  traced.lossless = options_.lossless;
  traced.allow_fallback = options_.allow_fallback;
  traced.barriers = options_.barriers;
  traced.paused = options_.paused;
  const uint64_t from = BootTimeNs() + options_.delay_ns;
  if (options_.delay_ns != 0) traced.record_from = from;
  if (options_.duration_ns != 0) traced.record_until = from + options_.duration_ns;
  traced.while_range = options_.while_range;
  traced.gpus = options_.gpus;
  std::vector<std::string> variables = OwnVariables();
  if (!options_.keep_going) {
    const Status delivered = Delivery(traced, variables)
                                 .Check({traced.counters, traced.counter_file,
                                         traced.pc_sampling_us, options_.command.front()});
    if (!delivered.ok())
      return Status::Error("%s; the program was not started (--keep-going starts it)",
                           delivered.message());
  }
  WarnOfEnvironment(variables);
  untraced_watch_.emplace(traced.librtl, traced.spool);
  traced.for_musl = IsForMusl(options_.command.front());
  if (traced.for_musl) PrintNote(MuslSentence(options_.command.front()));
  environment_ = MakeTraced(std::move(variables), traced);
  return StartCollector();
}

Status Trace::StartCollector() {
  std::function<Status(const store::Part&)> take_part;
  std::function<Status()> round_end;
  std::function<Status(const store::CollectResult&)> parts_end;
  if (dataset_) {
    take_part = [this](const store::Part& part) { return dataset_->Add(part); };
    round_end = [this] { return dataset_->Tick(); };
    parts_end = [this](const store::CollectResult& result) { return dataset_->Finish(result); };
  }
  return collector_.Start({.spool = spool_.path(),
                           .output = output_,
                           .tool_version = RTL_VERSION,
                           .command = Joined(options_.command),
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

// All ranks of a host share the dataset's folder, so the spool of each gets its own name there.
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
  // Writing to a closed standard error must not kill this process while the program runs.
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
  const std::vector<std::string> untraced = untraced_watch_->Untraced(result_.processes);
  for (const std::string& sentence : untraced) PrintNote(sentence);
  const std::string running = untraced_watch_->StillRunning(result_.processes);
  if (!running.empty()) PrintNote(running);
  const std::string refusal = RefusalOf(result_);  // Judge reports it, once
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
    ReportTables(options_, result_.output);
  }
  ReportCounts(options_, result_);
  const Verdict verdict = Judge(options_, result_, !untraced.empty(), exit_code);
  for (const std::string& sentence : verdict.sentences) PrintNote(sentence);
  return ConvertToo(verdict.exit_code);
}

void Trace::ReportDataset() const {
  const std::vector<std::string> labels = dataset_->labels();
  if (labels.empty()) return;
  int64_t bytes = 0;
  for (const dataset::WrittenFile& file : dataset_->files()) bytes += file.bytes;
  PrintNote((labels.size() == 1 ? labels.front() : Counted(labels.size(), "rank")) + " in " +
            options_.dataset + ": " + analysis::Grouped(dataset_->files().size()) + " files, " +
            analysis::Grouped(static_cast<uint64_t>(bytes) / 1024) + " kB");
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
                        ManifestText(result_, Joined(options_.command), exit), &manifest));
  PrintNote(Counted(result_.processes.size(), "database") + ", listed in " + manifest);
  return Status::Ok();
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

// Attaches to a program, which goes on running. The report is that of rtl trace.
int RunAttach(const TraceOptions& options) {
  if (!options.force) {
    const Status free = exporting::CheckReplaceable(exporting::FileKind::kTrace, options.output);
    if (!free.ok()) return Fail(free);
  }
  CatchInterruptions(true);
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
  SummaryTables tables;
  if (const Status read = ReadTables(written, &tables); !read.ok()) return Fail(read);
  PrintAside(options.summary
                 ? "\n" + SummaryAsText(tables, kRowsAfterwards, TerminalWidth(STDERR_FILENO))
                 : CompletenessLines(tables.completeness));
  return 0;
}

}  // namespace

int RunVerb(const TraceOptions& options) {
  return options.process.empty() ? Trace(options).Run() : RunAttach(options);
}

}  // namespace rtl::cli
