// SPDX-License-Identifier: MIT
// ask.h: turns a question about datasets into SQL and the views that it reads, and gets the answer.
//
// Threads    one
// Blocking   until the engine has answered
// Memory     the result
// Errors     one line
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "fleet/engine.h"
#include "fleet/question.h"
#include "fleet/scan.h"

namespace rtl::fleet {

struct Request {
  std::string question;  // "sql": `sql` is the query
  std::string sql;
  Source from = Source::kOther;               // kOther: the question's own source
  std::map<std::string, std::string> values;  // values of the question's parameters
};

// A query with its views, for an engine.
struct Query {
  std::vector<View> views;
  std::string sql;
};

class Asker {
 public:
  // `runs`: one dataset, or two for a comparison. They must outlive the object.
  explicit Asker(std::vector<const Fleet*> runs) : runs_(std::move(runs)) {}

  // Makes the queries for the engine: one for each host if the question is by host, else one.
  Status Prepare(const Request& request, std::vector<Query>* out);
  Status Ask(const Engine& engine, const Request& request, Result* out);

 private:
  Status Choose(const Request& request, Question* out) const;
  std::vector<View> Views(const std::string& host) const;
  void Merge(const Question& question, const std::map<std::string, std::string>& values,
             Result* out) const;

  std::vector<const Fleet*> runs_;
  Question question_;
};

}  // namespace rtl::fleet
