// SPDX-License-Identifier: MIT
#include "rocprofv3/run.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>
#include <set>

#include "analysis/completeness.h"
#include "cli/base/installation.h"
#include "cli/base/interruptions.h"
#include "cli/base/launch.h"
#include "cli/base/print.h"
#include "cli/base/program_loader.h"
#include "cli/base/table.h"
#include "cli/base/traced_environment.h"
#include "cli/base/traced_probe.h"
#include "cli/counters/delivery.h"
#include "cli/trace/attach.h"
#include "cli/trace/recovery.h"
#include "cli/trace/untraced_watch.h"
#include "rocprofv3/avail.h"
#include "rocprofv3/driver_agents.h"
#include "rocprofv3/help.h"
#include "rocprofv3/output_names.h"
#include "rocprofv3/passes.h"
#include "rocprofv3/process_files.h"
#include "rocprofv3/ranks.h"
#include "rocprofv3/request.h"
#include "rocprofv3/settings.h"
#include "rocprofv3/work_folder.h"
#include "trace/collect/collector.h"
#include "trace/read/error.h"

namespace rtl::v3 {
namespace {

namespace fs = std::filesystem;

int FailWith(const Status& status, int code) {
  PrintNote(status.message());
  return code;
}

class Job {
 public:
  // `said`: notes that earlier passes have printed.
  Job(const Pass& pass, std::set<std::string>* said, const CommandLine& line)
      : settings_(pass.settings), folder_(pass.folder), said_(said), line_(line) {}
  // Returns the exit code; if there was an error, it has been printed.
  int Run();

 private:
  // On failure *code is the exit code that belongs to the error.
  Status TryRun(int* code);
  Status MakeWorkFolder();
  Status Prepare();
  std::vector<std::string> Environment(const cli::TracedEnvironment& traced) const;
  void PrintOptions(const std::vector<std::string>& environment) const;
  int Finish(const cli::Ending& ending);
  void KeepTraces(const std::vector<std::string>& traces);
  Status Attach(std::string* unwritten);
  Status UntracedEnvironment(const std::vector<std::string>& preload,
                             std::vector<std::string>* variables) const;
  std::vector<exporting::tool::DriverAgent> AgentsHere() const;
  Status RunUntraced(int* code) const;
  void ReportLosses(const store::CollectResult& result) const;
  void ReportFilter(const store::CollectResult& result) const;
  std::string FolderThatIsKnown() const;

