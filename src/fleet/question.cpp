// SPDX-License-Identifier: MIT
#include "fleet/question.h"

#include <algorithm>
#include <charconv>

#include "fleet/quoted.h"

namespace rtl::fleet {
namespace {

bool IsNumber(std::string_view text) {
  double value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() &&
         text.find_first_not_of("-0123456789.") == std::string_view::npos;
}

// Reads a line "limit 50: rows": name, default and meaning.
bool TakeParameter(std::string_view line, Parameter* out) {
  const size_t colon = line.find(": ");
  const size_t space = line.find(' ');
  if (colon == std::string_view::npos || space >= colon) return false;
  const std::string_view value = line.substr(space + 1, colon - space - 1);
  if (!IsNumber(value)) return false;
  *out = {std::string(line.substr(0, space)), std::string(value),
          std::string(line.substr(colon + 2))};
  return true;
}

}  // namespace

Question ParseQuestion(std::string_view name, std::string_view sql) {
  Question question;
  question.name = name.substr(0, name.find('.'));
  bool has_source = false;
  while (sql.starts_with("-- ")) {
    std::string_view line = NextPart(&sql, '\n').substr(3);
    Parameter parameter;
    if (line.starts_with("from ")) {
      has_source = true;
      line.remove_prefix(5);
      question.source = line.starts_with("events")      ? Source::kEvents
                        : line.starts_with("summaries") ? Source::kSummaries
                                                        : Source::kOther;
      question.is_by_host = line.find(", by host") != std::string_view::npos;
      question.is_descending = line.ends_with(" descending");
      question.is_of_two_runs = line.ends_with(", two runs");
      question.is_of_one_step = line.ends_with(", of one step");
    } else if (TakeParameter(line, &parameter)) {
      question.parameters.push_back(std::move(parameter));
    } else if (!has_source) {
      question.text += (question.text.empty() ? "" : " ") + std::string(line);
    }
  }
  question.sql = sql;
  return question;
}

std::vector<Question> AllQuestions() {
  std::vector<Question> questions;
  for (const QuestionFile& file : kQuestionFiles) {
    if (file.name.find('.') == std::string_view::npos) {
      questions.push_back(ParseQuestion(file.name, file.sql));
    }
  }
  return questions;
}

bool FindQuestion(std::string_view name, Source source, Question* out) {
  const QuestionFile* plain = nullptr;
  for (const QuestionFile& file : kQuestionFiles) {
    if (file.name.substr(0, file.name.find('.')) != name) continue;
    if (file.name == name) plain = &file;
    *out = ParseQuestion(file.name, file.sql);
    if (source != Source::kOther && out->source == source) return true;
  }
  if (plain == nullptr || source != Source::kOther) return false;
  *out = ParseQuestion(plain->name, plain->sql);
  return true;
}

const std::string& ValueOf(const Question& question, std::string_view name,
                           const std::map<std::string, std::string>& values) {
  const auto given = values.find(std::string(name));
  if (given != values.end()) return given->second;
  return std::ranges::find(question.parameters, name, &Parameter::name)->value;
}

Status Fill(const Question& question, const std::map<std::string, std::string>& values,
            std::string* out) {
  for (const auto& each : values) {
    const std::string& name = each.first;
    const std::string& value = each.second;
    const bool is_known = std::ranges::any_of(
        question.parameters, [&](const Parameter& parameter) { return parameter.name == name; });
    if (!is_known) {
      std::string all;
      for (const Parameter& parameter : question.parameters) {
        all += (all.empty() ? "" : ", ") + parameter.name;
      }
      return Status::Error("%s has no parameter %s; it has %s", question.name.c_str(), name.c_str(),
                           all.empty() ? "none" : all.c_str());
    }
    if (!IsNumber(value)) {
      return Status::Error("%s takes a number, not %s", name.c_str(), value.c_str());
    }
  }
  *out = question.sql;
  for (const Parameter& parameter : question.parameters) {
    const std::string& value = ValueOf(question, parameter.name, values);
    const std::string place = "{" + parameter.name + "}";
    for (size_t at = out->find(place); at != std::string::npos; at = out->find(place, at)) {
      out->replace(at, place.size(), value);
      at += value.size();
    }
  }
  return Status::Ok();
}

}  // namespace rtl::fleet
