// SPDX-License-Identifier: MIT
#include "vgpu/run/cli_check.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>

#include "vgpu/run/cli_code_objects.h"
#include "vgpu/wave/census.h"
#include "vgpu/wave/isa.h"

namespace vgpu {
namespace {

// A file's bytes, read only.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0) {
      error_ = errno;
    } else if (!S_ISREG(status.st_mode) || status.st_size == 0) {
      error_ = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    } else {
      size_ = static_cast<size_t>(status.st_size);
      address_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
      if (address_ == MAP_FAILED) error_ = errno;
    }
    if (fd >= 0) close(fd);
  }
  ~MappedFile() {
    if (error_ == 0) munmap(address_, size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  int error() const { return error_; }
  Bytes bytes() const { return {static_cast<const uint8_t*>(address_), size_}; }

 private:
  void* address_ = MAP_FAILED;
  size_t size_ = 0;
  int error_ = 0;
};

struct Missing {
  uint64_t count = 0;
  uint64_t functions = 0;
  std::string first;  // the first function with the instruction
};

// The contents of the file for one target.
struct Target {
  int gfx = 0;
  uint64_t objects = 0, functions = 0, instructions = 0;
  std::map<std::string, Missing> missing;
};

void Count(const CodeObject& object, Target* target) {
  const ScopedIsa isa(object.gfx);
  target->gfx = object.gfx;
  ++target->objects;
  for (const CodePart& part : object.parts) {
    ++target->functions;
    if (object.gfx == 0) continue;
    Census census;
    CountInstructions(part.code.data(), part.code.size(), &census);
    target->instructions += census.instructions;
    for (const auto& [name, count] : census.not_executed) {
      Missing& missing = target->missing[name];
      missing.count += count;
      ++missing.functions;
      if (missing.first.empty()) missing.first = part.name;
    }
  }
}

std::string Counted(uint64_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

std::string Show(const std::string& name, const Target& target) {
  std::string text = name + ": " + Counted(target.objects, "code object") + ", " +
                     Counted(target.functions, "function") + ": ";
  if (target.gfx == 0) return text + "this GPU is not modelled\n";
  text += Counted(target.instructions, "instruction");
  if (target.missing.empty()) return text + ", all modelled\n";
  uint64_t total = 0;
  for (const auto& entry : target.missing) total += entry.second.count;
  text += ", " + std::to_string(total) + " not modelled\n";
  for (const auto& [what, missing] : target.missing) {
    text += "  " + std::to_string(missing.count) + " in " + Counted(missing.functions, "function") +
            "  " + what + "  (" + missing.first + ")\n";
  }
  return text;
}

}  // namespace

CheckResult CheckFile(const std::string& path) {
  CheckResult result;
  const MappedFile file(path);
  if (file.error() != 0) {
    result.why = std::strerror(file.error());
    return result;
  }
  CodeObjects objects;
  if (!objects.Read(file.bytes(), &result.why)) return result;
  result.read = true;
  std::map<std::string, Target> targets;
  for (const CodeObject& object : objects.list()) Count(object, &targets[object.target]);
  bool modelled = false, missing = false;
  for (const auto& [name, target] : targets) {
    result.text += Show(name, target);
    modelled = modelled || target.gfx != 0;
    missing = missing || !target.missing.empty();
  }
  result.can_run = modelled && !missing;
  return result;
}

}  // namespace vgpu
