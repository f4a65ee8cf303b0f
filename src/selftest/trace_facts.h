// SPDX-License-Identifier: MIT
// trace_facts.h: queries of a trace in SQL.
//
// Threads    one
// Errors     if a trace cannot be opened or read, problem() has the reason and numbers are -1
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "trace/read/statement.h"

struct sqlite3;

namespace rtl::selftest {

class TraceFacts {
 public:
  explicit TraceFacts(const std::string& path);
  ~TraceFacts();
  TraceFacts(const TraceFacts&) = delete;
  TraceFacts& operator=(const TraceFacts&) = delete;

  long Number(const std::string& sql);
  std::string Text(const std::string& sql);
  void Rows(const std::string& sql, const std::function<void(const query::Statement&)>& each);
  // Number of rows of the kernels of kernels.cl whose names end with `name`, such as "add". "%"
  // stands for all of these kernels.
  long Kernels(const std::string& name);
  // Sums over all processes: submitted, recorded, and the losses as text.
  long Submitted(const std::string& kind);
  long Recorded(const std::string& kind);
  std::string Losses(const std::string& kind);
  const std::string& problem() const { return problem_; }

 private:
  sqlite3* db_ = nullptr;
  std::string path_;
  std::string problem_;
};

// SQL: the condition that selects rows of rocpd_op `o` of this kernel.
std::string OfKernel(const std::string& name);

}  // namespace rtl::selftest
