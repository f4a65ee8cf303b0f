// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>

#include "cli/base/verb_arguments.h"

namespace rtl::cli {

void SelftestArguments::AddTo(CLI::App* app) {
  CLI::App* const verb =
      app->add_subcommand("selftest", "Check whether traces of this machine are right");
  gpus_.AddTo(verb, "Check with a virtual GPU, or with N of them");
  AddValue(verb, "-o,--output", "FILE", options_.output, "The report, a text file")
      ->capture_default_str();
  verb->add_flag("--force", options_.force, "Replace FILE even if it is no report");
  AddValue(verb, "--only", "NAMES", options_.only, "Only these checks, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_flag("--list", options_.list, "List the checks and what they check, and run none");
  AddValue(verb, "--hip", "FILE", options_.hip,
           "The libamdhip64 to use (default: the loader's newest, else one of this Python "
           "environment or of /opt/rocm)");
  AddValue(verb, "--limit", "SECONDS", options_.limit, "Seconds that one program may take")
      ->capture_default_str()
      ->check(CLI::Range(1, 3600));
  AddValue(verb, "--minutes", "MINUTES", options_.minutes, "Minutes after which no check begins")
      ->capture_default_str()
      ->check(CLI::Range(0, 1440));
  verb->add_option("--program", options_.program, "Be a program that is traced")->group("");
  verb->add_option("--number", options_.number, "Of its launches")->group("");
  verb->footer(R"(
It runs small programs with and without the tracer, in some minutes, and compares the traces with
what the programs did. It needs a GPU, its driver and ROCm's HIP, and no compiler. A line for each
check:
  right     the trace says what the program did
  WRONG     it does not: do not trust this machine's traces in that, and send FILE with a bug report
  not here  the machine or its ROCm lacks what the check needs; the line says what
FILE has all results and, for each wrong one, the trace and the output. It names no user, host or
folder. Exit code: 0 nothing is wrong, 1 something is or nothing could be checked, 128 + N signal N
interrupted it.

  rtl selftest                     on this machine's GPUs, in this order:
                                   nothing could be checked: do what the line says; rtl doctor says more
                                   a check is WRONG: rtl selftest --only NAME repeats it
                                   all right: rtl trace PROGRAM
  rtl selftest --hip FILE          with another libamdhip64.so, as the one that PyTorch brings
  HIP_VISIBLE_DEVICES=1 rtl selftest   with another GPU than the first
  rtl selftest --vgpu              without a GPU, to see what it looks like)");
}

std::string SelftestArguments::Resolve() {
  return gpus_.Resolve(&options_.on_vgpu, &options_.gpus);
}

}  // namespace rtl::cli
