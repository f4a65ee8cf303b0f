// SPDX-License-Identifier: MIT
// settings.h: the values of the options: from the command line, from one job of an input file, from
// the environment.
//
// Threads    one
// Errors     one line that names the option, or the position in the file
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "rocprofv3/option_table.h"

namespace rtl::v3 {

inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;

// "yes", "ON", "1" …; empty for other words.
std::optional<bool> ParseTruth(std::string_view word);

class Settings {
 public:
  // Stores the words unchanged; a switch has "true" or "false". Refuses invalid values. `where`:
  // "--kernel-trace", or the file and the key.
  Status Set(const Option& option, const std::string& where, std::vector<std::string> words);

  void Forget(const std::string& key) { values_.erase(key); }
  bool Has(std::string_view key) const { return values_.contains(key); }
  bool IsOn(std::string_view key) const;
  bool IsOff(std::string_view key) const;
  // The first word; empty when there is none.
  const std::string& Word(std::string_view key) const;
  const std::vector<std::string>& Words(std::string_view key) const;
  const std::map<std::string, std::vector<std::string>, std::less<>>& all() const {
    return values_;
  }

  // Takes over the values of `other`. An option with different values in both is an error.
  Status Merge(const Settings& other, const std::string& where);
  // Takes values from variables for options that are not set.
  Status TakeVariables();

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

struct CommandLine {
  Settings settings;
  std::optional<uint32_t> gpus;  // of --vgpu=N
  // The words of each --pmc, when there are several; then settings has none.
  std::vector<std::vector<std::string>> counters;
  std::vector<std::string> program;
};

// `arguments` without the program's name.
Status ParseCommandLine(const std::vector<std::string>& arguments, CommandLine* out);

// One entry for each job.
Status ReadInputFile(const std::string& path, std::vector<Settings>* jobs);
// A file with lines of counters.
bool IsTextFile(const std::string& path);
// The same from its contents.
enum class InputFormat : uint8_t { kText, kJson, kYaml };
Status ParseInput(const std::string& path, InputFormat format, const std::string& text,
                  std::vector<Settings>* jobs);

}  // namespace rtl::v3
