// SPDX-License-Identifier: MIT
// trace_facts.h: questions to a trace, in SQL.
//
// Threads    one
// Errors     a trace that cannot be opened or read: problem() says why, numbers are -1
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
  void Rows(const std::string& sql, const std::function<void(const query::Statement&)>& take);
  // Rows of a kernel of kernels.cl, whose name ends so: "add"; "%": all of them.
  long Kernels(const std::string& name);
  // Of all processes: submitted, recorded, and the losses as text.
  long Seen(const std::string& kind);
  long Recorded(const std::string& kind);
  std::string Losses(const std::string& kind);
  const std::string& problem() const { return problem_; }

 private:
  sqlite3* db_ = nullptr;
  std::string path_;
  std::string problem_;
};

// The condition of rocpd_op rows `o`.
std::string OfKernel(const std::string& name);

}  // namespace rtl::selftest
