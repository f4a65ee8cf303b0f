// SPDX-License-Identifier: MIT
#include "selftest/trace_facts.h"

#include <sqlite3.h>

namespace rtl::selftest {

TraceFacts::TraceFacts(const std::string& path) : path_(path) {
  const std::string uri = "file:" + path + "?mode=ro&immutable=1";
  if (sqlite3_open_v2(uri.c_str(), &db_, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr) !=
      SQLITE_OK)
    problem_ = "there is no trace";
}

TraceFacts::~TraceFacts() { sqlite3_close(db_); }

void TraceFacts::Rows(const std::string& sql,
                      const std::function<void(const query::Statement&)>& each) {
  if (!problem_.empty()) return;
  query::Statement statement;
  Status read = statement.Prepare(db_, path_, sql.c_str());
  bool has_row = false;
  while (read.ok()) {
    read = statement.Step(&has_row);
    if (!read.ok() || !has_row) break;
    each(statement);
  }
  if (!read.ok()) problem_ = read.message();
}

long TraceFacts::Number(const std::string& sql) {
  long number = -1;
  Rows(sql, [&](const query::Statement& row) { number = row.Int(0); });
  return problem_.empty() ? number : -1;
}

std::string TraceFacts::Text(const std::string& sql) {
  std::string text;
  Rows(sql, [&](const query::Statement& row) { text = row.Text(0); });
  return text;
}

std::string OfKernel(const std::string& name) {
  return " o.opType_id = (SELECT id FROM rocpd_string WHERE string = 'KernelExecution') AND "
         "o.description_id IN (SELECT id FROM rocpd_string WHERE string LIKE 'rtl_selftest_" +
         name + "%') ";
}

long TraceFacts::Kernels(const std::string& name) {
  return Number("SELECT count(*) FROM rocpd_op o WHERE" + OfKernel(name));
}

long TraceFacts::Submitted(const std::string& kind) {
  return Number("SELECT sum(value) FROM rocpd_metadata WHERE tag = 'submitted." + kind + "'");
}

long TraceFacts::Recorded(const std::string& kind) {
  return Number("SELECT sum(value) FROM rocpd_metadata WHERE tag = 'recorded." + kind + "'");
}

std::string TraceFacts::Losses(const std::string& kind) {
  std::string text;
  Rows("SELECT tag, value FROM rocpd_metadata WHERE tag LIKE 'loss.%." + kind + "' AND value > 0",
       [&](const query::Statement& row) {
         std::string name(row.Text(0));
         name = name.substr(5, name.size() - 6 - kind.size());
         text += (text.empty() ? "" : ", ") + name + ": " + std::string(row.Text(1));
       });
  return text;
}

}  // namespace rtl::selftest
