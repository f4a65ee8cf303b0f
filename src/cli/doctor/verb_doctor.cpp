// SPDX-License-Identifier: MIT
// `rtl doctor` reports what can be traced on this machine, and what prevents the rest. It checks
// the machine and the environment. Then it traces a process that starts and stops the HSA runtime,
// and reports the result.
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "base/config.h"
#include "base/settings.h"
#include "cli/base/installation.h"
#include "cli/base/near_miss.h"
#include "cli/base/print.h"
#include "cli/base/table.h"
#include "cli/base/traced_environment.h"
#include "cli/base/traced_probe.h"
#include "cli/base/verbs.h"
#include "cli/counters/delivery.h"
#include "selftest/driver_access.h"
#include "trace/collect/collector.h"
#include "trace/read/trace_reader.h"

namespace rtl::cli {
namespace {

namespace fs = std::filesystem;

constexpr char kWithClusters[] = "gfx125";  // the names of GPUs with clusters begin with this

class Doctor {
 public:
  explicit Doctor(const DoctorOptions& options) : options_(options) {}

  int Run() {
    LookAtInstallation();
    LookAtDriver();
    LookAtDisassembler();
    LookAtEnvironment();
    if (problems_ == 0) TraceARuntime();
    const std::string verdict = problems_ == 0 ? "ready to trace\n" : "nothing would be traced\n";
    const int printed = PrintResult(text_ + verdict);
    return printed != 0 ? printed : problems_ == 0 ? 0 : kExitFailed;
  }

 private:
  void Good(const std::string& what) { text_ += "ok       " + what + "\n"; }
  void Note(const std::string& what) { text_ += "note     " + what + "\n"; }
  void Problem(const std::string& what) {
    text_ += "problem  " + what + "\n";
    ++problems_;
  }
  std::string Variable(const std::string& name) const {
    return FindVariable(variables_, name).value_or("");
  }

  void LookAtInstallation() {
    constexpr struct {
      const char* name;
      bool always;
    } kLibraries[] = {{"librtl.so", true},        {"librtl_engine.so", true},
                      {"librtl_hip.so", false},   {"librtl_rccl.so", false},
                      {"libroctx64.so.4", false}, {"libvgpu.so", false}};
    for (const auto& library : kLibraries) {
      std::string path;
      const Status found = FindLibrary(library.name, &path);
      const bool needed = library.always || options_.on_vgpu;
      if (found.ok()) {
        Good(path);
      } else if (needed) {
        Problem(found.message());
      } else {
        Note(found.message());
      }
    }
  }

  void LookAtDriver() {
    if (options_.on_vgpu) return Good("the virtual GPU stands in for the driver");
    if (const std::string why = selftest::WhyNoDriver(); !why.empty())
      return Problem(why + "; --vgpu traces on a virtual one");
    Good(kDriver);
    LookAtRenderNodes();
  }

  void LookAtRenderNodes() {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/dev/dri", error)) {
      const std::string path = entry.path();
      if (!entry.path().filename().string().starts_with("renderD")) continue;
      const std::string why = selftest::WhyNoRenderNode(path);
      if (why.empty()) {
        Good(path);
      } else {
        Note(why + "; this GPU is not accessible");
      }
    }
  }

  void LookAtEnvironment() {
    Config config;
    const Status parsed = Config::FromEnvironment(&config);
    if (!parsed.ok()) Note(parsed.message());
    if (config.disabled) Problem("tracing is switched off by RTL_DISABLE or RTL_MODE");
    LookForUnknownVariables();
    if (const std::string spool = Variable("RTL_SPOOL"); !spool.empty()) {
      Note("this shell runs below another tracer (RTL_SPOOL is set: " + Printable(spool) +
           "); programs that rtl trace starts here are in its own trace, not in that one");
    }
    const ToolNames tools = SortTools(Variable("HSA_TOOLS_LIB"));
    if (!tools.replaced.empty() && tools.replaced.find("librtl.so") == std::string::npos) {
      Note("HSA_TOOLS_LIB names another tool (" + tools.replaced + "); rtl trace replaces it");
    }
    if (!tools.kept.empty())
      Note("HSA_TOOLS_LIB names " + tools.kept + ": its tools run beside the trace");
    // A tool of rocprofiler-sdk registers first, and newer runtimes may then skip HSA_TOOLS_LIB.
    if (dlsym(RTLD_DEFAULT, "rocprofiler_configure") != nullptr) {
      Note("a preloaded library has rocprofiler_configure: another profiler will be active, too");
    }
    for (const char* name : {"ROCP_TOOL_LIBRARIES", "ROCPROFILER_REGISTER_LIBRARY"}) {
      if (!Variable(name).empty()) Note(std::string(name) + " is set: " + Variable(name));
    }
    if (Variable("HSA_TOOLS_DISABLE_REGISTER") == "1") Note("HSA_TOOLS_DISABLE_REGISTER is set");
  }

  // A variable that rtl does not read is probably misspelt if its name is close to one that rtl
  // reads. Others, such as those of scripts/, are not reported.
  void LookForUnknownVariables() {
    std::vector<std::string> known;
    for (const Setting* setting = kSettings; setting->name != nullptr; ++setting) {
      known.emplace_back(setting->name);
    }
    for (const std::string& variable : variables_) {
      const std::string name = variable.substr(0, variable.find('='));
      if (!name.starts_with("RTL_") || IsSetting(name)) continue;
      const std::string meant = DidYouMean(name, known);
      if (!meant.empty()) Note(name + " is not a variable that rtl reads" + meant);
    }
  }
  static bool IsSetting(const std::string& name) {
    for (const Setting* setting = kSettings; setting->name != nullptr; ++setting) {
      if (name == setting->name) return true;
      if (setting->old_name != nullptr && name == setting->old_name) return true;
    }
    return false;
  }

