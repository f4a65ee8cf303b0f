// SPDX-License-Identifier: MIT
// output_file.h: a file that appears under its name only when it is complete.
//
// Threads    one
// Memory     without Publish the file is gone with this object
// Errors     a sentence that names the file; nothing is left under the output's name
#pragma once

#include <stdint.h>

#include <string>

#include "base/status.h"
#include "base/unique_fd.h"

namespace rtl::store {

class OutputFile {
 public:
  OutputFile() = default;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() { Drop(); }

  // An empty file beside `output`, with the permissions that the user's umask gives. Refuses when
  // something lies there that is not a regular file. Removes what a writer that was killed has left.
  Status Make(const std::string& output);
  // Fills it with what lies under the output's name.
  Status CopyEarlier();
  const std::string& temporary() const { return temporary_; }

  // Gives it its name. Never over a file that has come since Make: then it gets the next free name,
  // "trace.2.db". `written`: which.
  Status Publish(std::string* written);
  void Drop();

 private:
  // Which file lies under a name.
  struct Identity {
    bool exists = false;
    uint64_t inode = 0;
    int64_t changed = 0;  // ns

    static Identity Of(const std::string& path);
    bool operator==(const Identity&) const = default;
  };

  Status RemoveStaleJournals() const;
  Status PublishBeside(std::string* written);

  bool TakeName(const std::string& name);
  void RemoveLeftovers() const;

  std::string output_;
  Identity replaced_;      // what Publish may replace
  std::string temporary_;  // empty: there is no file
  UniqueFd lock_;          // of the temporary file: somebody writes it
};

}  // namespace rtl::store
