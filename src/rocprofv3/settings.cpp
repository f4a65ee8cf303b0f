// SPDX-License-Identifier: MIT
#include "rocprofv3/settings.h"

#include <stdlib.h>
#include <strings.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace rtl::v3 {
namespace {

const std::string kNone;
const std::vector<std::string> kNoWords;

std::string Lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

bool IsChoice(std::string_view choices, std::string_view word) {
  std::istringstream list{std::string(choices)};
  for (std::string choice; list >> choice;) {
    if (choice == word) return true;
  }
  return false;
}

bool IsInteger(const std::string& word) {
  int64_t value = 0;
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, value);
  return error == std::errc() && rest == end;
}

bool HasChoices(const Option& option) {
  return option.takes == Takes::kChoice || option.takes == Takes::kChoices ||
         option.takes == Takes::kGroups;
}

Status CheckWord(const Option& option, const std::string& where, const std::string& word) {
  if (HasChoices(option) && !IsChoice(option.choices, word)) {
    return Status::Error("%s takes one of: %s; not %s", where.c_str(), option.choices,
                         word.c_str());
  }
  if (option.takes == Takes::kNumber && !IsInteger(word)) {
    return Status::Error("%s takes a number, not %s", where.c_str(), word.c_str());
  }
  return Status::Ok();
}

std::vector<std::string> Split(const std::string& text, const std::string& separator) {
  std::vector<std::string> words;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + separator.size();
  }
  return words;
}

// Reads lines "pmc: A B"; each line is a group.
std::vector<std::string> GroupsOfVariable(const std::string& value) {
  std::vector<std::string> groups;
  for (const std::string& line : Split(value, "\n")) {
    std::string group;
    for (const std::string& word : Split(line, " ")) {
      if (word != "pmc:") group += (group.empty() ? "" : ",") + word;
    }
    if (!group.empty()) groups.push_back(group);
  }
  return groups;
}

// The value of an option's environment variable, as words. Some variables have a form of their own.
std::vector<std::string> WordsOfVariable(const Option& option, const std::string& value) {
  const std::string_view key = option.key;
  if (key == "summary_groups") return Split(value, "##@@##");
  // These two variables mean the opposite of their options.
  if (key == "mangled_kernels" || key == "disable_signal_handlers") {
    const std::optional<bool> truth = ParseTruth(value);
    return {!truth.has_value() ? value : *truth ? "no" : "yes"};
  }
  // The variable is in bytes, the option in KiB.
  if (key == "minimum_output_data" && IsInteger(value)) {
    return {std::to_string((strtoull(value.c_str(), nullptr, 10) + 1023) / 1024)};
  }
  if (TakesOne(option.takes)) return {value};
  if (key == "pmc_groups") return GroupsOfVariable(value);
  const std::string separators = key == "preload" ? ",;: " : ",; \t\n";
  std::string text = value;
  std::replace_if(
      text.begin(), text.end(), [&](char c) { return separators.find(c) != std::string::npos; },
      ' ');
  std::vector<std::string> words = Split(text, " ");
  if (key == "pmc") std::erase(words, "pmc:");
  return words;
}

}  // namespace

std::optional<bool> ParseTruth(std::string_view word) {
  const std::string lower = Lower(std::string(word));
  if (IsChoice("y yes t true on 1", lower)) return true;
  if (IsChoice("n no f false off 0", lower)) return false;
  return std::nullopt;
}

Status Settings::Set(const Option& option, const std::string& where,
                     std::vector<std::string> words) {
  const bool groups = option.takes == Takes::kGroups && !words.empty() &&
                      !(words.size() == 1 && ParseTruth(words.front()).has_value());
  if (option.takes == Takes::kSwitch || (option.takes == Takes::kGroups && !groups)) {
    const std::string word = words.empty() ? "true" : words.front();
    const std::optional<bool> truth = ParseTruth(word);
    if (!truth.has_value() || words.size() > 1) {
      return Status::Error("%s takes yes or no, not %s", where.c_str(), words.back().c_str());
    }
    values_[option.key] = {*truth ? "true" : "false"};
    return Status::Ok();
  }
  if (words.empty() && option.takes != Takes::kAnyWords) {
    return Status::Error("%s needs a value", where.c_str());
  }
  if (TakesOne(option.takes) && words.size() != 1) {
    return Status::Error("%s takes one value", where.c_str());
  }
  for (std::string& word : words) {
    if (HasChoices(option)) word = Lower(word);
    RTL_TRY(CheckWord(option, where, word));
  }
  values_[option.key] = std::move(words);
  return Status::Ok();
}

bool Settings::IsOn(std::string_view key) const { return Word(key) == "true"; }
bool Settings::IsOff(std::string_view key) const { return Word(key) == "false"; }

const std::string& Settings::Word(std::string_view key) const {
  const std::vector<std::string>& words = Words(key);
  return words.empty() ? kNone : words.front();
}

const std::vector<std::string>& Settings::Words(std::string_view key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? kNoWords : found->second;
}

int64_t Settings::Number(std::string_view key) const {
  return strtoll(Word(key).c_str(), nullptr, 10);
}

Status Settings::Merge(const Settings& other, const std::string& where) {
  for (const auto& [key, words] : other.values_) {
    const auto [mine, added] = values_.emplace(key, words);
    if (added || mine->second == words) continue;
    return Status::Error("%s: %s is also on the command line, with another value", where.c_str(),
                         key.c_str());
  }
  return Status::Ok();
}

Status Settings::AddVariables() {
  for (const Option& option : Options()) {
    const char* const value = option.variable == nullptr ? nullptr : getenv(option.variable);
    if (value == nullptr || *value == '\0' || Has(option.key)) continue;
    RTL_TRY(Set(option, option.variable, WordsOfVariable(option, value)));
    if (std::string_view(option.key) == "collection_period") {
      values_["collection_period_unit"] = {"nsec"};  // the only unit of the variable
    }
  }
  return Status::Ok();
}

}  // namespace rtl::v3
