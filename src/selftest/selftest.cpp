// SPDX-License-Identifier: MIT
#include "selftest/selftest.h"

#include <stdio.h>
#include <sys/utsname.h>
#include <time.h>

#include <algorithm>
#include <fstream>

#include "selftest/code_objects.h"
#include "selftest/programs.h"

namespace rtl::selftest {

const std::vector<Check>& Checks() {
  static const std::vector<Check> kChecks = {
      {"storm", "four threads launch at once", CheckStorm},
      {"calls", "HIP calls and the kernels that they launch", CheckCalls},
      {"graph", "kernels of a graph", CheckGraph},
      {"copies", "copies in both directions", CheckCopies},
      {"ranges", "ROCTx ranges and marks", CheckRanges},
      {"gpus", "kernels on every GPU", CheckGpus},
      {"processes", "processes that a program starts", CheckProcesses},
      {"fork", "children that are forked before the GPU is used", CheckFork},
      {"order", "times of kernels are in order", CheckOrder},
      {"events", "times of kernels against hipEvent", CheckEvents},
      {"clock", "times of kernels against the host's clock", CheckHostClock},
      {"drift", "the GPU's clock against the host's", CheckDrift},
      {"latency", "how soon the GPU starts work", CheckLatency},
      {"signals", "the program's own signals and their times", CheckSignals},
      {"unchanged", "results are the same with and without the tracer", CheckUnchanged},
      {"kill", "a program killed by SIGKILL", CheckKill},
      {"crash", "a program that crashes", CheckCrash},
      {"fault", "a kernel that writes to an address that is not mapped", CheckFault},
      {"counters", "hardware counters of known kernels", CheckCounters},
      {"samples", "samples of program counters in a known line", CheckSamples},
      {"attach", "attaching to a running program", CheckAttach},
      {"sdk", "a tool of rocprofiler-sdk", CheckSdk},
      {"cost-storm", "what tracing costs four threads that launch at once", CheckOverheadStorm},
      {"cost-wait", "what tracing costs a launch and its wait", CheckOverheadWait},
      {"cost-graph", "what tracing costs a graph", CheckOverheadGraph}};
  return kChecks;
}

namespace {

constexpr char kHeader[] = "rtl selftest report";

const char* Word(Verdict verdict) {
  return verdict == Verdict::kRight ? "right" : verdict == Verdict::kWrong ? "WRONG" : "not here";
}

// The machine, for the reader of a report.
std::string DescribeMachine(const Bench& bench, const Ran& inventory, const char* version) {
  std::string text = Text("rtl %s, built for glibc %s\n", version, RTL_BUILT_FOR_GLIBC);
  utsname system = {};
  if (uname(&system) == 0) text += Text("Linux %s %s\n", system.release, system.machine);
  std::ifstream release("/etc/os-release");
  for (std::string line; std::getline(release, line);) {
    if (line.starts_with("PRETTY_NAME=")) text += line.substr(12) + "\n";
  }
  std::ifstream driver("/sys/module/amdgpu/version");
  std::string driver_version;
  if (!bench.options().on_vgpu && std::getline(driver, driver_version))
    text += "amdgpu " + driver_version + "\n";
  if (bench.options().on_vgpu) text += "the virtual GPU stands in for the driver\n";
  return text + inventory.out;
}

// False, with a line, when there is another file.
bool MayWrite(const Options& options) {
  std::ifstream earlier(options.output);
  std::string line;
  if (options.force || !earlier || !std::getline(earlier, line) || line == kHeader) return true;
  fprintf(stderr, "rtl: %s exists and is no report of selftest; -o FILE or --force\n",
          options.output.c_str());
  return false;
}

class Selftest {
 public:
  Selftest(const Options& options, const char* version)
      : options_(options), version_(version), bench_(options) {}

  int Run() {
    if (!MayWrite(options_)) return 1;
    EndAtInterrupt();
    if (const std::string why = bench_.Prepare(); !why.empty()) return Refuse(why);
    const Ran inventory = bench_.Plain("inventory");
    if (const auto bad = bench_.Bad(inventory)) {
      return Refuse(bad->figure + (options_.on_vgpu ? ""
                                                    : "; rtl doctor says more, --vgpu checks "
                                                      "with a virtual GPU"));
    }
    if (*MissingTargets() != '\0')
      notes_ = std::string("this build has no kernels for ") + MissingTargets() + "\n";
    results_ = DescribeMachine(bench_, inventory, version_) + notes_;
    printf("%s\n", results_.c_str());
    results_ += "\n";
    (void)bench_.TakeLog();
    for (const Check& check : Checks()) {
      if (bench_.Wants(check.name)) RunCheck(check);
    }
    return Conclude();
  }

 private:
  static int Refuse(const std::string& why) {
    fprintf(stderr, "rtl: selftest cannot check anything: %s\n", why.c_str());
    return 1;
  }

  void RunCheck(const Check& check) {
    const Result result = check.run(bench_);
    ++counts_[static_cast<int>(result.verdict)];
    const std::string line = Text("%-9s %-10s ", Word(result.verdict), check.name) +
                             bench_.WithoutNames(result.figure) + "\n";
    fputs(line.c_str(), stdout);
    fflush(stdout);
    results_ += line;
    const std::string log = bench_.TakeLog();
    if (result.verdict == Verdict::kWrong)
      evidence_ += Text("\n== %s: %s\n", check.name, check.what) + log + bench_.DescribeTrace();
  }

  int Conclude() {
    const int wrong = counts_[static_cast<int>(Verdict::kWrong)];
    const std::string sum =
        Text("\n%d right, %d wrong, %d not here\n", counts_[0], wrong, counts_[2]);
    std::ofstream report(options_.output, std::ios::trunc);
    report << kHeader << "\n" << bench_.WithoutNames(results_) << sum << evidence_;
    report.close();
    fputs(sum.c_str(), stdout);
    if (!report) {
      fprintf(stderr, "rtl: %s cannot be written; -o FILE names another\n",
              options_.output.c_str());
      return 1;
    }
    printf("%s has these results%s. It names no user, host or folder.\n", options_.output.c_str(),
           wrong == 0 ? "" : ", and the trace and the output of each check that is wrong");
    if (wrong != 0)
      puts(
          "Do not trust this machine's traces where a check is wrong; send the file with a bug "
          "report.");
    else
      puts("Traces of this machine can be trusted in what is right above.");
    return wrong == 0 && counts_[0] > 0 ? 0 : 1;
  }

  const Options& options_;
  const char* const version_;
  Bench bench_;
  std::string notes_, results_, evidence_;
  int counts_[3] = {};
};

int List() {
  for (const Check& check : Checks()) printf("%-11s %s\n", check.name, check.what);
  return 0;
}

}  // namespace

int RunSelftest(const Options& options, const char* version) {
  if (!options.program.empty()) return RunProgram({options.program, options.number, options.hip});
  if (options.list) return List();
  for (const std::string& name : options.only) {
    const auto known = std::any_of(Checks().begin(), Checks().end(),
                                   [&](const Check& check) { return name == check.name; });
    if (known) continue;
    fprintf(stderr, "rtl: there is no check %s (rtl selftest --list)\n", name.c_str());
    return 2;
  }
  return Selftest(options, version).Run();
}

}  // namespace rtl::selftest
