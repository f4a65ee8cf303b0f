// SPDX-License-Identifier: MIT
// output_names.h: %pid%, %hostname% and the other keys in names of files and folders.
//
// Threads    one
#pragma once

#include <sys/types.h>

#include <ctime>
#include <string>
#include <vector>

#include "query/rows.h"
#include "rocprofv3/ranks.h"

namespace rtl::v3 {

class OutputNames {
 public:
  // `program`: what was launched; `launched`: when.
  OutputNames(std::vector<std::string> program, std::time_t launched, RankVariables variables = {});

  // All keys as they are written, of a program with one argument: "%pid%", "%env{X}%".
  static std::vector<std::string> AllKeys();

  // With the values of this process; what is no key stays.
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