  const Settings& settings_;
  const std::string& folder_;  // output folder of this pass; empty: none
  std::set<std::string>* const said_;
  const CommandLine& line_;
  Request request_;
  WorkFolder work_;
  store::Collector collector_;
  std::vector<std::string> environment_;
  // Looks for processes that are not traced while the program runs.
  std::optional<cli::UntracedWatch> untraced_watch_;
};

// The part of the output folder's path that is the same for all processes.
std::string Job::FolderThatIsKnown() const {
  if (const char* folder = getenv("ROCPROF_TMPDIR"); folder != nullptr && *folder != '\0') {
    return folder;
  }
  if (request_.folder.find_first_of("%{$") == std::string::npos) return request_.folder;
  return ".";
}

// Run before the program starts: checks that files can be written to the part of their path that is
// the same for all processes.
Status CheckOutput(const Request& request) {
  fs::path folder;
  for (const fs::path& part : fs::path(request.folder) / request.file) {
    if (part.string().find_first_of("%{$") != std::string::npos) break;
    folder /= part;
  }
  if (folder == fs::path(request.folder) / request.file) folder = folder.parent_path();
  // Added to a name while its file is written: "." before it, and after it
  // "_memory_allocation_trace.csv" and the pid.
  constexpr size_t kAdded = 48;
  for (const fs::path& part : fs::path(request.file)) {
    if (part.string().find_first_of("%{$") != std::string::npos) continue;
    if (part.string().size() + kAdded <= NAME_MAX) continue;
    return query::FileError(part.string(),
                            "this name is too long: names of files here have up to " +
                                std::to_string(NAME_MAX - kAdded) + " bytes");
  }
  std::error_code error;
  while (!folder.empty() && !fs::exists(folder, error)) folder = folder.parent_path();
  if (folder.empty()) folder = ".";
  if (!fs::is_directory(folder, error)) {
    return query::FileError(folder.string(), "no files can be written there: it is not a folder");
  }
  if (access(folder.c_str(), W_OK | X_OK) == 0) return Status::Ok();
  return query::FileErrno(folder.string(), "cannot be written to", errno);
}

// Puts the libraries before those already in LD_PRELOAD.
void Preload(const std::vector<std::string>& libraries, std::vector<std::string>* variables) {
  const std::string preload = cli::Joined(libraries, ":");
  if (preload.empty()) return;
  const std::string name = "LD_PRELOAD=";
  for (std::string& variable : *variables) {
    if (!variable.starts_with(name)) continue;
    variable = name + preload + ":" + variable.substr(name.size());
    return;
  }
  variables->push_back(name + preload);
}

// As in AMD's tool, the folder comes after all others, so that a program that is linked to a ROCTx
// library finds one.
void AddLibraries(const std::string& folder, std::vector<std::string>* variables) {
  const std::string name = "LD_LIBRARY_PATH=";
  for (std::string& variable : *variables) {
    if (!variable.starts_with(name)) continue;
    variable += (variable.size() == name.size() ? "" : ":") + folder;
    return;
  }
  variables->push_back(name + folder);
}

std::vector<std::string> Job::Environment(const cli::TracedEnvironment& traced) const {
  std::vector<std::string> variables = cli::MakeTraced(cli::OwnVariables(), traced);
  Preload(request_.preload, &variables);
  AddLibraries(fs::path(traced.librtl).parent_path(), &variables);
  return variables;
}

Status Job::MakeWorkFolder() {
  RTL_TRY(CheckOutput(request_));
  std::vector<std::string> left;
  RTL_TRY(work_.Make(FolderThatIsKnown(), &left));
  for (const std::string& sentence : left) PrintNote(sentence);
  return Status::Ok();
}

Status Job::Prepare() {
  cli::TracedEnvironment traced;
  RTL_TRY(cli::FindTracer(request_.on_vgpu, &traced));
  cli::FindOptionalLibraries(&traced);
  if (!request_.preload_roctx) traced.roctx.clear();
  if (request_.kokkos) RTL_TRY(cli::FindLibrary("librtl_kokkos.so", &traced.kokkos));
  traced.paused = request_.begins_paused;
  traced.counters = request_.counters;
  traced.pc_sampling_us = request_.pc_sampling_us;
  traced.gpus = line_.gpus;
  RTL_TRY(MakeWorkFolder());
  traced.spool = work_.File("spool");
  traced.events = request_.events();
  traced.counter_group_interval = request_.counter_group_interval;
  traced.counter_kernels = request_.counter_kernels;
  if (!request_.counter_file.empty()) traced.counter_file = fs::absolute(request_.counter_file);
  untraced_watch_.emplace(traced.librtl, traced.spool);
  traced.for_musl = cli::IsForMusl(line_.program.front());
  if (traced.for_musl) PrintNote(cli::MuslSentence(line_.program.front()));
  environment_ = Environment(traced);
  if (const std::string problem = cli::RegisterProblem(environment_); !problem.empty())
    PrintNote(problem);
  return collector_.Start({.spool = traced.spool,
                           .output = work_.File("trace.db"),
                           .tool_version = RTL_VERSION,
                           .command = cli::Joined(line_.program),
                           .cancel = cli::Interrupted(),
                           .split = true});
}

void Job::PrintOptions(const std::vector<std::string>& environment) const {
  std::string text;
  if (request_.print_config) {
    text += "\n- rocprofv3 configuration:\n";
    for (const auto& [key, words] : settings_.all()) {
      text += "    - " + key + " = " + cli::Printable(cli::Joined(words)) + "\n";
    }
  }
  if (request_.print_environment) {
    text += "\n- rocprofv3 environment:\n";
    for (const std::string& variable : environment) {
      const std::string name = variable.substr(0, variable.find('='));
      const char* const before = getenv(name.c_str());
      if (before != nullptr && variable == name + "=" + before) continue;
      text += "    - " + cli::Printable(variable) + "\n";
    }
  }
  if (!text.empty()) std::cerr << text << std::endl;
}

int Job::Run() {
  int code = kExitFailed;
  const Status status = TryRun(&code);
  return status.ok() ? code : FailWith(status, code);
}

Status Job::TryRun(int* code) {
  std::vector<std::string> notes;
  RTL_TRY(MakeRequest(settings_, &request_, &notes));
  if (line_.program.empty() && request_.process.empty())
    return Status::Error("no application: rocprofv3 [options] -- program [arguments]");
  for (const std::string& note : notes) {
    if (said_->insert(note).second) PrintNote(note);
  }
  if (!folder_.empty()) request_.folder += "/" + folder_;
  if (!request_.process.empty()) {
    std::string unwritten;
    const Status attached = Attach(&unwritten);
    *code = attached.ok() ? 0 : FailWith(attached, kExitFailed);
    if (!unwritten.empty()) KeepTraces({unwritten});
    return Status::Ok();
  }
  if (request_.echo) {
    std::string text;
    for (const std::string& word : line_.program) text += (text.empty() ? "'" : ", '") + word + "'";
    std::cout << "command: [" << text << "]" << std::endl;
    *code = std::cout ? 0 : kExitFailed;
    return Status::Ok();
  }
  bool traced = true;
  if (!request_.ranks.empty())
    RTL_TRY(IsTraced(request_.ranks, ThisRank(request_.rank_variables), &traced));
  if (!traced) return RunUntraced(code);
  RTL_TRY(Prepare());
  PrintOptions(environment_);
  cli::Launch launch;
  RTL_TRY(launch.Start(line_.program, environment_, code));
  *code = kExitFailed;  // of later errors
  // Writing to a closed standard error must not kill this process while the program runs.
  (void)signal(SIGPIPE, SIG_IGN);
  untraced_watch_->Start(launch.pid());
  cli::Ending ending;
  const Status waited = launch.Wait(&ending);
  untraced_watch_->Stop();
  RTL_TRY(waited);
  cli::CatchLateInterruptions(cli::Launch::Terminated());
  *code = Finish(ending);
  cli::EndLateInterruptions();
  return Status::Ok();
}

// The environment of this process; if virtual GPUs are requested, with the variables for these.
Status Job::UntracedEnvironment(const std::vector<std::string>& preload,
                                std::vector<std::string>* variables) const {
  *variables = cli::OwnVariables();
  std::vector<std::string> libraries = preload;
  if (request_.on_vgpu) {
    RTL_TRY(cli::FindLibrary("libvgpu.so", &libraries.emplace_back()));
    if (line_.gpus.has_value())
      variables->push_back("VGPU_NUM_GPUS=" + std::to_string(*line_.gpus));
  }
  Preload(libraries, variables);
  return Status::Ok();
}

std::vector<exporting::tool::DriverAgent> Job::AgentsHere() const {
  std::vector<std::string> variables;
  const bool elsewhere = request_.on_vgpu && UntracedEnvironment({}, &variables).ok();
  return DriverAgents(elsewhere ? &variables : nullptr);
}

// Runs the program of a rank that was not selected.
Status Job::RunUntraced(int* code) const {
  std::vector<std::string> variables;
  RTL_TRY(UntracedEnvironment(request_.preload, &variables));
  cli::Launch launch;
  RTL_TRY(launch.Start(line_.program, variables, code));
  *code = kExitFailed;  // of later errors
  cli::Ending ending;
  RTL_TRY(launch.Wait(&ending));
  *code = ending.ExitCode();
  return Status::Ok();
}

// Traces a running process and leaves it running. `unwritten`: the trace, if its files cannot be
// written.
Status Job::Attach(std::string* unwritten) {
  if (!line_.program.empty()) {
    return Status::Error("--pid attaches to a running program and starts none");
  }
  RTL_TRY(MakeWorkFolder());
  PrintOptions({});
  cli::CatchInterruptions();
  const std::time_t now = std::time(nullptr);
  std::string trace;
  RTL_TRY(cli::TraceRunning({.process = request_.process,
                             .output = work_.File("trace.db"),
                             .duration_ns = request_.attach_ns,
                             .events = request_.events(),
                             .takes_others = true,
                             .version = RTL_VERSION,
                             .say = PrintNote},
                            &trace));
  const OutputNames names({}, now, request_.rank_variables);
  ProcessFiles files(request_, names, ConfigText(settings_, request_), work_.made(),
                     [this] { return AgentsHere(); });
  cli::CatchInterruptions();
  if (const Status written = files.Write(trace); !written.ok()) {
    *unwritten = trace;
    return written;
  }
  for (const std::string& note : files.notes()) PrintNote(note);
  return Status::Ok();
}

int Job::Finish(const cli::Ending& ending) {
  using How = store::ExitStatus::How;
  const int exit_code = ending.ExitCode();
  const int failed = exit_code != 0 ? exit_code : kExitFailed;
  const std::time_t now = std::time(nullptr);
  store::CollectResult result;
  const Status stopped = collector_.Stop(
      {.how = ending.signalled ? How::kSignalled : How::kExited, .number = ending.number}, &result);
  if (!stopped.ok()) {
    PrintNote(stopped.message());
    if (work_.HoldsRecords()) {
      work_.Keep();
      PrintNote(cli::RecoverySentence(work_.File("spool")));
    }
    return failed;
  }
  for (const std::string& warning : result.warnings) PrintNote(warning);
  const OutputNames names(line_.program, now, request_.rank_variables);
  ProcessFiles files(request_, names, ConfigText(settings_, request_), work_.made(),
                     [this] { return AgentsHere(); });
  std::vector<std::string> unwritten;  // traces whose files could not be written
  bool has_runtime = false;
  bool refused = false;  // a process reported why it is not traced, and a warning has been printed
  Status written = Status::Ok();
  for (const store::ProcessResult& process : result.processes) {
    has_runtime = has_runtime || !process.runtime.empty();
    const bool untraced = !process.refusal.empty();
    refused = refused || untraced;
    const bool has_events =
        std::any_of(std::begin(process.kinds), std::end(process.kinds),
                    [](const store::KindTotals& totals) { return totals.recorded != 0; });
    const bool has_files = !process.output.empty() && (!untraced || has_events);
    const Status one = has_files ? files.Write(process.output) : Status::Ok();
    if (!one.ok()) {
      if (written.ok()) written = one;
      unwritten.push_back(process.output);
      continue;
    }
    // The trace is removed now, because the files of the next process may need the space.
    std::error_code ignored;
    fs::remove(process.output, ignored);
  }
  for (const std::string& note : files.notes()) PrintNote(note);
  const std::vector<std::string> untraced = untraced_watch_->Untraced(result.processes);
  for (const std::string& sentence : untraced) PrintNote(sentence);
  const std::string running = untraced_watch_->StillRunning(result.processes);
  if (!running.empty()) PrintNote(running);
  if (!has_runtime && !refused && untraced.empty()) {
    PrintNote(cli::NoRuntimeSentence(line_.program.front(), result));
  }
  ReportLosses(result);
  ReportFilter(result);
  if (!written.ok()) {
    PrintNote(written.message());
    KeepTraces(unwritten);
    return failed;
  }
  return refused ? failed : exit_code;
}

// Keeps traces whose files could not be written, one for each process, and prints where they are.
void Job::KeepTraces(const std::vector<std::string>& traces) {
  constexpr size_t kMost = 3;
  const Formats& formats = request_.formats;
  const char* const format = formats.csv       ? "csv"
                             : formats.json    ? "json"
                             : formats.rocpd   ? "rocpd"
                             : formats.otf2    ? "otf2"
                             : formats.pftrace ? "pftrace"
                                               : "db";
  work_.Keep();
  for (size_t i = 0; i < traces.size() && i < kMost; ++i) {
    PrintNote("the trace is in " + traces[i] +
              "; this writes its files elsewhere: rtl convert --to " + format + " -o NAME " +
              cli::Quoted(traces[i]));
  }
  if (traces.size() > kMost) {
    PrintNote(std::to_string(traces.size() - kMost) + " more such traces: " +
              (fs::path(traces[kMost]).parent_path() / "trace.*.db").string());
  }
}

// Checks before the first pass that every pass can be run.
Status AreServed(const std::vector<Pass>& passes, const CommandLine& line) {
  std::optional<cli::Delivery> delivery;
  for (size_t i = 0; i < passes.size(); ++i) {
    Request request;
    std::vector<std::string> notes;
    const Status understood = MakeRequest(passes[i].settings, &request, &notes);
    // The first pass reports this error itself.
    if (i == 0 && !understood.ok()) return Status::Ok();
    RTL_TRY(understood);
    bool traced = true;
    if (i != 0) RTL_TRY(CheckOutput(request));
    if (!request.ranks.empty())
      RTL_TRY(IsTraced(request.ranks, ThisRank(request.rank_variables), &traced));
    if (!traced || request.echo || !request.process.empty() || line.program.empty()) continue;
    if (request.tool.counters) RTL_TRY(CheckCountersFit(passes[i].settings));
    if (request.keep_going) continue;
    if (!delivery) {
      cli::TracedEnvironment environment;
      RTL_TRY(cli::FindTracer(request.on_vgpu, &environment));
      environment.gpus = line.gpus;
      delivery.emplace(environment, cli::OwnVariables());
    }
    std::string file = request.counter_file;
    if (!file.empty()) file = fs::absolute(file);
    const Status delivered =
        delivery->Check({request.counters, file, request.pc_sampling_us, line.program.front()});
    if (!delivered.ok())
      return Status::Error("%s; the program was not started (--keep-going starts it)",
                           delivered.message());
  }
  return Status::Ok();
}

// Prints one line when the filters left no kernel to count, and so no file of counters.
void Job::ReportFilter(const store::CollectResult& result) const {
  const uint64_t kernels = result.kind(EventKind::kKernel).submitted;
  const bool chosen_gpus = request_.counters.find(":device=") != std::string::npos;
  if ((request_.counter_kernels.empty() && !chosen_gpus) || kernels == 0) return;
  if (result.kind(EventKind::kCounter).submitted != 0 || result.CountingFailed()) return;
  const char* const filters =
      "passed --kernel-include-regex, --kernel-exclude-regex and --kernel-iteration-range";
  PrintNote("nothing was counted: of " + std::to_string(kernels) + " kernels, none " +
            (request_.counter_kernels.empty() ? "" : filters) +
            (chosen_gpus && !request_.counter_kernels.empty() ? " and " : "") +
            (chosen_gpus ? "ran on a GPU that :device= names" : ""));
}

// Prints one line when selected events are missing.
void Job::ReportLosses(const store::CollectResult& result) const {
  using exporting::tool::Domain;
  const exporting::tool::ToolOptions& tool = request_.tool;
  const struct {
    EventKind kind;
    bool wanted;
  } kKinds[] = {{EventKind::kKernel, tool.wants(Domain::kKernel)},
                {EventKind::kMarker, tool.wants(Domain::kMarker)},
                {EventKind::kHipCall, tool.wants(Domain::kHip)},
                {EventKind::kCompilerCall, tool.wants(Domain::kHip)},
                {EventKind::kCopy, tool.wants(Domain::kCopy)},
                {EventKind::kHsaCall, tool.wants(Domain::kHsa)},
                {EventKind::kAllocation, tool.wants(Domain::kAllocation)},
                {EventKind::kScratch, tool.wants(Domain::kScratch)},
                {EventKind::kRcclCall, tool.wants(Domain::kRccl)},
                {EventKind::kCounter, tool.counters},
                {EventKind::kPcSample, tool.samples}};
  std::string text;
  for (const auto& [kind, wanted] : kKinds) {
    const store::KindTotals& totals = result.kind(kind);
    if (!wanted || totals.lost() == 0) continue;
    std::string causes;
    for (size_t why = 0; why < kLossCount; ++why) {
      if (totals.losses[why] == 0) continue;
      causes += (causes.empty() ? "" : ", ") + std::to_string(totals.losses[why]) + " " +
                LossText(static_cast<Loss>(why));
    }
    text += (text.empty() ? "" : "; ") + std::to_string(totals.lost()) + " of " +
            std::to_string(totals.submitted) + " " + EventKindName(kind) + " (" + causes + ")";
  }
  if (!text.empty()) PrintNote("not recorded: " + text);
}

int ListAvailable(const Settings& settings) {
  std::string text;
  const Status described = DescribeCounters({}, true, {}, settings.Word("extra_counters"), &text);
  if (!described.ok()) return FailWith(described, kExitFailed);
  std::cout << text << std::flush;
  return std::cout ? 0 : kExitFailed;
}

}  // namespace

void PrintNote(const std::string& text) {
  cli::PrintAside("rocprofv3: " + cli::Printable(text) + "\n");
}

int Main(const std::vector<std::string>& arguments) {
  cli::OccupyStandardStreams();
  // cli::Delivery starts this program with these arguments, as it does with rtl.
  if (arguments == std::vector<std::string>{"doctor", "--probe", "--quiet"})
    return cli::RunProbe(true);
  if (arguments == std::vector<std::string>{kPrintNodes}) return PrintNodes();
  cli::SurviveFileSizeLimit();
  CommandLine line;
  const Status parsed = ParseCommandLine(arguments, &line);
  if (!parsed.ok()) {
    PrintNote(std::string(parsed.message()) + " (try: rocprofv3 --help)");
    return kExitUsage;
  }
  if (line.settings.IsOn("help") || line.settings.IsOn("version")) {
    std::cout << (line.settings.IsOn("help") ? HelpText() : VersionText()) << std::flush;
    return std::cout ? 0 : kExitFailed;
  }
  if (line.settings.IsOn("list_avail")) return ListAvailable(line.settings);
  std::vector<Pass> passes;
  const Status made = MakePasses(line, &passes);
  if (!made.ok()) return FailWith(made, kExitFailed);
  for (const Pass& pass : passes) {
    if (pass.settings.IsOn("list_avail")) return ListAvailable(pass.settings);
  }
  const Status served = AreServed(passes, line);
  if (!served.ok()) return FailWith(served, kExitFailed);
  std::set<std::string> said;
  for (size_t i = 0; i < passes.size(); ++i) {
    const int code = Job(passes[i], &said, line).Run();
    if (code == 0) continue;
    const size_t left = passes.size() - i - 1;
    if (left != 0) {
      PrintNote(
          passes[i].folder + " ended with exit code " + std::to_string(code) + "; " +
          (left == 1 ? "the run after it was" : std::to_string(left) + " runs after it were") +
          " not started");
    }
    return code;
  }
  return 0;
}

}  // namespace rtl::v3
