// SPDX-License-Identifier: MIT
#include <errno.h>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <yaml-cpp/yaml.h>

#include <fstream>
#include <sstream>

#include "rocprofv3/settings.h"
#include "trace/read/error.h"

namespace rtl::v3 {
namespace {

using query::FileError;

constexpr size_t kMostBytes = 1 << 20;
constexpr size_t kMostJobs = 1000;

// The words of a value that is one word or a list of words.
std::optional<std::vector<std::string>> WordsOf(const rapidjson::Value& value) {
  const auto one = [](const rapidjson::Value& item) -> std::optional<std::string> {
    if (item.IsString()) return std::string(item.GetString(), item.GetStringLength());
    if (item.IsBool()) return item.GetBool() ? "true" : "false";
    if (item.IsInt64()) return std::to_string(item.GetInt64());
    return std::nullopt;
  };
  std::vector<std::string> words;
  if (!value.IsArray()) {
    const auto word = one(value);
    if (!word.has_value()) return std::nullopt;
    return std::vector<std::string>{*word};
  }
  for (const rapidjson::Value& item : value.GetArray()) {
    const auto word = one(item);
    if (!word.has_value()) return std::nullopt;
    words.push_back(*word);
  }
  return words;
}

std::optional<std::vector<std::string>> WordsOf(const YAML::Node& value) {
  std::vector<std::string> words;
  if (value.IsScalar()) return std::vector<std::string>{value.Scalar()};
  if (!value.IsSequence()) return std::nullopt;
  for (const YAML::Node& item : value) {
    if (!item.IsScalar()) return std::nullopt;
    words.push_back(item.Scalar());
  }
  return words;
}

// The value of pmc_groups: one text for each group.
template <typename List>
std::optional<std::vector<std::string>> GroupsOf(const List& list) {
  std::vector<std::string> groups;
  for (const auto& item : list) {
    const auto words = WordsOf(item);
    if (!words.has_value()) return std::nullopt;
    std::string group;
    for (const std::string& word : *words) group += (group.empty() ? "" : ",") + word;
    groups.push_back(group);
  }
  return groups;
}

bool IsGroups(std::string_view key, bool is_list) { return key == "pmc_groups" && is_list; }

Status SetKey(const std::string& path, const std::string& key,
              const std::optional<std::vector<std::string>>& words, Settings* job) {
  if (key == kIgnoredKey) return Status::Ok();
  const Option* const option = FindKey(key);
  if (option == nullptr) return FileError(path, "unknown key " + key);
  const std::string_view name = option->key;
  if (name == "input" || name == "help" || name == "version") {
    return FileError(path, key + " has no meaning in an input file");
  }
  // Other options with lists of lists are rejected later with a reason of their own.
  if (!words.has_value() && option->served == Served::kRefused) {
    return job->Set(*option, path + ": " + key, {"1"});
  }
  if (!words.has_value()) return FileError(path, key + " has a value of the wrong kind");
  return job->Set(*option, path + ": " + key, *words);
}

Status ParseJson(const std::string& path, const std::string& text, std::vector<Settings>* jobs) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseIterativeFlag>(text.data(), text.size());
  if (document.HasParseError()) {
    return FileError(path, std::string("no JSON at byte ") +
                               std::to_string(document.GetErrorOffset()) + ": " +
                               rapidjson::GetParseError_En(document.GetParseError()));
  }
  if (!document.IsObject() || !document.HasMember("jobs") || !document["jobs"].IsArray()) {
    return FileError(path, "the list \"jobs\" is missing");
  }
  for (const rapidjson::Value& item : document["jobs"].GetArray()) {
    if (!item.IsObject()) return FileError(path, "a job is not an object");
    Settings job;
    for (const auto& member : item.GetObject()) {
      const std::string key = member.name.GetString();
      const auto words = IsGroups(key, member.value.IsArray()) ? GroupsOf(member.value.GetArray())
                                                               : WordsOf(member.value);
      RTL_TRY(SetKey(path, key, words, &job));
    }
    jobs->push_back(std::move(job));
  }
  return Status::Ok();
}

Status ReadJobs(const std::string& path, const YAML::Node& document, std::vector<Settings>* jobs) {
  const bool has_jobs = document.IsMap() && document["jobs"] && document["jobs"].IsSequence();
  if (!has_jobs) return FileError(path, "the list \"jobs\" is missing");
  for (const YAML::Node& item : document["jobs"]) {
    if (!item.IsMap()) return FileError(path, "a job is not a map");
    Settings job;
    for (const auto& member : item) {
      if (!member.first.IsScalar()) return FileError(path, "a key is not a word");
      const std::string& key = member.first.Scalar();
      const auto words = IsGroups(key, member.second.IsSequence()) ? GroupsOf(member.second)
                                                                   : WordsOf(member.second);
      RTL_TRY(SetKey(path, key, words, &job));
    }
    jobs->push_back(std::move(job));
  }
  return Status::Ok();
}

Status ParseYaml(const std::string& path, const std::string& text, std::vector<Settings>* jobs) {
  try {
    return ReadJobs(path, YAML::Load(text), jobs);
  } catch (const YAML::Exception& error) {
    return FileError(path,
                     "no YAML: line " + std::to_string(error.mark.line + 1) + ": " + error.msg);
  }
}

// Each line "pmc: A B" is a run; text after # is a comment.
Status ParseText(const std::string& path, const std::string& text, std::vector<Settings>* jobs) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t pmc = line.find("pmc:");
    if (pmc == std::string::npos) continue;
    line = line.substr(0, line.find('#'));
    if (pmc >= line.size()) continue;
    std::istringstream rest(line.substr(pmc + 4));
    std::vector<std::string> words;
    for (std::string word; rest >> word;) words.push_back(word);
    if (words.empty()) return FileError(path, "a line \"pmc:\" without counters");
    Settings job;
    RTL_TRY(job.Set(*FindKey("pmc"), path + ": pmc", std::move(words)));
    jobs->push_back(std::move(job));
  }
  if (jobs->empty()) return FileError(path, "no line \"pmc: ...\"");
  return Status::Ok();
}

}  // namespace

Status ParseInput(const std::string& path, InputFormat format, const std::string& text,
                  std::vector<Settings>* jobs) {
  if (format == InputFormat::kText) RTL_TRY(ParseText(path, text, jobs));
  if (format == InputFormat::kJson) RTL_TRY(ParseJson(path, text, jobs));
  if (format == InputFormat::kYaml) RTL_TRY(ParseYaml(path, text, jobs));
  if (jobs->empty()) return FileError(path, "there are no jobs");
  return jobs->size() <= kMostJobs ? Status::Ok() : FileError(path, "too many jobs");
}

bool IsTextFile(const std::string& path) {
  return path.ends_with(".txt") || path.ends_with(".text");
}

Status ReadInputFile(const std::string& path, std::vector<Settings>* jobs) {
  InputFormat format = InputFormat::kText;
  if (path.ends_with(".json")) {
    format = InputFormat::kJson;
  } else if (path.ends_with(".yaml") || path.ends_with(".yml")) {
    format = InputFormat::kYaml;
  } else if (!IsTextFile(path)) {
    return FileError(path, "an input file ends in .txt, .json, .yaml or .yml");
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return query::FileErrno(path, "cannot be read", errno);
  std::string text(kMostBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || (file.fail() && !file.eof())) return FileError(path, "cannot be read");
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() > kMostBytes) return FileError(path, "too large for an input file");
  return ParseInput(path, format, text, jobs);
}

}  // namespace rtl::v3
