// SPDX-License-Identifier: MIT
// steps.h: finds the ranges that are steps of a program, and their numbers.
//
// A range is a step when it has the name that the user gave, or that name and a number: "step",
// "step 7", "step_7" and "step#7" are steps of "step". Steps without a number are counted for each
// process.
//
// Threads    one
// Memory     one number per process
#pragma once

#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace rtl::exporting {

class Steps {
 public:
  // No range is a step when `name` is empty.
  explicit Steps(std::string name) : name_(std::move(name)) {}

  bool IsStep(int64_t process, std::string_view range, uint64_t* number) {
    if (name_.empty() || !range.starts_with(name_)) return false;
    std::string_view rest = range.substr(name_.size());
    if (rest.empty()) {
      *number = next_[process]++;
      return true;
    }
    while (!rest.empty() && std::string_view(" _#:.-").find(rest[0]) != std::string_view::npos) {
      rest.remove_prefix(1);
    }
    const char* const end = rest.data() + rest.size();
    const auto parsed = std::from_chars(rest.data(), end, *number);
    return parsed.ec == std::errc() && parsed.ptr == end;
  }

 private:
  const std::string name_;
  std::map<int64_t, uint64_t> next_;  // next number for each process
};

}  // namespace rtl::exporting
