// SPDX-License-Identifier: MIT
// publish.cpp: puts the machine's files on disk. It runs below the interposed entry points, which
// need these very files, and so calls the kernel directly.
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "vgpu/config/log.h"
#include "vgpu/kfd/topology.h"

namespace vgpu {
namespace {

constexpr mode_t kPrivate = 0700;
constexpr mode_t kDirectoryMode = 0755;
constexpr mode_t kFileMode = 0644;

// Whether `file` is below `root`. Cleaners of temporary directories remove files
// that were not opened for days, and leave the directories that hold younger ones.
bool IsThere(const std::string& root, const MachineFile& file) {
  struct stat status;
  const std::string path = root + file.path;
  if (syscall(SYS_newfstatat, AT_FDCWD, path.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return false;
  }
  if (file.is_directory) return S_ISDIR(status.st_mode);
  if (file.is_link) return S_ISLNK(status.st_mode);
  return file.is_device ? S_ISFIFO(status.st_mode) : S_ISREG(status.st_mode);
}

bool IsWhole(const std::string& root, const std::vector<MachineFile>& files) {
  return std::all_of(files.begin(), files.end(),
                     [&root](const MachineFile& file) { return IsThere(root, file); });
}

// Creates files below one directory, and can remove all of them again.
class TreeWriter {
 public:
  explicit TreeWriter(std::string root) : root_(std::move(root)) {}

  // Creates what is not there yet. 0 or an errno.
  int Write(const std::vector<MachineFile>& files) {
    if (const int error = MakeDirectory(root_); error != 0) return error;
    for (const MachineFile& file : files) {
      if (IsThere(root_, file)) continue;
      int error = MakeDirectories(file.is_directory ? file.path + "/" : file.path);
      if (error == 0 && file.is_link) error = MakeLink(file);
      if (error == 0 && file.is_device) error = MakeDevice(file);
      if (error == 0 && !file.is_link && !file.is_directory && !file.is_device)
        error = WriteFile(file);
      if (error != 0) return error;
    }
    return 0;
  }

  // Best effort: the few kilobytes that may stay behind have no users.
  void Remove() {
    for (auto path = files_.rbegin(); path != files_.rend(); ++path) {
      syscall(SYS_unlinkat, AT_FDCWD, path->c_str(), 0);
    }
    for (auto path = directories_.rbegin(); path != directories_.rend(); ++path) {
      syscall(SYS_unlinkat, AT_FDCWD, path->c_str(), AT_REMOVEDIR);
    }
  }

 private:
  // Turns the result of a call that creates `path` into 0 or an errno. EEXIST becomes 0, because
  // another process may have created the path.
  static int Made(long result, const std::string& path, std::vector<std::string>* made) {
    if (result != 0) return errno == EEXIST ? 0 : errno;
    made->push_back(path);
    return 0;
  }

  int MakeDirectory(const std::string& path) {
    return Made(syscall(SYS_mkdirat, AT_FDCWD, path.c_str(), kDirectoryMode), path, &directories_);
  }

  // Every directory that leads to `path`, which is relative to the root.
  int MakeDirectories(const std::string& path) {
    for (size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1)) {
      if (const int error = MakeDirectory(root_ + path.substr(0, end)); error != 0) return error;
    }
    return 0;
  }

  int MakeLink(const MachineFile& file) {
    const std::string path = root_ + file.path;
    return Made(syscall(SYS_symlinkat, file.text.c_str(), AT_FDCWD, path.c_str()), path, &files_);
  }

  // A pipe without a writer: it has an inode of its own, and its readers can neither write to
  // it nor map it.
  int MakeDevice(const MachineFile& file) {
    const std::string path = root_ + file.path;
    return Made(syscall(SYS_mknodat, AT_FDCWD, path.c_str(), S_IFIFO | kFileMode, 0), path,
                &files_);
  }

  // Writes under another name and then renames: other processes read this directory while missing
  // files are put back.
  int WriteFile(const MachineFile& file) {
    const std::string path = root_ + file.path;
    const std::string draft = path + "." + std::to_string(getpid());
    const int fd = static_cast<int>(syscall(SYS_openat, AT_FDCWD, draft.c_str(),
                                            O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, kFileMode));
    if (fd < 0) return errno;
    const auto written = syscall(SYS_write, fd, file.text.data(), file.text.size());
    int error = written < 0 ? errno : 0;
    syscall(SYS_close, fd);
    if (error == 0 && static_cast<size_t>(written) != file.text.size()) error = ENOSPC;
    if (error == 0 &&
        syscall(SYS_renameat2, AT_FDCWD, draft.c_str(), AT_FDCWD, path.c_str(), 0) != 0) {
      error = errno;
    }
    if (error != 0) {
      syscall(SYS_unlinkat, AT_FDCWD, draft.c_str(), 0);
      return error;
    }
    files_.push_back(path);
    return 0;
  }

  const std::string root_;
  std::vector<std::string> files_;
  std::vector<std::string> directories_;
};

// FNV-1a.
uint64_t HashOf(const std::vector<MachineFile>& files) {
  uint64_t hash = 0xcbf29ce484222325;
  const auto mix = [&hash](const std::string& text) {
    for (const char c : text + '\0') hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  };
  for (const MachineFile& file : files) {
    mix(file.path);
    mix(file.text);
    if (file.is_device) mix("pipe");
  }
  return hash;
}

bool IsDirectory(const std::string& path) {
  struct stat status;
  return syscall(SYS_newfstatat, AT_FDCWD, path.c_str(), &status, 0) == 0 &&
         S_ISDIR(status.st_mode);
}

int MakeBase(const std::string& base) {
  for (size_t end = base.find('/', 1); end != std::string::npos; end = base.find('/', end + 1)) {
    // Errors are not looked at here: if a directory is missing, the last mkdirat fails.
    (void)syscall(SYS_mkdirat, AT_FDCWD, base.substr(0, end).c_str(), kDirectoryMode);
  }
  if (syscall(SYS_mkdirat, AT_FDCWD, base.c_str(), kPrivate) == 0 || errno == EEXIST) return 0;
  return errno;
}

// The default directory has a well-known name in a directory that all users can write to, so
// another user may have made it.
bool IsOurs(const std::string& base) {
  struct stat status;
  if (syscall(SYS_newfstatat, AT_FDCWD, base.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return errno == ENOENT;
  }
  return S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}

std::string DefaultBase() {
  const char* temporary = std::getenv("TMPDIR");
  const std::string parent = temporary != nullptr && *temporary != '\0' ? temporary : "/tmp";
  return parent + "/vgpu-" + std::to_string(geteuid());
}

HostFacts GetHostFacts() {
  HostFacts host;
  host.cpus = sysconf(_SC_NPROCESSORS_ONLN);
  host.memory_bytes = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  return host;
}

// Empty, with the reason in *why, when it fails.
std::string PublishThisMachine(std::string* why) {
  const std::string& chosen = GetConfig().dir;
  const std::string base = chosen.empty() ? DefaultBase() : chosen;
  if (chosen.empty() && !IsOurs(base)) {
    *why = base + " belongs to another user; set VGPU_DIR";
    return "";
  }
  return PublishMachine(DescribeMachine(GetConfig(), GetHostFacts()), base, why);
}

}  // namespace

std::string PublishMachine(const std::vector<MachineFile>& files, const std::string& base,
                           std::string* why) {
  char name[32];
  std::snprintf(name, sizeof(name), "/%016llx", static_cast<unsigned long long>(HashOf(files)));
  const std::string root = base + name;
  if (IsDirectory(root)) {
    if (IsWhole(root, files)) return root;
    if (const int error = TreeWriter(root).Write(files); error == 0) return root;
    *why = root + " is damaged and cannot be mended; remove it";
    return "";
  }
  if (const int error = MakeBase(base); error != 0) {
    *why = "cannot create " + base + ": " + std::strerror(error);
    return "";
  }

  // The tree is built beside `root` and then renamed, so that no process ever sees half of it.
  const std::string draft = root + "." + std::to_string(getpid());
  TreeWriter writer(draft);
  const int error = writer.Write(files);
  if (error == 0 && syscall(SYS_renameat2, AT_FDCWD, draft.c_str(), AT_FDCWD, root.c_str(),
                            RENAME_NOREPLACE) == 0) {
    return root;
  }
  const int cause = error != 0 ? error : errno;
  writer.Remove();
  if (IsDirectory(root)) return root;  // another process was first
  *why = "cannot write " + draft + ": " + std::strerror(cause);
  return "";
}

const std::string& MachineRoot() {
  static const std::string& root = *new std::string([] {
    std::string why;
    std::string published = PublishThisMachine(&why);
    if (!published.empty()) return published;
    Log(LogLevel::kError, "no device files: %s", why.c_str());
    return std::string("/nonexistent");
  }());
  return root;
}

}  // namespace vgpu
