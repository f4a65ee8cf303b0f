// SPDX-License-Identifier: MIT
// question.h: the questions that come with rtl, as SQL with parameters.
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
  std::string value;  // default value
  std::string text;
};

enum class Source { kEvents, kSummaries, kOther };

struct Question {
  std::string name;
  std::string text;  // describes the answer
  Source source = Source::kOther;
  // The question is run for one host after another, so that memory stays small. The rows of the
  // answer are sorted by their first column.
  bool is_by_host = false;
  bool is_descending = false;
  bool is_of_two_runs = false;
  // The question reads only kernels of the step `step` and the ranks `first` to `last`, which are
  // its parameters. Files without such kernels are not opened.
  bool is_of_one_step = false;
  std::vector<Parameter> parameters;
  std::string sql;  // contains {parameters}
};

// All questions. A question that has two files is listed once.
std::vector<Question> AllQuestions();
// `source`: kOther selects the file without an ending. False: there is no such question.
bool FindQuestion(std::string_view name, Source source, Question* out);
// Reads the first lines of a question.
Question ParseQuestion(std::string_view name, std::string_view sql);

// The value of a parameter, or its default. The question must have the parameter.
const std::string& ValueOf(const Question& question, std::string_view name,
                           const std::map<std::string, std::string>& values);

// Puts the values of parameters, which must be numbers, into the SQL.
Status Fill(const Question& question, const std::map<std::string, std::string>& values,
            std::string* out);

}  // namespace rtl::fleet
