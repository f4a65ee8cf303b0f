// SPDX-License-Identifier: MIT
// run.h: runs a command with a time limit, and keeps its output.
//
// Threads    one at a time
// Blocking   Wait: until the command ends or the limit. At the limit the command's process group
//            gets
//            SIGTERM, so that a trace can be finished, and SIGKILL some seconds later
// Signals    an interrupt ends the running commands, and further ones are not started
//            (EndAtInterrupt)
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
  std::string untraced;  // how the program failed without the tracer, if it failed with the tracer
  std::string out, err;

  bool ok() const { return started && !timed_out && !signalled && code == 0; }
  std::string Ending() const;  // "ended with 1", "was ended by signal 11", ...
  // The last line of standard error that reports an error. If there is none, the last line.
  std::string Complaint() const;
  // The text after `word` in the first line of standard output that begins with it. Empty: there is
  // none.
  std::string Fact(const std::string& word) const;
  long Number(const std::string& word) const;  // -1: none
};

using Variables = std::vector<std::pair<std::string, std::string>>;

class Command {
 public:
  // Starts the command with these variables and this process's environment, but without its RTL_*
  // variables.
  Command(const std::vector<std::string>& words, const Variables& variables);
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  void Write(const std::string& text);  // to its standard input
  // Waits until standard output has this text so many times. False: the command has ended, or the
  // time is over.
  bool WaitFor(const std::string& text, int times, double seconds);
  bool WaitForError(const std::string& text, double seconds);  // waits for standard error
  void Interrupt();                                            // sends SIGINT
  Ran Wait(double seconds);
  pid_t pid() const { return pid_; }

 private:
  bool Read(int milliseconds);  // false: both streams have ended
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
