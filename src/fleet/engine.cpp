// SPDX-License-Identifier: MIT
#include "fleet/engine.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <string_view>

#include "base/environment.h"
#include "fleet/child.h"
#include "fleet/quoted.h"
#include "fleet/remote.h"
#include "fleet/session.h"

namespace rtl::fleet {
namespace {

// Python: writes rows in the form of DuckDB's command line.
constexpr char kWriteRows[] = R"py(
import csv, json, sys
sys.stdout.reconfigure(line_buffering=False, write_through=False)  # PYTHONUNBUFFERED
writer = csv.writer(sys.stdout, lineterminator="\n")
def write(rows):
    writer.writerows([str(cell).lower() if isinstance(cell, bool) else cell for cell in row] for row in rows)
)py";

// Python: runs the SQL on stdin with DuckDB's module.
constexpr char kDuckdbScript[] = R"py(
import duckdb
result = duckdb.connect().execute(sys.stdin.read())
if result.description:
    write([[column[0] for column in result.description]])
    while rows := result.fetchmany(10000):
        write(rows)
)py";

// Python: does the same for files in an object store. Stdin is JSON with the views by name and the
// question.
constexpr char kDuckdbRemoteScript[] = R"py(
import duckdb, pyarrow.dataset
job = json.load(sys.stdin)
connection = duckdb.connect()
connection.execute("set enable_progress_bar = false")
try:
    for view in job["views"]:
        if view["files"]:
            store, _ = open_store(view["files"][0])
            paths = [file.split("://", 1)[1] if file.startswith("s3://") else open_store(file)[1] for file in view["files"]]
            connection.register(view["name"], pyarrow.dataset.dataset(paths, filesystem=store, format="parquet"))
        else:
            connection.execute("create view " + view["name"] + " as " + view["sql"])
    result = connection.execute(job["sql"])
except Exception as error:
    sys.exit("error: " + str(error).splitlines()[0])
write([[column[0] for column in result.description]])
while rows := result.fetchmany(10000):
    write(rows)
)py";

// Python: runs a question with Spark. Stdin is JSON with the master, the views by name and the
// question.
constexpr char kSparkScript[] = R"py(
import socket
from pyspark.sql import SparkSession
job = json.load(sys.stdin)
# Spark itself tries for minutes.
if job["master"].startswith("spark://"):
    for address in job["master"][len("spark://"):].split(","):
        host, _, port = address.rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
            break
        except (OSError, ValueError) as error:
            reason = error
    else:
        sys.exit("error: no master answers there: " + str(reason))
spark = (SparkSession.builder.master(job["master"]).appName("rtl fleet").config("spark.ui.enabled", "false")
         .config("spark.ui.showConsoleProgress", "false").getOrCreate())
try:
    for view in job["views"]:
        table = spark.read.parquet(*view["files"]) if view["files"] else spark.sql(view["sql"])
        table.createOrReplaceTempView(view["name"])
    result = spark.sql(job["sql"])
    write([result.columns])
    write(result.toLocalIterator())
except Exception as error:
    sys.exit("error: " + str(error))
finally:
    spark.stop()
)py";

Status NoEngine() {
  return Status::Error(
      "no engine is found: install DuckDB's program (pip install duckdb-cli) or its module for "
      "python3 (pip install duckdb) in PATH, or name a program with --engine");
}

constexpr std::string_view kSession = "session:", kSparkSession = "spark-session:";

bool IsSession(std::string_view name) {
  return name.starts_with(kSession) || name.starts_with(kSparkSession);
}

bool IsSpark(const std::string& name) {
  return name.starts_with(kSparkSession) || name.starts_with("spark://") ||
         name.starts_with("k8s://") || name == "yarn" || name == "local" ||
         name.starts_with("local[");
}

// Looks for the module without importing it, because an import takes long.
bool HasModule(const std::string& python, const char* module) {
  ChildOutput output;
  const Status status = RunChild(
      {python, "-c",
       "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)",
       module},
      "", &output);
  return status.ok() && output.exit_code == 0;
}

// The text with a backslash before each of the special characters.
std::string Escaped(std::string_view text, std::string_view special) {
  std::string escaped;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// A path as Hadoop needs it: with its own name of the scheme, and with wildcard characters escaped.
std::string SparkPath(const std::string& file) {
  const std::string path = Escaped(file, "{}[]*?,\\");
  return path.starts_with("s3://") ? "s3a" + path.substr(2) : path;
}

// The folder for temporary files of sorts that do not fit into memory.
std::string SpillFolder() {
  const char* const temporary = EnvironmentValue("TMPDIR");
  return fmt::format("{}/rtl-fleet-{}", temporary == nullptr ? "/tmp" : temporary, getpid());
}

}  // namespace

