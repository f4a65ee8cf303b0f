// SPDX-License-Identifier: MIT
// output_names.h: replaces %pid%, %hostname% and other keys in names of files and folders.
//
// Threads    one
#pragma once

#include <sys/types.h>

#include <ctime>
#include <string>
#include <vector>

#include "rocprofv3/ranks.h"
#include "trace/read/rows.h"

namespace rtl::v3 {

class OutputNames {
 public:
  // `program`: the launched command; `launched`: the time of the launch.
  OutputNames(std::vector<std::string> program, std::time_t launched, RankVariables variables = {});

  // All keys in their written form, for a program with one argument: "%pid%", "%env{X}%".
  static std::vector<std::string> AllKeys();

  // Replaces keys by the values of this process; other text stays.
  std::string Expand(const std::string& pattern, const query::Process& process) const;

 private:
  struct Key {
    std::string name;  // "%pid%"
    std::string value;
  };
  std::vector<Key> KeysOf(const query::Process& process) const;

  std::vector<std::string> program_;
  std::time_t launched_;
  RankVariables variables_;
};

}  // namespace rtl::v3