  TracedEnvironment ProbedEnvironment() {
    TracedEnvironment traced;
    (void)FindTracer(options_.on_vgpu, &traced);  // LookAtInstallation has reported the error
    traced.gpus = options_.gpus;
    return traced;
  }

  // Traces this program while it starts and stops the runtime.
  void TraceARuntime() {
    TracedProbe probe;
    const Status ran = probe.Run(ProbedEnvironment(), variables_, false);
    if (!ran.ok()) return Problem(ran.message());
    const Ending& ending = probe.ending();
    if (ReportRuntime(ending)) ReportTrace(probe.result());
    if (problems_ != 0) return;
    if (ending.number == kMakesQueuesByDescription) {
      Note("queues of hsa_amd_queue_create are seen at their doorbells");
    }
    LookAtCounters();
    LookAtSampling();
  }

  void LookAtCounters() {
    Delivery delivery(ProbedEnvironment(), variables_);
    const Status readable = delivery.Check({.counters = "SQ_WAVES"});
    if (readable.ok()) return Good("hardware counters (--pmc)");
    Note(std::string(readable.message()) +
         "; the library is in AMD's package hsa-amd-aqlprofile, from ROCm 6.3 on");
  }

  void LookAtSampling() {
    Delivery delivery(ProbedEnvironment(), variables_);
    const Status sampled = delivery.Check({.pc_sampling_us = 1000});
    if (sampled.ok()) return Good("PC sampling (--pc-sampling)");
    Note(sampled.message());
  }

  // Looks for the library that disassembles code, which `rtl hot` and HIP itself use.
  void LookAtDisassembler() {
    for (const char* name :
         {"libamd_comgr.so.3", "libamd_comgr.so.2", "libamd_comgr.so",
          "/opt/rocm/lib/libamd_comgr.so.3", "/opt/rocm/lib/libamd_comgr.so.2"}) {
      if (dlopen(name, RTLD_LAZY | RTLD_LOCAL) != nullptr) return Good(name);
    }
    Note(
        "libamd_comgr.so was not found: rtl hot shows no instructions; the library is in Debian's "
        "package libamd-comgr2, in AMD's comgr");
  }

  bool ReportRuntime(const Ending& ending) {
    if (!ending.signalled && (ending.number == 0 || ending.number == kMakesQueuesByDescription)) {
      return true;
    }
    if (!ending.signalled && ending.number == kNoRuntime) {
      Problem(std::string("no HSA runtime: ") + kRuntime +
              " was not found; it is in Debian's package libhsa-runtime64-1, in AMD's hsa-rocr");
    } else if (!ending.signalled && ending.number == kInitFailed) {
      Problem("the HSA runtime does not start: hsa_init failed");
    } else {
      Problem("the HSA runtime does not start: the probe ended with " +
              std::to_string(ending.ExitCode()));
    }
    return false;
  }

  void ReportTrace(const store::CollectResult& result) {
    for (const std::string& warning : result.warnings) Note(warning);
    if (result.processes.empty() || result.processes[0].runtime.empty()) {
      const bool told = !result.processes.empty() && !result.processes[0].refusal.empty();
      return Problem("the HSA runtime started, but was not traced: " +
                     (told ? result.processes[0].refusal : "it did not load the tracer"));
    }
    const store::ProcessResult& process = result.processes[0];
    Good("loaded by " + process.loaded_by + ", " + process.runtime);
    Good("mode " + process.mode + (process.mode_reason.empty() ? "" : ": " + process.mode_reason));
    std::unique_ptr<query::TraceReader> trace;
    std::vector<query::Agent> agents;
    Status read = query::TraceReader::Open(result.output, &trace);
    if (read.ok()) read = trace->tables().Agents(&agents);
    if (!read.ok()) return Problem(read.message());
    size_t gpus = 0;
    for (const query::Agent& agent : agents) {
      if (!agent.is_gpu) continue;
      ++gpus;
      Good("GPU " + std::to_string(agent.gpu) + ": " + Printable(agent.name) + ", " +
           Printable(agent.product) + ", " + Printable(agent.uuid));
      if (agent.name.starts_with(kWithClusters)) {
        Note("GPU " + std::to_string(agent.gpu) +
             ": kernels of workgroup clusters come in the vendor's own dispatch packets, which are "
             "recorded as kernels");
      }
    }
    if (gpus == 0) Problem("the HSA runtime shows no GPU to this user");
  }

  const DoctorOptions& options_;
  const std::vector<std::string> variables_ = OwnVariables();
  std::string text_;
  int problems_ = 0;
};

// Lists the RTL_* variables. Each has a paragraph: name, value here or default, meaning.
int ListVariables() {
  std::string text;
  for (const Setting* setting = kSettings; setting->name != nullptr; ++setting) {
    text += setting->name;
    const char* const value =
        SettingText([](const char* name) -> const char* { return getenv(name); }, setting->name);
    if (value != nullptr) {
      text += " = " + Printable(value) + "  (set here)";
    } else if (*setting->standard != '\0') {
      text += std::string("  (default: ") + setting->standard + ")";
    }
    text += "\n    " + std::string(setting->text) + "\n";
    if (setting->old_name != nullptr) {
      text += std::string("    also read as ") + setting->old_name + ", its earlier name\n";
    }
  }
  return PrintResult(text);
}

}  // namespace

int RunVerb(const DoctorOptions& options) {
  if (options.variables) return ListVariables();
  return options.probe ? RunProbe(options.quiet) : Doctor(options).Run();
}

}  // namespace rtl::cli
