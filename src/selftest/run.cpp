// SPDX-License-Identifier: MIT
#include "selftest/run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>

extern char** environ;

namespace rtl::selftest {
namespace {

constexpr double kGrace = 15;  // seconds in which a trace may be finished after the limit
constexpr int kTick = 100;     // milliseconds
constexpr int kNotExecuted = 127;
constexpr size_t kMostText = 4 << 20;

// Process groups of running commands: at most a program, and a tracer that attaches to it.
std::atomic<pid_t> g_running[2];

void NoteRunning(pid_t pid) {
  pid_t none = 0;
  if (!g_running[0].compare_exchange_strong(none, pid, std::memory_order_relaxed))
    g_running[1].store(pid, std::memory_order_relaxed);
}

void ForgetRunning(pid_t pid) {
  for (std::atomic<pid_t>& each : g_running) {
    pid_t running = pid;
    (void)each.compare_exchange_strong(running, 0, std::memory_order_relaxed);
  }
}

double Seconds() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::atomic<int> g_interruption;

void OnInterrupt(int number) {
  g_interruption.store(number, std::memory_order_relaxed);
  for (const std::atomic<pid_t>& each : g_running) {
    const pid_t running = each.load(std::memory_order_relaxed);
    if (running > 0) (void)kill(-running, SIGKILL);
  }
}

std::vector<std::string> Environment(const Variables& variables) {
  std::vector<std::string> result;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string text = *each;
    const bool replaced = std::any_of(variables.begin(), variables.end(), [&](const auto& own) {
      return text.starts_with(own.first + "=");
    });
    if (!replaced && !text.starts_with("RTL_")) result.push_back(text);
  }
  for (const auto& [name, value] : variables) result.push_back(name + "=" + value);
  return result;
}

std::vector<char*> Pointers(std::vector<std::string>* texts) {
  std::vector<char*> pointers;
  for (std::string& text : *texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Appends what can be read now. At the end of the stream closes it and returns false.
bool ReadSome(int* fd, std::string* text) {
  char buffer[16384];
  const ssize_t got = read(*fd, buffer, sizeof buffer);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (got <= 0) {
    close(*fd);
    *fd = -1;
    return false;
  }
  if (text->size() < kMostText) text->append(buffer, static_cast<size_t>(got));
  return true;
}

}  // namespace

void EndAtInterrupt() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) (void)signal(number, OnInterrupt);
  (void)signal(SIGPIPE, SIG_IGN);
}

int Interruption() { return g_interruption.load(std::memory_order_relaxed); }

std::string Ran::Ending() const {
  if (!started) return "could not be started";
  if (timed_out) return "did not end in time";
  return signalled ? "was ended by signal " + std::to_string(code)
                   : "ended with " + std::to_string(code);
}

std::string Ran::Complaint() const {
  std::string last;
  std::string error;
  for (size_t at = 0; at < err.size();) {
    const size_t end = std::min(err.find('\n', at), err.size());
    const std::string line = err.substr(at, end - at);
    at = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (line.find(" submitted, ") != std::string::npos || line.starts_with("rtl: mode ")) continue;
    last = line;
    if (line.find("rror") != std::string::npos) error = line;
  }
  const std::string& best = error.empty() ? last : error;
  return best.substr(best.starts_with("rtl: ") ? 5 : 0, 300);
}

std::string Ran::Fact(const std::string& word) const {
  for (size_t at = 0; at < out.size();) {
    const size_t end = std::min(out.find('\n', at), out.size());
    if (out.compare(at, word.size() + 1, word + " ") == 0)
      return out.substr(at + word.size() + 1, end - at - word.size() - 1);
    at = end + 1;
  }
  return "";
}

long Ran::Number(const std::string& word) const {
  const std::string text = Fact(word);
  return text.empty() ? -1 : atol(text.c_str());
}