Status Engine::Find(const EngineChoice& choice, std::unique_ptr<Engine>* out) {
  std::unique_ptr<Engine> engine(new Engine);
  engine->choice_ = choice;
  engine->is_spark_ = IsSpark(choice.name);
  if (IsSession(choice.name)) {
    engine->kind_ = Kind::kSession;
    const std::string_view number = std::string_view(choice.name).substr(choice.name.find(':') + 1);
    const char* const end = number.data() + number.size();
    const auto parsed = std::from_chars(number.data(), end, engine->socket_);
    if (parsed.ec != std::errc() || parsed.ptr != end) {
      return Status::Error("--engine %s: session: takes the number of a socket",
                           choice.name.c_str());
    }
    engine->title_ = engine->is_spark_ ? "Spark" : "DuckDB";
    *out = std::move(engine);
    return Status::Ok();
  }
  const std::string python = FindInPath("python3");
  if (engine->is_spark_) {
    if (python.empty() || !HasModule(python, "pyspark")) {
      return Status::Error("--engine %s needs python3 with pyspark in PATH (pip install pyspark)",
                           choice.name.c_str());
    }
    engine->kind_ = Kind::kSpark;
    engine->program_ = python;
    engine->title_ = "Spark (" + choice.name + ")";
    *out = std::move(engine);
    return Status::Ok();
  }
  std::string program;
  if (choice.name.find('/') != std::string::npos) {
    program = choice.name;
    if (access(program.c_str(), X_OK) != 0) {
      return Status::Error("--engine %s: there is no such program", program.c_str());
    }
  } else if (choice.name.empty() || choice.name == "duckdb") {
    program = FindInPath("duckdb");
  } else {
    return Status::Error(
        "--engine takes duckdb, the path of its program, or a master of Spark (spark://HOST:PORT, "
        "local[2]), not %s; --print-sql prints the SQL for others",
        choice.name.c_str());
  }
  if (!program.empty()) {
    engine->kind_ = Kind::kDuckdbProgram;
    engine->program_ = program;
  } else if (!python.empty()) {
    engine->kind_ = Kind::kDuckdbModule;  // whether it has the module shows when it runs
    engine->program_ = python;
  } else {
    return NoEngine();
  }
  engine->title_ = "DuckDB (" + engine->program_ + ")";
  *out = std::move(engine);
  return Status::Ok();
}

Status Engine::ForText(const EngineChoice& choice, std::unique_ptr<Engine>* out) {
  std::unique_ptr<Engine> engine(new Engine);
  engine->choice_ = choice;
  engine->is_spark_ = IsSpark(choice.name);
  *out = std::move(engine);
  return Status::Ok();
}

// The JSON that the Python scripts read.
std::string Engine::Json(const std::vector<View>& views, const std::string& sql) const {
  std::string text = "{\"master\": " + JsonText(choice_.name) + ", \"views\": [";
  for (const View& view : views) {
    if (&view != &views.front()) text += ", ";
    text +=
        "{\"name\": " + JsonText(view.name) + ", \"sql\": " + JsonText(view.sql) + ", \"files\": [";
    for (const std::string& file : view.files) {
      text +=
          (&file == &view.files.front() ? "" : ", ") + JsonText(is_spark_ ? SparkPath(file) : file);
    }
    text += "]}";
  }
  return text + "], \"sql\": " + JsonText(sql) + "}\n";
}

// A quote is escaped by a backslash: in Spark, two quotes in a row end one literal and begin
// another.
std::string SparkLiteral(const std::string& text) { return "'" + Escaped(text, "'\\") + "'"; }

// SQL that makes one table of all files of a folder. With one table per file, the plan of a query
// and the driver's memory would grow with the number of files.
std::string SparkTable(const std::string& name, const std::string& folder,
                       const std::string& names) {
  return "create temporary view " + name + " using parquet options (path " + SparkLiteral(folder) +
         ", pathGlobFilter " + SparkLiteral("{" + names + "}") + ");\n";
}

std::string SparkView(const View& view) {
  if (view.files.empty()) return "create temporary view " + view.name + " as " + view.sql + ";\n";
  std::map<std::string, std::string> names_by_folder;
  for (const std::string& file : view.files) {
    const size_t slash = file.rfind('/') + 1;
    std::string& names = names_by_folder[SparkPath(file.substr(0, slash))];
    names += (names.empty() ? "" : ",") + SparkPath(file.substr(slash));
  }
  if (names_by_folder.size() == 1) {
    const auto& [folder, names] = *names_by_folder.begin();
    return SparkTable(view.name, folder, names);
  }
  std::string text, whole = "create temporary view " + view.name + " as";
  size_t count = 0;
  for (const auto& [folder, names] : names_by_folder) {
    const std::string part = fmt::format("{}_{}", view.name, ++count);
    text += SparkTable(part, folder, names);
    whole += (count == 1 ? " select * from " : " union all select * from ") + part;
  }
  return text + whole + ";\n";
}

