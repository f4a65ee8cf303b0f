// SPDX-License-Identifier: MIT
// settings.h: the values of the options. They come from the command line, one job of an input file,
// and the environment.
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

// Reads "yes", "ON", "1" and the like. Empty: the word is no truth value.
std::optional<bool> ParseTruth(std::string_view word);

class Settings {
 public:
  // Stores the words as they are; for a switch it stores "true" or "false". Rejects invalid values.
  // `where`, for errors: "--kernel-trace", or the file and the key.
  Status Set(const Option& option, const std::string& where, std::vector<std::string> words);

  void Forget(const std::string& key) { values_.erase(key); }
  bool Has(std::string_view key) const { return values_.contains(key); }
  bool IsOn(std::string_view key) const;
  bool IsOff(std::string_view key) const;
  // The first word of a value. Empty if the option is not set.
  const std::string& Word(std::string_view key) const;
  const std::vector<std::string>& Words(std::string_view key) const;
  // The value of an option that takes a number; 0 if the option is not set.
  int64_t Number(std::string_view key) const;
  const std::map<std::string, std::vector<std::string>, std::less<>>& all() const {
    return values_;
  }

  // Adds the values of `other`. If an option has different values in both, that is an error.
  Status Merge(const Settings& other, const std::string& where);
  // For options that are not set, takes the values of their environment variables.
  Status AddVariables();

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

struct CommandLine {
  Settings settings;
  std::optional<uint32_t> gpus;  // N of --vgpu=N
  // The words of each --pmc, when there are several; then settings has none.
  std::vector<std::vector<std::string>> counters;
  std::vector<std::string> program;
};

// `arguments` without the program's name.
Status ParseCommandLine(const std::vector<std::string>& arguments, CommandLine* out);

// *jobs: one entry for each job of the file.
Status ReadInputFile(const std::string& path, std::vector<Settings>* jobs);
// Whether the file has the form of text, with lines of counters.
bool IsTextFile(const std::string& path);
enum class InputFormat : uint8_t { kText, kJson, kYaml };
// Reads an input file from memory.
Status ParseInput(const std::string& path, InputFormat format, const std::string& text,
                  std::vector<Settings>* jobs);

}  // namespace rtl::v3
