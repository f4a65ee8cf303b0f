// SPDX-License-Identifier: MIT
// question.h: the questions that are shipped, as SQL with parameters.
//
// Threads    any; constant
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace rtl::fleet {

// A file of questions/.
struct QuestionFile {
  std::string_view name;  // "slowest", or "slowest.summaries"
  std::string_view sql;
};
extern const std::span<const QuestionFile> kQuestionFiles;  // made when rtl is built

struct Parameter {
  std::string name;
  std::string value;  // the default
  std::string text;
};

enum class Source { kEvents, kSummaries, kOther };

struct Question {
  std::string name;
  std::string text;  // what it answers
  Source source = Source::kOther;
  // For one host after another, so that memory stays small; the rows are then ordered by their
  // first column.
  bool is_by_host = false;
  bool is_descending = false;
  bool is_of_two_runs = false;
  // Only of the rows with its parameter `step` and of the ranks `first` to `last`: files that have
  // none of these are not opened.
  bool is_of_one_step = false;
  std::vector<Parameter> parameters;
  std::string sql;  // with {parameters}
};

// The names of the questions, and what they answer; a question in two files is there once.
std::vector<Question> AllQuestions();
// `source`: kOther for the file without an ending. False: there is none.
bool FindQuestion(std::string_view name, Source source, Question* out);
// Reads the first lines of a question.
Question ParseQuestion(std::string_view name, std::string_view sql);

// The value of a parameter, or its default. The question has it.
const std::string& ValueOf(const Question& question, std::string_view name,
                           const std::map<std::string, std::string>& values);

// The SQL with the values of its parameters, which are numbers.
Status Fill(const Question& question, const std::map<std::string, std::string>& values,
            std::string* out);

}  // namespace rtl::fleet
