// SPDX-License-Identifier: MIT
// engine.h: runs a question in an engine: DuckDB's command line, DuckDB in Python, Spark, or a
// session of the calling program.
//
// Threads    one
// Blocking   until the program has answered
// Memory     the result
// Errors     one line: no engine is found and what to install, or the first line of the engine's
//            error
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
  // Empty: the first engine that is found. Otherwise "duckdb", a path, "spark://HOST:PORT",
  // "local[2]", or a socket of session.h: "session:FD" or "spark-session:FD".
  std::string name;
  std::string memory = "3GB";
  size_t threads = 0;  // 0: as many as the machine has
  // When this becomes true, the program is killed and Ask returns the error "interrupted". Null:
  // never.
  const std::atomic<bool>* cancel = nullptr;
};

// A name in SQL, and the files that it stands for.
struct View {
  std::string name;
  std::vector<std::string> files;
  std::string sql;  // if not empty: the view is this query, and has no files
};

struct Result {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // NULL is empty
};

class Engine {
 public:
  static Status Find(const EngineChoice& choice, std::unique_ptr<Engine>* out);
  // An engine that can only be used for Text. No program is looked for.
  static Status ForText(const EngineChoice& choice, std::unique_ptr<Engine>* out);
  // The views and the question as one text in the SQL of this engine.
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
  int socket_ = -1;        // only for kSession
  std::string program_;
  std::string title_;
  EngineChoice choice_;
};

// Reads the output of a program that writes CSV.
Status ParseCsv(const std::string& text, Result* out);

}  // namespace rtl::fleet
