// SPDX-License-Identifier: MIT
// output_file.h: a file that gets its name only when it is complete. A complete file is never lost:
// if it cannot get the name any more, it gets another one.
//
// Threads    one
// Memory     without Publish the file is deleted with this object
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

  // Makes an empty file beside `output`, with the permissions of the user's umask. Returns an error
  // if `output` exists and is not a regular file, or if this user may not replace it. Removes
  // temporary files that killed writers have left.
  Status Make(const std::string& output);
  // Copies the contents of the file with the output's name into the new file.
  Status CopyEarlier();
  const std::string& temporary() const { return temporary_; }

  // Gives the file its name. A file that appeared after Make is never replaced: the new file then
  // gets the next free name, such as "trace.2.db". It also gets such a name if the name cannot be
  // used. If no name can be used (the folder has become unwritable), the file keeps its temporary
  // name. If its folder was removed, it is copied to the folder for temporary files. A renamed
  // folder is found. `written`: the path of the file; `note`: a sentence that says why it is
  // another one.
  Status Publish(std::string* written, std::string* note = nullptr);
  void Drop();

 private:
  // Identifies the file that has a name.
  struct Identity {
    bool exists = false;
    uint64_t inode = 0;
    int64_t changed = 0;  // in ns

    static Identity Of(int folder, const std::string& name);
    bool operator==(const Identity&) const = default;
  };

  Status CheckReplaceable() const;
  std::string FolderNow() const;
  void RemoveStaleJournals() const;
  bool TakeFreeName(std::string* name);
  Status CopyAside(std::string* written) const;

  bool TakeName(const std::string& name);
  void RemoveLeftovers(const std::string& folder) const;

  std::string output_;
  UniqueFd folder_;        // the output's folder
  std::string name_;       // the output's name in the folder
  Identity replaced_;      // the file that Publish may replace
  std::string temporary_;  // empty: there is no file
  UniqueFd lock_;          // lock on the temporary file, which shows that its writer lives
};

}  // namespace rtl::store
