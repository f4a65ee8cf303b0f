// SPDX-License-Identifier: MIT
#include "selftest/selftest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "selftest/bench.h"
#include "selftest/code_objects.h"
#include "selftest/driver_access.h"
#include "selftest/programs.h"

extern char** environ;

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

// Describes the machine for the reader of a report.
std::string DescribeMachine(const Bench& bench, const char* version) {
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
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable = *each;
    for (const char* const of_rocm : {"HSA_", "ROCR_", "HIP_", "AMD_", "GPU_", "ROC_"}) {
      if (variable.starts_with(of_rocm)) text += "variable " + std::string(variable) + "\n";
    }
  }
  return text;
}

class Report {
 public:
  explicit Report(std::string path) : path_(std::move(path)) {}
  // Makes the file before the checks run, because results that cannot be written would be useless.
  // False: the file cannot be written, or exists and is no report; a line says so.
  bool Open(bool force);
  // Replaces the content of the file. False: it cannot be written; a line says so.
  bool Write(const std::string& text);
  // Call it if nothing was checked: removes the file if Open made it.
  void Drop() const;
  const std::string& path() const { return path_; }

 private:
  bool Refuse(const std::string& why) const;

  const std::string path_;
  bool was_there_ = false;
};

bool Report::Refuse(const std::string& why) const {
  fprintf(stderr, "rtl: %s %s\n", path_.c_str(), why.c_str());
  return false;
}

bool Report::Open(bool force) {
  std::ifstream earlier(path_);
  std::string line;
  was_there_ = earlier.is_open();
  if (!force && was_there_ && std::getline(earlier, line) && line != kHeader)
    return Refuse("exists and is no report of selftest; -o FILE or --force");
  const int fd = open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0)
    return Refuse(std::string("cannot be written: ") + strerror(errno) + "; -o FILE names another");
  close(fd);
  return true;
}

bool Report::Write(const std::string& text) {
  errno = 0;
  std::ofstream file(path_, std::ios::trunc);
  file << text;
  file.close();
  if (file) return true;
  return Refuse(std::string("cannot be written: ") + strerror(errno) + "; -o FILE names another");
}

void Report::Drop() const {
  if (!was_there_) (void)unlink(path_.c_str());
}

class Selftest {
 public:
  Selftest(const Options& options, const char* version)
      : options_(options), version_(version), bench_(options), report_(options.output) {}

  int Run() {
    if (!report_.Open(options_.force)) return 1;
    EndAtInterrupt();
    if (const std::string why = LookAtMachine(); !why.empty()) return Refuse(why);
    printf("%s\n", results_.c_str());
    results_ += "\n";
    (void)bench_.DrainLog();
    const auto began = std::chrono::steady_clock::now();
    for (const Check& check : Checks()) {
      if (!bench_.Wants(check.name)) continue;
      const bool late =
          std::chrono::steady_clock::now() - began > std::chrono::minutes(options_.minutes);
      if (late && why_left_out_.empty())
        why_left_out_ = Text("%u minutes are over", options_.minutes);
      if (!why_left_out_.empty()) {
        left_out_ += std::string(left_out_.empty() ? "" : ",") + check.name;
        continue;
      }
      RunCheck(check);
      if (!report_.Write(Contents())) return 1;
      if (Interruption() != 0) return Interrupted();
    }
    return Conclude();
  }

 private:
  // Why nothing can be checked. Empty: everything can, and results_ begins with the machine.
  std::string LookAtMachine() {
    if (std::string why = bench_.Prepare(); !why.empty()) return why;
    if (!options_.on_vgpu) {
      if (const std::string why = WhyNoDriver(); !why.empty()) return why + kOtherWays;
    }
    std::string found;
    std::string target;
    for (const char* const program : {"inventory", "devices"}) {
      const Ran ran = bench_.Plain(program);
      if (const auto bad = bench_.Bad(ran))
        return bad->figure + target + (options_.on_vgpu ? "" : kOtherWays);
      found += ran.out;
      target = "; this GPU is " + ran.Fact("gpu");
    }
    if (*MissingTargets() != '\0')
      found += std::string("this build has no kernels for ") + MissingTargets() + "\n";
    results_ = DescribeMachine(bench_, version_) + found;
    return "";
  }

