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

bool TakesOne(Takes takes) {
  return takes == Takes::kWord || takes == Takes::kNumber || takes == Takes::kChoice;
}

Status CheckWord(const Option& option, const std::string& where, const std::string& word) {
  const bool is_choice = option.takes == Takes::kChoice || option.takes == Takes::kChoices;
  if (is_choice && !IsChoice(option.choices, word)) {
    return Status::Error("%s takes one of: %s; not %s", where.c_str(), option.choices,
                         word.c_str());
  }
  if (option.takes == Takes::kNumber && !IsInteger(word)) {
    return Status::Error("%s takes a number, not %s", where.c_str(), word.c_str());
  }
  return Status::Ok();
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
  if (option.takes == Takes::kSwitch) {
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
    if (option.takes == Takes::kChoice || option.takes == Takes::kChoices) word = Lower(word);
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

Status Settings::Merge(const Settings& other, const std::string& where) {
  for (const auto& [key, words] : other.values_) {
    const auto [mine, added] = values_.emplace(key, words);
    if (added || mine->second == words) continue;
    return Status::Error("%s: %s is also on the command line, with another value", where.c_str(),
                         key.c_str());
  }
  return Status::Ok();
}

Status Settings::TakeVariables() {
  for (const Option& option : Options()) {
    const char* const value = option.variable == nullptr ? nullptr : getenv(option.variable);
    if (value == nullptr || *value == '\0' || Has(option.key)) continue;
    std::vector<std::string> words;
    if (TakesOne(option.takes)) {
      words.push_back(value);
    } else {
      std::string text(value);
      std::replace_if(
          text.begin(), text.end(), [](char c) { return c == ',' || c == ';'; }, ' ');
      // A list of libraries, as LD_PRELOAD has them.
      if (option.takes == Takes::kAnyWords) std::replace(text.begin(), text.end(), ':', ' ');
      std::istringstream list(text);
      for (std::string word; list >> word;) words.push_back(word);
    }
    RTL_TRY(Set(option, option.variable, std::move(words)));
  }
  return Status::Ok();
}

}  // namespace rtl::v3
