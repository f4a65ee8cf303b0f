// SPDX-License-Identifier: MIT
// run.h: runs a command with a limit of time, and keeps what it prints.
//
// Threads    one at a time
// Blocking   Wait, until the end or the limit. At the limit the group of the command gets SIGTERM,
//            so that a trace is finished, and SIGKILL some seconds later
// Signals    an interrupt ends the running commands, and no more are started (EndAtInterrupt)
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace rtl::selftest {

struct Ran {
  bool started = false;
  bool timed_out = false;
  bool signalled = false;
  int code = -1;         // exit code, or signal
  std::string untraced;  // how the program failed without the tracer, where it did with it
  std::string out, err;

  bool ok() const { return started && !timed_out && !signalled && code == 0; }
  std::string Ending() const;  // "ended with 1", "was ended by signal 11", ...
  // The last line about an error on its standard error, else the last line.
  std::string Complaint() const;
  // The text after the word in the first line of standard output that begins with it; empty: none.
  std::string Fact(const std::string& word) const;
  long Number(const std::string& word) const;  // -1: none
};

using Variables = std::vector<std::pair<std::string, std::string>>;

class Command {
 public:
  // With these variables besides the environment's own, of which RTL_* are left out.
  Command(const std::vector<std::string>& words, const Variables& variables);
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  void Write(const std::string& text);  // to its standard input
  // Until standard output contains the text this many times. False: it ended, or the limit.
  bool WaitFor(const std::string& text, int times, double seconds);
  bool WaitForError(const std::string& text, double seconds);  // the same for standard error
  void Interrupt();                                            // SIGINT
  Ran Wait(double seconds);
  pid_t pid() const { return pid_; }

 private:
  bool Read(int milliseconds);  // false: both streams are at their end
  bool HasEnded();
  bool WaitForText(const std::string& in, const std::string& text, int times, double seconds);

  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;
  Ran ran_;
};

// From now on an interrupt (SIGINT, SIGTERM, SIGHUP) ends the running commands.
void EndAtInterrupt();
int Interruption();  // the signal that came, 0: none

}  // namespace rtl::selftest