// The text of a question for spark-sql.
std::string SparkText(const std::vector<View>& views, const std::string& sql) {
  std::string text;
  for (const View& view : views) text += SparkView(view);
  return text + sql + ";\n";
}

std::string Engine::Text(const std::vector<View>& views, const std::string& sql) const {
  if (is_spark_) return SparkText(views, sql);
  std::string text;
  // Otherwise DuckDB draws a progress bar among the rows if a question takes two seconds.
  text = "set enable_progress_bar = false;\n";
  text += "set memory_limit = " + SqlText(choice_.memory) + ";\n";
  text += "set temp_directory = " + SqlText(SpillFolder()) + ";\n";
  text += "set preserve_insertion_order = false;\n";
  if (choice_.threads > 0) text += fmt::format("set threads = {};\n", choice_.threads);
  for (const View& view : views) {
    text += "create view " + view.name + " as ";
    if (view.files.empty()) {
      text += view.sql;
    } else {
      text += "select * from read_parquet([";
      for (const std::string& file : view.files) {
        text += (&file == &view.files.front() ? "\n  " : ",\n  ") + SqlText(file);
      }
      text += "])";
    }
    text += ";\n";
  }
  return text + sql + ";\n";
}

Status Engine::Command(bool is_remote, std::vector<std::string>* out) const {
  if (kind_ == Kind::kSpark) {
    *out = {program_, "-c", std::string(kWriteRows) + kSparkScript};
  } else if (is_remote) {
    const std::string python = FindInPath("python3");
    if (python.empty() || !HasModule(python, "duckdb") || !HasModule(python, "pyarrow.dataset")) {
      return Status::Error(
          "an object store is read by python3 with duckdb and pyarrow in PATH "
          "(pip install duckdb pyarrow), or by Spark");
    }
    *out = {python, "-c", std::string(kWriteRows) + kOpenStore + kDuckdbRemoteScript};
  } else if (kind_ == Kind::kDuckdbModule) {
    *out = {program_, "-c", std::string(kWriteRows) + kDuckdbScript};
  } else {
    *out = {program_, "-init", "/dev/null", "-bail", "-batch", "-csv", "-header", "-nullvalue", ""};
  }
  return Status::Ok();
}

Status Engine::Ask(const std::vector<View>& views, const std::string& sql, Result* out) const {
  if (kind_ == Kind::kSession) {
    std::string rows;
    RTL_TRY(AskSession(socket_, Json(views, sql), choice_.cancel, &rows));
    return ParseCsv(rows, out);
  }
  const bool is_remote = std::ranges::any_of(
      views, [](const View& view) { return !view.files.empty() && IsRemote(view.files.front()); });
  std::vector<std::string> command;
  RTL_TRY(Command(is_remote, &command));
  ChildOutput output;
  const bool takes_json = is_remote || kind_ == Kind::kSpark;
  const Status asked = RunChild(command, takes_json ? Json(views, sql) : Text(views, sql), &output,
                                title_.c_str(), choice_.cancel);
  std::error_code error;
  std::filesystem::remove_all(SpillFolder(), error);  // an engine that was killed leaves it
  RTL_TRY(asked);
  if (output.exit_code != 0) {
    const bool has_no_module = output.error.find("No module named 'duckdb'") != std::string::npos;
    if (kind_ == Kind::kDuckdbModule && has_no_module) return NoEngine();
    return Status::Error("%s: %s", title_.c_str(), FirstComplaint(output).c_str());
  }
  return ParseCsv(output.out, out);
}

Status ParseCsv(const std::string& text, Result* out) {
  *out = Result();
  std::vector<std::string> row;
  std::string cell;
  bool is_quoted = false;
  bool has_cell = false;  // a line with one empty cell is a row, an empty line is none
  const auto end_row = [&] {
    row.push_back(std::move(cell));
    cell.clear();
    if (out->columns.empty()) {
      out->columns = std::move(row);
    } else {
      out->rows.push_back(std::move(row));
    }
    row.clear();
    has_cell = false;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_quoted) {
      if (c != '"') {
        cell += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        cell += '"';
        ++i;
      } else {
        is_quoted = false;
      }
    } else if (c == '"') {
      is_quoted = has_cell = true;
    } else if (c == ',') {
      row.push_back(std::move(cell));
      cell.clear();
      has_cell = true;
    } else if (c == '\n') {
      end_row();
    } else if (c != '\r') {
      cell += c;
      has_cell = true;
    }
  }
  if (has_cell) end_row();
  for (const auto& each : out->rows) {
    if (each.size() != out->columns.size()) return Status::Error("the engine's result is damaged");
  }
  return Status::Ok();
}

}  // namespace rtl::fleet
