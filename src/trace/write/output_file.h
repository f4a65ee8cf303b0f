// SPDX-License-Identifier: MIT
// output_file.h: a file that appears under its name only when it is complete. Once complete it is
// never lost: where the name cannot be given to it any more, it gets another one.
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
  // `output` exists and is no regular file, or one that this user may not replace. Removes the
  // leftovers of killed writers.
  Status Make(const std::string& output);
  // Fills it with the content of the file under the output's name.
  Status CopyEarlier();
  const std::string& temporary() const { return temporary_; }

  // Gives it its name. Never replaces a file that appeared since Make: it then takes the next free
  // name, "trace.2.db". So it does when the name cannot be taken; if none can (the folder has become
  // unwritable), it stays under its temporary name, and if its folder was removed, it is copied to
  // the folder for temporary files. A folder with a new name is found. `written`: the path; `note`:
  // why it is another one, as a sentence.
  Status Publish(std::string* written, std::string* note = nullptr);
  void Drop();

 private:
  // The identity of the file under a name.
  struct Identity {
    bool exists = false;
    uint64_t inode = 0;
    int64_t changed = 0;  // ns

    static Identity Of(int folder, const std::string& name);
    bool operator==(const Identity&) const = default;
  };

  Status CheckReplaceable() const;
  std::string FolderNow() const;
  void RemoveStaleJournals() const;
  bool TakeFreeName(std::string* name);
  Status CopyAside(std::string* written) const;

  bool TakeName(const std::string& name);
  void RemoveLeftovers() const;

  std::string output_;
  UniqueFd folder_;        // of the output
  std::string name_;       // in the folder
  Identity replaced_;      // what Publish may replace
  std::string temporary_;  // empty: there is no file
  UniqueFd lock_;          // of the temporary file: it has a living writer
};

}  // namespace rtl::store
