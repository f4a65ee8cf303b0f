// SPDX-License-Identifier: MIT
#include "trace/write/asks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "spool/process_stat.h"
#include "trace/write/claim.h"

namespace rtl::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAnswer = "answer-";

std::string AskName(std::string_view word, std::string_view who) {
  return std::string(word) + "-" + std::string(who);
}

std::string AnswerName(std::string_view word, std::string_view who) {
  return std::string(word) + "-" + std::string(kAnswer) + std::string(who);
}

// The files in the spool whose names begin with `prefix`.
std::vector<fs::path> Find(const std::string& spool, const std::string& prefix) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(spool, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename().string().starts_with(prefix)) found.push_back(at->path());
  }
  return found;
}

// The files of requests, without those of answers.
std::vector<fs::path> FindAsks(const std::string& spool, std::string_view word) {
  std::vector<fs::path> found = Find(spool, AskName(word, ""));
  const std::string answers = AnswerName(word, "");
  std::erase_if(found, [&](const fs::path& path) {
    const std::string name = path.filename().string();
    return name.starts_with(answers) || name.ends_with(".tmp");
  });
  return found;
}

std::string ReadText(std::ifstream& file) {
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Writes the file so that it appears only when it is complete.
bool WriteText(const fs::path& path, std::string_view text) {
  const fs::path unfinished = path.string() + ".tmp";
  {
    std::ofstream file(unfinished, std::ios::binary | std::ios::trunc);
    file << text;
    if (!file.flush()) return false;
  }
  std::error_code error;
  fs::rename(unfinished, path, error);
  return !error;
}

}  // namespace

bool HasAsks(const std::string& spool, std::string_view word) {
  return !FindAsks(spool, word).empty();
}

bool HasAnswers(const std::string& spool, std::string_view word) {
  return !Find(spool, AnswerName(word, "")).empty();
}

std::vector<Question> TakeAsks(const std::string& spool, std::string_view word) {
  std::vector<Question> asks;
  for (const fs::path& path : FindAsks(spool, word)) {
    std::ifstream file(path, std::ios::binary);
    asks.push_back({path.filename().string().substr(AskName(word, "").size()), ReadText(file)});
    std::error_code ignored;
    fs::remove(path, ignored);
  }
  return asks;
}

void AnswerAsk(const std::string& spool, std::string_view word, const Question& ask,
               std::string_view answer) {
  // On failure the program that asks waits until its limit.
  (void)WriteText(fs::path(spool) / AnswerName(word, ask.who), answer);
}

void RemoveAsks(const std::string& spool) {
  std::error_code ignored;
  for (const std::string_view word : {kAskInFlight, kAskWindow, kAskAttach}) {
    for (const fs::path& path : Find(spool, AskName(word, ""))) fs::remove(path, ignored);
  }
}

Status AskCollector(const std::string& spool, std::string_view word, std::string_view text,
                    uint64_t limit_ns, std::string* answer) {
  const std::string who = std::to_string(getpid());
  const fs::path ask = fs::path(spool) / AskName(word, who);
  const fs::path answered = fs::path(spool) / AnswerName(word, who);
  if (!WriteText(ask, text)) {
    return Status::ErrnoError(errno, "cannot ask in the spool %s", spool.c_str());
  }
  constexpr uint64_t kNapNs = 5'000'000;
  constexpr int kNapsPerLook = 20;
  bool read = true;
  int naps = 0;
  for (const uint64_t start = BootTimeNs(); read && BootTimeNs() - start < limit_ns; ++naps) {
    std::ifstream file(answered, std::ios::binary);
    if (file) {
      *answer = ReadText(file);
      (void)unlink(answered.c_str());  // the file belongs to this program
      return Status::Ok();
    }
    if (naps % kNapsPerLook == 0) read = HasReader(spool);
    Nap(kNapNs);
  }
  (void)unlink(ask.c_str());
  if (!read) {
    return Status::Error(
        "no collector reads this spool any more; make the database with: rtl collect --spool %s "
        "--output FILE",
        spool.c_str());
  }
  return Status::Error(
      "no collector answers for the spool %s; if it is gone, make the database with: rtl collect"
      " --spool %s --output FILE",
      spool.c_str(), spool.c_str());
}

// Finds the spool by the control page that the process has mapped. If the process has another view
// of the file system, as in a container, the launcher's variable gives the spool's path in that
// view.
std::string SpoolOf(uint32_t pid) {
  constexpr std::string_view kVariable = "RTL_SPOOL=";
  const std::string process = "/proc/" + std::to_string(pid);
  const std::string own = "/" + std::to_string(spool::PidInItsNamespace(pid)) + "-";
  std::ifstream maps(process + "/maps");
  std::error_code ignored;
  bool traced = false;
  for (std::string line; std::getline(maps, line);) {
    if (!line.ends_with(".ctl")) continue;
    const size_t path = line.find('/');
    const size_t name = line.rfind('/');
    if (line.compare(name, own.size(), own) != 0) continue;
    traced = true;
    const std::string spool = line.substr(path, name - path);
    if (fs::is_directory(spool, ignored)) return spool;
    // In a container, the mapped path may begin with the location of the container's file system as
    // seen from here.
    for (size_t at = 0; at != std::string::npos; at = spool.find('/', at + 1)) {
      const std::string inside = process + "/root" + spool.substr(at);
      if (fs::exists(inside + line.substr(name), ignored)) return inside;
    }
  }
  std::ifstream environment(process + "/environ");
  for (std::string variable; traced && std::getline(environment, variable, '\0');) {
    if (!variable.starts_with(kVariable)) continue;
    return process + "/root" + variable.substr(kVariable.size());
  }
  return "";
}

}  // namespace rtl::store
