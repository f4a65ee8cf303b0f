// SPDX-License-Identifier: MIT
// rtl_manual FOLDER: writes the manual pages and the completions for shells. It runs during the
// build.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "cli/parser.h"
#include "programs/manual.h"
#include "rocprofv3/help.h"

namespace {

namespace fs = std::filesystem;

bool Write(const fs::path& file, const std::string& text) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  std::ofstream out(file, std::ios::trunc);
  out << text;
  out.close();
  if (out.good()) return true;
  std::fprintf(stderr, "rtl_manual: %s cannot be written\n", file.c_str());
  return false;
}

bool WriteAll(const rtl::cli::ProgramText& program, const fs::path& folder) {
  using namespace rtl::manual;
  const fs::path shells = folder / "completions";
  return Write(folder / "man" / (program.name + ".1"), ManualPage(program)) &&
         Write(shells / "bash" / program.name, BashCompletion(program)) &&
         Write(shells / "zsh" / ("_" + program.name), ZshCompletion(program)) &&
         Write(shells / "fish" / (program.name + ".fish"), FishCompletion(program));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: rtl_manual FOLDER\n");
    return 2;
  }
  const bool written =
      WriteAll(rtl::cli::DescribeRtl(), argv[1]) && WriteAll(rtl::v3::DescribeRocprofv3(), argv[1]);
  return written ? 0 : 1;
}