Command::Command(const std::vector<std::string>& words, const Variables& variables) {
  if (Interruption() != 0) return;
  int in[2];
  int out[2];
  int err[2];
  if (pipe2(in, O_CLOEXEC) != 0) return;
  if (pipe2(out, O_CLOEXEC) != 0) return;
  if (pipe2(err, O_CLOEXEC) != 0) return;
  std::vector<std::string> arguments = words;
  std::vector<std::string> environment = Environment(variables);
  const std::vector<char*> argv = Pointers(&arguments);
  const std::vector<char*> envp = Pointers(&environment);
  pid_ = fork();
  if (pid_ == 0) {
    (void)setpgid(0, 0);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) (void)signal(number, SIG_DFL);
    if (dup2(in[0], 0) < 0 || dup2(out[1], 1) < 0 || dup2(err[1], 2) < 0) _exit(kNotExecuted);
    execve(argv[0], argv.data(), envp.data());
    _exit(kNotExecuted);
  }
  close(in[0]);
  close(out[1]);
  close(err[1]);
  in_ = in[1];
  out_ = out[0];
  err_ = err[0];
  ran_.started = pid_ > 0;
  if (!ran_.started) return;
  (void)setpgid(pid_, pid_);  // the child also does this, but maybe later
  NoteRunning(pid_);
  if (Interruption() != 0) (void)kill(-pid_, SIGKILL);  // the interrupt came before NoteRunning
}

Command::~Command() {
  if (pid_ > 0) {
    (void)kill(-pid_, SIGKILL);
    (void)waitpid(pid_, nullptr, 0);
    ForgetRunning(pid_);
  }
  for (const int fd : {in_, out_, err_}) {
    if (fd >= 0) close(fd);
  }
}

void Command::Write(const std::string& text) {
  if (in_ >= 0) (void)!write(in_, text.data(), text.size());
}

bool Command::Read(int milliseconds) {
  pollfd fds[] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};
  if (out_ < 0 && err_ < 0) return false;
  if (poll(fds, 2, milliseconds) <= 0) return true;
  if (out_ >= 0 && fds[0].revents != 0) (void)ReadSome(&out_, &ran_.out);
  if (err_ >= 0 && fds[1].revents != 0) (void)ReadSome(&err_, &ran_.err);
  return true;
}

bool Command::HasEnded() {
  if (pid_ <= 0) return true;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) != pid_) return false;
  ran_.signalled = WIFSIGNALED(status);
  ran_.code = ran_.signalled ? WTERMSIG(status) : WEXITSTATUS(status);
  if (!ran_.signalled && ran_.code == kNotExecuted) ran_.started = false;
  (void)kill(-pid_, SIGKILL);  // processes that the command has started
  ForgetRunning(pid_);
  pid_ = -1;
  return true;
}

bool Command::WaitFor(const std::string& text, int times, double seconds) {
  return WaitForText(ran_.out, text, times, seconds);
}

bool Command::WaitForError(const std::string& text, double seconds) {
  return WaitForText(ran_.err, text, 1, seconds);
}

void Command::Interrupt() {
  if (pid_ > 0) (void)kill(pid_, SIGINT);
}

bool Command::WaitForText(const std::string& in, const std::string& text, int times,
                          double seconds) {
  const double until = Seconds() + seconds;
  while (true) {
    int seen = 0;
    for (size_t at = in.find(text); at != std::string::npos; at = in.find(text, at + 1)) ++seen;
    if (seen >= times) return true;
    if (HasEnded() || Seconds() > until) return false;
    (void)Read(kTick);
  }
}

Ran Command::Wait(double seconds) {
  if (in_ >= 0) close(in_);
  in_ = -1;
  const double until = Seconds() + seconds;
  while (!HasEnded()) {
    if (!Read(kTick)) poll(nullptr, 0, 1);  // both streams are closed, and the process still lives
    if (Seconds() > until && !ran_.timed_out) {
      ran_.timed_out = true;
      (void)kill(-pid_, SIGTERM);
    }
    if (Seconds() > until + kGrace) (void)kill(-pid_, SIGKILL);
  }
  // Reads the rest of the output. Processes that the command started were killed, so the streams
  // end.
  while (Read(kTick) && (out_ >= 0 || err_ >= 0) && Seconds() < until + 2 * kGrace) {
  }
  return ran_;
}

}  // namespace rtl::selftest