  int Refuse(const std::string& why) {
    report_.Drop();
    if (Interruption() != 0) return Interrupted();
    fprintf(stderr, "rtl: selftest cannot check anything: %s\n", why.c_str());
    return 1;
  }

  int Interrupted() {
    const int done = counts_[0] + counts_[1] + counts_[2];
    fprintf(stderr, "rtl: interrupted after %d checks%s\n", done,
            done == 0 ? "" : ("; " + report_.path() + " has their results").c_str());
    if (done == 0) report_.Drop();
    return kSignalled + Interruption();
  }

  std::string Contents() {
    return std::string(kHeader) + "\n" + bench_.WithoutNames(results_) + sum_ + evidence_;
  }

  void RunCheck(const Check& check) {
    const Result result = check.run(bench_);
    if (Interruption() != 0) return;  // the interrupt ended its programs
    if (result.verdict == Verdict::kWrong) {
      // If the disk has become full, programs and traces fail, and the result says nothing about
      // them.
      why_left_out_ = bench_.WithoutNames(bench_.WhyNoRoom(kLeastRoomBytes));
      if (!why_left_out_.empty()) left_out_ = check.name;
      if (!why_left_out_.empty()) return;
    }
    ++counts_[static_cast<int>(result.verdict)];
    const std::string line = Text("%-9s %-10s ", Word(result.verdict), check.name) +
                             bench_.WithoutNames(result.figure) + "\n";
    fputs(line.c_str(), stdout);
    fflush(stdout);
    results_ += line;
    const std::string log = bench_.DrainLog();
    if (result.verdict == Verdict::kWrong)
      evidence_ += Text("\n== %s: %s\n", check.name, check.what) + log + bench_.DescribeTrace();
  }

  int Conclude() {
    const int right = counts_[static_cast<int>(Verdict::kRight)];
    const int wrong = counts_[static_cast<int>(Verdict::kWrong)];
    const int absent = counts_[static_cast<int>(Verdict::kNotHere)];
    sum_ = Text("\n%d right, %d wrong, %d not here\n", right, wrong, absent);
    if (!left_out_.empty())
      sum_ += why_left_out_ + "; to check the rest: --only " + left_out_ + "\n";
    fputs(sum_.c_str(), stdout);
    if (!report_.Write(Contents())) return 1;
    printf("%s has these results%s. It names no user, host or folder.\n", report_.path().c_str(),
           wrong == 0 ? "" : ", and the trace and the output of each check that is wrong");
    if (wrong != 0)
      puts(
          "Do not trust this machine's traces where a check is wrong; send the file with a bug "
          "report.");
    else if (right == 0)
      puts("Nothing was checked: each line above says what is missing.");
    else
      puts("Traces of this machine can be trusted in what is right above.");
    if (absent != 0 && right != 0)
      puts("What is not here was not checked: its line says what is missing.");
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
      fprintf(stderr, "rtl: standard output: writing failed; %s has the results\n",
              report_.path().c_str());
      return 1;
    }
    return wrong == 0 && right > 0 ? 0 : 1;
  }

  // Enough for a trace while the last one still exists.
  static constexpr long kLeastRoomBytes = 16l << 20;
  static constexpr int kSignalled = 128;  // added to the signal in the exit code of a process
  static constexpr char kOtherWays[] =
      "; rtl doctor says more, rtl selftest --vgpu checks with a virtual GPU";

  const Options& options_;
  const char* const version_;
  Bench bench_;
  Report report_;
  std::string results_, sum_, evidence_;
  std::string left_out_;  // names of checks that were left out, with commas
  std::string why_left_out_;
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
