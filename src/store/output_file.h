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

  // Makes an empty file beside `output`, with the permissions of the user's umask. Refuses when
  // `output` exists and is no regular file. Removes the leftovers of killed writers.
  Status Make(const std::string& output);
  // Fills it with the content of the file under the output's name.
  Status CopyEarlier();
  const std::string& temporary() const { return temporary_; }

  // Gives it its name. Never replaces a file that appeared since Make: it then takes the next free
  // name, "trace.2.db". `written`: the name taken.
  Status Publish(std::string* written);
  void Drop();

 private:
  // The identity of the file under a name.
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
  UniqueFd lock_;          // of the temporary file: it has a living writer
};

}  // namespace rtl::store
