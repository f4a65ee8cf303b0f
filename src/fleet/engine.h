// SPDX-License-Identifier: MIT
// engine.h: what answers a question: DuckDB's command line, DuckDB in Python, Spark, or a session of
// the calling program.
//
// Threads    one
// Blocking   until the program has answered
// Memory     the result
// Errors     one line: no engine is found and what to install, or the engine's own first line
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "fleet/scan.h"

namespace rtl::fleet {

struct EngineChoice {
  // Empty: the first that is found; "duckdb", a path, "spark://HOST:PORT" or "local[2]"; "session:FD" or
  // "spark-session:FD", the socket of session.h.
  std::string name;
  std::string memory = "3GB";
  size_t threads = 0;  // 0: all
  // The program is killed when it becomes true, and Ask says "interrupted". Null: never.
  const std::atomic<bool>* cancel = nullptr;
};

// A name in SQL, and the files that it stands for.
struct View {
  std::string name;
  std::vector<std::string> files;
  std::string sql;  // in place of files
};

struct Result {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // NULL is empty
};

class Engine {
 public:
  static Status Find(const EngineChoice& choice, std::unique_ptr<Engine>* out);
  // For Text only: nothing is looked for.
  static Status ForText(const EngineChoice& choice, std::unique_ptr<Engine>* out);
  // The views and the question as one text for this engine.
  std::string Text(const std::vector<View>& views, const std::string& sql) const;
  Status Ask(const std::vector<View>& views, const std::string& sql, Result* out) const;
  // "DuckDB (/usr/bin/duckdb)"
  const std::string& title() const { return title_; }

 private:
  std::string Json(const std::vector<View>& views, const std::string& sql) const;
  Status Command(bool is_remote, std::vector<std::string>* out) const;

  enum class Kind { kDuckdbProgram, kDuckdbModule, kSpark, kSession };

  Kind kind_ = Kind::kDuckdbProgram;
  bool is_spark_ = false;  // reads files by paths of Hadoop
  int socket_ = -1;        // of kSession
  std::string program_;
  std::string title_;
  EngineChoice choice_;
};

// The result of a program that writes CSV.
Status ParseCsv(const std::string& text, Result* out);

}  // namespace rtl::fleet
