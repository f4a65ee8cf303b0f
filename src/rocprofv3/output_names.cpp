// SPDX-License-Identifier: MIT
#include "rocprofv3/output_names.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>

#include "cli/base/print.h"

namespace rtl::v3 {
namespace {

constexpr size_t kMostRounds = 16;  // rounds of replacing, because a value may contain keys

std::string Variable(const char* name, const std::string& otherwise) {
  const char* const value = getenv(name);
  return value == nullptr ? otherwise : value;
}

std::string FirstVariable(std::initializer_list<const char*> names) {
  std::string value;
  for (const char* name : names) value = Variable(name, value);  // the last one that is set counts
  return value;
}

std::string Time(std::time_t time, const std::string& format) {
  char text[512] = {};
  struct tm parts = {};
  if (localtime_r(&time, &parts) == nullptr) return "";
  return std::string(text, strftime(text, sizeof text, format.c_str(), &parts));
}

// A text as a part of a file name: "/usr/bin/app" becomes "usr_bin_app".
std::string Flat(std::string word) {
  std::replace(word.begin(), word.end(), '/', '_');
  word.erase(0, std::min(word.find_first_not_of('.'), word.size()));
  word.erase(0, std::min(word.find_first_not_of('_'), word.size()));
  return word;
}

std::vector<std::string> Words(const std::string& command) {
  std::istringstream text(command);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

std::string Join(const std::vector<std::string>& words, size_t from) {
  std::string text;
  for (size_t i = from; i < words.size(); ++i) text += (i == from ? "" : "_") + Flat(words[i]);
  return text;
}

bool IsNumber(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// Replaces %env{X}%, $env{X} and %q{X}.
std::string ExpandVariables(std::string text) {
  static const std::regex kPatterns[] = {std::regex("%(?:env|ENV)\\{([A-Z0-9_]+)\\}%"),
                                         std::regex("\\$(?:env|ENV)\\{([A-Z0-9_]+)\\}"),
                                         std::regex("%q\\{([A-Z0-9_]+)\\}")};
  for (const std::regex& pattern : kPatterns) {
    std::smatch match;
    for (size_t round = 0; round < kMostRounds && std::regex_search(text, match, pattern);
         ++round) {
      std::string value = Variable(match[1].str().c_str(), "");
      value.erase(0, std::min(value.find_first_not_of("\t /"), value.size()));
      std::replace_if(
          value.begin(), value.end(), [](char c) { return c == '\t' || c == ' ' || c == '/'; },
          '_');
      text = match.prefix().str() + value + match.suffix().str();
    }
  }
  return text;
}

// Removes %argN% for arguments that the program does not have.
std::string DropArguments(std::string text) {
  static const std::regex kArgument("(%|\\{)arg[0-9]+(%|\\})[-/_]*");
  return std::regex_replace(text, kArgument, "");
}

}  // namespace

OutputNames::OutputNames(std::vector<std::string> program, std::time_t launched,
                         RankVariables variables)
    : program_(std::move(program)), launched_(launched), variables_(std::move(variables)) {}

std::vector<OutputNames::Key> OutputNames::KeysOf(const query::Process& process) const {
  // The words of the launched program are known exactly. Those of other processes come from /proc.
  const std::vector<std::string> words =
      process.command == cli::Joined(program_) ? program_ : Words(process.command);
  const std::string first = words.empty() ? process.executable : words.front();
  const std::string tag = first.substr(first.rfind('/') + 1);
  const std::string pid = std::to_string(process.pid);
  const bool named = !variables_.rank.empty();
  const std::string mpi_size = named
                                   ? Variable(variables_.size.c_str(), "")
                                   : FirstVariable({"MPI_SIZE", "MPI_LOCALNRANKS", "MPI_NRANKS",
                                                    "MV2_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_SIZE"});
  const std::string mpi_rank = named
                                   ? Variable(variables_.rank.c_str(), "")
                                   : FirstVariable({"MPI_RANK", "MPI_LOCALRANKID", "MPI_RANKID",
                                                    "MV2_COMM_WORLD_RANK", "OMPI_COMM_WORLD_RANK"});
  const bool has_rank = process.rank >= 0;
  const std::string size = IsNumber(mpi_size)   ? mpi_size
                           : process.world != 0 ? std::to_string(process.world)
                                                : "1";
  const std::string plain_rank = IsNumber(mpi_rank) ? mpi_rank
                                 : has_rank         ? std::to_string(process.rank)
                                                    : "0";
  const std::string rank = named ? plain_rank : Variable("SLURM_PROCID", plain_rank);
  const bool is_ranked = IsNumber(mpi_rank) || has_rank || getenv("SLURM_PROCID") != nullptr;
  std::error_code ignored;
  const std::string cwd = std::filesystem::current_path(ignored).string();
  const std::string job = Variable("SLURM_JOB_ID", "0");
  std::vector<Key> plain = {
      {"argv", Join(words, 0)},
      {"argt", tag + Join(words, 1)},
      {"args", Join(words, 1)},
      {"tag", tag},
  };
  for (size_t i = 0; i < words.size(); ++i) {
    plain.push_back({"arg" + std::to_string(i), Flat(words[i])});
  }
  plain.insert(plain.end(),
               {
                   {"hostname", process.host},
                   {"pid", pid},
                   {"ppid", std::to_string(process.parent_pid)},
                   {"pgid", std::to_string(getpgrp())},
                   {"psid", std::to_string(getsid(0))},
                   {"psize", "1"},
                   {"job", job},
                   {"rank", rank},
                   {"size", size},
                   {"nid", is_ranked ? rank : pid},
                   {"cwd", cwd},
                   {"launch_date", Time(launched_, Variable("ROCPROF_DATE_FORMAT", "%F"))},
                   {"launch_time", Time(launched_, Variable("ROCPROF_TIME_FORMAT", "%F_%H.%M"))},
               });
  std::vector<Key> keys;
  for (const Key& key : plain) {
    keys.push_back({"%" + key.name + "%", key.value});
    keys.push_back({"{" + key.name + "}", key.value});
  }
  keys.insert(keys.end(),
              {{"%h", process.host}, {"%p", pid}, {"%j", job}, {"%r", rank}, {"%s", size}});
  return keys;
}

std::vector<std::string> OutputNames::AllKeys() {
  std::vector<std::string> names;
  query::Process process;
  process.command = "app";
  for (const Key& key : OutputNames({"app"}, 0).KeysOf(process)) {
    if (key.name.front() != '{') names.push_back(key.name);
  }
  for (const char* name : {"%env{X}%", "$env{X}", "%q{X}"}) names.emplace_back(name);
  return names;
}

std::string OutputNames::Expand(const std::string& pattern, const query::Process& process) const {
  if (pattern.find_first_of("%{$") == std::string::npos) return pattern;
  // Variables come before the short keys, so that %env{X}% does not match %e….
  std::string text = ExpandVariables(pattern);
  for (const Key& key : KeysOf(process)) {
    for (size_t at = text.find(key.name); at != std::string::npos;
         at = text.find(key.name, at + key.value.size())) {
      text.replace(at, key.name.size(), key.value);
    }
  }
  return DropArguments(text);
}

}  // namespace rtl::v3
